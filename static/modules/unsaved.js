// Who leaves with something written or chosen that was not sent is asked first. `data-unsaved="yes"`: what came with the
// page is stored nowhere either, as after a look at it or a refusal; a form with `data-carries` takes that along too.
(() => {
  const sent = new Set();
  let isCarried = false;
  const isTyped = (field) => field.matches('input, textarea, select') && isWritten(field);
  const isShown = (form) => form.dataset.unsaved === 'yes' && !isCarried;
  const isUnsaved = (form) => !sent.has(form) && (isShown(form) || [...form.elements].some(isTyped));
  // Sent without a network, a form leads to an error of the browser, and whoever comes back finds nothing of it.
  const stay = (event) => {
    event.preventDefault();
    const notice = document.getElementById('offline');
    notice.textContent = '连不上网，还没有发出去，写的都在这里。连上了再按一次。';
    notice.hidden = false;
  };
  document.addEventListener('submit', (event) => {
    const { target } = event;
    if (!navigator.onLine && !event.defaultPrevented && target.matches('form[data-unsaved]')) return stay(event);
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
