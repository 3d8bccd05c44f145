"""A wrong key of an own item, corrected and regraded: all read the right one, whatever it earned them."""

import pytest

from tests.web.cast import Reader, browser
from tests.web.school import code_of, join_new
from tests.web.taught import Term

WRONG_KEY = """\
title: 小测
skill: dcg
items:
  first:
    stem: 第3位打几折？
    options:
      - {id: five, text: 五折}
      - {id: seven, text: 七折, right: true}
      - {id: three, text: 三折}
"""
RIGHT_KEY = WRONG_KEY.replace("五折}", "五折, right: true}").replace("七折, right: true}", "七折}")


def assigned_path(term: Term, own_text: str = WRONG_KEY) -> str:
    """The path of a student to an assignment that asks the item of a text, else that with the wrong key."""
    term.teacher.open("/own/new")
    term.teacher.submit(term.teacher.page.form("/own", "存"), text=own_text)
    draft_path = term.draft()
    part = [("kind", "item"), ("ref", "own-1:first"), ("points", "2")]
    assert term.teacher.post(f"{draft_path}/parts", part).status_code == 200
    term.set_up(draft_path, answers="handed_in")
    return term.publish(draft_path)


def hand_in_choice(student: Reader, path: str, choice_id: str) -> None:
    student.open(path)
    student.submit(student.page.form(f"{path}/passes"))
    student.open(f"{path}/questions/1")
    student.submit(student.page.form(f"{path}/questions/1/responses"), answer=[choice_id])
    student.open(f"{path}/hand-in")
    student.submit(student.page.form(f"{path}/hand-ins"))


def students_with_choices(term: Term, path: str, *choice_ids: str) -> list[Reader]:
    """小糖 and others, each of whom has handed in one choice."""
    class_code = code_of(term.teacher, term.classroom)
    students = [term.student]
    for name in "甲乙丙"[: len(choice_ids) - 1]:
        newcomer = browser(term.client)
        join_new(newcomer, class_code, name)
        students.append(newcomer)
    for student, choice_id in zip(students, choice_ids, strict=True):
        hand_in_choice(student, path, choice_id)
    return students


def save_text(term: Term, own_text: str) -> None:
    page = term.teacher.open("/own/1")
    term.teacher.submit(page.form("/own/1", "存"), text=own_text)


def regrade(term: Term, way: str) -> str:
    """Regrade the question; what the page said before."""
    regrades_url = f"/classrooms/{term.classroom}/assignments/1/regrades"
    page = term.teacher.open(f"{regrades_url}?part=1&way={way}")
    term.teacher.submit(page.form(regrades_url), reason="答案录反了")
    return page.main.text


def result_text(student: Reader, path: str) -> str:
    return student.open(f"{path}/passes/1").by_id("q1").text


@pytest.mark.parametrize(("way", "seven_points"), [("again", "0"), ("up", "2")])
def test_everybody_reads_the_corrected_key_whatever_it_earned(
    term: Term, way: str, seven_points: str
) -> None:
    path = assigned_path(term)
    students = students_with_choices(term, path, "five", "seven", "seven", "three")
    save_text(term, RIGHT_KEY)
    regrade(term, way)
    text_of_five, text_of_seven, _, text_of_three = [result_text(student, path) for student in students]
    for text in (text_of_five, text_of_seven, text_of_three):
        assert "老师更正了这道题：答案录反了" in text
        assert "五折 ✓ 对" in text
        assert "七折 ✓" not in text
    assert "2分里得2分（重新评分过，原来0分）" in text_of_five
    assert f"2分里得{seven_points}分（重新评分过" in text_of_seven
    assert "2分里得0分（重新评分过）" in text_of_three
    assert "答案是：五折" in text_of_three
    wall_text = term.teacher.open(f"{term.all}/1/review?question=1&shown=1").main.text
    assert "答案是：五折" in wall_text
    assert "✓ 五折 1人" in wall_text
    assert "每个人的数不一样" not in wall_text


def test_the_cell_says_the_corrected_answer_beside_the_work_of_then(term: Term) -> None:
    path = assigned_path(term)
    hand_in_choice(term.student, path, "five")
    save_text(term, RIGHT_KEY)
    regrade(term, "up")
    [(enrolment_id,)] = term.ledger.rows("SELECT id FROM enrolment")
    cell_text = term.teacher.open(f"{term.all}/1/students/{enrolment_id}").by_id("p1-q1").text
    assert "五折 不是这一项。 重新评分后：✓ 对，得2分。 该怎么答： 五折" in cell_text


