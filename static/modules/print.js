// A button that prints the page. What the page holds only once (`data-once`) is asked for before one leaves it, until it
// was printed, or a link says so.
(() => {
  let isOnlyHere = document.querySelector('[data-once]') !== null;
  document.querySelectorAll('[data-print]').forEach((button) => { button.hidden = false; });
  document.addEventListener('click', ({ target }) => {
    if (target.closest('[data-print]')) print();
    if (target.closest('[data-printed]')) isOnlyHere = false;
  });
  addEventListener('afterprint', () => { isOnlyHere = false; });
  addEventListener('beforeunload', (event) => {
    if (!isOnlyHere) return;
    event.preventDefault();
    event.returnValue = true; // Chromium before 119 goes by this
  });
})();
