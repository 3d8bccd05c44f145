// A textarea in which code can be written: Enter keeps the indentation, Tab makes one, Esc and then Tab leaves.
// What was typed is kept by the browser as a convenience, a draft and nothing more: it is sent nowhere, says
// nothing about progress, and goes with 换个人用 (js/05-unsent.js).
const DRAFT_PREFIX = 'tangxu-code:';
const INDENT = '    ';

// execCommand keeps the browser's own undo; where it is refused the text is put in without.
const type = (area, text) => {
  if (!document.execCommand('insertText', false, text)) {
    area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end');
    area.dispatchEvent(new Event('input', { bubbles: true }));
  }
};

const lineBefore = (area) => area.value.slice(area.value.lastIndexOf('\n', area.selectionStart - 1) + 1, area.selectionStart);

const newLine = (area) => {
  const line = lineBefore(area);
  const spaces = line.match(/^ */)[0];
  type(area, `\n${spaces}${/:\s*(#.*)?$/.test(line) ? INDENT : ''}`);
};

const shiftLines = (area, change) => {
  const start = area.value.lastIndexOf('\n', area.selectionStart - 1) + 1;
  const end = area.selectionEnd;
  const text = area.value.slice(start, end).split('\n').map(change).join('\n');
  area.setSelectionRange(start, end);
  type(area, text);
  area.setSelectionRange(start, start + text.length);
};

const indent = (area) => {
  if (area.value.slice(area.selectionStart, area.selectionEnd).includes('\n')) shiftLines(area, (line) => INDENT + line);
  else type(area, INDENT.slice(lineBefore(area).length % INDENT.length));
};

const backspace = (area) => {
  const line = lineBefore(area);
  if (area.selectionStart !== area.selectionEnd || !/^( {4})+$/.test(line)) return false;
  area.setSelectionRange(area.selectionStart - INDENT.length, area.selectionStart);
  if (!document.execCommand('delete')) type(area, '');
  return true;
};

export const edit = (area, gutter, { run, changed }) => {
  const starter = area.defaultValue;
  const key = DRAFT_PREFIX + area.dataset.draft;
  let leaving = false;

  const measure = () => {
    const lines = area.value.split('\n').length;
    area.rows = Math.max(lines, 4);
    while (gutter.children.length > lines) gutter.lastElementChild.remove();
    while (gutter.children.length < lines) gutter.append(document.createElement('li'));
  };
  const keep = () => {
    if (area.value === starter) unsentWords?.forget(key);
    else unsentWords?.keep(key, area.value);
  };

  area.addEventListener('input', () => { measure(); keep(); changed(); });
  area.addEventListener('blur', () => { leaving = false; });
  area.addEventListener('keydown', (event) => {
    const isComposing = event.isComposing || event.keyCode === 229; // Safari: also the key that ends it
    if (isComposing || event.altKey) return;
    if (event.key === 'Escape') { leaving = true; return; }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) { event.preventDefault(); run(); return; }
    if (event.ctrlKey || event.metaKey) return;
    const isUsed = event.key === 'Tab' && !event.shiftKey && !leaving ? (indent(area), true)
      : event.key === 'Enter' && !event.shiftKey ? (newLine(area), true)
      : event.key === 'Backspace' && backspace(area);
    if (isUsed) event.preventDefault();
    if (!['Tab', 'Shift'].includes(event.key)) leaving = false;
  });

  area.value = unsentWords?.read(key) ?? area.value;
  measure();

  return {
    restart: () => { area.focus(); area.select(); type(area, starter); area.setSelectionRange(0, 0); },
    mark: (line) => [...gutter.children].forEach((number, index) => number.classList.toggle('bad', index + 1 === line)),
    line: (number) => (area.value.split('\n')[number - 1] ?? '').trim(),
    goTo: (number) => {
      const lines = area.value.split('\n');
      const start = lines.slice(0, number - 1).join('\n').length + (number > 1 ? 1 : 0);
      area.focus();
      area.setSelectionRange(start, start + (lines[number - 1] ?? '').length);
    },
  };
};
