// When a hand has moved the row of the workbench, what follows from it is asked for again and exchanged.
(() => {
  const WAIT = 350;
  const FOLLOWING = ['workbench-more', 'result-title', 'state-form', 'reconcile-state', 'sent-on'];
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
    for (const id of FOLLOWING) {
      const present = document.getElementById(id);
      const next = page.getElementById(id);
      if (!present || !next) continue;
      present.replaceChildren(...document.adoptNode(next).childNodes);
      present.dispatchEvent(new CustomEvent('part:exchanged', { bubbles: true }));
    }
    for (const selector of ['.workbench-sums', '.workbench-task > p:nth-child(2)']) {
      const present = document.querySelector(selector);
      const next = page.querySelector(selector);
      if (present && next) present.textContent = next.textContent;
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
    const seen = new MutationObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(refresh, WAIT);
    });
    seen.observe(row, { childList: true, subtree: true, characterData: true });
  }

  follow();
})();
