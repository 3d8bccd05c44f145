"""What messages tell an operator to type.

Installed as a service the program has a command of its own: `deploy/tangxu` and the units name it in the
environment.
"""

import os

COMMAND_IN_FOLDER = "python -m app"
COMMAND = os.environ.get("OPERATOR_COMMAND", COMMAND_IN_FOLDER)
START_COMMAND = "make run"
"""What starts the site."""
FILE_OWNER = '"$USER"'
"""Whose the data folder has to be, as a shell reads it."""
IS_INSTALLED_SERVICE = COMMAND != COMMAND_IN_FOLDER
if IS_INSTALLED_SERVICE:
    START_COMMAND = "sudo systemctl start tangxu"
    FILE_OWNER = "tangxu"


def port_advice(port: int) -> str:
    """How to open the site at this port.

    >>> port_advice(8001)
    '换成 8001：PORT=8001 make run，或者在命令后面加 --port 8001。'
    """
    if IS_INSTALLED_SERVICE:
        return (
            f"换成 {port}：/etc/systemd/system/tangxu.service 里的 --port 和代理里的一起改，"
            "再 sudo systemctl daemon-reload。"
        )
    return f"换成 {port}：PORT={port} make run，或者在命令后面加 --port {port}。"
