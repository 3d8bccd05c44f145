// A button that prints the page. What the page holds only once (`data-once`) is asked for before one leaves it, until it
// was printed, or a link says so. It answers a form, and has no address: who goes back or asks for it again would send that
// form once more, or meet an error, and comes to where it says (`data-back`) instead; from a link, once it is followed.
(() => {
  const leadBackTo = (element) => { if (element) history.replaceState(history.state, '', element.dataset.back); };
  let isOnlyHere = document.querySelector('[data-once]') !== null;
  document.querySelectorAll('[data-print]').forEach((button) => { button.hidden = false; });
  document.addEventListener('click', ({ target }) => {
    if (target.closest('[data-print]')) print();
    if (target.closest('[data-printed]')) isOnlyHere = false;
    leadBackTo(target.closest('a[data-back]'));
  });
  addEventListener('afterprint', () => { isOnlyHere = false; });
  addEventListener('beforeunload', (event) => {
    if (!isOnlyHere) return;
    event.preventDefault();
    event.returnValue = true; // Chromium before 119 goes by this
  });
  leadBackTo(document.querySelector('[data-back]:not(a)'));
})();
