// After a swap the focus goes to the first [data-focus] that is new; what was there before is passed over.
(() => {
  let before = new Set();
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  const marked = (root) => [root, ...root.querySelectorAll('[data-focus]')].filter((one) => one.matches('[data-focus]'));
  const print = (one) => one.id + one.textContent;
  const lost = () => document.activeElement === document.body;

  document.addEventListener('htmx:beforeSwap', () => { before = new Set(marked(document.body).map(print)); });

  document.addEventListener('htmx:afterSettle', (event) => {
    const found = marked(event.detail.elt);
    const next = found.find((one) => one.dataset.focus === 'always')
      ?? found.find((one) => !before.has(print(one)))
      ?? (lost() ? found.pop() : null);
    if (!next) return;
    before.add(print(next));
    next.focus({ preventScroll: true });
    const block = next.matches('.step') ? 'start' : 'nearest';
    next.scrollIntoView({ block, behavior: calm.matches ? 'auto' : 'smooth' });
  });
})();
