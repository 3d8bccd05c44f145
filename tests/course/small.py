"""A small course that has one of everything, as files; tests break one thing and look at what is said."""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from app.course import Course, Faults, parse_course
from app.course.games import interleaving, judging, pushing
from app.course.games.duel import DRAW_BY_KIND
from app.course.games.words import STROKE_KINDS, striking_misconception_ids

ROUND = "{name: 一局, ask: 谁高？, told: 看第一位。}"
STROKE = "{name: 一招, ask: '第{rank}位，前{k}位，{name}。', hints: [看表。, 再看表。], hit: 打中。}"


def _choices(game: str, kinds: Iterable[str]) -> list[str]:
    """The words of a game of choices."""
    return [
        f"{game}:",
        "  title: 选一选",
        "  lead: 挑一个。",
        "  rounds:",
        *(f"    {kind}: {ROUND}" for kind in kinds),
        "  endings: [{share: 1, name: 全中, text: 好。}, {share: 0, name: 再来, text: 再来。}]",
    ]


GAMES = "\n".join(
    [
        "duel:",
        "  title: 谁高",
        "  lead: 猜一猜。",
        "  opening:",
        "    query: 看什么",
        "    engine: 电视",
        "    documents:",
        *(f"      - {{title: 第{grade}, grade: {grade}}}" for grade in range(4)),
        "  rounds:",
        *(f"    {kind}: {ROUND}" for kind in DRAW_BY_KIND),
        "  endings: [{share: 1, name: 全中, text: 好。}, {share: 0, name: 再来, text: 再来。}]",
        "monster:",
        "  title: 打怪兽",
        "  lead: 一招一招。",
        f"  levels: [{', '.join(['{name: 小怪, text: 小的。, minutes: 5}'] * 3)}]",
        "  begin: [来吧。]",
        "  strokes:",
        *(f"    {kind}: {STROKE}" for kind in STROKE_KINDS),
        "  attacks:",
        *(f"    {name}: {{name: {name}之爪, cry: 嗷。}}" for name in sorted(striking_misconception_ids())),
        "  stumble: {name: 滑倒, cry: 咦。}",
        "  graze: 擦破皮。",
        "  blocked: 挡住了。",
        "  helped: 替你出手。",
        "  estimated: 估得准。",
        "  healed: 回来一颗。",
        "  won: 赢了。",
        "  retreat: 先撤。",
        *_choices("judging", judging.DOCUMENT_COUNTS_BY_KIND),
        *_choices("interleaving", interleaving.SHARED_DISH_COUNT_BY_KIND),
        *_choices("pushing", pushing.DOCUMENT_COUNT_AND_MISTAKE_BY_KIND),
        f"  mistakes: {{{', '.join(f'{mistake}: 忘了。' for mistake in pushing.NAMED_SPREAD_IDS)}}}",
        "  right: 像。",
        "  stray: 不像。",
        "",
    ]
)
"""The words of both games, as short as they may be."""

