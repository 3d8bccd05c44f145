"""Lists of marks as teachers have them: whose each line is, and what each bad one says."""

import pytest

from app.records.assignments import audience
from app.records.assignments.values import Audience
from app.records.classes import class_members, classrooms, groups
from app.records.classes.values import Student
from app.records.db.errors import NotFound, Refused
from app.records.grading import gradebook, mark_lists, mark_overrides
from app.records.grading.values import CellKey
from tests.records.assigned import COLLEAGUE, DCG, TANG, TEACHER, Class
from tests.records.cast import NOW
from tests.tables import each


def student(key: int, name: str, number: str = "") -> Student:
    return Student(key, key, name, number, NOW, None, None)


CLASS = [
    student(1, "小糖", "20260101"),
    student(2, "小序", "20260102"),
    student(3, "小方"),
    student(4, "李四", "20260104"),
    student(5, "李四", "20260105"),
    student(6, "王五"),
    student(7, "王五"),
    student(8, "小白", "007"),
    student(9, "欧阳 娜娜"),
]
ROUNDED_WORDS = "被Excel当成数，后几位丢了。把那一列设成文本，重新填一遍。"


@pytest.mark.parametrize(
    ("text", "texts", "faults"),
    [
        ("学号,期中\n20260101,88\n20260102,免\n", {1: "88", 2: "免"}, []),
        ("期中考试\n序号,学号,姓名,成绩\n1,20260101,小糖,88\n", {1: "88"}, []),
        ("姓名,成绩\n小方,60\n", {3: "60"}, []),
        ("学号,姓名,得分\n20260199,小方,61\n", {3: "61"}, []),
        ("20260101 \t 88\n20260102\t90\n", {1: "88", 2: "90"}, []),
        ("小方,70\n", {3: "70"}, []),
        ("小方 70\n20260101 小糖 8.5\n20260102 免", {3: "70", 1: "8.5", 2: "免"}, []),
        ("1,20260105,李四,75\n", {5: "75"}, []),
        ("学号,成绩\n２０２６０１０１,88\n", {1: "88"}, []),
        ("学号,成绩\n20260101,\n20260102,5\n", {2: "5"}, []),
        ("学号,成绩\n20260101,\n20260101,4\n", {1: "4"}, []),
        ("20260101,小糖,\n20260102,小序,5\n", {2: "5"}, []),
        ("20260101,小糖\n小方,\n20260102,,\n", {}, []),
        ("20260101,88,,\n小方,70,\n", {1: "88", 3: "70"}, []),
        ("20260104,3\n20260101,小序,\n", {4: "3"}, [(2, "学号20260101在班里是小糖，这里写的是小序。")]),
        ("学号,成绩\n20260177,3\n20260101,4\n", {1: "4"}, [(2, "班里没有学号20260177。")]),
        ("姓名,成绩\n赵六,3\n", {}, [(2, "班里没有“赵六”。")]),
        ("姓名,成绩\n王五,3\n", {}, [(2, "班里有2位“王五”，写上学号才知道是谁。")]),
        (
            "学号,姓名,成绩\n20260101,小序,3\n",
            {},
            [(2, "学号20260101在班里是小糖，这里写的是小序。")],
        ),
        ("学号,成绩\n20260101,3\n20260101,4\n", {1: "3"}, [(3, "小糖前面已经有一行了。")]),
        ("谁知道,5\n", {}, [(1, "认不出是谁：谁知道 5。先写学号或姓名，再写分数。")]),
        ("学号,姓名,成绩\n20260166,小糖,3\n", {}, [(2, "班里没有学号20260166。")]),
        ("学号,姓名,期中（满分9）\n20260101,小糖,—\n20260102,小序,5\n,班级平均,5\n", {2: "5"}, []),
        ("20260101 小糖 —\n,班级平均,5\n", {}, []),
        (
            "姓名,成绩\n小糖,没开始\n小序,待批12题\n小方,做到3/10题\n",
            {},
            [
                (2, "小糖：“没开始”不是分数，没有动。"),
                (3, "小序：“待批12题”不是分数，没有动。"),
                (4, "小方：“做到3/10题”不是分数，没有动。"),
            ],
        ),
        ("学号,成绩\n2.02601E+07,3\n", {}, [(2, f"学号“2.02601E+07”{ROUNDED_WORDS}")]),
        ("学号,姓名,成绩\n2.02601E+07,小糖,3\n", {}, [(2, f"学号“2.02601E+07”{ROUNDED_WORDS}")]),
        ("2.02601E+07,3\n", {}, [(1, f"学号“2.02601E+07”{ROUNDED_WORDS}")]),
        (
            "学号,成绩\n2026/1/1,3\n",
            {},
            [(2, "学号“2026/1/1”被Excel当成了日期。把那一列设成文本，重新填一遍。")],
        ),
        ("学号,姓名,成绩\n0020260101,小糖,3\n", {1: "3"}, []),
        ("学号,姓名,成绩\n7,小白,3\n", {8: "3"}, []),
        ("学号,姓名,成绩\n07,小白,3\n", {8: "3"}, []),
        ("学号,姓名,成绩\n8,小白,3\n", {}, [(2, "班里没有学号8。")]),
        (
            "学号,姓名,成绩\n020260104,李四,3\n",
            {},
            [(2, "班里没有学号020260104，有20260104：前面的0不一样，改成班里的。")],
        ),
        ("学号,成绩\n7,3\n", {}, [(2, "班里没有学号7，有007：前面的0不一样，改成班里的。")]),
        ("7 小白 3\n", {8: "3"}, []),
        ("姓名 平时 期中\n小糖 80 90\n小序 70 60\n", {1: "90", 2: "60"}, []),
        ("姓名　期中　平时\n小糖　80　90\n", {1: "80"}, []),
        ("期中成绩单\n学号 姓名 期中 平时\n20260101 小糖 80 90\n", {1: "80"}, []),
        ("姓名 期中 平时\n欧阳 娜娜 80 90\n", {9: "80"}, []),
        (
            "姓名 平时 期中\n小糖 90\n小序 80 —\n",
            {},
            [(2, "“小糖 90”没有像表头那样分成几格：每一格都写上，隔法和表头一样，没有的写“—”。")],
        ),
        (
            "姓名,成绩\n小糖，90\n小序,80\n小方 70\n欧阳 娜娜\n",
            {2: "80"},
            [
                (2, "“小糖，90”没有像表头那样分成几格：每一格都写上，隔法和表头一样，没有的写“—”。"),
                (4, "“小方 70”没有像表头那样分成几格：每一格都写上，隔法和表头一样，没有的写“—”。"),
            ],
        ),
        ("请核对，有误，请改\n姓名\t成绩\n小糖\t3\n", {1: "3"}, []),
        ("姓名,成绩\n小糖,没开始做\n小方,3/10\n", {1: "没开始做", 3: "3/10"}, []),
    ],
)
def test_whose_mark_a_line_is(text: str, texts: dict[int, str], faults: list[tuple[int, str]]) -> None:
    marks = mark_lists.read_mark_list(text.encode("gb18030"), "期中", CLASS)
    assert (marks.mark_text_by_enrolment_id, marks.line_faults) == (texts, faults)
    assert [student.id for student in marks.students_without_mark] == [
        student.id for student in CLASS if student.id not in texts
    ]


