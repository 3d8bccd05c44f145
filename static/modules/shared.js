// On a shared computer the work of before may be somebody else's: it comes along only if that is ticked once more.
document.addEventListener('change', ({ target }) => {
  const bring = target.name === 'shared' && target.form?.elements.namedItem('bring');
  if (bring) bring.checked = !target.checked && bring.defaultChecked;
});
