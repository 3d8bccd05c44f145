// What an address names is never folded away. Browsers of today open the fold themselves; this is for the others.
(() => {
  const unfold = () => {
    const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const fold = named?.closest('details:not([open])');
    if (!fold) return;
    fold.open = true;
    named.scrollIntoView();
  };
  addEventListener('hashchange', unfold);
  unfold();
})();
