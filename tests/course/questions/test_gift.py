"""GIFT as Moodle and other programs write it: nothing of it is lost, or it is said what."""

from app.course.questions import gift, pasted_text
from app.course.questions.draft_questions import DraftBlank, DraftQuestion
from tests.tables import each

FROM_MOODLE = r"""$CATEGORY: $course$/top/小测

// question: 12  name: Q\: 折损
::Q\: 折损::[html]<p style\="a\: b">第3位&nbsp;打<b>几</b>折？</p><p>a &lt; b &amp; 2<sup>10</sup></p>{
	=<p>五折<br></p>#<p>对</p>
	~%-25%<p>log<sub>2</sub>3</p>#[html]<p>&#x7b;不&#125;</p>
	####<ul><li>一</li><li>二</li></ul><!-- 抄来的 -->
}
"""


def only_question(gift_text: str) -> DraftQuestion:
    reading = gift.read(gift_text)
    assert reading.unread_questions == ()
    [draft] = reading.questions
    return draft


@each("line_end", ["\n", "\r\n"])
@each("mark", ["", "\ufeff"])
def test_html_of_moodle_becomes_text(line_end: str, mark: str) -> None:
    reading = pasted_text.read(mark + FROM_MOODLE.replace("\n", line_end))
    assert reading.unread_questions == ()
    [draft] = reading.questions
    assert draft.stem == "第3位 打几折？\na < b & 2$^{10}$"
    assert [tuple(option) for option in draft.options] == [
        ("五折", True, "对"),
        ("log$_{2}$ 3", False, "{不}"),
    ]
    assert draft.explanation == "一\n二"


def test_gift_is_known_by_a_judgement_alone_whatever_is_said_to_it() -> None:
    draft = DraftQuestion("true_false", "甲。", is_true=True, praise="对，是集合{1, 2}。", correction="\\}")
    assert pasted_text.read(gift.text_of_question(draft, 1)).questions == (draft,)


@each("address", ["@@PLUGINFILE@@/a.png", "data\\:image/png;base64," + "iVBORw0KGgo" * 9_000])
def test_a_picture_in_html_is_told(address: str) -> None:
    [unread] = gift.read(rf'::Q::[html]<p>看图<img src\="{address}" /></p>{{T}}').unread_questions
    assert unread.problem.startswith("这里有图片，没有读出来")


@each(
    ("stem", "expected"),
    [
        (r"::Q\: 折损::第3位？", "第3位？"),
        ("std::vector::size是几？", "std::vector::size是几？"),
        ("选[html]还是[plain]？", "选[html]还是[plain]？"),
        ("[plain]a < b & c", "a < b & c"),
        ("&lt;p&gt;是什么？", "&lt;p&gt;是什么？"),
    ],
)
def test_a_title_and_a_format_stand_only_at_the_head(stem: str, expected: str) -> None:
    assert only_question(f"{stem}{{=甲 ~乙}}").stem == expected


@each(
    ("answers", "explanation"),
    [
        ("=北京#对呀", "对呀"),
        ("=北京#对呀 =%0%南京#从前是 ####首都", "北京：对呀\n南京：从前是\n首都"),
        ("#3:0.5#刚好", "刚好"),
        ("#=3:0.5#好 =%0%4:0#多了 ~#不对", "3:0.5：好\n4:0：多了\n别的答案：不对"),
    ],
)
def test_what_is_said_to_a_typed_answer_is_explained(answers: str, explanation: str) -> None:
    assert only_question(f"首都是？{{{answers}}}").explanation == explanation


def test_numbers_of_which_one_is_right() -> None:
    assert only_question("几个？{#=3:0.5 =%0%4:0}").blanks == (DraftBlank(("3",), "0.5"),)
    for answers, problem in (
        ("=3:0.5 =%50%3:2", "有的答案只得部分分"),
        ("=3:0.5 =5:0", "对的数要正好一个，这里有2个"),
        ("=%0%3", "对的数要正好一个，这里有0个"),
    ):
        [unread] = gift.read(f"几个？{{#{answers}}}").unread_questions
        assert unread.problem.startswith(problem)


HEADS = {
    "quoted": '"题干","答案"\n"甲对吗？","对"',
    "semicolons": "题干;答案\n甲对吗？;对",
    "mark": "\ufeff题干,答案\n甲对吗？,对",
    "quoted, tabs": '"题干"\t"正确答案"\n甲对吗？\t对',
    "mark and quotes": '\ufeff"题干","答案"\n"甲对吗？","对"',
}


@each("name", HEADS)
def test_a_table_is_known_by_its_head(name: str) -> None:
    reading = pasted_text.read(HEADS[name])
    assert reading.unread_questions == ()
    assert [(draft.kind, draft.stem) for draft in reading.questions] == [("true_false", "甲对吗？")]


@each(
    ("question", "stem", "options"),
    [
        ("[html]<p>若a&lt;b，b&gt;c，对吗？</p>{=对 ~错}", "若a<b，b>c，对吗？", ["对", "错"]),
        ("[html]<p>选？</p>{=a&lt;b, c&gt;d ~i&lt;p, p&gt;i}", "选？", ["a<b, c>d", "i<p, p>i"]),
        ("[html]用&lt;b&gt;？{=用&lt;br&gt; ~a<sub>1&lt;i</sub>&gt;b}", "用<b>？", ["用<br>", "a_(1<i)>b"]),
        (r'换行\\<br>？{=甲 ~<B class\="c">乙\N</b>}', "换行\\ ？", ["甲", r"乙\N"]),
    ],
)
def test_a_sign_that_was_no_tag_becomes_none(question: str, stem: str, options: list[str]) -> None:
    draft = only_question(question)
    assert draft.stem == stem
    assert [option.text for option in draft.options] == options


@each(
    ("stem", "expected"),
    [
        (r"求和从<sub>i\=1</sub>起？", "求和从$_{i=1}$起？"),
        (r"甲<sub>i\:j</sub>？", "甲_(i:j)？"),
        ("甲<sup>乙=丙</sup>？", "甲^(乙=丙)？"),
        (r"it&\#39;s a&\#61;b &#39;？", "it's a=b '？"),
    ],
)
def test_what_gift_escapes_is_read_in_html_too(stem: str, expected: str) -> None:
    assert only_question(f"[html]{stem}{{=甲 ~乙}}").stem == expected


@each(
    ("question", "stem", "options"),
    [
        ("[markdown]若a<b 且 c>d，选？{=[html]<b>甲</b> ~乙}", "若a<b 且 c>d，选？", ["甲", "乙"]),
        ("选<i，j>？{=[html]<a href='?a=b#c'>甲</a>&#39;&gt; ~丙<i，j>}", "选<i，j>？", ["甲'>", "丙<i，j>"]),
        ("[html]<h1>选？</h1>{=[plain]甲<h1> &gt; ~<h1>乙</h1>}", "选？", ["甲<h1> &gt;", "乙"]),
        ("[html]选？<style>p{color:red}</style>{=[html]<h1>甲</h1> ~<h1>乙</h1>}", "选？", ["甲", "乙"]),
    ],
)
def test_a_text_is_html_by_its_own_mark_or_that_of_its_question(
    question: str, stem: str, options: list[str]
) -> None:
    draft = only_question(question)
    assert draft.stem == stem
    assert [option.text for option in draft.options] == options
