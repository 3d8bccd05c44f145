// What is written into a question, or about it, or guessed in an example, and not sent is there again after a reload,
// another page or a new sign-in: this tab keeps it until it is sent. Of assignments it is saved (modules/drafts.js);
// of a form with `data-unsaved` nothing is kept: who leaves it is asked.
(() => {
  const SENT_KEY = 'sent'; // what of it was sent as a plain form: whether it arrived is known by the page that comes
  const LEFT_KEY = 'left'; // when somebody last left this browser to another: known to all of its tabs
  const LEAVING_KEY = 'leaving'; // by which form somebody leaves: its page, and its address, where it is again if refused
  const stampIn = (storage) => storage.getItem(LEFT_KEY) ?? '';
  let kept;
  try { kept = sessionStorage; stampIn(localStorage); } catch { return; } // a browser that keeps nothing
  const isKept = (form) => form?.matches('form.answer:not([data-unsaved]), .report form, .opening > form') && !form.querySelector('.draft');
  const fieldsOf = (form) => [...form.elements].filter((field) => field.matches('textarea, input:not([type=hidden])'));
  const rowsOf = (form) => [...form.querySelectorAll('.ranking > li')];
  const isChoice = (field) => field.matches('[type=radio], [type=checkbox]');
  const isWritten = (field) => (isChoice(field) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue);
  const idOf = (form) => ['item', 'seed', 'try', 'position'].map((name) => form.elements.namedItem(name)?.value).join(' ');
  const keyOf = (form) => `typed ${location.pathname} ${form.parentElement.id} ${idOf(form)}`;

  const restore = (form) => {
    const texts = JSON.parse(kept.getItem(keyOf(form)));
    const [fields, rows] = [fieldsOf(form), rowsOf(form)];
    if (texts?.length !== fields.length + rows.length || fields.some(isWritten)) return;
    const order = texts.splice(fields.length);
    fields.forEach((field, index) => { field[isChoice(field) ? 'checked' : 'value'] = texts[index]; });
    if (rows.every((row, index) => row.dataset.id === order[index])) return;
    rows[0].parentElement.append(...rows.sort((a, b) => order.indexOf(a.dataset.id) - order.indexOf(b.dataset.id)));
    rows[0].dispatchEvent(new Event('restored', { bubbles: true }));
  };
  const restoreIn = (root) => [...root.querySelectorAll('form')].filter(isKept).forEach(restore);

  document.addEventListener('input', ({ target }) => {
    const form = target.closest('form');
    if (!isKept(form)) return;
    const texts = fieldsOf(form).map((field) => (isChoice(field) ? field.checked : field.value));
    kept.setItem(keyOf(form), JSON.stringify([...texts, ...rowsOf(form).map((row) => row.dataset.id)]));
  });
  document.addEventListener('htmx:afterRequest', ({ detail }) => {
    const form = detail.requestConfig.elt;
    const isHint = detail.pathInfo.requestPath.endsWith('/hints');
    if (detail.xhr.status && detail.xhr.status < 400 && !isHint && isKept(form)) kept.removeItem(keyOf(form));
  });
  // The next one at this computer finds an empty desk in each of its tabs, also where code was written
  // (modules/20-editor.js, once for all tabs). A guest who signs in and brings nothing along was somebody else.
  const isLeft = (form) => form.matches('[data-leaves]') || form.querySelector('[name=bring]:not(:checked)');
  const clear = (stamp) => {
    kept.clear();
    Object.keys(localStorage).filter((key) => key.startsWith('tangxu-code:')).forEach((key) => localStorage.removeItem(key));
    kept.setItem(LEFT_KEY, stamp);
  };
  const leave = () => localStorage.setItem(LEFT_KEY, `${Date.now()}`);
  document.addEventListener('submit', ({ target, submitter, defaultPrevented }) => {
    if (defaultPrevented) return;
    const { pathname } = new URL(target.action);
    if (pathname === '/sign-outs') leave(); // nothing is asked of it that could be refused
    else if (isLeft(target)) kept.setItem(LEAVING_KEY, `${location.pathname} ${pathname}`);
    else if (!submitter?.hasAttribute('formaction') && isKept(target)) kept.setItem(SENT_KEY, keyOf(target));
  });
  // Who comes back, asks for the page again, or types its address has not sent it; nor has who meets an error.
  const settle = (hasArrived) => {
    if (hasArrived) kept.removeItem(kept.getItem(SENT_KEY));
    kept.removeItem(SENT_KEY);
    kept.removeItem(LEAVING_KEY);
  };
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    settle(false);
    if (leftAt !== stampIn(localStorage)) location.reload(); // it shows what was theirs
  });
  document.addEventListener('htmx:afterSettle', ({ target }) => restoreIn(target));
  const type = performance.getEntriesByType('navigation')[0]?.type; // none beside a clock that a test has set
  const leaving = kept.getItem(LEAVING_KEY);
  if (leaving && type !== 'back_forward' && !leaving.split(' ').includes(location.pathname)) leave();
  const leftAt = stampIn(localStorage); // a page that comes back later compares
  if (leftAt !== stampIn(kept)) clear(leftAt);
  settle(type === 'navigate' && document.referrer && !document.querySelector('.page-error'));
  restoreIn(document);
})();