@each(
    ("title", "head", "mark_text", "heading"),
    [
        ("期中", "学号,姓名,平时,期中", "2", "期中"),
        (
            "期中(口试)",
            "学号,姓名,期中(笔试)（满分100）,期中(口试)（满分100）,总评",
            "2",
            "期中(口试)（满分100）",
        ),
        (
            "期中(笔试)",
            "学号,姓名,期中(笔试)（满分100）,期中(口试)（满分100）,总评",
            "1",
            "期中(笔试)（满分100）",
        ),
        ("实验1/2", "学号,姓名,实验1,实验1/2", "2", "实验1/2"),
        ("期中", "学号,姓名,成绩,期中", "2", "期中"),
        ("期中", "学号,姓名,期中（100分）,期末", "1", "期中（100分）"),
        ("期中", "学号,姓名,期中（补考）,期中（满分100）", "2", "期中（满分100）"),
        ("期末", "学号,姓名,期末成绩,总评", "1", "期末成绩"),
        ("口试", "学号,姓名,总评,得分", "2", "得分"),
        ("期 中", "学号,姓名,平时,＊期中：", "2", "＊期中："),
        ("+加分", "学号,姓名,'+加分（满分10）,'-扣分", "1", "+加分（满分10）"),
    ],
)
def test_the_column_is_the_one_that_is_called_so(title: str, head: str, mark_text: str, heading: str) -> None:
    mark_list = mark_lists.read_mark_list(f"{head}\n20260101,小糖,1,2,3\n".encode(), title, CLASS)
    assert (mark_list.mark_text_by_enrolment_id, mark_list.heading) == ({1: mark_text}, heading)


