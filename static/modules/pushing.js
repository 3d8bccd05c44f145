// 分力气 says while numbers are typed how much is still to be spread, as its page does after every button.

/** Give the form of a round its listener. */
export function wake(form) {
  const rest = form.querySelector('.rest');
  form.addEventListener('input', () => {
    const texts = [...form.querySelectorAll('[name="answer"]')].map((field) => field.value.normalize('NFKC').trim());
    const left = texts.filter((text) => /^[0-9]+$/.test(text)).reduce((total, text) => total - Number(text), Number(rest.dataset.total));
    rest.textContent = left ? `${left < 0 ? '多分了' : '还剩'}${Math.abs(left)}份` : '正好分完';
  });
}
