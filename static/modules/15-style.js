// A style sheet for what a script puts into the page: done once it is there, or cannot be had.
export const loadStyle = (href) => new Promise((done) => {
  const style = document.createElement('link');
  style.rel = 'stylesheet';
  style.href = href;
  style.onload = done;
  style.onerror = done;
  document.head.append(style);
});