@each(
    ("mark_texts", "may_hold_shares"),
    [
        (["0.85", "1", "免"], True),
        (["0.85", "1.5"], False),
        (["1", "0"], False),
        (["缺"], False),
        (["85%"], False),
        ([], False),
    ],
)
def test_marks_that_may_be_percentages_of_a_workbook(mark_texts: list[str], may_hold_shares: bool) -> None:
    """A cell that shows 85% says 0.85 to whoever reads the file."""
    names = ("小糖", "小序", "小方")
    lines = [f"{name},{mark_text}" for name, mark_text in zip(names, mark_texts, strict=False)]
    mark_list = mark_lists.read_mark_list("\n".join(["姓名,成绩", *lines]).encode(), "期中", CLASS)
    assert mark_list.may_hold_shares == may_hold_shares


@each(
    ("head", "mark_text"),
    [
        ("学号,姓名,第1题,第2题,总分", "3"),
        ("学号,姓名,第1题,总分,总评", "2"),
        ("学号,姓名,第1题,期中,总分", "2"),
        ("学号,姓名,总评,得分,等级", "2"),
    ],
)
def test_of_a_whole_assignment_the_sum_is_its_mark(head: str, mark_text: str) -> None:
    list_bytes = f"{head}\n20260101,小糖,1,2,3\n".encode()
    mark_list = mark_lists.read_mark_list(list_bytes, "期中", CLASS, is_for_assignment=True)
    assert mark_list.mark_text_by_enrolment_id == {1: mark_text}


def test_a_list_without_a_head_has_no_column_to_name() -> None:
    assert mark_lists.read_mark_list("小方,70".encode(), "期中", CLASS).heading == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("学号,姓名,期末,总分\n20260101,小糖,80,75\n", "第1行里没有“期中”，也没有“成绩”或“分数”"),
        ("学号,姓名,总评\n20260101,小糖,75\n", "第1行里没有“期中”"),
        ("学号,期中(笔试),期中(口试)\n20260101,80,75\n", "第1行里有2列像是“期中”：“期中.笔试.”“期中.口试.”"),
        ("学号,期中（满分9）,期中（满分100）\n20260101,80,75\n", "第1行里有2列像是“期中”"),
        ("学号,姓名,成绩,学号,姓名,成绩\n20260101,小糖,80,,小方,75\n", "第1行左右并排.*左右两半接成一列"),
        ("姓名,成绩,姓名,成绩\n小糖,80,小方,75\n", "左右两半接成一列"),
        ("\n\n", "没有内容"),
        ("学号,班级\n20260101,3\n", "认不出哪一列是分数"),
        ("姓名 平时 期末\n小糖 80 90\n", "第1行里没有“期中”，也没有“成绩”或“分数”"),
        ("一班成绩单,\n\n学号,班级\n20260101,3\n", "第3行里没有“期中”"),
        ("小方,1\n" * 601, "一次最多600行，这里有601行"),
    ],
)
def test_what_is_no_list_is_refused(text: str, words: str) -> None:
    with pytest.raises(Refused, match=words):
        mark_lists.read_mark_list(text.encode(), "期中", CLASS)


def test_all_marks_of_a_list_are_written_or_none(room: Class, tang: Student) -> None:
    """An excuse is one of them; a second click changes nothing."""
    classmate = room.join("小序", "xu")
    assignment = room.assign(DCG)
    key = room.key(assignment)
    with pytest.raises(Refused, match="小序：满分是1"):
        room.desk.write(
            mark_lists.override_marks,
            TEACHER,
            key,
            {tang.id: "1", classmate.id: "7"},
            "纸上做的",
            room.now,
            {},
        )
    assert room.desk.count("mark_override") == 0
    for _ in range(2):
        texts = {tang.id: "0.5", classmate.id: " 免 "}
        room.desk.write(mark_lists.override_marks, TEACHER, key, texts, "纸上做的", room.now, {})
    cells = [
        row.cells[0]
        for row in room.desk.read(gradebook.load_gradebook, TEACHER, room.classroom, room.now).rows
    ]
    assert [(cell.points, cell.state) for cell in cells] == [(0.5, "new"), (None, "exempt")]
    assert room.desk.count("mark_override") == 2
    with pytest.raises(Refused, match="一个分数也没有"):
        room.desk.write(mark_lists.override_marks, TEACHER, key, {}, "纸上做的", room.now, {})
    with pytest.raises(NotFound):
        room.desk.write(mark_lists.override_marks, COLLEAGUE, key, {}, "纸上做的", room.now, {})


