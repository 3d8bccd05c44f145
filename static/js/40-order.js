// Order a list by dragging its grip, by its buttons or by Alt and the arrows; the hidden inputs follow in their order.
// Without this script the same buttons are sent to the server.
(() => {
  const status = document.getElementById('status-order');
  const rows = (list) => [...list.children];
  const buttons = (row) => row.querySelectorAll('.move');

  const limit = (all) => all.forEach((listed, index) => {
    const [up, down] = buttons(listed);
    up.disabled = index === 0;
    down.disabled = index === all.length - 1;
  });

  const settle = (row) => {
    const all = rows(row.parentElement);
    limit(all);
    row.dispatchEvent(new Event('input', { bubbles: true }));
    status.textContent = `${row.dataset.label}，第${all.indexOf(row) + 1}位，共${all.length}位`;
  };

  const move = (row, steps) => {
    const all = rows(row.parentElement);
    const neighbour = all[all.indexOf(row) + steps];
    if (!neighbour) return;
    if (steps < 0) neighbour.before(row); else neighbour.after(row);
    settle(row);
    const [up, down] = buttons(row);
    const pressed = steps < 0 ? up : down;
    (pressed.disabled ? (steps < 0 ? down : up) : pressed).focus();
  };

  document.addEventListener('restored', ({ target }) => limit(rows(target.parentElement)));

  document.addEventListener('click', (event) => {
    const button = event.target.closest('.ranking .move');
    if (!button) return;
    event.preventDefault();
    event.stopPropagation();
    move(button.closest('li'), button.value.startsWith('up') ? -1 : 1);
  }, true);

  document.addEventListener('keydown', (event) => {
    const row = event.target.closest?.('.ranking li');
    const steps = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!row || !event.altKey || !steps) return;
    event.preventDefault();
    move(row, steps);
  });

  // The neighbour moves in the document, never the dragged row: moving it would drop its pointer capture.
  let dragged = null;
  let pointerId = 0;
  let startY = 0;
  const shift = (y) => dragged.style.setProperty('--dy', `${y - startY}px`);

  document.addEventListener('pointerdown', (event) => {
    const grip = event.target.closest('.ranking .grip');
    if (!grip || event.button || dragged) return; // one finger at a time
    event.preventDefault();
    dragged = grip.closest('li');
    pointerId = event.pointerId;
    startY = event.clientY;
    grip.setPointerCapture(event.pointerId);
    dragged.classList.add('drag');
  });

  document.addEventListener('pointermove', (event) => {
    if (!dragged || event.pointerId !== pointerId) return;
    const up = event.clientY < startY;
    const neighbour = up ? dragged.previousElementSibling : dragged.nextElementSibling;
    shift(event.clientY);
    if (!neighbour) return;
    const box = neighbour.getBoundingClientRect();
    const middle = box.top + box.height / 2;
    if (up ? event.clientY > middle : event.clientY < middle) return;
    const top = dragged.offsetTop;
    if (up) dragged.after(neighbour); else dragged.before(neighbour);
    startY += dragged.offsetTop - top;
    shift(event.clientY);
  });

  const drop = (event) => {
    if (!dragged || event.pointerId !== pointerId) return;
    const row = dragged;
    dragged = null;
    row.classList.remove('drag');
    row.style.removeProperty('--dy');
    settle(row);
  };
  for (const name of ['pointerup', 'pointercancel', 'lostpointercapture']) document.addEventListener(name, drop);
})();
