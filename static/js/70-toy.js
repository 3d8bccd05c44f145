// The buttons of a row of candies stand outside of its form, where htmx does not see which one was pressed.
document.addEventListener('htmx:configRequest', ({ detail: { triggeringEvent, parameters } }) => {
  const { name, value } = triggeringEvent?.submitter ?? {};
  if (name && !(name in parameters)) parameters[name] = value;
});
