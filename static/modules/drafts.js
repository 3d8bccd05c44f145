// What is being written is saved. When the network was away it is sent again; who goes on takes it along, and
// who leaves in any other way (back, reload, closing) sends it with a request that outlives the page.
(() => {
  const AGAIN = 5000;
  const OUTLIVED = 15000; // by then the request of a page that was left has come to its end
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
    sessionStorage.removeItem(LEFT);
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
    sessionStorage.setItem(LEFT, JSON.stringify([box().dataset.hxPost, body.toString(), Date.now()]));
    save(box().dataset.hxPost, body).catch(() => { parted = 0; });
  };
  // A form that is sent takes its fields along. A page that is asked for again is asked after `beforeunload`; a
  // telephone may know `pagehide` alone.
  document.addEventListener('submit', (event) => {
    if (event.target === form() && !event.defaultPrevented) parted = written;
  });
  addEventListener('beforeunload', part);
  addEventListener('pagehide', part);
  // A page that is soon asked for again was made beside that request, and maybe before it was done: the answer is
  // sent once more, kept until it is stored, and the page asked for again, unless something newer is in it by then.
  const [left, unsaved, at] = JSON.parse(sessionStorage.getItem(LEFT) || '[]');
  const stored = () => {
    sessionStorage.removeItem(LEFT);
    if (written) send();
    else location.reload();
  };
  if (left && left === box()?.dataset.hxPost && Date.now() - at < OUTLIVED) {
    const again = save(left, new URLSearchParams(unsaved));
    addEventListener('load', () => again.then(stored, () => {}));
  } else {
    sessionStorage.removeItem(LEFT);
  }
  addEventListener('beforeunload', (event) => { if (lost && saved !== written) event.preventDefault(); });
})();
