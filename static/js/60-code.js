// A code exercise brings scripts of its own: asked for when one stands on the page, and its Python only by 运行.
(() => {
  const DRAFT_PREFIX = 'tangxu-code:';
  const asleep = () => [...document.querySelectorAll('.code-exercise:not(.waking)')];

  const wake = () => asleep().forEach((box) => {
    box.classList.add('waking');
    import(box.dataset.script).then((module) => module.wake(box), () => box.classList.remove('waking'));
  });
  document.addEventListener('htmx:afterSettle', wake);
  wake();

  // Who leaves takes the drafts along: the next one at this computer finds an empty desk.
  document.addEventListener('submit', (event) => {
    if (!event.target.matches('.leave')) return;
    try { Object.keys(localStorage).filter((key) => key.startsWith(DRAFT_PREFIX)).forEach((key) => localStorage.removeItem(key)); } catch { /* nothing kept */ }
  });
})();
