// What was written before this page could listen, or came back with a reload, is checked like what is written now.
(() => {
  const checked = document.querySelector('[data-hx-post="/own/previews"]');
  const fields = checked.matches('textarea') ? [checked] : [...checked.querySelectorAll('input, textarea, select')];
  const isWritten = (field) => (field.matches('select')
    ? field.selectedOptions[0] !== (field.querySelector('[selected]') ?? field.options[0])
    : field.value !== field.defaultValue || field.checked !== field.defaultChecked);

  addEventListener('load', () => { if (fields.some(isWritten)) checked.dispatchEvent(new Event('early')); });
})();
