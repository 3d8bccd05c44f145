// A word of the glossary says what it means where it stands; without this, or by a new tab, its page does.
(() => {
  document.addEventListener('click', async (event) => {
    const link = event.target.closest?.('a.term-link');
    const opensElsewhere = event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (!link || opensElsewhere || !('popover' in link)) return;
    event.preventDefault();
    const terms = await import('/static/modules/terms.js').catch(() => null);
    if (!await terms?.explain(link)) location.assign(link.href);
  });
})();
