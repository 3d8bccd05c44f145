// Who leaves with something written or chosen that was not sent is asked first. `data-unsaved="yes"`: what came with the
// page is stored nowhere either, as after a look at it or a refusal.
(() => {
  const sent = new Set();
  const isTyped = (field) => field.matches('input, textarea, select') && isWritten(field);
  const isUnsaved = (form) => !sent.has(form) && (form.dataset.unsaved === 'yes' || [...form.elements].some(isTyped));
  document.addEventListener('submit', ({ target }) => { sent.add(target); });
  // Whoever writes on is still here; and what was lost on its way has not arrived.
  const keepAsUnsent = ({ target }) => { sent.delete(target.closest('form') ?? target.form); };
  for (const name of ['input', 'htmx:sendError', 'htmx:timeout', 'htmx:responseError']) document.addEventListener(name, keepAsUnsent);
  addEventListener('beforeunload', (event) => {
    if (![...document.querySelectorAll('form[data-unsaved]')].some(isUnsaved)) return;
    event.preventDefault();
    event.returnValue = true; // Chromium before 119 goes by this
  });
})();
