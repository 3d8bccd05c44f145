"""Whose word counts when they say for whom they speak: the proxies of the setting, by their networks."""

from functools import cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network


@cache
def networks(proxies_text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """The networks in the text of the setting."""
    return tuple(ip_network(proxy) for proxy in proxies_text.split(",") if proxy)


def is_trusted(client_address: str, proxies_text: str) -> bool:
    """Whether this is one of the proxies of the setting.

    >>> is_trusted("10.0.3.4", "127.0.0.1,10.0.0.0/8"), is_trusted("192.168.1.7", "127.0.0.1")
    (True, False)
    >>> is_trusted("", "127.0.0.1"), is_trusted("127.0.0.1", "")
    (False, False)
    """
    try:
        ip = ip_address(client_address)
    except ValueError:
        return False
    return any(ip in network for network in networks(proxies_text))
