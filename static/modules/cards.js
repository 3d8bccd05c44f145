// Space turns the card, 1-4 rate it, U takes the last one back; a key that is held does it once. The card has the focus
// after each review.
(() => {
  let isHeld = false;
  const find = (selector) => document.querySelector(`#review ${selector}`);
  const isForOthers = (event) => event.defaultPrevented || event.isComposing
    || event.ctrlKey || event.metaKey || event.altKey
    || document.documentElement.dataset.keys !== 'on' || event.target.closest('input[type="text"], textarea, select');
  const press = (button) => { if (!isHeld) button?.click(); return Boolean(button); };

  const turn = (target) => {
    if (target.closest('a, button, summary')) return false;
    return press(find('.flip summary') ?? find('[data-next]'));
  };
  const rate = (number) => {
    const flip = find('.flip');
    return (!flip || flip.open) && press([...document.querySelectorAll('#review [data-rate]')][number - 1]);
  };

  // Whether a key did something.
  const use = ({ key, target }) => {
    if (key === ' ') return turn(target);
    if (/^[1-4]$/.test(key)) return rate(Number(key));
    return key.toLowerCase() === 'u' && press(find('[data-undo]'));
  };

  document.addEventListener('keydown', (event) => {
    isHeld = event.repeat;
    if (!isForOthers(event) && use(event)) event.preventDefault();
  });

  // Ready for the keys at once; the field for a number only where no keyboard would cover the card.
  const focusNumberField = () => {
    const field = matchMedia('(hover: hover)').matches ? find('.drill input[type="text"]') : null;
    if (!field || field.dataset.focus) return;
    find('[data-focus]')?.removeAttribute('data-focus');
    field.dataset.focus = '';
  };
  document.addEventListener('htmx:afterSwap', focusNumberField);
  focusNumberField();
  find('[data-focus]')?.focus({ preventScroll: true });
})();
