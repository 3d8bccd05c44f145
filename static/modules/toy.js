// A row of candies in the hand: arithmetic of one list, and what a finger, a key or a handle does with it.
// The server draws the same; `tests/browser/test_toy.py` holds the arithmetic against its engine.

const gainOf = (grade, gain) => (gain === 'exponential' ? 2 ** grade - 1 : grade);
const discounts = [];
const discountAt = (rank) => {
  discounts[rank] = discounts[rank] ?? 1 / Math.log2(rank + 1);
  return discounts[rank];
};

const valuesOf = (grades, { k, gain }) => grades.slice(0, k ?? grades.length).map((grade, index) => gainOf(grade, gain) * discountAt(index + 1));
const sum = (values) => values.reduce((total, value) => total + value, 0);
const share = (part, ideal) => (ideal ? part / ideal : 0);
const sorted = (grades, sign) => [...grades].sort((left, right) => sign * (left - right));

/** The terms of a row and of its ideal, both sums and their ratio. k: null counts all. */
export function trace(row, { k = null, gain = 'linear', pool = null } = {}) {
  const terms = valuesOf(row, { k, gain });
  const ideal = valuesOf(sorted(pool ?? row, -1), { k, gain });
  const dcg = sum(terms);
  const idcg = sum(ideal);
  return { terms, ideal, dcg, idcg, ndcg: share(dcg, idcg) };
}

/** NDCG of the worst order, the mean of all orders, and NDCG of the best one. */
export function range(row, { k = null, gain = 'linear', pool = null } = {}, { idcg } = trace(row, { k, gain, pool })) {
  const counted = Math.min(k ?? row.length, row.length);
  const weights = Array.from({ length: counted }, (_, index) => discountAt(index + 1));
  const mean = sum(row.map((grade) => gainOf(grade, gain))) / row.length;
  return {
    worst: share(sum(valuesOf(sorted(row, 1), { k, gain })), idcg),
    mean: share(mean * sum(weights), idcg),
    best: share(sum(valuesOf(sorted(row, -1), { k, gain })), idcg),
  };
}

const SWEETEST = 5;
const DRAG_PIXELS = 6; // a finger that moves less has pressed
const gradesIn = (text) => (text ? text.split('-').map(Number) : null);
const hasHandle = (toy, handle) => toy.dataset.handles.split(' ').includes(handle);
const items = (toy) => [...toy.querySelectorAll('.toy-row > li')];
const showsNdcg = (toy) => Boolean(toy.querySelector('[data-out="ndcg"]')); // else what is left of the sweetness
const threeDecimals = (number) => number.toFixed(3);

/** DCG and IDCG with as few decimals as give the NDCG beside them: whoever divides them gets it. */
function divisionTexts({ dcg, idcg, ndcg }) {
  for (let places = 3; ; places += 1) {
    const texts = [dcg.toFixed(places), idcg.toFixed(places)];
    if (!idcg || places === 6 || threeDecimals(texts[0] / texts[1]) === threeDecimals(ndcg)) return texts;
  }
}

const rowOf = (toy) => items(toy).map((item) => Number(item.dataset.grade));

// What a pool holds beside a row that is part of it: it stays as it is while a candy of the row becomes sweeter. Of a pool
// that is another than the row, all of it stays.
const restByToy = new WeakMap();
function keepRest(toy) {
  const rest = gradesIn(toy.dataset.pool) ?? [];
  const takeOut = (grade) => rest.includes(grade) && rest.splice(rest.indexOf(grade), 1);
  if (toy.dataset.pool && rowOf(toy).every(takeOut)) restByToy.set(toy, rest);
}
function poolOf(toy) {
  const rest = restByToy.get(toy);
  return rest ? [...rowOf(toy), ...rest] : gradesIn(toy.dataset.pool);
}

/** What the page shows now. */
function stateOf(toy) {
  return {
    row: rowOf(toy),
    k: toy.dataset.k ? Number(toy.dataset.k) : null,
    gain: toy.dataset.gain,
    pool: poolOf(toy),
    beside: gradesIn(toy.dataset.beside),
  };
}

const putText = (toy, name, text) => toy.querySelectorAll(`[data-out="${name}"]`).forEach((place) => {
  if (place.textContent !== text) place.textContent = text;
});

