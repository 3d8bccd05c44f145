// Copies the text that a button names; where the browser keeps its clipboard shut (http), it selects it.
const select = (element) => {
  const range = document.createRange();
  range.selectNodeContents(element);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
};

document.querySelectorAll('[data-copy]').forEach((button) => {
  const source = document.getElementById(button.dataset.copy);
  const word = button.parentElement.querySelector('[role="status"]');
  button.hidden = false;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(source.textContent);
      word.textContent = '抄好了';
    } catch {
      select(source);
      word.textContent = '选好了，按复制键';
    }
  });
});
