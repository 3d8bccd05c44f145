// Wakes what brings a script of its own: each code exercise, whose Python is asked for only by 运行, each movable row of
// candies, and the form of 分力气.
(() => {
  const wake = () => document.querySelectorAll('[data-script]:not(.waking)').forEach((box) => {
    box.classList.add('waking');
    import(box.dataset.script).then((module) => module.wake(box), () => box.classList.remove('waking'));
  });
  document.addEventListener('htmx:afterSettle', wake);
  wake();
})();