function drawBars(toy, candies, { terms, ideal }) {
  const tallest = Math.max(...terms, ...ideal, 1e-9);
  toy.querySelectorAll('.toy-terms > li').forEach((term, index) => {
    const [hollow, own] = term.querySelectorAll('rect');
    const { grade } = candies[index].dataset;
    for (const [bar, value] of [[hollow, ideal[index] ?? 0], [own, terms[index] ?? 0]]) {
      const height = Math.min(100, (100 * value) / tallest);
      bar.setAttribute('y', (100 - height).toFixed(2));
      bar.setAttribute('height', height.toFixed(2));
    }
    own.setAttribute('class', `toy-own toy-c${grade}`);
    term.classList.toggle('toy-cut', index >= terms.length);
    term.querySelector('span').textContent = index < terms.length ? terms[index].toFixed(2) : '–';
  });
}

/** Everything that follows from the state: bars, sums, the strip, the rival, the fields of the form. */
export function show(toy) {
  const { row, beside, ...rule } = stateOf(toy);
  const present = trace(row, rule);
  const bounds = range(row, rule, present);
  drawBars(toy, items(toy), present);
  const [dcgText, idcgText] = showsNdcg(toy) ? divisionTexts(present) : [threeDecimals(present.dcg)];
  putText(toy, 'dcg', dcgText);
  putText(toy, 'idcg', idcgText);
  putText(toy, 'ndcg', threeDecimals(present.ndcg));
  for (const [name, value] of Object.entries({ worst: bounds.worst, mean: bounds.mean, best: bounds.best, now: present.ndcg })) {
    putText(toy, `at-${name}`, threeDecimals(value));
    toy.querySelector(`.toy-strip .at-${name}`)?.setAttribute('x', (value * 300 + 8).toFixed(1));
  }
  if (beside) {
    const measure = showsNdcg(toy) ? 'ndcg' : 'dcg';
    const rival = trace(beside, rule)[measure];
    putText(toy, 'beside', threeDecimals(rival));
    toy.dataset.ahead = Math.abs(present[measure] - rival) < 1e-9 ? 'tie' : present[measure] > rival ? 'own' : 'beside';
  }
  toy.classList.toggle('is-best', present.ndcg > 1 - 1e-9);
  putText(toy, 'k', rule.k ? String(rule.k) : String(row.length));
  items(toy).forEach((item, index, all) => {
    const grade = item.dataset.grade;
    const candy = item.querySelector('.candy');
    candy.className = `candy toy-candy g${grade}`;
    candy.lastElementChild.textContent = grade;
    const words = candy.firstElementChild; // of one that can be pressed: which it is, and what a press does
    words.textContent = words.textContent.replace(/^第[0-9]+位/, `第${index + 1}位`);
    item.classList.toggle('toy-cut', rule.k !== null && index >= rule.k);
    const [back, on] = item.querySelectorAll('.toy-move');
    if (!back) return;
    back.setAttribute('aria-disabled', String(index === 0));
    on.setAttribute('aria-disabled', String(index === all.length - 1));
    back.setAttribute('aria-label', `第${index + 1}位，甜度${grade}：往前一位`);
    on.setAttribute('aria-label', `第${index + 1}位，甜度${grade}：往后一位`);
  });
  const field = toy.querySelector('form [name="row"]');
  if (field) field.value = row.join('-');
  const poolField = toy.querySelector('form [name="pool"]');
  if (isPoolOfRow(poolField?.value)) poolField.value = rule.pool.join('-');
  return present;
}

// On the workbench `pool` is another field: what was judged beside its list, written with spaces.
const isPoolOfRow = (text) => Boolean(text?.includes('-'));

function writeAddress(toy) {
  if (!toy.dataset.address) return;
  const { row, k, gain, pool } = stateOf(toy);
  const url = new URL(toy.dataset.address, location.href);
  url.searchParams.set('row', row.join('-'));
  if (k !== null || toy.dataset.startK) url.searchParams.set('k', k ?? 'all');
  if (gain !== 'linear' || toy.dataset.startGain !== 'linear') url.searchParams.set('gain', gain);
  if (isPoolOfRow(url.searchParams.get('pool'))) url.searchParams.set('pool', pool.join('-'));
  const guess = toy.querySelector('[name="guess"]:checked');
  if (guess) url.searchParams.set('guess', guess.value);
  addressBar.write(url);
}

/** The address says what is shown, and one sentence says it to those who listen. */
function settle(toy, words) {
  const { dcg, ndcg } = show(toy);
  writeAddress(toy);
  toy.querySelector('.toy-result')?.remove();
  say(showsNdcg(toy) ? `${words}NDCG是${threeDecimals(ndcg)}。` : `${words}还剩${threeDecimals(dcg)}。`);
}

