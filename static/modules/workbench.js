// When a hand has moved the row of the workbench, what follows from it is asked for again and exchanged.
(() => {
  const WAIT_MS = 350;
  const FOLLOWING_IDS = ['workbench-more', 'result-title', 'state-form', 'reconcile-state', 'sent-on'];
  let timer = 0;
  let requests = 0;
  let shownUrl = location.href;

  async function refresh() {
    if (location.href === shownUrl) return; // the row only woke up
    shownUrl = location.href;
    const request = ++requests;
    const response = await fetch(location.href, { headers: { accept: 'text/html' } });
    if (!response.ok || request !== requests) return; // a newer one is on its way
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    for (const id of FOLLOWING_IDS) {
      const present = document.getElementById(id);
      const newer = page.getElementById(id);
      if (!present || !newer) continue;
      present.replaceChildren(...document.adoptNode(newer).childNodes);
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

  function follow() {
    const row = document.querySelector('#result .toy-row');
    if (!row) return;
    const rowObserver = new MutationObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(refresh, WAIT_MS);
    });
    rowObserver.observe(row, { childList: true, subtree: true, characterData: true });
  }

  follow();
})();