def test_where_no_mark_changes_the_correction_can_be_announced_once(term: Term) -> None:
    path = assigned_path(term)
    hand_in_choice(term.student, path, "three")
    save_text(term, RIGHT_KEY)
    assert "没有人的分数会变。 1份卷子分数不变，看到的正确答案换成今天的" in regrade(term, "up")
    assert "老师更正了这道题" in result_text(term.student, path)
    assert term.ledger.count("re_mark") == 1
    regrades_url = f"{term.all}/1/regrades"
    page = term.teacher.open(f"{regrades_url}?part=1&way=up")
    assert "没有人的分数会变。" in page.main.text
    assert not page.main.all("form", action=regrades_url)


def test_whoever_cannot_be_read_today_reads_the_corrected_key_too(term: Term) -> None:
    path = assigned_path(term)
    hand_in_choice(term.student, path, "three")
    text_without_three = WRONG_KEY.replace("      - {id: three, text: 三折}\n", "")
    save_text(term, text_without_three)
    regrades_url = f"{term.all}/1/regrades"
    page = term.teacher.open(f"{regrades_url}?part=1&way=again")
    assert "有1次回答按今天的题读不出来" in page.main.text
    assert not page.main.all("form", action=regrades_url), "the key is the same"
    save_text(term, RIGHT_KEY.replace("      - {id: three, text: 三折}\n", ""))
    assert "有1次回答按今天的题读不出来" in regrade(term, "again")
    text = result_text(term.student, path)
    assert "老师更正了这道题" in text
    assert "答案是：五折" in text
    assert "2分里得0分" in text
    page = term.teacher.open(f"{regrades_url}?part=1&way=again")
    assert not page.main.all("form", action=regrades_url), "it was told"


def test_other_words_of_the_right_option_are_a_correction(term: Term) -> None:
    path = assigned_path(term)
    students = students_with_choices(term, path, "seven", "three")
    save_text(term, WRONG_KEY.replace("七折", "六折"))
    assert "没有人的分数会变。 2份卷子分数不变，看到的正确答案换成今天的" in regrade(term, "again")
    for student, points in zip(students, ("2", "0"), strict=True):
        text = result_text(student, path)
        assert "六折 ✓ 对" in text
        assert "七折" not in text
        assert f"2分里得{points}分" in text


def test_other_words_of_a_wrong_option_are_no_correction(term: Term) -> None:
    path = assigned_path(term)
    students = students_with_choices(term, path, "seven", "three")
    other_words = WRONG_KEY.replace("三折", "两折").replace(
        "right: true", "right: true, feedback: 对，就是它。"
    )
    save_text(term, other_words)
    regrades_url = f"{term.all}/1/regrades"
    page = term.teacher.open(f"{regrades_url}?part=1&way=again")
    assert not page.main.all("form", action=regrades_url)
    assert "老师更正了这道题" not in result_text(students[1], path)


def test_a_key_that_was_changed_once_more_is_looked_at_again(term: Term) -> None:
    path = assigned_path(term)
    hand_in_choice(term.student, path, "three")
    save_text(term, WRONG_KEY.replace("七折", "六折"))
    regrades_url = f"{term.all}/1/regrades"
    form = term.teacher.open(f"{regrades_url}?part=1&way=up").form(regrades_url)
    save_text(term, RIGHT_KEY)
    page = term.teacher.submit(form, reason="答案录反了", status=422)
    assert "再核对一遍" in page.main.text
    assert term.ledger.count("re_mark") == 0


def test_points_by_hand_stay_and_stand_beside_the_corrected_key(term: Term) -> None:
    path = assigned_path(term)
    hand_in_choice(term.student, path, "three")
    [(enrolment_id,)] = term.ledger.rows("SELECT id FROM enrolment")
    cell_url = f"{term.all}/1/students/{enrolment_id}"
    page = term.teacher.open(cell_url)
    mark_form = page.by_id("p1-q1").one("form", action=f"{cell_url}/question-marks")
    term.teacher.submit(mark_form, points="0.5", reason="过程对")
    save_text(term, RIGHT_KEY)
    regrade(term, "again")
    text = result_text(term.student, path)
    assert "2分里得0.5分（老师改过" in text
    assert "五折 ✓ 对" in text


NUMBER = """\
title: 小测
skill: dcg
items:
  first:
    stem: 依次是3、2、0。DCG是多少？
    question: {quantity: dcg, grades: [3, 2, 0]}
    decimals: 2
"""


def test_the_number_that_most_wrote_stands_there_in_whatever_version_it_was_asked(term: Term) -> None:
    path = assigned_path(term, NUMBER)
    hand_in_choice(term.student, path, "4.26")
    save_text(term, NUMBER.replace("依次是", "依次为"))
    newcomer = browser(term.client)
    join_new(newcomer, code_of(term.teacher, term.classroom), "甲")
    hand_in_choice(newcomer, path, "4.26")
    wall_page = term.teacher.open(f"{term.all}/1/review?question=1&shown=1")
    assert "4.26" in wall_page.main.one("li", class_="is-right").text
