// Asks again for what says data-hx-trigger="again", every few seconds, and only while the page can be seen.
(() => {
  const EVERY = 8000;
  const again = () => {
    if (document.visibilityState !== 'visible') return;
    document.querySelectorAll('[data-hx-trigger="again"]').forEach((one) => one.dispatchEvent(new Event('again')));
  };
  setInterval(again, EVERY);
  document.addEventListener('visibilitychange', again);
})();
