// A file that is too large is said before it is sent: a proxy cuts it off, and what was typed beside it is gone.
document.addEventListener('change', ({ target }) => {
  const most = Number(target.dataset.mostBytes);
  if (!most) return;
  const isTooLarge = target.files[0]?.size > most;
  if (isTooLarge) target.value = '';
  document.getElementById(target.dataset.warning).hidden = !isTooLarge;
});
