// The keys for numbers are fetched with the first field on a phone that wants them.
(() => {
  const FIELDS = 'main [inputmode="decimal"][name="answer"], main [inputmode="decimal"][name="guess"]';
  const coarse = matchMedia('(pointer: coarse)');
  document.addEventListener('focusin', async ({ target: field }) => {
    if (!coarse.matches || !field.matches(FIELDS)) return;
    const keys = await import('/static/modules/number-keys.js').catch(() => null);
    keys?.serve(field);
  });
})();