function say(words) {
  const status = document.getElementById('status-order');
  if (status) status.textContent = words;
}

function markPicked(item, isPicked) {
  item.classList.toggle('picked', isPicked);
  const candy = item.querySelector('.toy-candy');
  if (candy.hasAttribute('aria-pressed')) candy.setAttribute('aria-pressed', String(isPicked));
}

function exchange(item, other) {
  const placeholder = document.createComment('');
  item.replaceWith(placeholder);
  other.replaceWith(item);
  placeholder.replaceWith(other);
}

function move(toy, item, steps) {
  const all = items(toy);
  const index = all.indexOf(item);
  const to = index + steps;
  if (to < 0 || to >= all.length) return;
  if (steps < 0) all[to].before(item); else all[to].after(item);
  settle(toy, `甜度${item.dataset.grade}到了第${to + 1}位。`);
}

function sweeten(toy, item, grades = 1) {
  const grade = (Number(item.dataset.grade) + grades + SWEETEST + 1) % (SWEETEST + 1);
  item.dataset.grade = String(grade);
  settle(toy, `第${items(toy).indexOf(item) + 1}位的甜度是${grade}。`);
}

function pick(toy, item) {
  const picked = toy.querySelector('.toy-row > .picked');
  if (!picked) {
    markPicked(item, true);
    say(`拿起了第${items(toy).indexOf(item) + 1}位，甜度${item.dataset.grade}。再按一颗，和它换。`);
    return;
  }
  markPicked(picked, false);
  if (picked === item) {
    say('放回去了。');
    return;
  }
  exchange(picked, item);
  settle(toy, `第${items(toy).indexOf(picked) + 1}位和第${items(toy).indexOf(item) + 1}位换了。`);
}

function press(toy, item) {
  if (hasHandle(toy, 'swap')) pick(toy, item);
  else if (hasHandle(toy, 'grade')) sweeten(toy, item);
}

// The neighbours move in the document, never the dragged candy: moving it would drop its pointer capture.
// Where the places are is looked at when a candy is taken: each look under the finger would lay out the page anew.
let drag = null;
const isHeldBy = ({ pointerId }) => drag?.pointerId === pointerId;

function take(toy, item, { clientX, pointerId }) {
  const all = items(toy);
  const boxes = all.map((other) => other.getBoundingClientRect());
  const place = all.indexOf(item);
  drag = { toy, item, all, boxes, pointerId, startX: clientX, startPlace: place, place, moved: false, target: null };
}

function letGo() {
  const { toy, item, moved, target, startPlace, place } = drag;
  drag = null;
  item.classList.remove('drag');
  item.style.removeProperty('--dx');
  target?.classList.remove('target');
  return { toy, item, moved, target, isElsewhere: place !== startPlace };
}

function drop() {
  const { toy, item, moved, target } = letGo();
  if (hasHandle(toy, 'swap') && target) {
    exchange(item, target);
    settle(toy, `第${items(toy).indexOf(item) + 1}位和第${items(toy).indexOf(target) + 1}位换了。`);
  } else if (hasHandle(toy, 'swap')) {
    if (!moved) press(toy, item);
  } else if (moved) settleMoved(toy, item);
  else press(toy, item);
}

function settleMoved(toy, item) {
  settle(toy, `甜度${item.dataset.grade}到了第${items(toy).indexOf(item) + 1}位。`);
}

// The browser has taken the finger, to scroll: what was carried so far stays there, and nothing else has happened.
function abandon() {
  const { toy, item, isElsewhere } = letGo();
  if (isElsewhere) settleMoved(toy, item);
}

// The candy under the finger, other than the dragged one.
function aim(x) {
  const { item, all, boxes } = drag;
  const under = all[boxes.findIndex(({ left, right }) => x >= left && x <= right)];
  const target = under && under !== item ? under : null;
  if (target === drag.target) return;
  drag.target?.classList.remove('target');
  target?.classList.add('target');
  drag.target = target;
}

// The candy goes on as long as the finger is beyond the middle of the next place.
function carry(x) {
  const { item, boxes } = drag;
  const middle = (place) => (boxes[place].left + boxes[place].right) / 2;
  const before = drag.place;
  while (drag.place > 0 && x < middle(drag.place - 1)) {
    item.after(item.previousElementSibling);
    drag.place -= 1;
  }
  while (drag.place < boxes.length - 1 && x > middle(drag.place + 1)) {
    item.before(item.nextElementSibling);
    drag.place += 1;
  }
  return drag.place !== before;
}

