"""The fork at the end of a section: more questions or the next one; and small words of lessons."""

from tests.tables import each
from tests.web.cast import Reader


@each(
    ("section", "steps", "practice"),
    [
        ("definitions/dcg-by-hand", 6, "/practice/dcg?level=1"),
        ("definitions/one-term", 5, "/practice/dcg?level=1"),
        ("practice/same-album", 5, "/practice/idcg-pool?level=1"),
        ("concepts/binary-rulers", 6, "/practice/precision?level=1"),
    ],
)
def test_a_section_ends_with_a_choice(guest: Reader, section: str, steps: int, practice: str) -> None:
    page = guest.open(f"/lessons/{section}?step={steps + 1}")
    end = page.by_id("moves-finish")
    assert "再练几道，还是往下走？" in end.text
    [more] = [link["href"] for link in end.all("a") if link.text == "再练几道"]
    assert more == practice
    assert guest.open(more).main


def test_only_a_later_quiz_speaks_of_questions_of_before(guest: Reader) -> None:
    assert "老朋友" not in guest.open("/lessons/concepts/concepts-quiz").main.one("p", class_="lead").text
    assert "老朋友" in guest.open("/lessons/definitions/definitions-quiz").main.one("p", class_="lead").text


def test_a_joke_is_not_announced(guest: Reader) -> None:
    page = guest.open("/lessons/concepts/binary-rulers?step=4")
    joke = page.main.one("div", class_="joke")
    assert "及格了" in joke.text
    assert not joke.all("p", class_="tag")


def test_before_ndcg_is_taught_a_row_says_what_is_left(guest: Reader) -> None:
    toy = guest.open("/lessons/concepts/sweetness?step=2").main.one("article", class_="toy")
    assert "打完折，一共还剩" in toy.text
    assert "NDCG" not in toy.text
    assert "理想" not in toy.text
    toy = guest.open("/lessons/concepts/first-whole?step=2").main.one("article", class_="toy")
    assert "NDCG" in toy.text


def test_a_row_and_the_one_beside_it_show_the_same_measure(guest: Reader) -> None:
    toy = guest.open("/lessons/definitions/half-way-definitions?step=3").main.one("article", class_="toy")
    assert toy.one("span", class_="toy-score").text == "还剩 3.000"
    assert "NDCG" not in toy.text
    toy = guest.open("/lessons/definitions/conventions?step=2").main.one("article", class_="toy")
    assert toy.one("span", class_="toy-score").text == "NDCG 0.570"
