// On a shared computer the work of before may be somebody else's: it comes along only if that is ticked once more.
let wasTicked = false;
document.addEventListener('change', ({ target }) => {
  const bring = target.name === 'shared' && target.form?.querySelector('[name=bring][value=yes]');
  if (!bring) return;
  if (target.checked) {
    wasTicked = bring.checked;
    bring.checked = false;
  } else {
    bring.checked = bring.checked || wasTicked;
  }
});
