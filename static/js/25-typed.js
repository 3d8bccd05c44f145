// What is written into a question, or about it, and not sent is there again after a reload, another page or a new sign-in:
// this tab keeps it until it is sent. Of assignments it is saved (modules/drafts.js).
(() => {
  let kept;
  try { kept = sessionStorage; } catch { return; } // a browser that keeps nothing
  const isKept = (form) => form?.matches('form.answer, .report form') && !form.querySelector('.draft');
  const fieldsOf = (form) => [...form.elements].filter((field) => field.matches('textarea, input:not([type=hidden])'));
  const isChoice = (field) => field.matches('[type=radio], [type=checkbox]');
  const isWritten = (field) => (isChoice(field) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue);
  const idOf = (form) => ['item', 'seed', 'try'].map((name) => form.elements.namedItem(name)?.value).join(' ');
  const keyOf = (form) => `typed ${location.pathname} ${idOf(form)}`;

  const restore = (form) => {
    const texts = JSON.parse(kept.getItem(keyOf(form)));
    const fields = fieldsOf(form);
    if (texts?.length !== fields.length || fields.some(isWritten)) return;
    fields.forEach((field, index) => { field[isChoice(field) ? 'checked' : 'value'] = texts[index]; });
  };
  const restoreIn = (root) => [...root.querySelectorAll('form')].filter(isKept).forEach(restore);

  document.addEventListener('input', ({ target }) => {
    const form = target.closest('form');
    if (!isKept(form)) return;
    const texts = fieldsOf(form).map((field) => (isChoice(field) ? field.checked : field.value));
    kept.setItem(keyOf(form), JSON.stringify(texts));
  });
  const forget = (form) => { if (isKept(form)) kept.removeItem(keyOf(form)); };
  document.addEventListener('htmx:afterRequest', ({ detail }) => {
    const isHint = detail.pathInfo.requestPath.endsWith('/hints');
    if (detail.xhr.status && detail.xhr.status < 400 && !isHint) forget(detail.requestConfig.elt);
  });
  document.addEventListener('submit', ({ target, submitter, defaultPrevented }) => {
    if (target.matches('[action="/sign-outs"]')) kept.clear(); // the next one at this computer finds an empty desk
    else if (!defaultPrevented && !submitter?.hasAttribute('formaction')) forget(target);
  });
  document.addEventListener('htmx:afterSettle', ({ target }) => restoreIn(target));
  restoreIn(document);
})();
