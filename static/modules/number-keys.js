// The number pad of a phone has no signs: over it stand keys for them, and the logarithms that lie beside the question.
import { loadStyle } from '/static/modules/15-style.js';

const SIGNS = [['+', '加'], ['−', '减'], ['×', '乘'], ['÷', '除以'], ['(', '左括号'], [')', '右括号']];
const LINGER_MS = 250; // a tap on 回答 takes the focus first, and the button may not move away under it
const root = document.documentElement;
const viewport = window.visualViewport;
const bar = document.createElement('div');
let field = null;
let leaving = 0;

// How far below the field its buttons end. Those that float do so no higher than what holds them begins.
const reach = (actions) => {
  if (!actions) return 0;
  const style = getComputedStyle(actions);
  const top = style.position === 'sticky'
    ? actions.parentElement.getBoundingClientRect().top + parseFloat(style.marginTop) : actions.getBoundingClientRect().top;
  return Math.max(0, top - field.getBoundingClientRect().bottom) + actions.offsetHeight;
};

// How much of the page the keyboard covers, where the browser does not make the page shorter for it.
const placeBar = () => {
  const covered = viewport && viewport.scale < 1.01 ? Math.max(0, innerHeight - viewport.height - viewport.offsetTop) : 0;
  root.style.setProperty('--covered', `${covered}px`);
  root.style.setProperty('--keyboard', `${covered + bar.offsetHeight}px`);
  const actions = field?.form.querySelector('.actions');
  if (field) root.style.setProperty('--hidden-below', `${covered + bar.offsetHeight + 8 + Math.min(reach(actions), innerHeight / 3)}px`);
  else root.style.removeProperty('--hidden-below');
};

const key = (text, spoken) => {
  const button = document.createElement('button');
  button.type = 'button';
  button.tabIndex = -1;
  button.className = 'number-key';
  button.value = text;
  button.textContent = text;
  button.setAttribute('aria-label', spoken);
  return button;
};

const chips = () => {
  const discounts = field.closest('.item, article, main').querySelector('.discounts');
  return [...(discounts?.querySelectorAll('tbody tr') ?? [])].map((row) => {
    const [rank, log] = row.children;
    const chip = key(log.textContent, `第${rank.textContent}位${log.textContent}，对数`);
    const rankLabel = document.createElement('small');
    rankLabel.textContent = `第${rank.textContent}位`;
    chip.prepend(rankLabel);
    return chip;
  });
};

const rowOf = (name, keys) => {
  const row = document.createElement('div');
  row.className = name;
  row.append(...keys);
  return row;
};

const styleLoaded = loadStyle('/static/modules/number-keys.css');

// The keys for a field, if it still has the focus.
export const serve = async (target) => {
  await styleLoaded;
  if (document.activeElement !== target) return;
  clearTimeout(leaving);
  field = target;
  const logs = chips();
  bar.textContent = '';
  bar.append(rowOf('number-signs', SIGNS.map((sign) => key(...sign))));
  if (logs.length) bar.prepend(rowOf('number-logs', logs));
  bar.hidden = false;
  placeBar();
  field.scrollIntoView({ block: 'nearest' });
};

const hide = () => {
  bar.hidden = true;
  field = null;
  placeBar();
};

bar.className = 'number-keys';
bar.hidden = true;
bar.setAttribute('role', 'group');
bar.setAttribute('aria-label', '算式的键');
bar.addEventListener('pointerdown', (event) => { if (event.pointerType === 'mouse') event.preventDefault(); });
bar.addEventListener('mousedown', (event) => event.preventDefault()); // the field keeps the focus
bar.addEventListener('click', (event) => {
  const pressed = event.target.closest('.number-key');
  if (!pressed || !field) return;
  field.setRangeText(pressed.value, field.selectionStart, field.selectionEnd, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
  field.focus();
});

document.addEventListener('focusout', (event) => {
  if (event.target !== field) return;
  leaving = setTimeout(hide, LINGER_MS);
});
// Some browsers say nothing of a field that is taken away with its question.
document.addEventListener('htmx:afterSwap', () => { if (field && !field.isConnected) hide(); });
// The keyboard comes up after the focus: what is left of the screen shall still show the field.
const resized = () => {
  placeBar();
  field?.scrollIntoView({ block: 'nearest' });
};
viewport?.addEventListener('resize', resized);
viewport?.addEventListener('scroll', placeBar);
document.getElementById('main').append(bar);
