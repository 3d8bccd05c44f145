// Counts the time that is left for an attempt. The server said how many seconds it was when it made the page; the
// clock of this machine may be wrong, so that only what passes on it since then is measured, also while it sleeps.
// It is spoken at few moments. When it is up the question can be read, and no longer be changed: the server takes nothing.
(() => {
  const SPOKEN_SECONDS = [600, 300, 60, 10];
  const line = document.querySelector('.time-left');
  if (!line) return;
  const shown = line.querySelector('.left');
  const spoken = line.querySelector('[role="status"]');
  const end = Date.now() + 1000 * line.dataset.left;
  const words = (seconds) => {
    const minutes = Math.floor(seconds / 60);
    const rest = seconds % 60;
    if (!minutes) return `${rest}秒`;
    return rest ? `${minutes}分${rest}秒` : `${minutes}分钟`;
  };
  let lastLeft = Infinity;
  const tick = () => {
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1000));
    if (left === 0) {
      clearInterval(clock);
      shown.textContent = '时间到了。';
      spoken.textContent = '时间到了，存下的马上自己交。';
      line.querySelector('.after')?.removeAttribute('hidden');
      document.querySelector('.question')?.setAttribute('inert', '');
      return;
    }
    shown.textContent = `还剩${words(left)}。`;
    if (SPOKEN_SECONDS.some((seconds) => left <= seconds && seconds < lastLeft)) spoken.textContent = `还剩${words(left)}`;
    lastLeft = left;
  };
  const clock = setInterval(tick, 1000);
  tick();
})();
