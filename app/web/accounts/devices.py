"""Browsers by the name that their owners would give them."""

SYSTEMS = (
    ("HarmonyOS", "鸿蒙设备"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "安卓设备"),
    ("Windows", "Windows电脑"),
    ("CrOS", "Chromebook"),
    ("Macintosh", "Mac"),
    ("Linux", "Linux电脑"),
)
BROWSERS = (
    ("MicroMessenger", "微信"),
    ("Edg", "Edge"),
    ("HuaweiBrowser", "华为浏览器"),
    ("MiuiBrowser", "小米浏览器"),
    ("QQBrowser", "QQ浏览器"),
    ("UCBrowser", "UC浏览器"),
    ("Firefox", "Firefox"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)


def device(agent: str) -> str:
    """From what a browser says of itself (its user agent); nothing of it is kept but this name.

    >>> device("Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/129.0 Mobile Safari/537.36")
    '安卓设备 · Chrome'
    >>> device("curl/8.0")
    '一台设备'
    """
    names = [name_in(SYSTEMS, agent), name_in(BROWSERS, agent)]
    return " · ".join(filter(None, names)) or "一台设备"


def name_in(marks: tuple[tuple[str, str], ...], agent: str) -> str:
    """The name of the first mark that the agent bears; empty where it bears none."""
    for mark, name in marks:
        if mark in agent:
            return name
    return ""
