// Asks again for what says data-hx-trigger="again", every two seconds, and only while the page can be seen.
// What has not changed stays as it is: nobody loses a selection for nothing.
(() => {
  const EVERY_MS = 2000;
  let lastAnswer = '';
  const askAgain = () => {
    if (document.visibilityState !== 'visible') return;
    document.querySelectorAll('[data-hx-trigger="again"]').forEach((section) => section.dispatchEvent(new Event('again')));
  };
  setInterval(askAgain, EVERY_MS);
  document.addEventListener('visibilitychange', askAgain);
  document.addEventListener('htmx:beforeSwap', (event) => {
    if (event.detail.requestConfig.triggeringEvent?.type !== 'again') return;
    if (event.detail.serverResponse === lastAnswer && !event.detail.isError) event.detail.shouldSwap = false;
    lastAnswer = event.detail.serverResponse;
  });
})();
