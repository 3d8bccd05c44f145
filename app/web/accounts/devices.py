"""What a browser and its device are called in the list of one's sign-ins."""

from collections.abc import Mapping

SYSTEM_NAME_BY_AGENT_WORD = {
    "HarmonyOS": "鸿蒙设备", "iPhone": "iPhone", "iPad": "iPad", "Android": "安卓设备",
    "Windows": "Windows电脑", "CrOS": "Chromebook", "Macintosh": "Mac", "Linux": "Linux电脑",
}  # fmt: skip
"""Words of a user agent, and what their owners call these devices; of several the first."""
BROWSER_NAME_BY_AGENT_WORD = {
    "MicroMessenger": "微信", "Edg": "Edge", "HuaweiBrowser": "华为浏览器", "MiuiBrowser": "小米浏览器",
    "QQBrowser": "QQ浏览器", "UCBrowser": "UC浏览器", "Firefox": "Firefox", "Chrome": "Chrome",
    "Safari": "Safari",
}  # fmt: skip
"""Most browsers also claim to be Chrome and Safari: these stand last."""


def device_name(user_agent: str) -> str:
    """From what a browser says of itself (its user agent); nothing of it is kept but this name.

    >>> device_name("Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/129.0 Mobile Safari/537.36")
    '安卓设备 · Chrome'
    >>> device_name("curl/8.0")
    '一台设备'
    """
    system_name = first_matching_name(SYSTEM_NAME_BY_AGENT_WORD, user_agent)
    browser_name = first_matching_name(BROWSER_NAME_BY_AGENT_WORD, user_agent)
    system_and_browser = filter(None, (system_name, browser_name))
    return " · ".join(system_and_browser) or "一台设备"


def first_matching_name(name_by_agent_word: Mapping[str, str], user_agent: str) -> str:
    """The name of the first mark that the agent bears; empty where it bears none."""
    for agent_word, name in name_by_agent_word.items():
        if agent_word in user_agent:
            return name
    return ""
