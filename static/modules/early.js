// What was written before this page could listen, or came back with a reload, counts like what is written now.
(() => {
  const isWritten = (field) => {
    if (field.matches('select')) return field.selectedOptions[0] !== (field.querySelector('[selected]') ?? field.options[0]);
    if (field.matches('[type=radio], [type=checkbox]')) return field.checked !== field.defaultChecked;
    return field.value !== field.defaultValue;
  };

  addEventListener('load', () => {
    const fields = [...document.querySelectorAll('main :is(input, textarea, select)')];
    fields.filter(isWritten).forEach((field) => field.dispatchEvent(new Event('input', { bubbles: true })));
  });
})();
