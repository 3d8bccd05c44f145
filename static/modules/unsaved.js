// Who leaves with something written or chosen that was not sent is asked first. `data-unsaved="yes"`: what came with the
// page is stored nowhere either, as after a look at it or a refusal; a form with `data-carries` takes that along too.
(() => {
  const sent = new Set();
  let isCarried = false;
  const isTyped = (field) => field.matches('input, textarea, select') && isWritten(field);
  const isShown = (form) => form.dataset.unsaved === 'yes' && !isCarried;
  const isUnsaved = (form) => !sent.has(form) && (isShown(form) || [...form.elements].some(isTyped));
  document.addEventListener('submit', ({ target }) => {
    sent.add(target);
    isCarried = 'carries' in target.dataset;
  });
  // Whoever writes on is still here; and what was lost on its way, or refused, has not arrived.
  const keepAsUnsent = ({ target }) => {
    sent.delete(target.closest('form') ?? target.form);
    isCarried = false;
  };
  for (const name of ['input', 'htmx:sendError', 'htmx:timeout']) document.addEventListener(name, keepAsUnsent);
  document.addEventListener('htmx:afterRequest', (event) => { if (event.detail.xhr.status >= 400) keepAsUnsent(event); });
  addEventListener('beforeunload', (event) => {
    if (![...document.querySelectorAll('form[data-unsaved]')].some(isUnsaved)) return;
    event.preventDefault();
    event.returnValue = true; // Chromium before 119 goes by this
  });
})();
