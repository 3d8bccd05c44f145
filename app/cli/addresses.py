"""Where the site can be reached: the port it takes, and the addresses to tell people."""

import errno
import os
import socket
from collections.abc import Iterator

from app.cli.words import PlainError
from app.records.db.operator_commands import port_advice
from app.settings import Settings

# One address of each private range, and one outside: the kernel says from which of our own addresses
# it would speak to them. Nothing is sent.
FAR_ADDRESSES = ["192.0.2.1", "192.168.255.254", "10.255.255.254", "172.31.255.254"]
ANY_INTERFACE_HOSTS = {"0.0.0.0", "::", ""}  # noqa: S104 (the names of that choice, not the choice)


def bound_listener(host: str, port: int) -> socket.socket:
    """Take the port before anything else is done; `PlainError` when it is taken or not ours.

    It listens at once: two programs may bind one port where neither listens yet, and each would believe that
    it is its own. Whoever comes before the site answers waits for it.

    >>> with bound_listener("127.0.0.1", 0) as listener:
    ...     listener.getsockname()[0]
    '127.0.0.1'
    """
    try:
        address_family, *_, socket_address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except socket.gaierror as error:
        raise PlainError(f"没有叫 {host} 的地址；只在本机看用 127.0.0.1，让别的设备看用 0.0.0.0。") from error
    listener = socket.socket(address_family, socket.SOCK_STREAM)
    if os.name == "posix":  # a restart need not wait for old connections; on Windows it would steal the port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(socket_address)
        listener.listen()
    except OSError as error:
        listener.close()
        raise PlainError(bind_error_sentence(error, host, port)) from error
    return listener


def bind_error_sentence(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"端口 {port} 已经被占用（也许糖序已经开着）。{port_advice(port + 1)}"
    if error.errno in {errno.EACCES, errno.EPERM}:
        return f"没有权限使用端口 {port}，1024 以上的都可以。{port_advice(8000)}"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"这台机器没有 {host} 这个地址；只在本机看用 127.0.0.1，让别的设备看用 0.0.0.0。"
    return f"端口 {port} 打不开：{error.strerror}。"


def site_urls(settings: Settings, host: str, port: int) -> list[str]:
    """The addresses to print: the public name if there is one, else where this machine stands in its network.

    >>> site_urls(Settings(public_name="tangxu.example.cn", https=True), "127.0.0.1", 8000)
    ['https://tangxu.example.cn']
    >>> site_urls(Settings(), "127.0.0.1", 8000)
    ['http://127.0.0.1:8000']
    """
    if settings.public_name:
        scheme = "https" if settings.https else "http"
        return [f"{scheme}://{settings.public_name}"]
    if host not in ANY_INTERFACE_HOSTS:
        return [site_url(host, port)]
    return [site_url(address, port) for address in ("127.0.0.1", *network_addresses())]


def site_url(host: str, port: int) -> str:
    """An address as one types it.

    >>> site_url("::1", 8000), site_url("192.168.1.5", 80)
    ('http://[::1]:8000', 'http://192.168.1.5')
    """
    host_in_url = f"[{host}]" if ":" in host else host
    return f"http://{host_in_url}" if port == 80 else f"http://{host_in_url}:{port}"


def network_addresses() -> list[str]:
    """The addresses of this machine in its network, the likeliest first, found without sending anything."""
    all_addresses = dict.fromkeys([*_route_addresses(), *_interface_addresses()])
    return [address for address in all_addresses if not address.startswith(("127.", "0.", "169.254."))]


def _route_addresses() -> Iterator[str]:
    for far_address in FAR_ADDRESSES:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as route_socket:
            try:
                route_socket.connect((far_address, 9))
            except OSError:
                continue
            yield route_socket.getsockname()[0]


def _interface_addresses() -> Iterator[str]:
    """A classroom switch without a way out has no route to ask for; on Linux the interfaces can be asked."""
    try:
        import fcntl

        numbered_interface_names = socket.if_nameindex()
    except (ImportError, OSError):
        return
    address_request_code = 0x8915  # SIOCGIFADDR
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as interface_socket:
        for _, interface_name in numbered_interface_names:
            try:
                address_reply = fcntl.ioctl(
                    interface_socket, address_request_code, interface_name.encode()[:15].ljust(256, b"\0")
                )
            except OSError:
                continue
            yield socket.inet_ntoa(address_reply[20:24])
