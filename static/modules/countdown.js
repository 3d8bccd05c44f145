// Counts the time that is left for an attempt. The server said how many seconds it was when it made the page; from then
// on a stopwatch runs that nobody can set. It may stand still while this machine sleeps: where it parts from the
// clock, the machine has slept or the clock was set, and the server is asked again.
// It is spoken at few moments. When it is up the question can be read, and no longer be changed: the server takes nothing.
(() => {
  const SPOKEN_SECONDS = [600, 300, 60, 10];
  const line = document.querySelector('.time-left');
  if (!line) return;
  const shown = line.querySelector('.left');
  const spoken = line.querySelector('[role="status"]');
  const MOST_DRIFT = 2000;
  const millisecondsApart = () => Date.now() - performance.now();
  const endAfter = (seconds, since) => since + 1000 * seconds;
  // This script comes a while after the page in which the server wrote it.
  let end = endAfter(line.dataset.left, performance.getEntriesByType('navigation')[0]?.responseStart ?? performance.now());
  let lastApart = millisecondsApart();
  const words = (seconds) => {
    const minutes = Math.floor(seconds / 60);
    const rest = seconds % 60;
    if (!minutes) return `${rest}秒`;
    return rest ? `${minutes}分${rest}秒` : `${minutes}分钟`;
  };
  const askAgain = async () => {
    const answer = await fetch(location.href).catch(() => null);
    const answeredAt = performance.now();
    if (!answer?.ok || answer.redirected) return;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    end = endAfter(page.querySelector('.time-left')?.dataset.left ?? 0, answeredAt);
    tick();
  };
  let lastLeft = Infinity;
  const tick = () => {
    if (Math.abs(millisecondsApart() - lastApart) > MOST_DRIFT) {
      lastApart = millisecondsApart();
      askAgain();
    }
    const left = Math.max(0, Math.ceil((end - performance.now()) / 1000));
    if (left === 0) {
      clearInterval(clock);
      shown.textContent = '时间到了。';
      spoken.textContent = '时间到了，存好的会自动交上去。';
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
