"""How long ago something was, by the clock of whoever looks."""

from datetime import datetime, timedelta

from app.web.site.clock import FORMAT_BY_FILTER, days_ago

MINUTE = timedelta(minutes=1)
EVENING_HOUR = 18
"""The hour from which yesterday is 昨晚."""


def time_ago_words(event_at: datetime, now: datetime) -> str:
    """How long ago something was, in the largest unit that fits: days are counted as a calendar has them.

    >>> from zoneinfo import ZoneInfo
    >>> now = datetime(2026, 9, 4, 8, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
    >>> [time_ago_words(now - timedelta(minutes=minutes), now) for minutes in (40, 900, 1500, 2100)]
    ['40分钟前', '15小时前', '1天前', '2天前']
    """
    time_passed = now - event_at
    day_count = days_ago(event_at, now)
    if time_passed.days and day_count:  # a day on which the clocks go back is longer
        return f"{day_count}天前"
    minutes = time_passed // MINUTE
    if minutes < 60:
        return f"{minutes}分钟前"
    return f"{minutes // 60}小时前"


def earlier_day_words(event_at: datetime, now: datetime) -> str:
    """When something was on an earlier day, by the clock of `now`; nothing for today.

    >>> from zoneinfo import ZoneInfo
    >>> now = datetime(2026, 9, 2, 8, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
    >>> evening = now.replace(day=1, hour=21, minute=40)
    >>> [earlier_day_words(moment, now) for moment in (evening, evening.replace(hour=9), now)]
    ['昨晚21:40', '昨天9:40', '']
    >>> earlier_day_words(evening, now.replace(day=5))
    '09-01 21:40'
    """
    local_time = event_at.astimezone(now.tzinfo)
    day_count = days_ago(event_at, now)
    if day_count < 1:
        return ""
    if day_count > 1:
        return local_time.strftime(FORMAT_BY_FILTER["lately"])
    words_of_earlier_day = "昨天"
    if local_time.hour >= EVENING_HOUR:
        words_of_earlier_day = "昨晚"
    return f"{words_of_earlier_day}{local_time.hour}:{local_time.minute:02}"
