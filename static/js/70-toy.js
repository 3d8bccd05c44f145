// A movable row of candies brings a module of its own: asked for when one stands on the page.
(() => {
  const wake = () => document.querySelectorAll('.toy:not(.waking)').forEach((toy) => {
    toy.classList.add('waking');
    import(toy.dataset.script).then((module) => module.wake(toy), () => toy.classList.remove('waking'));
  });
  document.addEventListener('htmx:afterSettle', wake);
  wake();
})();
