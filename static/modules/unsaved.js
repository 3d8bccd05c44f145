// Who leaves with something written or chosen that was not sent is asked first. `data-unsaved="yes"`: what came with the
// page is stored nowhere either, as after a look at it or a refusal; a form with `data-carries` takes that along too.
(() => {
  const sent = new Set();
  let isCarried = false;
  const isTyped = (field) => field.matches('input, textarea, select') && isWritten(field);
  const isShown = (form) => form.dataset.unsaved === 'yes' && !isCarried;
  const isUnsaved = (form) => !sent.has(form) && (isShown(form) || [...form.elements].some(isTyped));
  // Sent without a network, a form leads to an error of the browser, and whoever comes back finds nothing of it.
  const stay = (event) => {
    event.preventDefault();
    const notice = document.getElementById('offline');
    notice.textContent = '连不上网，还没有发出去，写的都在这里。连上了再按一次。';
    notice.hidden = false;
  };

  // What is sent is kept until a page of the site answers (45-typed.js): with the network up, a server that is gone or a
  // proxy that refuses takes the page away. It comes back with what it was begun from, so that it replaces nothing unseen.
  const SENT_KEY = 'sent';
  const ofVisitor = ['guest', 'learner'];
  const fieldsOf = (form) => [...form.elements].filter((field) => field.name && !ofVisitor.includes(field.name)
    && field.matches('textarea, select, input:not([type=file], [type=password], [type=submit])'));
  // Of what is hidden, some says from what the rest was begun, and comes back with it; all else names what it is about.
  const isBase = (field) => field.matches('[data-base], [name=begun], [name=seal], [name^=seen], [name^=stored]');
  const isHidden = (field) => field.type === 'hidden';
  const targetOf = (form) => fieldsOf(form).filter((field) => isHidden(field) && !isBase(field));
  const keyOf = (form) => ['typed', form.getAttribute('action'), ...targetOf(form).map(({ name, value }) => `${name}=${value}`)].join(' ');
  const contentOf = (field) => (isChoice(field) ? field.checked : field.value);
  const keep = (form) => {
    unsentWords.keep(keyOf(form), JSON.stringify(fieldsOf(form).map((field) => [field.name, contentOf(field)])));
    sessionStorage.setItem(SENT_KEY, keyOf(form));
  };
  const offerToDrop = (form) => {
    const notice = document.createElement('p');
    const button = document.createElement('button');
    notice.className = 'offline'; // in sight, however far down one was
    notice.setAttribute('role', 'status');
    notice.append('上次按了没有送到，写的放回来了：看一眼，再按一次。 ', button);
    button.className = 'quiet';
    button.type = 'button';
    button.textContent = '不要了';
    button.addEventListener('click', () => {
      unsentWords.forget(keyOf(form));
      form.reset();
      location.reload();
    });
    document.getElementById('offline').after(notice);
    form.addEventListener('keydown', () => notice.remove(), { once: true }); // a browser that fills in its own says `input` too
  };
  const restore = (form) => {
    const contents = JSON.parse(unsentWords.read(keyOf(form)));
    const fields = fieldsOf(form);
    if (contents?.length !== fields.length || fields.some((field, index) => field.name !== contents[index][0])) return;
    const fill = (field) => { field[isChoice(field) ? 'checked' : 'value'] = contents[fields.indexOf(field)][1]; };
    fields.filter((field) => !isHidden(field)).forEach(fill);
    const changed = fields.filter(isWritten); // of what is hidden no browser says so
    if (!changed.length) return unsentWords.forget(keyOf(form)); // it has arrived after all
    fields.filter(isBase).forEach(fill);
    for (const element of [form, ...changed]) {
      for (let fold = element.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
    }
    offerToDrop(form);
  };
  const forms = [...document.querySelectorAll('form[data-unsaved]')];
  const isLikeNoOther = (form) => forms.filter((other) => keyOf(other) === keyOf(form)).length === 1;
  if (unsentWords) forms.filter(isLikeNoOther).forEach(restore);

  document.addEventListener('submit', (event) => {
    const { target } = event;
    const isWatched = !event.defaultPrevented && target.matches('form[data-unsaved]');
    if (isWatched && !navigator.onLine) return stay(event);
    if (isWatched && unsentWords) keep(target);
    sent.add(target);
    isCarried = 'carries' in target.dataset;
  });
  // Whoever writes on is still here; and what was lost on its way, or refused, has not arrived.
  const keepAsUnsent = ({ target }) => {
    sent.delete(target.closest('form') ?? target.form);
    isCarried = false;
  };
  for (const name of ['input', 'htmx:sendError', 'htmx:timeout']) document.addEventListener(name, keepAsUnsent);
  document.addEventListener('htmx:afterRequest', (event) => { if (event.detail.xhr.status >= 400) keepAsUnsent(event); });
  addEventListener('beforeunload', (event) => {
    if (![...document.querySelectorAll('form[data-unsaved]')].some(isUnsaved)) return;
    event.preventDefault();
    event.returnValue = true; // Chromium before 119 goes by this
  });
})();
