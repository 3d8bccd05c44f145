// What was written before this page could listen, or came back with a reload, counts like what is written now.
(() => {
  addEventListener('load', () => {
    const fields = [...document.querySelectorAll('main input, main textarea, main select')];
    fields.filter(isWritten).forEach((field) => field.dispatchEvent(new Event('input', { bubbles: true })));
  });
})();
