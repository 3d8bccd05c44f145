// Wakes each movable row of candies.
(() => {
  const wake = () => document.querySelectorAll('.toy:not(.waking)').forEach((toy) => {
    toy.classList.add('waking');
    import(toy.dataset.script).then((module) => module.wake(toy), () => toy.classList.remove('waking'));
  });
  document.addEventListener('htmx:afterSettle', wake);
  wake();
})();
