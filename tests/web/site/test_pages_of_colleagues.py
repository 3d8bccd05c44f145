"""An old tab of 王 in the staff room, sent after 李 has signed in beside it: nothing of his becomes hers."""

import pytest

from tests.pictures import drawn
from tests.web.authoring.own_texts import SMALL, write
from tests.web.cast import Page, Reader
from tests.web.marking.worded_answers import WHY
from tests.web.pages import filled
from tests.web.school import expect_page_of_another
from tests.web.taught import Term, new_helper


@pytest.fixture
def colleague(term: Term) -> Reader:
    """李, who may mark in the class too, on the same computer in the staff room."""
    return new_helper(term, "co-teacher")


@pytest.mark.parametrize("label", ["存下来", "预览"])
def test_what_a_teacher_writes_does_not_become_content_of_a_colleague(
    term: Term, colleague: Reader, label: str
) -> None:
    for url in ("/own/new", "/own/new?template=single&view=form"):
        old_form = term.teacher.open(url).by_id("own-write")
        expect_page_of_another(colleague.submit(old_form, label, status=409))
        assert term.ledger.count("own_course") == 0
    old_form = term.teacher.open(write(term.teacher)).by_id("own-write")
    page = colleague.submit(old_form, "存", status=409, text=SMALL + "# 没存")
    assert "没存" in page.main.text
    assert "# 没存" not in term.ledger.rows("SELECT text FROM own_course")[0][0]


def test_questions_are_put_in_by_who_pasted_them(term: Term, colleague: Reader) -> None:
    question = "1. NDCG可以大于1。（×）"
    page = term.teacher.submit(term.teacher.open("/own/pastes").by_id("paste"), "看一看", text=question)
    old_form = page.by_id("paste")
    fields = [*filled(old_form), ("take", "yes")]
    for htmx in (True, False):
        response = colleague.post("/own/pastes", fields, htmx)
        assert response.status_code == 409
        expect_page_of_another(Page(response))
    assert term.ledger.count("own_course") == 0
    assert term.teacher.post("/own/pastes", fields).status_code == 200
    assert term.ledger.count("own_course") == 1


@pytest.mark.parametrize("address", ["/own/uploads", "/own/pastes/files", "/own/pictures"])
def test_a_file_is_kept_for_who_chose_it(term: Term, colleague: Reader, address: str) -> None:
    page_path, form_id = {
        "/own/uploads": ("/own", ""),
        "/own/pastes/files": ("/own/pastes", "paste"),
        "/own/pictures": ("/own/new", "own-write"),
    }[address]
    page = term.teacher.open(page_path)
    old_form = page.by_id(form_id) if form_id else page.form(address)
    files = {"file": ("我的.yaml", SMALL.encode())}
    fields = dict(filled(old_form))
    if "text" in fields:
        fields["text"] = "写了一下午的题目"
    response = colleague.client.post(address, data=fields, files=files)
    assert response.status_code == 409
    page = Page(response)
    expect_page_of_another(page)
    assert ("写了一下午的题目" in page.main.text) == ("text" in fields)
    assert "再交一次" not in page.main.text, "the file is lost"
    assert term.ledger.count("own_course") == 0


def test_content_is_copied_and_classes_are_made_by_who_sees_the_page(term: Term, colleague: Reader) -> None:
    own_url = write(colleague)
    shared_page = colleague.submit(colleague.open(own_url).form(f"{own_url}/shares"))
    shared_url = shared_page.by_id("sharing").one("p", class_="own-link").one("a")["href"]
    old_copy = term.teacher.open(shared_url).form(f"{shared_url}/copies")
    index_page = term.teacher.open("/classrooms")
    for old_form, table in (
        (old_copy, "own_course"),
        (index_page.form("/classrooms"), "classroom"),
        (index_page.form("/series"), "assignment"),
    ):
        row_count = term.ledger.count(table)
        expect_page_of_another(colleague.submit(old_form, status=409, name="高一5班", title="第一周"))
        assert term.ledger.count(table) == row_count
        term.teacher.submit(old_form, name="高一5班", title="第一周")
        assert term.ledger.count(table) == row_count + 1


def test_a_mark_is_given_by_who_read_the_answer(term: Term, colleague: Reader) -> None:
    own_content = write(term.teacher, WHY).rpartition("/")[2]
    assignment_url = term.draft()
    part_fields = [("kind", "item"), ("ref", f"own-{own_content}:why"), ("points", "6")]
    term.teacher.post(f"{assignment_url}/parts", part_fields)
    path = term.publish(assignment_url)
    term.begin(path)
    term.answer(path, 1, ["没人翻"])
    term.hand_in(path)
    marking_url = f"{assignment_url}/marking"
    old_form = term.teacher.open(marking_url).form(marking_url)
    expect_page_of_another(colleague.submit(old_form, status=409, tick=["0"], comment="第二点呢？"))
    cell_url = f"{assignment_url}/students/1"
    page = term.teacher.open(cell_url)
    cell_forms = [form for form in page.main.all("form") if form["action"].startswith(f"{cell_url}/")]
    actions = set()
    for cell_form in cell_forms:
        actions.add(cell_form["action"].removeprefix(cell_url))
        expect_page_of_another(
            colleague.submit(cell_form, status=409, reason="口头补答", points="1", text="好")
        )
    assert actions == {"/overrides", "/excuses", "/comments"}
    for table in ("mark_override", "work_comment"):
        assert term.ledger.count(table) == 0
    term.teacher.submit(old_form, tick=["0"])


