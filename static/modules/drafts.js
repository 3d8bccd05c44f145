// What is being written is saved. When the network was away it is sent again; who goes on takes it along, and
// who leaves in any other way (back, reload, closing) sends it with a request that outlives the page.
(() => {
  const RETRY_EVERY = 5000;
  const LONGEST_LEFT = 15000; // by then the request of a page that was left has come to its end
  const LEFT_KEY = 'unsaved-answer';
  const field = () => document.querySelector('.draft[data-hx-post]');
  const form = () => field()?.closest('form');
  let changes = 0;
  let sentChanges = 0;
  let savedChanges = 0;
  let trouble = ''; // 'lost': the network was away; 'refused': nothing is stored, and asking again is in vain
  let saving = null; // the box whose request is under way
  let leftChanges = 0; // as many as were sent when the page was left
  let nextUrl = null;
  // Somebody has left this browser, or come, in another tab: what was written here is not theirs. It is sent by whoever
  // writes on, and then the server says whose page this is.
  const isOfOther = () => unsentWords?.isOfOther();
  const askToSave = () => field()?.dispatchEvent(new Event('save'));
  // What asked may be gone from the page by now: an answer brings another form. A hint brings one, and stores nothing.
  const isOfDraft = ({ detail }) => detail.requestConfig.elt.matches('.draft, form.answer');
  const isStoring = (event) => isOfDraft(event) && !event.detail.pathInfo.requestPath.endsWith('/hints');

  document.addEventListener('input', (event) => {
    if (event.target.closest('form') !== form()) return;
    changes += 1;
    form()?.querySelector('[name=seen]')?.remove(); // what is written here counts, also where it is as before
  });
  document.addEventListener('htmx:beforeRequest', (event) => {
    if (!isStoring(event)) return;
    sentChanges = changes;
    saving = event.detail.requestConfig.elt;
  });
  const fail = (kind) => {
    trouble = kind;
    nextUrl = null;
    if (savedChanges !== changes) field().textContent = '刚写的还没存上。'; // it spoke of what was written before
  };
  const noteLoss = (event) => { if (isOfDraft(event)) fail('lost'); };
  document.addEventListener('htmx:sendError', noteLoss);
  document.addEventListener('htmx:timeout', noteLoss);
  document.addEventListener('htmx:afterRequest', (event) => {
    if (!isOfDraft(event)) return;
    const sender = event.detail.requestConfig.elt;
    if (sender === saving) saving = null;
    const code = event.detail.xhr.status;
    if (!code) return; // a request that a newer one replaced tells nothing
    if (code === 422 && sender !== field()) return; // an answer that cannot be read; as words it can be saved
    if (code >= 400) return fail(code >= 500 ? 'lost' : 'refused'); // whose sign-in has ended may sign in elsewhere
    trouble = '';
    if (!isStoring(event)) return;
    savedChanges = sentChanges;
    sessionStorage.removeItem(LEFT_KEY);
    if (nextUrl && savedChanges === changes) location.assign(nextUrl);
  });

  // On a slow line a new request would end the one that is under way.
  const tryAgain = () => {
    if (trouble === 'lost' && !isOfOther() && savedChanges !== changes && !saving?.isConnected) askToSave();
  };
  addEventListener('online', tryAgain);
  setInterval(tryAgain, RETRY_EVERY);

  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href]');
    if (!link || link.matches('.term-link') || !field()) return; // a term is told in place
    if (trouble === 'refused' || isOfOther()) return;
    if (savedChanges === changes || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    nextUrl = link.href;
    askToSave();
  });
  const post = (url, body) => fetch(url, { method: 'POST', body, keepalive: true });
  const sendOnLeaving = () => {
    if (!form() || isOfOther() || savedChanges === changes || leftChanges === changes) return;
    leftChanges = changes;
    const body = new URLSearchParams(new FormData(form()));
    sessionStorage.setItem(LEFT_KEY, JSON.stringify([field().dataset.hxPost, body.toString(), Date.now()]));
    post(field().dataset.hxPost, body).catch(() => { leftChanges = 0; });
  };
  // A form that is sent takes its fields along. A page that is asked for again is asked after `beforeunload`; a
  // telephone may know `pagehide` alone.
  document.addEventListener('submit', (event) => {
    if (event.target === form() && !event.defaultPrevented) leftChanges = changes;
  });
  addEventListener('beforeunload', sendOnLeaving);
  addEventListener('pagehide', sendOnLeaving);
  // A page that is soon asked for again was made beside that request, and maybe before it was done: the answer is
  // sent once more, kept until it is stored, and the page asked for again, unless something newer is in it by then.
  const [leftUrl, leftBody, leftAt] = JSON.parse(sessionStorage.getItem(LEFT_KEY) || '[]');
  const goOn = () => {
    sessionStorage.removeItem(LEFT_KEY);
    if (changes) askToSave();
    else location.reload();
  };
  if (leftUrl && leftUrl === field()?.dataset.hxPost && Date.now() - leftAt < LONGEST_LEFT) {
    const resent = post(leftUrl, new URLSearchParams(leftBody));
    addEventListener('load', () => resent.then((answer) => { if (answer.ok) goOn(); }, () => {}));
  } else {
    sessionStorage.removeItem(LEFT_KEY);
  }
  addEventListener('beforeunload', (event) => {
    if (savedChanges === changes || !(trouble || isOfOther())) return;
    event.preventDefault();
    event.returnValue = true; // Chromium before 119 goes by this
  });
})();