def test_an_empty_mark_is_passed_over_and_an_absence_says_why_not(room: Class, tang: Student) -> None:
    classmate = room.join("小序", "xu")
    key = room.key(room.assign(DCG))

    def override_marks(typed_by_student: dict[int, str]) -> None:
        room.desk.write(mark_lists.override_marks, TEACHER, key, typed_by_student, "纸上做的", room.now, {})

    with pytest.raises(Refused, match=r"^小序：没有交的空着就行，截止以后照缺交算。$"):
        override_marks({tang.id: "1", classmate.id: " 缺考 "})
    with pytest.raises(Refused, match="一个分数也没有"):
        override_marks({tang.id: " ", classmate.id: ""})
    override_marks({tang.id: "1", classmate.id: ""})
    override_marks({tang.id: "", classmate.id: "免考"})
    assert room.desk.rows("SELECT enrolment_id, points, excused FROM mark_override ORDER BY id") == [
        (tang.id, 1.0, False),
        (classmate.id, None, True),
    ]


def test_an_absence_in_a_list_of_work_on_paper_is_no_mark() -> None:
    list_bytes = "姓名,成绩\n小糖,8\n小方,缺\n".encode()
    mark_list = mark_lists.read_mark_list(list_bytes, "期中", CLASS, is_for_assignment=True)
    assert mark_list.mark_text_by_enrolment_id == {1: "8"}
    assert mark_list.line_faults == [(3, "小方：没有交的空着就行，截止以后照缺交算。")]
    assert mark_lists.read_mark_list(list_bytes, "期中", CLASS).mark_text_by_enrolment_id == {1: "8", 3: "缺"}


def test_a_mark_that_stands_there_already_is_passed_over(room: Class, tang: Student) -> None:
    """It would be set by hand for good, and its student told of it."""
    classmate, third_student = room.join("小序", "xu"), room.join("小方", "fang")
    key = room.key(room.assign(DCG))

    def override_marks(typed_by_student: dict[int, str], seen_by_student: dict[int, str]) -> None:
        verb = mark_lists.override_marks
        room.desk.write(verb, TEACHER, key, typed_by_student, "纸上做的", room.now, seen_by_student)

    override_marks({tang.id: "0.75", classmate.id: "免", third_student.id: "1"}, {})
    assert room.desk.count("mark_override") == 3
    seen_by_student = {tang.id: "0.8/1", classmate.id: "免", third_student.id: "1/1"}
    override_marks({tang.id: "0.8", classmate.id: " 免考", third_student.id: "1.0"}, seen_by_student)
    assert room.desk.count("mark_override") == 3
    override_marks({tang.id: "0.7", classmate.id: "免", third_student.id: "免"}, seen_by_student)
    last_overrides = room.desk.rows("SELECT enrolment_id, points, excused FROM mark_override WHERE id > 3")
    assert last_overrides == [(tang.id, 0.7, False), (third_student.id, None, True)]


def test_a_mark_as_it_was_shown_is_not_dropped_where_the_cell_changed_since(
    room: Class, tang: Student
) -> None:
    """Nor one that only looks like what came since."""
    key = room.key(room.assign(DCG))
    cell_key = CellKey(*key, tang.id)

    def override_mark(typed_mark: str, seen_words: str) -> None:
        verb = mark_lists.override_marks
        room.desk.write(
            verb, TEACHER, key, {tang.id: typed_mark}, "纸上做的", room.now, {tang.id: seen_words}
        )

    override_mark("1", "")
    room.desk.write(mark_overrides.override_mark, TEACHER, cell_key, "0", "抄的", room.now, "1/1")
    with pytest.raises(Refused, match=r"^小糖：这一格刚才变成了0/1，你填的还在；要照你的，再存一次。$"):
        override_mark("1", "1/1")
    override_mark("0.75", "0/1")
    with pytest.raises(Refused, match=r"^小糖：这一格刚才变成了0.8/1"):
        override_mark("0.8", "0/1")
    override_mark("0.8", "0.8/1")
    assert room.desk.rows("SELECT points FROM mark_override ORDER BY id") == [(1.0,), (0.0,), (0.75,)]
    room.desk.write(mark_overrides.excuse_student, TEACHER, cell_key, "病假", room.now, "0.8/1")
    override_mark("免", "免")
    room.desk.write(mark_overrides.take_back_override, TEACHER, cell_key, room.now)
    with pytest.raises(Refused, match=r"^小糖：这一格刚才变成了空着"):
        override_mark("免", "免")


def test_an_excuse_is_given_another_reason(room: Class, tang: Student) -> None:
    key = room.key(room.assign(DCG))
    for reason in ("病假", "比赛"):
        verb = mark_lists.excuse_students
        room.desk.write(
            verb, TEACHER, key, [tang.id], [], reason, room.now, {tang.id: "免"[: reason == "比赛"]}
        )
    assert room.desk.rows("SELECT reason FROM mark_override ORDER BY id") == [("病假",), ("比赛",)]


