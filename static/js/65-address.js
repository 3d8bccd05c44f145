// What a hand has changed is written into the address, at once or after the one before has stood for a while. Who leaves
// meanwhile finds the last one again.
const addressBar = (() => {
  const WRITE_EVERY = 350; // milliseconds: Safari takes a hundred addresses in half a minute, and refuses more
  let next = null; // the address that waits, and the one that it replaces: no other, to which somebody has gone on
  let isResting = false;

  const isDue = () => next?.replacedUrl === location.href;
  const writeNext = () => {
    try { history.replaceState(history.state, '', next.url); } catch { return; } // it is tried again
    next = null;
    dispatchEvent(new Event('address:written'));
  };
  const goOn = () => {
    isResting = isDue();
    if (!isResting) return;
    setTimeout(goOn, WRITE_EVERY);
    writeNext();
  };
  addEventListener('pagehide', () => { if (isDue()) writeNext(); });
  return {
    write: (url) => {
      next = { url, replacedUrl: location.href };
      if (!isResting) goOn();
    },
  };
})();

// The settings and a sign-in lead back to the address of now, not to that of the page as it came.
(() => {
  const follow = () => {
    const path = location.pathname + location.search;
    const field = document.querySelector('.site-footer .settings [name=next]');
    const link = document.querySelector('.site-footer [href^="/sign-in?"]');
    if (field) field.value = path;
    if (link) link.search = new URLSearchParams({ next: path });
  };
  for (const name of ['address:written', 'htmx:pushedIntoHistory', 'htmx:replacedInHistory']) addEventListener(name, follow);
})();
