"""The settings of an assignment: what they are called on every page that names them, what can be chosen, and
how their form is read.

A setting stands here in `WORDS_BY_SETTING`; one with options also in `CHOICES_BY_SETTING`, by which the form
is drawn, read and told in the log.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from app.course.text.typed import whole_number
from app.records.assignments.deadlines import (
    LATE_PERCENT_LABEL,
    LATE_PERCENT_SENTENCE,
    LATE_PERCENT_UNIT,
    LATE_WORK_WORDS,
)
from app.records.assignments.values import (
    AssignmentRow,
    AssignmentRules,
    AssignmentSettings,
    Audience,
)
from app.records.db.errors import Refused
from app.web.site.clock import read_moment
from app.web.site.posted_forms import PostedForm


class SettingWords(NamedTuple):
    """A setting: before its field in the form, in the log of changes, and what is said behind its field."""

    label: str
    log_word: str
    note: str = ""


WORDS_BY_SETTING: Mapping[str, SettingWords] = {
    "title": SettingWords("名字", "标题"),
    "note": SettingWords("想对同学说的话", "说明"),
    "opens_at": SettingWords("开始", "开始时间"),
    "due_at": SettingWords("截止", "截止时间"),
    "late_until": SettingWords("迟交收到", "迟交收到", LATE_WORK_WORDS),
    "late_factor": SettingWords(LATE_PERCENT_LABEL, "迟交的折扣", LATE_PERCENT_UNIT),
    "passes": SettingWords("能交", "能交几遍"),
    "tries": SettingWords("每题能试", "每题试几次", "只在“每答一题就批改”时有用"),
    "minutes": SettingWords("做题时间", "做题时间（分钟）"),
    "hints": SettingWords("提示", "提示"),
    "answers": SettingWords("结果和讲解", "什么时候看结果"),
    "counts": SettingWords("算数的是", "哪一遍算数"),
    "form": SettingWords("这是前测，以后会有一份后测来比", "种类"),
}


class OptionWords(NamedTuple):
    """What can be chosen of a setting: as a teacher sets it, as a student reads it, and as the log says it,
    where that is shorter."""

    choice_words: str
    rule_words: str = ""
    log_word: str = ""


OPTION_WORDS_BY_RESULT_TIME: Mapping[str, OptionWords] = {
    "handed_in": OptionWords("交了就看：交上去马上看到结果和讲解", "交了就能看结果和讲解", "交了就看"),
    "due": OptionWords(
        "截止以后看：各人自己的时间截止了才看到", "你的时间截止以后，看结果和讲解", "截止以后看"
    ),
    "at_once": OptionWords("每答一题就批改：像练习一样，错了当场讲", "每答一题就批改", "每答一题就批改"),
    "never": OptionWords("不给看：结果留着课上讲", "结果老师来讲", "不给看"),
}
OPTION_WORDS_BY_COUNTING_RULE: Mapping[str, OptionWords] = {
    "best": OptionWords("最好的一遍", "几遍里最好的一遍算数"),
    "last": OptionWords("最后交的一遍", "最后交的一遍算数", "最后一遍"),
    "first": OptionWords("第一遍", "第一遍算数"),
}
OPTION_WORDS_BY_HINTS: Mapping[bool, OptionWords] = {
    True: OptionWords("可以看", "可以看提示", "开"),
    False: OptionWords("不给看", "这次没有提示", "关"),
}
CHOICES_BY_SETTING: Mapping[str, Mapping[Any, OptionWords]] = {
    "answers": OPTION_WORDS_BY_RESULT_TIME,
    "passes": {
        1: OptionWords("一遍"),
        2: OptionWords("两遍"),
        3: OptionWords("三遍"),
        5: OptionWords("五遍"),
        0: OptionWords("几遍都行"),
    },
    "counts": OPTION_WORDS_BY_COUNTING_RULE,
    "tries": {
        1: OptionWords("一次"),
        2: OptionWords("两次"),
        3: OptionWords("三次"),
        5: OptionWords("五次"),
        0: OptionWords("几次都行"),
    },
    "hints": OPTION_WORDS_BY_HINTS,
}
"""What the form offers of a setting, in the order of the page: value to words."""
LOG_WORDS_BY_SETTING: Mapping[str, Mapping[Any, str]] = {
    "minutes": {0: "不限"},
    "form": {"pre": "前测", "post": "后测", None: "都不是"},
    **{
        setting_name: {
            setting_value: words.log_word or words.choice_words
            for setting_value, words in words_by_value.items()
        }
        for setting_name, words_by_value in CHOICES_BY_SETTING.items()
    },
}
"""The values of settings that are no figures, times or texts, as the log says them."""

# What a student reads of them.


def rule_lines(assignment: AssignmentRow, minutes: float) -> list[str]:
    """What a student is to know before they begin, a line each. `minutes`: how long they have."""
    lines = [OPTION_WORDS_BY_RESULT_TIME[assignment.answers].rule_words]
    if minutes:
        lines.append(minutes_rule_words(minutes))
    if assignment.answers == "at_once":
        lines.append(tries_rule_words(assignment.tries))
    lines.append(OPTION_WORDS_BY_HINTS[assignment.hints].rule_words)
    lines.append(passes_rule_words(assignment.passes, assignment.counts))
    return lines


def tries_rule_words(most_tries: int) -> str:
    """How often a question may be tried, as a student reads it; 0: without a limit."""
    if most_tries:
        return f"每题可以试{most_tries}次"
    return "每题试几次都行"


def minutes_rule_words(minutes: float) -> str:
    """How long an attempt may take, as a student reads it before beginning.

    >>> minutes_rule_words(45.0)
    '限时45分钟：点了“开始做”就开始算，中间关掉网页也不停，到时间自己交'
    """
    return f"限时{minutes:g}分钟：点了“开始做”就开始算，中间关掉网页也不停，到时间自己交"


def passes_rule_words(most_attempts: int, counting_rule: str) -> str:
    """How often it may be handed in, and which attempt counts; 0: without a limit.

    >>> passes_rule_words(1, "best"), passes_rule_words(3, "last")
    ('只交一遍', '最多交3遍，最后交的一遍算数')
    """
    if most_attempts == 1:
        return "只交一遍"
    limit_words = "交几遍都行"
    if most_attempts:
        limit_words = f"最多交{most_attempts}遍"
    return f"{limit_words}，{OPTION_WORDS_BY_COUNTING_RULE[counting_rule].rule_words}"


# What stands in the form.


def settings_in_form(form: PostedForm, time_zone: str) -> AssignmentSettings:
    """What stands in the form of settings; whom it is for only where somebody touched that."""
    audience = None
    if "everyone" in form.texts_by_field and not is_audience_as_seen(form):
        audience = audience_in_form(form)
    former_rules = None
    if "seen_title" in form.texts_by_field:
        former_rules = rules_in_form(form, time_zone, "seen_")
    return AssignmentSettings(rules_in_form(form, time_zone), pre_test_in_form(form), audience, former_rules)


def pre_test_in_form(form: PostedForm) -> bool | None:
    """Whether it is a pre-test by the form; None where nobody touched that."""
    is_pre_test = "pre" in form.texts_by_field
    if form.text("seen_pre") == form_text(is_pre_test):
        return None
    return is_pre_test


def is_audience_as_seen(form: PostedForm) -> bool:
    """Whether it is for whom it was when the form was opened, as far as the form knows that."""
    is_same_choice = form.texts("everyone") == form.texts("seen_everyone")
    are_same_students = set(form.ids("student")) == set(form.ids("seen_student"))
    return is_same_choice and are_same_students and not form.ids("group")


def audience_in_form(form: PostedForm) -> Audience:
    """Whom it is for, as the form has it."""
    return Audience(form.text("everyone") == "yes", form.ids("student"), form.ids("group"))


def rules_in_form(form: PostedForm, time_zone: str, field_prefix: str = "") -> AssignmentRules:
    """The rules in the form of settings; Refused for a time that is none. With the `field_prefix` of its
    hidden fields, as they were when the form was opened."""
    late_until = None
    if form.text(f"{field_prefix}late") == "yes":
        late_until = required_moment(
            form, f"{field_prefix}late_until", time_zone, "迟交收到什么时候？写上时间。"
        )
    opens_at = read_moment(form.text(f"{field_prefix}opens"), time_zone)
    due_at = read_moment(form.text(f"{field_prefix}due"), time_zone)
    late_factor = 1.0
    if late_until:
        late_factor = read_percent(form.text(f"{field_prefix}late_percent"))
    return AssignmentRules(
        form.text(f"{field_prefix}title"),
        form.text(f"{field_prefix}note"),
        opens_at,
        due_at,
        late_until,
        late_factor,
        minutes=read_minutes(form.text(f"{field_prefix}minutes")),
        **{
            setting_name: chosen_value(setting_name, form.text(f"{field_prefix}{setting_name}"))
            for setting_name in CHOICES_BY_SETTING
        },
    )


def required_moment(form: PostedForm, field_name: str, time_zone: str, error_sentence: str) -> datetime:
    """The time in a field that must not be empty."""
    moment = read_moment(form.text(field_name), time_zone)
    if moment is None:
        raise Refused(error_sentence, field_name)
    return moment


def read_minutes(typed_minutes_text: str) -> int:
    """Minutes as they were typed; 0 for an empty field.

    >>> read_minutes(" ４５ 分钟"), read_minutes("")
    (45, 0)
    """
    minutes_text = typed_minutes_text.strip().removesuffix("分钟").strip()
    if not minutes_text:
        return 0
    minutes = whole_number(minutes_text)
    if minutes is None:
        raise Refused("做题时间写整数分钟，比如45；空着就不限。", "minutes")
    return minutes


def read_percent(typed_percent_text: str) -> float:
    """A share that was typed in percent.

    >>> read_percent("80"), read_percent("８０％")
    (0.8, 0.8)
    """
    percentage = whole_number(typed_percent_text.strip().removesuffix("%").removesuffix("％"))
    if percentage is None or percentage > 100:
        raise Refused(LATE_PERCENT_SENTENCE, "late_percent")
    return percentage / 100


def chosen_value(setting_name: str, chosen_text: str) -> Any:
    """What was chosen of a setting; what a new draft has, where that is not offered."""
    for setting_value in CHOICES_BY_SETTING[setting_name]:
        if chosen_text == form_text(setting_value):
            return setting_value
    return AssignmentRow._field_defaults[setting_name]


def form_text(setting_value: Any) -> str:
    """A value that can be chosen, as the form sends it.

    >>> form_text(True), form_text(3), form_text("due")
    ('yes', '3', 'due')
    """
    if isinstance(setting_value, bool):
        return "yes" if setting_value else "no"
    return str(setting_value)
