// Who leaves with something written or chosen that was not sent is asked first. `data-unsaved="yes"`: what came with the
// page is stored nowhere either, as after a look at it or a refusal.
(() => {
  const sent = new Set();
  const isTyped = (field) => field.matches('input, textarea, select') && isWritten(field);
  const isUnsaved = (form) => !sent.has(form) && (form.dataset.unsaved === 'yes' || [...form.elements].some(isTyped));
  document.addEventListener('submit', ({ target }) => { sent.add(target); });
  addEventListener('beforeunload', (event) => {
    if (![...document.querySelectorAll('form[data-unsaved]')].some(isUnsaved)) return;
    event.preventDefault();
    event.returnValue = true; // Chromium before 119 goes by this
  });
})();
