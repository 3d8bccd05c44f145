// The buttons of a row of candies, and those of a lab, stand outside of its form, where htmx does not see which one was pressed.
document.addEventListener('htmx:configRequest', ({ detail: { triggeringEvent, parameters } }) => {
  const { name, value } = triggeringEvent?.submitter ?? {};
  if (name) parameters[name] = value;
});
