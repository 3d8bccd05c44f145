// Copies the text or the field that a button names; where the browser keeps its clipboard shut (http), it selects it.
(() => {
  const select = (element) => {
    if (element.select) {
      element.focus();
      element.select();
      return;
    }
    const range = document.createRange();
    range.selectNodeContents(element);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
  };

  const show = (part) => part.querySelectorAll('[data-copy]').forEach((button) => { button.hidden = false; });

  document.addEventListener('click', async (event) => {
    const button = event.target.closest('[data-copy]');
    if (!button) return;
    const source = document.getElementById(button.dataset.copy);
    const word = button.parentElement.querySelector('[role="status"]');
    try {
      await navigator.clipboard.writeText(source.value ?? source.textContent);
      word.textContent = '已复制';
    } catch {
      select(source);
      word.textContent = '已选中：按Ctrl+C；手机上长按，再点复制';
    }
  });
  document.addEventListener('part:exchanged', (event) => show(event.target));
  show(document);
})();
