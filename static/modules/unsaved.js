// Who leaves with something written or chosen that was not sent is asked first. `data-unsaved="yes"`: what came with the
// page is stored nowhere either, as after a look at it or a refusal.
(() => {
  const sent = new Set();
  const isChanged = (field) => {
    if (field.matches('select')) return field.selectedOptions[0] !== (field.querySelector('[selected]') ?? field.options[0]);
    if (field.matches('[type=radio], [type=checkbox]')) return field.checked !== field.defaultChecked;
    return field.value !== field.defaultValue;
  };
  const isWritten = (field) => field.matches('input, textarea, select') && isChanged(field);
  const isUnsaved = (form) => !sent.has(form) && (form.dataset.unsaved === 'yes' || [...form.elements].some(isWritten));
  document.addEventListener('submit', ({ target }) => { sent.add(target); });
  addEventListener('beforeunload', (event) => {
    if (![...document.querySelectorAll('form[data-unsaved]')].some(isUnsaved)) return;
    event.preventDefault();
    event.returnValue = true; // Chromium before 119 goes by this
  });
})();
