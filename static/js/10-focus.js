// After a swap the focus goes to the first [data-focus] that is new; what was there before is passed over.
(() => {
  const MARGIN = 96; // px below what got the focus, as in the style sheets
  let before = new Set();
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  const marked = (root) => [root, ...root.querySelectorAll('[data-focus]')].filter((one) => one.matches('[data-focus]'));
  const print = (one) => one.id + one.textContent;
  const lost = () => document.activeElement === document.body;

  // Whether a term that opened would still be on the screen once `next` is.
  const together = (term, next) => {
    const top = term.getBoundingClientRect().top;
    return top >= 0 && next.getBoundingClientRect().bottom - top < innerHeight - MARGIN;
  };

  document.addEventListener('htmx:beforeSwap', () => { before = new Set(marked(document.body).map(print)); });

  document.addEventListener('htmx:afterSettle', (event) => {
    const found = marked(event.detail.elt);
    const next = found.find((one) => one.dataset.focus === 'always')
      ?? found.find((one) => !before.has(print(one)))
      ?? (lost() ? found.pop() : null);
    if (!next) return;
    before.add(print(next));
    next.focus({ preventScroll: true });
    const behavior = calm.matches ? 'auto' : 'smooth';
    const term = event.detail.elt.querySelector('.term.fresh');
    if (term && !together(term, next)) {
      term.scrollIntoView({ block: 'start', behavior });
    } else {
      next.scrollIntoView({ block: next.matches('.step') ? 'start' : 'nearest', behavior });
    }
  });
})();
