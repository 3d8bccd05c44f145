// Marking by keys: a digit ticks its line, Enter keeps the mark, with Ctrl also from within the comment.
const form = document.querySelector('[data-marking]');

const tick = (digit) => {
  const box = form.querySelectorAll('input[name="tick"]')[digit - 1];
  if (box) box.click();
  return box;
};

const pressed = (event) => {
  if (event.altKey || event.metaKey || event.isComposing) return;
  const isWriting = event.target.matches('textarea, input[type="text"]');
  const isControl = event.target.closest('a, button, summary');
  if (event.key === 'Enter' && (event.ctrlKey || !(isWriting || isControl))) {
    event.preventDefault();
    form.requestSubmit();
  } else if (!isWriting && !event.ctrlKey && /^[1-9]$/.test(event.key) && tick(Number(event.key))) {
    event.preventDefault();
  }
};

if (form) document.addEventListener('keydown', pressed);
