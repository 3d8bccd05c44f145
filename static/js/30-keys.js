// 1-9 choose an option, Enter answers, n goes on, h asks for a hint. Off while typing, and when switched off. A key
// that is held presses once: what has come in the meantime was not meant.
(() => {
  let isHeld = false;
  const isForOthers = (event) => event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey
    || document.documentElement.dataset.keys !== 'on' || event.target.closest('input:not([type="radio"], [type="checkbox"]), textarea, select');
  const isInSight = (form) => { const box = form.getBoundingClientRect(); return box.bottom > 0 && box.top < innerHeight; };
  // The question at hand: the one that holds the focus, else the last open one that can be seen.
  const question = () => document.activeElement.closest('form.answer') ?? [...document.querySelectorAll('form.answer')].filter(isInSight).pop();
  const press = (button) => { if (!isHeld) button?.click(); return Boolean(button); };

  const choose = (number) => {
    const inputs = question()?.querySelectorAll('.options input') ?? [];
    const input = inputs[number - 1];
    if (!input || input.disabled) return false;
    press(input);
    input.focus();
    return true;
  };
  // In a choice of stakes Enter would press the first button of the form, which is a guess.
  const answer = (target) => target.matches('.stakes input')
    || (!target.closest('a, button, summary') && press(question()?.querySelector('[data-answer]')));
  const next = () => press([...document.querySelectorAll('[data-next]')].pop());

  document.addEventListener('keydown', (event) => {
    if (isForOthers(event)) return;
    isHeld = event.repeat;
    const isUsed = /^[1-9]$/.test(event.key) ? choose(Number(event.key))
      : event.key === 'Enter' ? answer(event.target)
      : event.key === 'n' ? next()
      : event.key === 'h' && press(question()?.querySelector('[data-hint]'));
    if (isUsed) event.preventDefault();
  });
})();
