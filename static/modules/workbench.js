// When a hand has moved the row of the workbench, what follows from it is asked for again and exchanged.
(() => {
  const WAIT_MS = 350;
  const FOLLOWING_IDS = ['workbench-more', 'result-title', 'state-form', 'reconcile-state', 'sent-on'];
  let timer = 0;
  let requests = 0;
  let shownUrl = location.href;

  const notice = document.getElementById('offline');
  function say(words) {
    notice.textContent = words;
    notice.hidden = !words;
  }

  async function refresh() {
    const url = location.href;
    const request = ++requests;
    if (url === shownUrl) return say(''); // the row is again what it was
    const response = await fetch(url, { headers: { accept: 'text/html' } }).catch(() => null);
    if (request !== requests) return; // a newer one is on its way
    if (!response?.ok) return say('服务器没接住，下面的数还是挪动以前的。再挪一下，或者过一会儿刷新这一页。');
    shownUrl = url;
    say('');
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    for (const id of FOLLOWING_IDS) {
      const present = document.getElementById(id);
      const newer = page.getElementById(id);
      if (!present || !newer) continue;
      present.textContent = '';
      present.append(...document.adoptNode(newer).childNodes);
      present.dispatchEvent(new CustomEvent('part:exchanged', { bubbles: true }));
    }
    for (const selector of ['.workbench-sums', '.workbench-task > p:nth-child(2)']) {
      const present = document.querySelector(selector);
      const newer = page.querySelector(selector);
      if (present && newer) present.textContent = newer.textContent;
    }
    followList(page.getElementById('workbench-list'));
  }

  // A list that somebody is typing is theirs, and not yet the row's.
  function followList(list) {
    const field = document.getElementById('workbench-list');
    if (!list || field.value !== field.defaultValue) return;
    field.defaultValue = list.value;
    field.value = list.value;
  }

  addEventListener('address:written', () => {
    clearTimeout(timer);
    timer = setTimeout(refresh, WAIT_MS);
  });
  addEventListener('online', refresh);
})();
