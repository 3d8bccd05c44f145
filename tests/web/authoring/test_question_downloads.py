"""Own content as files of questions: what was pasted comes back from each of them."""

import pytest
from starlette.testclient import TestClient

from app.course.questions import question_text
from app.web.authoring.question_files import file_contents_of
from tests.web.authoring.own_texts import SMALL, write
from tests.web.authoring.pasting import TEN, take_questions
from tests.web.cast import browser
from tests.web.school import new_teacher


@pytest.mark.parametrize("format_name", ["txt", "gift", "xlsx"])
def test_a_downloaded_file_can_be_sent_again(client: TestClient, format_name: str) -> None:
    teacher = new_teacher(client, "王")
    page = take_questions(teacher, TEN)
    link = page.main.all("a", href=f"/own/1/questions.{format_name}")[0]
    response = teacher.client.get(link["href"])
    assert response.status_code == 200
    assert f"own-1.{format_name}" in response.headers["content-disposition"]
    again = question_text.read(file_contents_of(response.content).text)
    first = question_text.read(TEN)
    missing = [draft_question for draft_question in first.questions if draft_question not in again.questions]
    assert [draft_question.kind for draft_question in missing] == {"gift": ["fill", "short"]}.get(
        format_name, []
    )


HINTED = """\
title: 食堂的队伍
skill: discount
items:
  first-in-line:
    stem: 排在第1位的那一项，不打折。
    answer: true
    feedback: {right: 对，名次加1是2。, wrong: "想想：对数是1。"}
    hints: [先把名次加1，再取对数。, "以2为底：$\\\\log_2 2$。"]
  half-price:
    stem: 打五折的是第几位？
    options:
      - {text: 第3位, right: true, feedback: 对，对数是2。}
      - {text: 第2位, feedback: 大约六三折。}
    hints: [哪个名次加1以后，对数正好是2？]
"""


@pytest.mark.parametrize("format_name", ["txt", "gift", "xlsx"])
def test_hints_and_what_is_said_to_an_answer_come_back(client: TestClient, format_name: str) -> None:
    teacher = new_teacher(client, "王")
    content = teacher.client.get(f"{write(teacher, HINTED)}/questions.{format_name}").content
    judgement, choice = question_text.read(file_contents_of(content).text).questions
    assert judgement.hints == ("先把名次加1，再取对数。", "以2为底：$\\log_2 2$。")
    assert (judgement.praise, judgement.correction) == ("对，名次加1是2。", "想想：对数是1。")
    assert choice.hints == ("哪个名次加1以后，对数正好是2？",)
    assert [option.feedback for option in choice.options] == ["对，对数是2。", "大约六三折。"]


def test_faulty_content_and_strangers_get_no_file(client: TestClient) -> None:
    teacher = new_teacher(client, "王")
    path = write(teacher, SMALL.replace("true", "5"))
    teacher.open(f"{path}/questions.txt", status=404)
    write(teacher, SMALL)
    teacher.open("/own/2/questions.pdf", status=404)
    browser(client).open("/own/2/questions.txt", status=404)


CARDS_ALONE = """\
title: 只有闪卡
skill: discount
cards:
  first-position:
    front: 第1位打几折？
    back: 不打折。
"""


@pytest.mark.parametrize(("text", "offers_files"), [(HINTED, True), (CARDS_ALONE, False)])
def test_files_of_questions_are_offered_where_there_are_questions(
    client: TestClient, text: str, offers_files: bool
) -> None:
    teacher = new_teacher(client, "王")
    page = teacher.open(write(teacher, text))
    assert bool(page.main.all("a", href="/own/1/questions.txt")) == offers_files
