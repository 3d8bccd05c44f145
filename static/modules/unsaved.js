// Who leaves with words that were not sent is asked first. `data-unsaved="yes"`: those that came with the page are
// stored nowhere either, as after a look at them or a refusal.
(() => {
  const sent = new Set();
  const isChanged = (field) => field.matches('textarea, input[type=text]') && field.value !== field.defaultValue;
  const isUnsaved = (form) => !sent.has(form) && (form.dataset.unsaved === 'yes' || [...form.elements].some(isChanged));
  const forms = [...document.querySelectorAll('form[data-unsaved]')];
  forms.forEach((form) => form.addEventListener('submit', () => { sent.add(form); }));
  addEventListener('beforeunload', (event) => { if (forms.some(isUnsaved)) event.preventDefault(); });
})();
