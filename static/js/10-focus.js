// A page that comes back with a refused form begins at the field that has to be put right, its sentence in sight.
// After a swap the focus goes to the first [data-focus] that is new; what was there before is passed over.
(() => {
  let before = new Set();
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  const targetsIn = (root) => [root, ...root.querySelectorAll('[data-focus]')].filter((element) => element.matches('[data-focus]'));
  const fingerprint = (element) => element.id + element.textContent;
  const isLost = () => document.activeElement === document.body;

  // Whether what was just opened stands whole between the two ends of a reveal; if so, nothing moves.
  const isInSight = (reveal) => {
    const top = reveal.querySelector('.reveal-top').getBoundingClientRect();
    const now = reveal.querySelector('.reveal-now').getBoundingClientRect();
    const end = reveal.querySelector('.opening')?.getBoundingClientRect().top ?? innerHeight;
    return top.top >= 0 && now.top >= top.bottom && now.bottom <= Math.min(end, innerHeight);
  };

  const sentence = document.querySelector('main .error[role="alert"][id]');
  const refused = sentence && document.querySelector(`main [aria-invalid][aria-describedby~="${sentence.id}"]`);
  if (refused && (isLost() || document.activeElement === sentence)) {
    refused.focus({ preventScroll: true });
    for (const element of [sentence, refused]) element.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  }

  document.addEventListener('htmx:beforeSwap', () => { before = new Set(targetsIn(document.body).map(fingerprint)); });

  document.addEventListener('htmx:afterSettle', (event) => {
    const targets = targetsIn(event.detail.elt);
    const next = targets.find((target) => target.dataset.focus === 'always')
      ?? targets.find((target) => !before.has(fingerprint(target)))
      ?? (isLost() ? targets.pop() : null);
    if (!next) return;
    before.add(fingerprint(next));
    next.focus({ preventScroll: true });
    const behavior = calm.matches ? 'auto' : 'smooth';
    const reveal = next.closest('.reveal');
    if (!reveal) {
      next.scrollIntoView({ block: next.matches('.step') ? 'start' : 'nearest', behavior });
    } else if (!isInSight(reveal)) {
      reveal.scrollIntoView({ block: 'start', behavior });
    }
  });
})();