function follow(x) {
  const { toy, item, boxes, startX, startPlace } = drag;
  if (!drag.moved && Math.abs(x - startX) < DRAG_PIXELS) return;
  drag.moved = true;
  const swaps = hasHandle(toy, 'swap');
  const changed = !swaps && carry(x);
  item.style.setProperty('--dx', `${x - startX + boxes[startPlace].left - boxes[drag.place].left}px`);
  if (swaps) aim(x);
  else if (changed) show(toy);
}

// Let go outside of its toy, a candy was not pressed.
addEventListener('pointerup', (event) => { if (isHeldBy(event)) letGo(); });

function listen(toy) {
  toy.addEventListener('pointerdown', (event) => {
    const candy = event.target.closest('.toy-candy');
    if (!candy || event.button || !(hasHandle(toy, 'order') || hasHandle(toy, 'swap') || hasHandle(toy, 'grade'))) return;
    if (drag && !isHeldBy(event)) return; // one finger at a time
    take(toy, candy.closest('li'), event);
    if (!hasHandle(toy, 'order') && !hasHandle(toy, 'swap')) return;
    candy.setPointerCapture(event.pointerId);
    drag.item.classList.add('drag');
  });
  toy.addEventListener('pointermove', (event) => {
    if (drag?.toy === toy && isHeldBy(event) && (hasHandle(toy, 'order') || hasHandle(toy, 'swap'))) follow(event.clientX);
  });
  toy.addEventListener('pointerup', (event) => { if (drag?.toy === toy && isHeldBy(event)) drop(); });
  for (const name of ['pointercancel', 'lostpointercapture']) toy.addEventListener(name, (event) => { if (isHeldBy(event)) abandon(); });
  toy.addEventListener('dragstart', (event) => event.preventDefault());
  toy.addEventListener('click', (event) => {
    const arrow = event.target.closest('.toy-move');
    const candy = event.target.closest('.toy-candy');
    const isSameLength = toy.dataset.startRow.split('-').length === items(toy).length; // else the link leads to the start
    const restartLink = isSameLength && event.target.closest('.toy-again');
    if (!arrow && !candy && !restartLink) return;
    event.preventDefault();
    event.stopPropagation();
    if (arrow) move(toy, arrow.closest('li'), arrow.classList.contains('on') ? 1 : -1);
    const isByKey = candy && !event.detail; // a finger was heard before
    if (isByKey) press(toy, candy.closest('li'));
    if (restartLink) restart(toy);
    if (arrow || isByKey) (arrow ?? candy).focus();
  });
  toy.addEventListener('keydown', (event) => {
    const item = event.target.closest('.toy-row > li');
    if (!item || event.altKey || event.ctrlKey || event.metaKey) return;
    const steps = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const sweeterBy = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (steps && hasHandle(toy, 'order')) move(toy, item, steps);
    else if (sweeterBy && hasHandle(toy, 'grade')) sweeten(toy, item, sweeterBy);
    else if (event.key === ' ' && event.target.matches('a.toy-candy')) press(toy, item);
    else return;
    event.preventDefault();
    event.target.focus();
  });
  toy.addEventListener('input', (event) => {
    if (event.target.name === 'guess') writeAddress(toy);
    if (event.target.name === 'k') {
      const k = Number(event.target.value);
      toy.dataset.k = String(k);
      settle(toy, `只数前${k}位。`);
    }
    if (event.target.name === 'gain') {
      toy.dataset.gain = event.target.value;
      settle(toy, event.target.value === 'exponential' ? '换成了指数增益。' : '换成了线性增益。');
    }
  });
}

function restart(toy) {
  const grades = toy.dataset.startRow.split('-');
  items(toy).forEach((item, index) => { item.dataset.grade = grades[index]; markPicked(item, false); });
  toy.dataset.k = toy.dataset.startK;
  toy.dataset.gain = toy.dataset.startGain;
  const slider = toy.querySelector('input[name="k"]');
  if (slider) slider.value = toy.dataset.startK || slider.max;
  toy.querySelectorAll('input[name="gain"]').forEach((choice) => { choice.checked = choice.value === toy.dataset.gain; });
  settle(toy, '从头来。');
}

/** Give a toy that the server drew its hands. */
export function wake(toy) {
  toy.classList.add('awake');
  keepRest(toy);
  listen(toy);
  show(toy);
}
