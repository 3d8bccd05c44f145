// What is being written is saved. When the network was away it is sent again; who goes on takes it along, and
// who leaves in any other way (back, reload, closing) sends it with a request that outlives the page.
(() => {
  const AGAIN = 5000;
  const LEFT = 'unsaved-answer';
  const box = () => document.querySelector('.draft[data-hx-post]');
  const form = () => box()?.closest('form');
  let written = 0; // how many changes there were; how many of them were sent, how many saved
  let sent = 0;
  let saved = 0;
  let lost = false;
  let parted = 0; // as many as were sent on leaving
  let onward = null;
  const send = () => box()?.dispatchEvent(new Event('save'));
  const mine = (one) => one === box() || one === form();

  document.addEventListener('input', (event) => { if (event.target.closest('form') === form()) written += 1; });
  document.addEventListener('htmx:beforeRequest', (event) => { if (mine(event.detail.elt)) sent = written; });
  // A request that a newer one replaced tells nothing; a refusal is said by the server, and no reason to ask again.
  const failed = (event) => { if (mine(event.detail.elt)) { lost = true; onward = null; } };
  document.addEventListener('htmx:sendError', failed);
  document.addEventListener('htmx:timeout', failed);
  document.addEventListener('htmx:afterRequest', (event) => {
    const code = event.detail.xhr.status;
    if (!code || !mine(event.detail.elt)) return;
    if (code >= 500) return failed(event);
    lost = false;
    saved = sent;
    if (onward && saved === written) location.assign(onward);
  });

  addEventListener('online', () => { if (lost) send(); });
  setInterval(() => { if (lost && saved !== written) send(); }, AGAIN);

  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href]');
    if (!link || !box() || saved === written || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onward = link.href;
    send();
  });
  const save = (url, body) => fetch(url, { method: 'POST', body, keepalive: true });
  const part = () => {
    if (!form() || saved === written || parted === written) return;
    parted = written;
    const body = new URLSearchParams(new FormData(form()));
    sessionStorage.setItem(LEFT, JSON.stringify([box().dataset.hxPost, body.toString()]));
    save(box().dataset.hxPost, body).catch(() => { parted = 0; });
  };
  // A form that is sent takes its fields along. A page that is asked for again is asked after `beforeunload`; a
  // telephone may know `pagehide` alone.
  document.addEventListener('submit', (event) => {
    if (event.target === form() && !event.defaultPrevented) parted = written;
  });
  addEventListener('beforeunload', part);
  addEventListener('pagehide', part);
  // A page that is asked for again was made beside that request, and mostly before it was done: it is asked for
  // once more. After a reload, which waits for nothing, the answer is sent again first.
  const [left, unsaved] = JSON.parse(sessionStorage.getItem(LEFT) || '[]');
  sessionStorage.removeItem(LEFT);
  if (left && left === box()?.dataset.hxPost) {
    const reloaded = performance.getEntriesByType('navigation')[0]?.type === 'reload';
    const stored = reloaded ? save(left, new URLSearchParams(unsaved)) : Promise.resolve();
    addEventListener('load', () => stored.then(() => location.reload(), () => {}));
  }
  addEventListener('beforeunload', (event) => { if (lost && saved !== written) event.preventDefault(); });
})();
