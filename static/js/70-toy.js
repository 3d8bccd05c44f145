// Wakes each movable row of candies.
(() => {
  const wake = () => document.querySelectorAll('.toy:not(.waking)').forEach((toy) => {
    toy.classList.add('waking');
    import(toy.dataset.script).then((module) => module.wake(toy), () => toy.classList.remove('waking'));
  });
  document.addEventListener('htmx:afterSettle', wake);
  // The buttons of a row stand outside of its form, where htmx does not see which one was pressed.
  document.addEventListener('htmx:configRequest', ({ detail: { triggeringEvent, parameters } }) => {
    const { name, value } = triggeringEvent?.submitter ?? {};
    if (name && !(name in parameters)) parameters[name] = value;
  });
  wake();
})();