def test_who_moved_away_since_the_list_was_looked_at_keeps_nobody_out(room: Class, tang: Student) -> None:
    classmate = room.join("小序", "xu")
    key = room.key(room.assign(DCG))
    other_class = room.desk.write(classrooms.create_class, TEACHER, "高一4班", room.now)
    room.desk.write(class_members.move_student, TEACHER, room.classroom, classmate.id, other_class, room.now)
    texts = {tang.id: "1", classmate.id: "0.5"}
    passed_over_enrolment_ids = room.desk.write(
        mark_lists.override_marks, TEACHER, key, texts, "纸上做的", room.now, {}
    )
    assert passed_over_enrolment_ids == [classmate.id]
    for classroom_id, names in ((room.classroom, ["小序"]), (other_class, [])):
        asked = (TEACHER, classroom_id, [*passed_over_enrolment_ids, tang.id, 10**9])
        assert room.desk.read(class_members.load_names_of_moved_students, *asked) == names
    with pytest.raises(NotFound):
        room.desk.read(
            class_members.load_names_of_moved_students, COLLEAGUE, room.classroom, passed_over_enrolment_ids
        )
    assert room.desk.rows("SELECT enrolment_id, points FROM mark_override") == [(tang.id, 1.0)]
    with pytest.raises(Refused, match="都换了班，或者这份作业收回去了"):
        room.desk.write(
            mark_lists.override_marks,
            TEACHER,
            key,
            {classmate.id: "1", tang.id: ""},
            "纸上做的",
            room.now,
            {},
        )


def test_a_refused_mark_of_who_moved_away_is_told_of(room: Class, tang: Student) -> None:
    """They were in the class when the list was looked at."""
    assignment = room.assign(DCG)
    room.begin(TANG, assignment)
    other_class = room.desk.write(classrooms.create_class, TEACHER, "高一4班", room.now)
    room.desk.write(class_members.move_student, TEACHER, room.classroom, tang.id, other_class, room.now)
    key = room.key(assignment)
    with pytest.raises(Refused, match="转到别的班的同学：满分是1"):
        room.desk.write(mark_lists.override_marks, TEACHER, key, {tang.id: "7"}, "纸上做的", room.now, {})


def test_a_group_is_excused_with_whoever_is_ticked_besides(room: Class, tang: Student) -> None:
    classmate, other = room.join("小序", "xu"), room.join("小方", "fang")
    key = room.key(room.assign(DCG))
    room.desk.write(groups.add_group, TEACHER, room.classroom, "第一组", room.now)
    [group] = room.desk.read(groups.groups_of, room.classroom)
    room.desk.write(groups.place_students, TEACHER, room.classroom, group.id, [tang.id], "", room.now)

    def excuse(enrolment_ids: list[int], group_ids: list[int]) -> None:
        verb = mark_lists.excuse_students
        room.desk.write(verb, TEACHER, key, enrolment_ids, group_ids, "比赛", room.now, {})

    with pytest.raises(Refused, match="一位同学也没选"):
        excuse([], [group.id + 1])
    for _ in range(2):
        excuse([classmate.id, tang.id], [group.id])
    excused_rows = room.desk.rows("SELECT enrolment_id, excused FROM mark_override ORDER BY enrolment_id")
    assert excused_rows == [(tang.id, 1), (classmate.id, 1)], other.name


def test_of_a_group_those_are_excused_who_were_given_the_work(room: Class, tang: Student) -> None:
    classmate, other = room.join("小序", "xu"), room.join("小方", "fang")
    assignment = room.assign(DCG)
    key = room.key(assignment)
    room.begin(TANG, assignment)
    room.desk.write(audience.change_audience, TEACHER, key, Audience(False, [classmate.id], []), room.now)
    room.desk.write(groups.add_group, TEACHER, room.classroom, "第一组", room.now)
    [group] = room.desk.read(groups.groups_of, room.classroom)
    members = [tang.id, classmate.id, other.id]
    room.desk.write(groups.place_students, TEACHER, room.classroom, group.id, members, "", room.now)

    def excuse(enrolment_ids: list[int], group_ids: list[int]) -> list[tuple[int]]:
        verb = mark_lists.excuse_students
        room.desk.write(verb, TEACHER, key, enrolment_ids, group_ids, "比赛", room.now, {})
        return room.desk.rows("SELECT enrolment_id FROM mark_override ORDER BY enrolment_id")

    assert excuse([], [group.id]) == [(tang.id,), (classmate.id,)], "小糖 has begun it"
    assert excuse([other.id], []) == [(tang.id,), (classmate.id,), (other.id,)], "who is named is meant"
