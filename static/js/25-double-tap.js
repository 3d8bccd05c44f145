// The second half of a double tap is not meant for what has come into the place of what was tapped: for so long nothing
// on the page can be pressed. What is there again, like +5 in a game, is pressed as fast as one likes.
(() => {
  const DOUBLE_TAP_MS = 350;
  const root = document.documentElement;
  let pressed = null;
  let pressedAt = 0;
  let timer = 0;
  const isThere = (control) => control.isConnected || (control.id && document.getElementById(control.id));

  document.addEventListener('click', ({ target, detail }) => {
    pressed = detail ? target.closest('button, a, summary') : null; // without it a key or a script has pressed
    pressedAt = performance.now();
  }, true);
  document.addEventListener('htmx:afterSwap', () => {
    const left = pressedAt + DOUBLE_TAP_MS - performance.now();
    if (!pressed || isThere(pressed) || left <= 0) return;
    root.classList.add('double-tap');
    clearTimeout(timer);
    timer = setTimeout(() => root.classList.remove('double-tap'), left);
  });
})();
