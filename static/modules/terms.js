// The note that explains a word. It is the browser's own popover: Esc and a tap beside it close it, and the
// focus goes back to the word.
import { loadStyle } from '/static/modules/15-style.js';

const styleLoaded = loadStyle('/static/modules/terms.css');
const note = document.createElement('div');
note.popover = 'auto';
note.className = 'term-note';
note.setAttribute('role', 'dialog');
note.setAttribute('aria-labelledby', 'term-note-word');
document.body.append(note);
note.addEventListener('click', ({ target }) => { if (target.closest('button')) note.hidePopover(); });
// The note stands at the end of the page: Tab beyond it goes on from the word, to which closing brings the focus.
note.addEventListener('keydown', ({ key, shiftKey, target }) => {
  const stops = [...note.querySelectorAll('a, button')];
  if (key === 'Tab' && target === stops[shiftKey ? 0 : stops.length - 1]) note.hidePopover();
});

// Whether the word could be explained here.
export async function explain(link) {
  const { pathname, hash } = new URL(link.href);
  const headers = { 'HX-Request': 'true' };
  const answer = await fetch(`${pathname}/${hash.slice(1)}`, { headers }).catch(() => null);
  if (!answer?.ok) return false;
  note.innerHTML = await answer.text();
  await styleLoaded;
  link.focus({ preventScroll: true });
  note.showPopover();
  note.querySelector('button').focus();
  return true;
}
