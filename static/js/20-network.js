// A lost answer is said aloud; the form and its try stay as they are, so that the same try can be sent again.
(() => {
  const notice = document.getElementById('offline');
  const status = document.getElementById('status');
  const say = (text) => { notice.textContent = text; notice.hidden = !text; };
  const lost = (words) => (event) => say(event.target.dataset.lost || words);

  for (const name of ['htmx:sendError', 'htmx:timeout']) document.addEventListener(name, lost('没发出去，答案还在。再点一次就好。'));
  document.addEventListener('htmx:responseError', lost('服务器没接住，答案还在。过一会儿再点一次。'));
  document.addEventListener('htmx:afterRequest', (event) => {
    const code = event.detail.xhr.status;
    if (code && code < 500) say('');
    if (code && code < 400) status.textContent = '';
  });
})();
