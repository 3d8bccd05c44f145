// Counts the time that is left for an attempt. The server said how many seconds it was when it made the page; from then
// on a stopwatch runs that nobody can set. It may stand still while this machine sleeps: where it parts from the
// clock, the machine has slept or the clock was set, and the server is asked again until it answers.
// It is spoken at few moments. When it is up the server is asked once whether the teacher has given more meanwhile; else
// the question can be read, and no longer be changed: the server takes nothing.
(() => {
  const SPOKEN_SECONDS = [600, 300, 60, 10];
  const line = document.querySelector('.time-left');
  if (!line) return;
  const shown = line.querySelector('.left');
  const spoken = line.querySelector('[role="status"]');
  const MOST_DRIFT = 2000;
  const RETRY_EVERY = 5000;
  const LONGEST_WAIT = 15000; // of a request that was under way when the machine fell asleep nothing may be heard
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
  // Without a clock it is over, or its teacher has given it all the time there is.
  const takeEndFrom = (page, now) => {
    const newerLine = page.querySelector('.time-left');
    if (newerLine) {
      line.firstChild.data = newerLine.firstChild.data; // until when, by the clock of the server
      return endAfter(newerLine.dataset.left, now);
    }
    return page.querySelector('.late-words') ? now : Infinity;
  };
  // By this site, and not because it was asked too often.
  const isRefused = ({ status }, page) => status >= 400 && status < 500 && status !== 429 && page.querySelector('.page-error');
  let isAsking = false;
  let isEndAsked = true; // what the page came with, the server said
  let isOver = false;
  let nextTryAt = 0;
  const askAgain = async () => {
    nextTryAt = performance.now() + RETRY_EVERY;
    const apart = millisecondsApart();
    const aborter = new AbortController(); // older browsers have no AbortSignal.timeout
    setTimeout(() => aborter.abort(), LONGEST_WAIT);
    const answer = await fetch(location.href, { signal: aborter.signal });
    const answeredAt = performance.now();
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    if (isRefused(answer, page)) {
      isOver = true;
      clearInterval(clock);
      shown.textContent = '这道题打不开了，不知道还剩多久。';
      return;
    }
    const isRead = answer.ok && (answer.redirected || page.querySelector('.question, .time-left')); // else of some wireless network
    if (!isRead) return;
    lastApart = apart;
    end = answer.redirected ? answeredAt : takeEndFrom(page, answeredAt); // led elsewhere: it is handed in, or no longer given
  };
  const ask = () => {
    isAsking = true;
    askAgain().catch(() => {}).finally(() => {
      isAsking = false;
      isEndAsked = true;
      tick();
    });
  };
  let lastLeft = Infinity;
  const tick = () => {
    if (isOver) return;
    if (end === Infinity) {
      clearInterval(clock);
      line.remove();
      return;
    }
    const isApart = Math.abs(millisecondsApart() - lastApart) > MOST_DRIFT;
    const left = Math.max(0, Math.ceil((end - performance.now()) / 1000));
    const isEnding = left === 0 && !isEndAsked;
    if (!isAsking && (isEnding || (isApart && performance.now() >= nextTryAt))) ask();
    if (left > 0) isEndAsked = false;
    if (left === 0 && !isEnding) {
      isOver = true;
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
  addEventListener('online', () => { nextTryAt = 0; });
  tick();
})();
