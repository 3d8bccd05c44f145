// What is written into a question or a card, or about it, or guessed in an example, and not sent is there again after
// a reload, another page or a new sign-in: it is kept (05-unsent.js) until it is sent. Of assignments it is saved
// (modules/drafts.js); of a form with `data-unsaved` nothing is kept: who leaves it is asked.
(() => {
  const SENT_KEY = 'sent'; // what of it was sent as a plain form: whether it arrived is known by the page that comes
  const SIGN_OUT = '/sign-outs'; // leads to the page from which it was sent, if that was the first
  const LEAVING_KEY = 'leaving'; // by which form somebody leaves: its page, and its address, where it is again if refused
  if (!unsentWords) return;
  const isKept = (form) => form?.matches('.answer:not([data-unsaved]),.report form,.opening>form,.drill') && !form.querySelector('.draft');
  const fieldsOf = (form) => [...form.elements].filter((field) => field.matches('textarea, input:not([type=hidden])'));
  const rowsOf = (form) => [...form.querySelectorAll('.ranking > li')];
  const idOf = (form) => ['item', 'seed', 'try', 'position'].map((name) => form.elements.namedItem(name)?.value).join(' ');
  const keyOf = (form) => `typed ${location.pathname} ${form.parentElement.id} ${idOf(form)}`;

  const restore = (form) => {
    const texts = JSON.parse(unsentWords.read(keyOf(form)));
    const fields = fieldsOf(form);
    const rows = rowsOf(form);
    if (texts?.length !== fields.length + rows.length || fields.some(isWritten)) return;
    const order = texts.splice(fields.length);
    fields.forEach((field, index) => field[isChoice(field) ? 'checked' : 'value'] = texts[index]);
    if (rows.every((row, index) => row.dataset.id === order[index])) return;
    rows[0].parentElement.append(...rows.sort((a, b) => order.indexOf(a.dataset.id) - order.indexOf(b.dataset.id)));
    rows[0].dispatchEvent(new Event('restored', { bubbles: true }));
  };
  const restoreIn = (root) => [...root.querySelectorAll('form')].filter(isKept).forEach(restore);

  document.addEventListener('input', ({ target }) => {
    const form = target.closest('form');
    if (!isKept(form)) return;
    const texts = fieldsOf(form).map((field) => (isChoice(field) ? field.checked : field.value));
    unsentWords.keep(keyOf(form), JSON.stringify([...texts, ...rowsOf(form).map((row) => row.dataset.id)]));
  });
  document.addEventListener('htmx:afterRequest', ({ detail }) => {
    const form = detail.requestConfig.elt;
    const isHint = detail.pathInfo.requestPath.endsWith('/hints');
    if (detail.xhr.status && detail.xhr.status < 400 && !isHint && isKept(form)) unsentWords.forget(keyOf(form));
  });
  // A guest who signs in and brings nothing along was somebody else.
  const isLeft = (form) => form.matches('[data-leaves]') || form.querySelector('[name=bring]:not(:checked)');
  document.addEventListener('submit', ({ target, submitter, defaultPrevented }) => {
    if (defaultPrevented) return;
    const { pathname } = new URL(target.action);
    if (pathname === SIGN_OUT || isLeft(target)) sessionStorage.setItem(LEAVING_KEY, `${location.pathname} ${pathname}`);
    else if (!submitter?.hasAttribute('formaction') && isKept(target)) sessionStorage.setItem(SENT_KEY, keyOf(target));
  });
  // Who comes back, asks for the page again, or types its address has not sent it; nor has who meets an error.
  const settle = (hasArrived) => {
    if (hasArrived) unsentWords.forget(sessionStorage.getItem(SENT_KEY));
    sessionStorage.removeItem(SENT_KEY);
    sessionStorage.removeItem(LEAVING_KEY);
  };
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    settle(false);
    if (unsentWords.isOfOther()) location.reload(); // it shows what was theirs
  });
  document.addEventListener('htmx:afterSettle', ({ target }) => restoreIn(target));
  const type = performance.getEntriesByType('navigation')[0]?.type; // none beside a clock that a test has set
  const leaving = sessionStorage.getItem(LEAVING_KEY)?.split(' ');
  // What follows the door of a class stands at its address, as what was refused does.
  const isRefused = leaving?.includes(location.pathname) && !document.querySelector('[data-came-in]');
  const hasLeft = leaving?.includes(SIGN_OUT) ? !document.querySelector('.leave') : leaving && !isRefused;
  if (hasLeft && type !== 'back_forward') unsentWords.leave();
  unsentWords.open();
  settle(type === 'navigate' && document.referrer && !document.querySelector('.page-error'));
  restoreIn(document);
})();
