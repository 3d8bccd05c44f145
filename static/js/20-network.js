// A lost answer is said aloud; the form and its try stay as they are, so that the same try can be sent again.
(() => {
  const notice = document.getElementById('offline');
  const status = document.getElementById('status');
  const say = (text) => { notice.textContent = text; notice.hidden = !text; };
  const answered = (element) => element.querySelector('[name=answer], [name=guess], textarea') ? '，答案还在' : '';
  const lost = (trouble, advice) => ({ target }) => say(target.dataset.lost || `${trouble}${answered(target)}。${advice}`);

  for (const name of ['htmx:sendError', 'htmx:timeout']) document.addEventListener(name, lost('没发出去', '再点一次就好。'));
  document.addEventListener('htmx:responseError', lost('服务器没接住', '过一会儿再点一次。'));
  document.addEventListener('htmx:afterRequest', (event) => {
    const code = event.detail.xhr.status;
    if (code && code < 500) say('');
    if (code && code < 400) status.textContent = '';
  });
})();
