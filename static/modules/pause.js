// After mere guesses no answer is taken for some seconds: they are counted down, and meanwhile there is nothing to press.
(() => {
  const countDown = (line) => {
    const button = line.closest('form').querySelector('[data-answer]');
    const end = performance.now() + 1000 * line.dataset.pause;
    const tick = () => {
      const left = Math.ceil((end - performance.now()) / 1000);
      button.disabled = left > 0;
      line.textContent = left > 0 ? `还要等${left}秒` : '现在可以答了';
      if (left <= 0 || !line.isConnected) clearInterval(clock);
    };
    const clock = setInterval(tick, 1000);
    tick();
  };
  const countIn = (root) => root.querySelectorAll('[data-pause]').forEach(countDown);
  document.addEventListener('htmx:afterSettle', ({ target }) => countIn(target));
  countIn(document);
})();
