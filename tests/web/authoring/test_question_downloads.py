"""Own content as files of questions: what was pasted comes back from each of them."""

import pytest
from starlette.testclient import TestClient

from app.course.questions import question_text
from app.web.authoring.question_files import text_of
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
    again = question_text.read(text_of(response.content).text)
    first = question_text.read(TEN)
    missing = [question for question in first.questions if question not in again.questions]
    assert [question.kind for question in missing] == {"gift": ["fill", "short"]}.get(format_name, [])


def test_faulty_content_and_strangers_get_no_file(client: TestClient) -> None:
    teacher = new_teacher(client, "王")
    path = write(teacher, SMALL.replace("true", "5"))
    teacher.open(f"{path}/questions.txt", status=404)
    write(teacher, SMALL)
    teacher.open("/own/2/questions.pdf", status=404)
    browser(client).open("/own/2/questions.txt", status=404)
