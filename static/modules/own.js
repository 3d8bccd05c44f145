// A fault names its line: its link puts the caret there. Ctrl+S keeps the text.
(() => {
  const area = document.getElementById('own-text');
  const faults = () => document.getElementById('own-faults');

  const goTo = (line) => {
    const lines = area.value.split('\n');
    const start = lines.slice(0, line - 1).reduce((length, earlier) => length + earlier.length + 1, 0);
    area.focus();
    area.setSelectionRange(start, start + (lines[line - 1] ?? '').length);
    const height = parseFloat(getComputedStyle(area).lineHeight);
    area.scrollTop = Math.max(0, (line - 4) * height);
    area.scrollLeft = 0;
  };

  document.addEventListener('click', (event) => {
    const link = event.target.closest('[data-line]');
    if (!link || !faults().contains(link)) return;
    event.preventDefault();
    goTo(Number(link.dataset.line));
  });

  document.addEventListener('keydown', (event) => {
    if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    area.form.querySelector('button').click(); // 存下来 is its first
  });
})();
