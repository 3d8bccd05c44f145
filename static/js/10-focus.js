// A page that comes back with a refused form begins at the field that has to be put right, its sentence in sight.
// After a swap the focus goes to the first [data-focus] that is new; what was there before is passed over.
(() => {
  let before = new Set();
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  const marked = (root) => [root, ...root.querySelectorAll('[data-focus]')].filter((one) => one.matches('[data-focus]'));
  const print = (one) => one.id + one.textContent;
  const lost = () => document.activeElement === document.body;

  // Whether what was just opened stands whole between the two ends of a reveal; if so, nothing moves.
  const seen = (reveal) => {
    const top = reveal.querySelector('.reveal-top').getBoundingClientRect();
    const now = reveal.querySelector('.reveal-now').getBoundingClientRect();
    const end = reveal.querySelector('.opening')?.getBoundingClientRect().top ?? innerHeight;
    return top.top >= 0 && now.top >= top.bottom && now.bottom <= Math.min(end, innerHeight);
  };

  const sentence = document.querySelector('main .error[role="alert"][id]');
  const refused = sentence && document.querySelector(`main [aria-invalid][aria-describedby~="${sentence.id}"]`);
  if (refused && (lost() || document.activeElement === sentence)) {
    refused.focus({ preventScroll: true });
    for (const part of [sentence, refused]) part.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  }

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
    const reveal = next.closest('.reveal');
    if (!reveal) {
      next.scrollIntoView({ block: next.matches('.step') ? 'start' : 'nearest', behavior });
    } else if (!seen(reveal)) {
      reveal.scrollIntoView({ block: 'start', behavior });
    }
  });
})();
