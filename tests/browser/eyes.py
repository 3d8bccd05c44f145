"""What only the browser knows: where the focus is, what is too wide, what moves. Evaluated in the page."""

FOCUS = """() => {
  const one = document.activeElement;
  const ring = (box) => {
    const look = getComputedStyle(box);
    return look.outlineStyle !== 'none' && parseFloat(look.outlineWidth) >= 2;
  };
  return {
    body: one === document.body,
    seen: ring(one) || ring(one.closest('.option')?.querySelector('label') ?? one),
    name: `${one.tagName} ${one.className} ${one.textContent.trim().slice(0, 20)}`,
  };
}"""
"""The element that has the focus: its name, and whether a ring around it can be seen."""

TOO_WIDE = """() => {
  const wide = document.documentElement.clientWidth;
  const spoken = (one) => one && (getComputedStyle(one).clipPath !== 'none' || spoken(one.parentElement));
  return [...document.querySelectorAll('body *')]
    .filter((one) => one.getBoundingClientRect().right > wide + 1)
    .filter((one) => !one.closest('.skip, .eq, .formula, pre, .prose table, .sheet-row, .sheet-scroll'))
    .filter((one) => !one.closest('.tabs, .grade-scroll'))
    .filter((one) => !spoken(one))
    .map((one) => `${one.tagName}.${one.getAttribute('class')}`)
    .slice(0, 5);
}"""
"""What reaches beyond the right edge without a scroller of its own."""

UNREACHABLE = """() => [...document.querySelectorAll('main a, main button, main input:not([type=hidden])')]
  .filter((one) => one.checkVisibility({visibilityProperty: true}) && !one.disabled)
  .filter((one) => {
    one.scrollIntoView({block: 'center', behavior: 'instant'});
    const box = one.getClientRects()[0];
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return !(top && (one.contains(top) || top.closest('label')?.contains(one)));
  })
  .map((one) => one.outerHTML.slice(0, 120))"""
"""Controls that are shown but cannot be pressed: cut off, or under something else."""

MOVING = """() => [...document.querySelectorAll('*')]
  .filter((one) => {
    const look = getComputedStyle(one);
    const still = look.transitionDuration.split(',').every((time) => parseFloat(time) === 0);
    return look.animationName !== 'none' || look.scrollBehavior === 'smooth' || !still;
  })
  .map((one) => one.outerHTML.slice(0, 80))"""
"""What is animated or would be."""

BRIGHTNESS = """([selector, property]) =>
  getComputedStyle(document.querySelector(selector))[property].match(/[0-9.]+/g).slice(0, 3)
    .reduce((sum, one) => sum + Number(one) / 3, 0)"""
"""0 is black, 255 is white."""

LETTERS = "() => parseFloat(getComputedStyle(document.querySelector('.say .prose')).fontSize)"
"""The size of the text of a lesson, in px."""

GRIP_REACH = """(grip) => {
  grip.scrollIntoView({block: 'center', behavior: 'instant'});
  const box = grip.getBoundingClientRect();
  const hit = (dx, dy) =>
    document.elementFromPoint(box.x + box.width / 2 + dx, box.y + box.height / 2 + dy) === grip;
  return [hit(-11, 0), hit(11, 0), hit(0, -11), hit(0, 11)];
}"""
"""Whether a grip can be taken 11 px away from its middle, on each side."""

SIZES = "all => all.map((one) => one.getBoundingClientRect()).map((box) => [box.width, box.height])"

UNWRITTEN = """() => [...document.querySelectorAll('math')]
  .filter((one) => one.querySelector('mfrac, munderover, msqrt, mtable'))
  .filter((one) => !one.parentElement.querySelector('.eq-text')?.textContent.trim())
  .map((one) => one.textContent)"""
"""Formulas in two dimensions without a line of text that says the same."""


STILL = """() => new Promise((resolve) => {
    let before = scrollY, calm = 0;
    const look = () => {
        calm = scrollY === before ? calm + 1 : 0;
        before = scrollY;
        if (calm > 10) resolve(true); else requestAnimationFrame(look);
    };
    look();
})"""
"""The page has not moved for ten frames."""

HIDDEN_OF_REVEAL = """() => {
  const example = [...document.querySelectorAll('.example')].pop();
  const parts = {
    candies: '.lane:last-of-type', total: '.tube:last-of-type .tube-total', term: '.now-term, .ratio',
    words: '.reveal-now .bubble', question: '.opening .prompt',
    guess: '.opening .guesses > :first-child', last: '.opening .guesses > :last-child',
  };
  const seen = (box) => box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth;
  const covered = (part) => {
    const box = part.getBoundingClientRect();
    return [box.top + 2, box.bottom - 2].some((y) => {
      const upper = document.elementFromPoint((box.left + box.right) / 2, y);
      return !upper || !(part.contains(upper) || upper.contains(part));
    });
  };
  return Object.entries(parts)
    .map(([name, selector]) => [name, example.querySelector(selector)])
    .filter(([, part]) => part && (!seen(part.getBoundingClientRect()) || covered(part)))
    .map(([name, part]) => `${name} ${JSON.stringify(part.getBoundingClientRect())}`);
}"""
"""What of an opened example is cut off by the screen, or lies under something else."""
