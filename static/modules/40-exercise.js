// A code exercise on the page: its editor, 运行, the tests one by one, and what the tutor says to them.
import { edit } from '/static/modules/20-editor.js';
import { run } from '/static/modules/30-python.js';

const calm = matchMedia('(prefers-reduced-motion: reduce)');
const pause = () => new Promise((go) => { setTimeout(go, calm.matches ? 0 : 150); });

const make = (tag, text, name = '') => {
  const element = document.createElement(tag);
  element.textContent = text;
  element.className = name;
  return element;
};

// Texts with `code` in them, as the templates of the server would write them.
const words = (text) => {
  const paragraph = document.createElement('p');
  text.split('`').forEach((part, index) => paragraph.append(index % 2 ? make('code', part) : part));
  return paragraph;
};

// The lines without what stands in quotes or behind a #, where anything may be written.
const withoutTexts = (code) => code
  .replace(/("""|''')[^]*?\1/g, (text) => `""${text.replace(/[^\n]/g, '')}`)
  .split('\n').map((line) => line.replace(/(["'])(?:\\.|(?!\1).)*\1/g, '""').replace(/#.*/, ''));
const count = (text, signs) => [...text].filter((sign) => signs.includes(sign)).length;

// Left behind by a Chinese keyboard. To MicroPython it is part of a name, so that it may complain much later.
const WIDE = /[，（）：；“”‘’＝＋－＊／＜＞［］【】、。！\u3000]/;
const WIDE_WORDS = {
  '\u3000': '有全角的空格。缩进和空格都用半角，切到英文输入法再打一次。',
  '！': '有全角的“！”。不等于写`!=`，两个符号都用半角；要说“不”，写`not`。',
};
const wideHint = (code) => {
  const lines = withoutTexts(code);
  const index = lines.findIndex((line) => WIDE.test(line));
  if (index < 0) return null;
  const [sign] = lines[index].match(WIDE);
  return [`第${index + 1}行里${WIDE_WORDS[sign] ?? `有全角的“${sign}”。代码里的标点都用半角，切到英文输入法再打一次。`}`, index + 1];
};

// MicroPython says no more than "invalid syntax" and a line; most often one of these is why.
const OPENING = /^\s*(if|elif|else|for|while|def|class|try|except)\b/;
const unbracketed = (line) => {
  const shorter = line.replace(/\([^()[\]{}]*\)|\[[^()[\]{}]*\]|\{[^()[\]{}]*\}/g, '');
  return shorter === line ? line : unbracketed(shorter);
};
const syntaxHint = (code, number) => {
  const lines = withoutTexts(code);
  const nearLines = [number, number - 1].filter((line) => line > 0);
  const openLine = nearLines.find((line) => OPENING.test(lines[line - 1] ?? '') && !unbracketed(lines[line - 1]).includes(':'));
  if (openLine) return [`第${openLine}行的末尾少了冒号\`:\`。`, openLine];
  const assigningLine = nearLines.find((line) => /^\s*(if|elif|while)\b[^=!<>]*[^=!<>]=(?!=)/.test(lines[line - 1] ?? ''));
  if (assigningLine) return ['判断相等要写两个等号`==`，一个等号`=`是把值放进名字里。', assigningLine];
  const whole = lines.join('\n');
  if (count(whole, '([{') !== count(whole, ')]}')) return ['括号没有成对：数一数左边的和右边的。', number];
  return ['这一行Python读不懂。看看括号、引号是不是成对，上一行的末尾是不是少了什么。', number];
};

const IMPORTS = { log2: 'from math import log2', log: 'from math import log2', math: 'import math', sqrt: 'from math import sqrt' };
const nameHint = (name, called) => {
  if (name in IMPORTS) return `\`${name}\`还没有请进来：在最前面写上\`${IMPORTS[name]}\`。`;
  if (['true', 'false', 'none', 'null'].includes(name)) return '`True`、`False`、`None`的首字母要大写。';
  if (['np', 'numpy'].includes(name)) return '这个小Python里没有numpy。用`math`和一个循环就够。';
  if (called.startsWith(`${name}(`) || called === name) return `没有找到\`${name}\`。名字要和题目里的一模一样，一个字母都不能差。`;
  return `名字\`${name}\`没有定义过。是拼错了，还是忘了先给它一个值？`;
};

const ERRORS = {
  ZeroDivisionError: '这里除以0了。想想哪个数会变成0：`log2(1)`是0，空列表的长度也是0。',
  IndexError: '取了一个不存在的位置。列表从0数起，最后一颗是`len(…) - 1`。',
  KeyError: '字典里没有这个键。',
  TypeError: '两样东西的类型合不来：比如拿`None`去加，或者把列表当成了数，或者少给、多给了一个参数。',
  AttributeError: '它没有这个本事：点后面的名字拼对了吗？这种东西有这个方法吗？',
  ImportError: '这里的小Python叫MicroPython，没有这个库。这些题只用得着`math`。',
  IndentationError: '缩进没有对齐。同一层的几行，前面的空格要一样多，一层四格。',
  MemoryError: '列表越长越大，内存装不下了。看看循环里是不是一直在往里加。',
  RuntimeError: '函数自己叫自己，没完没了。它得有一个不再叫下去的时候。',
  ValueError: '给的值它算不了：比如0和负数没有对数。',
};

const explain = (fault, code, called) => {
  const hint = ['SyntaxError', 'IndentationError', 'NameError'].includes(fault.error) && wideHint(code);
  if (hint) return hint;
  if (fault.error === 'SyntaxError') return syntaxHint(code, fault.line ?? 1);
  if (fault.error === 'NameError') return [nameHint(fault.text.match(/'([^']+)'/)?.[1] ?? '', called), fault.line];
  return [ERRORS[fault.error] ?? '运行的时候出错了。看看那一行。', fault.line];
};

export const wake = (box) => {
  const find = (selector) => box.querySelector(selector);
  const area = find('textarea');
  const rows = [...box.querySelectorAll('.code-tests li')];
  const usual = [...box.querySelectorAll('.code-usual li')];
  const printed = find('.code-printed');
  const button = find('[data-run]');
  const tests = rows.map(({ dataset }) => ({ call: dataset.call, before: dataset.before, expect: dataset.expect }));
  let running = false;

  const clear = () => {
    rows.forEach((row) => { row.className = ''; row.querySelector('.code-mark').textContent = ''; row.querySelector('.code-got').textContent = ''; });
    box.querySelectorAll('.bubble').forEach((bubble) => { bubble.hidden = true; });
    printed.hidden = true;
    printed.querySelector('pre').textContent = '';
    editor.mark(0);
  };

  const showResult = (row, result) => {
    row.className = result.right ? 'passed' : 'failed';
    row.querySelector('.code-mark').textContent = result.right ? '✓ 通过' : '✗ 没通过';
    if (result.right) return;
    const got = row.querySelector('.code-got');
    if (result.fault) got.append('停在了半路：', make('code', result.fault.error));
    else if (result.expected === row.querySelector('.code-wanted').textContent) got.append('你的得', make('code', result.got));
    else got.append('也就是', make('code', result.expected), '；你的得', make('code', result.got));
  };

  const say = (mood, ...parts) => {
    const bubble = find(`.bubble.${mood}`);
    const prose = bubble.querySelector('.prose');
    prose.textContent = '';
    prose.append(...parts.filter(Boolean));
    bubble.hidden = false;
  };

  // The line that failed: marked beside the text, and a button that leads there.
  const lineLink = (line) => {
    if (!line) return null;
    editor.mark(line);
    const button = make('button', `第${line}行`, 'quiet');
    button.type = 'button';
    button.addEventListener('click', () => editor.goTo(line));
    const paragraph = document.createElement('p');
    paragraph.append(button, ' ', make('code', editor.line(line)));
    return paragraph;
  };
  const original = (fault) => fault.text && make('p', `${fault.error}: ${fault.text}`, 'code-original');
  const copy = (element) => [...element.cloneNode(true).childNodes];

  const looksLike = ({ dataset }, code) => !dataset.pattern || new RegExp(dataset.pattern).test(code);
  const seenMistake = (fault, code) => usual.find((mistake) => !mistake.dataset.wrong && looksLike(mistake, code)
    && (!mistake.dataset.error || mistake.dataset.error === fault?.error));

  const stopped = (fault, code, called, hint, before) => {
    const [text, line] = explain(fault, code, called);
    say('puzzled', before, lineLink(line), ...(hint ? copy(hint) : [words(text)]), original(fault));
  };

  const failed = (results, likeliest, code) => {
    const first = results.find((result) => !result.right);
    const passed = results.filter((result) => result.right).length;
    const summary = words(passed ? `${rows.length}个测试，过了${passed}个。先看第${first.number + 1}个。` : `${rows.length}个测试都还没过，不急，先看第1个。`);
    const hint = seenMistake(first.fault, code) ?? usual[likeliest];
    if (first.fault) return stopped(first.fault, code, tests[first.number].call, hint, summary);
    const text = first.nothing ? '函数算完了，却没有把结果交出来，Python就当它交了`None`。是不是忘了`return`？`print`只是说给人听，不算交。'
      : first.near ? '就差一点点。是不是中途四舍五入了？小数留着别动，比的时候自有余地。'
      : '拿出纸，把这一排手算一遍，看从哪一步开始和代码不一样。也可以在代码里用`print`看看中间的数。';
    return say('puzzled', summary, ...(hint ? copy(hint) : [words(text)]));
  };

  const start = async () => {
    if (running) return;
    running = true;
    button.setAttribute('aria-disabled', 'true');
    clear();
    const code = area.value;
    const results = [];
    let broken = null;
    let likeliest = null;
    const hear = (message) => {
      if (message.type === 'print') { printed.hidden = false; printed.querySelector('pre').textContent += `${message.line}\n`; }
      if (message.type === 'test') results.push(message);
      if (message.type === 'broken') broken = message.fault;
      if (message.type === 'done') likeliest = message.usual;
    };
    const wrongs = usual.map((mistake) => (looksLike(mistake, code) && mistake.dataset.wrong) || '');
    const ending = await run({ code, tests, wrongs }, hear);
    for (const result of results) { showResult(rows[result.number], result); await pause(); }
    if (ending === 'missing') say('puzzled', words('没能请来Python：网络断了，浏览器太旧，或者网站刚换了新版本。代码还在：过一会儿刷新这一页，再按一次；也可以拷到自己电脑上跑。'));
    else if (ending === 'slow') say('puzzled', words('跑了2秒还没完，先替你按了停。多半是循环停不下来：`while`的条件会不会永远成立？循环里有没有往前走一步？'));
    else if (broken) stopped(broken, code, tests[0].call, seenMistake(broken, code));
    else if (results.some((result) => !result.right)) failed(results, likeliest, code);
    else say('pleased', words(`${rows.length}个测试全通过。`), ...copy(find('.code-why')));
    button.removeAttribute('aria-disabled');
    running = false;
  };

  const editor = edit(area, find('.code-gutter'), { run: start, changed: () => editor.mark(0) });
  button.addEventListener('click', start);
  find('[data-restart]').addEventListener('click', () => { clear(); editor.restart(); });
  box.classList.add('awake');
};