def expect_forms_of_own_page(term: Term, url: str) -> list[str]:
    """Every form that is posted from a page of a class says whose page it is; where they go."""
    forms = term.teacher.open(url).main.all("form", method="post")
    for form in forms:
        keys = {field.get("value") for field in form.all("input", name="learner")}
        assert keys == {term.teacher.client.cookies["learner"]}, form
    return [form["action"] for form in forms]


def test_what_is_sent_below_a_class_comes_from_a_page_of_who_sends_it(term: Term, colleague: Reader) -> None:
    """Also what nobody had written into its template."""
    class_url = f"/classrooms/{term.classroom}"
    assignment_url = term.draft("cg-chengdu")
    draft_forms = expect_forms_of_own_page(term, assignment_url)
    term.publish(assignment_url)
    column_form = term.teacher.open(f"{class_url}/gradebook").form(f"{class_url}/gradebook/columns")
    column_url = term.teacher.submit(column_form, title="期中", total="100").path
    urls = [
        class_url, column_url, assignment_url, term.all,
        *[f"{class_url}/{name}" for name in ("roster", "groups", "staff", "gradebook", "gradebook/total")],
        *[f"{class_url}/{name}" for name in ("students/1", "projector", "deletion")],
        *[f"{assignment_url}/{name}" for name in ("paper-marks", "regrades", "items")],
    ]  # fmt: skip
    targets = {target for url in urls for target in expect_forms_of_own_page(term, url)}
    for url, fields in (
        (f"{assignment_url}/settings", [("title", "别人的")]),
        (f"{column_url}/settings", [("title", "别人的"), ("total", "10")]),
        (f"{assignment_url}/paper-marks", [("text", "小糖 2")]),
        (f"{class_url}/names", [("name", "别人的班")]),
    ):
        assert url in {*targets, *draft_forms, f"{assignment_url}/paper-marks"}
        key = term.teacher.client.cookies["learner"]
        response = colleague.post(url, [*fields, ("learner", key)])
        assert response.status_code == 409
        expect_page_of_another(Page(response))
        assert "别人的" not in term.teacher.open(class_url).main.text


def test_a_part_of_a_page_of_a_class_says_whose_it_is(term: Term) -> None:
    assignment_url = term.draft("cg-chengdu")
    form = term.teacher.open(assignment_url).form(f"{assignment_url}/parts/settings")
    response = term.teacher.post(form["action"], filled(form), htmx=True)
    forms = Page(response).root.all("form", method="post")
    assert forms
    for part_form in forms:
        assert part_form.all("input", name="learner"), part_form


@pytest.mark.parametrize("name", ["roster-previews", "lists"])
def test_a_list_is_read_for_who_chose_it(term: Term, colleague: Reader, name: str) -> None:
    class_url = f"/classrooms/{term.classroom}"
    url = f"{class_url}/{name}"
    if name == "lists":
        column_form = term.teacher.open(f"{class_url}/gradebook").form(f"{class_url}/gradebook/columns")
        url = f"{term.teacher.submit(column_form, title='期中', total='100').path}/lists"
    fields = {"learner": term.teacher.client.cookies["learner"], "text": "姓名,期中\n小糖,90"}
    response = colleague.client.post(url, data=fields, files={"file": ("", b"")})
    assert response.status_code == 409
    expect_page_of_another(Page(response))


def test_content_is_shared_and_deleted_by_who_wrote_it(term: Term, colleague: Reader) -> None:
    own_url = write(term.teacher)
    page = term.teacher.open(own_url)
    for label, action in (("", "/shares"), ("", "/deletions")):
        form = page.form(f"{own_url}{action}", label)
        expect_page_of_another(colleague.submit(form, status=409))


def test_who_teaches_a_class_is_not_taken_out_of_it_by_another(term: Term, colleague: Reader) -> None:
    staff_url = f"/classrooms/{term.classroom}/staff"
    assistant = new_helper(term, "assistant", "赵")
    old_form = assistant.open(staff_url).form(f"{staff_url}/departures")
    expect_page_of_another(colleague.submit(old_form, status=409))
    assert term.ledger.count("class_role") == 2


def test_pictures_are_cleared_away_by_who_sees_them(term: Term, colleague: Reader) -> None:
    fields = {"alt": "一条线", "text": SMALL}
    term.teacher.client.post("/own/pictures", data=fields, files={"file": ("图.png", drawn())})
    old_form = term.teacher.open("/own/pictures").form("/own/pictures/removals")
    expect_page_of_another(colleague.submit(old_form, status=409))