FILES: Mapping[str, str] = {
    "games.yaml": GAMES,
    "errata.yaml": """\
values:
  err-half: {quantity: discount, grades: [1, 1, 1], rank: 3}
cases:
  slip:
    title: 一笔糊涂账
    hall: print
    source: 小笔记
    story: 有人说第3位打4折。
    published: {第3位: "0.4"}
    item:
      kind: single
      skill: dcg
      stem: 0.4哪里不对？
      options:
        - {id: half, text: 该打5折, right: true, feedback: 对，log₂4是2。}
        - {id: none, text: 不该打折, feedback: 只有第1位不打折。}
        - {id: more, text: 该打3折, feedback: 打得太狠了。}
        - {id: fine, text: 没有不对, feedback: 再算算log₂4。}
      hints: [名次加1是几？]
    truth:
      - 第3位的折损是{{ err-half | 2 }}。
      - 第1位$\\log_2 2=1$。
    keep: 先加1，再取对数。
""",
    "course.yaml": """\
title: 小课
stages:
  - {id: first, title: 第一站, summary: 先看一眼。, folder: 01-first}
  - {id: later, title: 以后, summary: 还没写。}
""",
    "skills.yaml": """\
order: {name: 先后, needs: []}
dcg: {name: DCG, needs: [order]}
""",
    "glossary.yaml": """\
- id: rank
  zh: 排名
  en: rank
  formula: i
  text: 从上往下数第几位。
""",
    "01-first/lesson.yaml": """\
goals: [看懂一排糖。]
values:
  half: {quantity: discount, grades: [1, 1, 1], rank: 3}
sections:
  - id: one
    title: 第一节
    minutes: 3
    steps:
      - {id: probe, kind: ask, item: which, probe: true}
      - id: words
        kind: say
        text: |
          第3位打{{ half | 1 }}折，$\\DCG@3$是{{ tea.dcg | 3 }}。
        another_way: 换个说法。
      - {id: row, kind: figure, figure: candy_row, example: tea, caption: 一排糖。}
      - {id: walk, kind: example, example: tea, guess: compare}
      - {id: true-or-not, kind: ask, item: holds}
      - {id: back, kind: recap, points: [记住先后。], item: all-of-them}
  - id: two
    title: 第二节
    minutes: 6
    steps:
      - {id: sum, kind: ask, item: sum}
      - {id: of-tea, kind: ask, item: of-tea}
      - {id: sort, kind: ask, item: sort}
      - {id: table, kind: ask, item: table}
      - {id: endless, kind: ask, item: endless}
  - id: cards
    title: 翻翻卡片
    minutes: 2
    steps:
      - {id: turn-over, kind: cards, cards: [weight-of-third]}
      - {id: find, kind: ask, item: find}
      - {id: why, kind: ask, item: why}
      - {id: try-out, kind: lab, lab: lambdarank, start: {grades: [0, 3, 1, 2], scores: [2, 1.5, 1, 0]}}
      - {id: write, kind: code, exercise: double}
      - {id: play, kind: game, game: monster}
  - id: hands
    title: 动动手
    minutes: 2
    steps:
      - id: move
        kind: play
        start: {row: [0, 3, 1]}
        handles: [order]
        guess: {ask: 几步？, options: [一步, 两步], right: 2}
        task: {kind: reach, words: 排到1。}
        told: 甜的往前。
""",
    "01-first/code.yaml": """\
double:
  title: 加倍
  skill: order
  summary: 一颗变两颗。
  task: 写`double(x)`。
  starter: |
    def double(x):
        return x
  tests:
    - {name: 两颗, call: double(2), expect: 4}
    - {name: 一列, before: x = double(1), call: "[x, x]", expect: [2, 2]}
    - {name: 茶, call: double(1) - 1, engine: {quantity: dcg, grades: [1]}}
    - {name: 对数, call: double(1), python: log2(4)}
  hints: [两个加起来。]
  usual:
    - wrong: |
        def double(x):
            return x ** 2
      hint: 那是平方。
    - {error: NameError, pattern: y, hint: 参数叫x。}
  solution: |
    def double(x):
        return x + x
  explanation: 自己加自己。
""",
    "01-first/examples.yaml": """\
tea:
  title: 一壶茶
  documents:
    - {title: 龙井, grade: 2}
    - {title: 奶茶, grade: 3}
    - {title: 白开水, grade: 0}
  k: 3
""",
    "01-first/cards.yaml": """\
weight-of-third:
  skill: dcg
  front: 第3位打几折？
  back: 打{{ half | 1 }}折。
  asks: fact
ln-for-log2:
  skill: dcg
  front: 把$\\log_2$按成了ln，错在哪一步？
  back: 折损那一步。
  asks: step
""",
    "01-first/items.yaml": """\
which:
  kind: single
  skill: order
  stem: 哪个好？
  options:
    - {id: a, text: 甲, right: true, feedback: 对，甜的在前。}
    - {id: b, text: 乙, feedback: 再看看第一位。}
    - {id: c, text: 丙, feedback: 不一样的。}
    - {id: d, text: 丁, feedback: 先看头一颗。}
holds:
  kind: true_false
  skill: order
  stem: 先后很要紧。
  answer: true
  feedback: {right: 是的。, wrong: 想想第一位。}
  twin: holds-again
holds-again:
  kind: true_false
  skill: order
  stem: 先后不要紧。
  answer: false
  feedback: {right: 是的。, wrong: 想想最后一位。}
all-of-them:
  kind: multiple
  skill: order
  stem: 哪些对？
  options:
    - {id: a, text: 甲, right: true, feedback: 该选。}
    - {id: b, text: 乙, right: true, feedback: 该选。}
    - {id: c, text: 丙, feedback: 不该选。}
sum:
  kind: numeric
  skill: dcg
  stem: 甜度3、2、1，$\\DCG@3$是多少？
  question: {quantity: dcg, grades: [3, 2, 1], k: 3}
  hints: [先写三项。]
of-tea:
  kind: numeric
  skill: dcg
  stem: 茶的NDCG是多少？
  question: {quantity: ndcg, example: tea}
sort:
  kind: order
  skill: order
  stem: 从甜到淡排好。
  documents:
    - {id: x, text: 淡, grade: 0}
    - {id: y, text: 甜, grade: 2}
    - {id: z, text: 也甜, grade: 2}
find:
  kind: spot
  skill: dcg
  stem: 甜度3、2、1，$\\DCG@3$这样算。
  lines:
    - {id: gains, text: 增益是3、2、1。, feedback: 线性增益就是甜度。}
    - {id: first, text: 第1项是$3/\\log_2 2$。, feedback: 第1位不打折。}
    - {id: second, text: 第2项是$2/\\log_2 2$。, wrong: true, feedback: 第2位要除以3的对数。}
    - {id: third, text: 第3项是$1/\\log_2 4$。, feedback: 名次加1是4。}
  correction: 第2项是$2/\\log_2 3$。
  source: 小笔记
  published: {DCG: "5.5"}
  hints: [看名次加1。]
gap:
  kind: fill
  skill: order
  stem: 甜的排在____，第1位是____分。
  blanks:
    - accept: [前面, 前]
    - {accept: ["0.63"], tolerance: 0.02}
why:
  kind: short
  skill: order
  stem: 为什么先后要紧？
  checkpoints: [人从上往下看, 看的人越来越少]
  model: 人从上往下看，越往下看的人越少。
table:
  kind: steps
  skill: dcg
  stem: 把茶的表填完。
  question: {quantity: ndcg, grades: [2, 3, 0], k: 3}
  given: [gain, discount, term-1]
endless:
  kind: generated
  exercise: sums
  level: 1
""",
    "exercises.yaml": """sums:
  title: 加一加
  kind: numeric
  generator: dcg
  skill: dcg
  summary: 先打折再加。
  ask: 这一列的{name}是多少？
  hints: [先写每一项。, 再加起来。]
tables:
  title: 填一填
  kind: steps
  generator: ndcg-pool
  skill: dcg
  summary: 一格一格填。
  ask: 填完，算出{name}。
  hints: [先填上半张。, 再填下半张。]
  given: {1: [gain]}
orders:
  title: 排一排
  kind: order
  generator: ideal-order
  skill: order
  summary: 越甜越靠前。
  ask: 排成理想排序。
  hints: [先找最甜的。, 再找最淡的。]
""",
    "scenes.yaml": """tea:
  theme: 吃喝
  query: 哪里喝茶
  engine: 地图搜索
  titles:
    4: [茶馆大全, 茶馆地图]
    3: [东街茶馆, 西街茶馆, 南街茶馆, 北街茶馆]
    2: [东街咖啡馆, 西街咖啡馆, 南街咖啡馆, 北街咖啡馆]
    1: [怎么泡茶, 怎么种茶, 怎么炒茶, 怎么存茶]
    0: [修车, 理发, 配钥匙, 裁缝]
beds:
  theme: 购物
  query: 买床
  engine: 购物软件
  titles:
    4: [床铺大全, 床的排行]
    3: [木床, 铁床, 藤床, 石床]
    2: [床垫, 床单, 床架, 床头]
    1: [床的历史, 床的诗, 床的画, 床的歌]
    0: [车床, 河床, 牙床, 苗床]
""",
}


def small_content(folder: Path) -> Path:
    """The small course as files in this folder: it has one of every kind, and is read in a moment."""
    for name, text in FILES.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return folder


@cache
def course() -> Course:
    """The small course."""
    return parsed(FILES)


def parsed(files: Mapping[str, str]) -> Course:
    """The course in these files; raises its faults."""
    course = parse_course(files)
    if isinstance(course, Faults):
        raise course
    return course


def changed(file: str, old: str, new: str) -> dict[str, str]:
    """The files with one change, which must be one."""
    assert FILES[file].count(old) == 1, f"{old!r} stands {FILES[file].count(old)} times in {file}"
    return {**FILES, file: FILES[file].replace(old, new)}


def faults(files: Mapping[str, str]) -> list[str]:
    """What `check` would say, line by line."""
    parts = parse_course(files)
    assert isinstance(parts, Faults), "these files have no faults"
    return parts.lines()
