// Who leaves takes the drafts of code along: the next one at this computer finds an empty desk.
document.addEventListener('submit', (event) => {
  if (!event.target.matches('[action="/sign-outs"]')) return;
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith('tangxu-code:')) localStorage.removeItem(key);
  } catch { /* nothing kept */ }
});
