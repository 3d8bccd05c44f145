"""What messages tell an operator to type.

Installed as a service the program has a command of its own: `deploy/tangxu` and the units name it in the
environment.
"""

import os

COMMAND_IN_FOLDER = "python -m app"
COMMAND = os.environ.get("OPERATOR_COMMAND", COMMAND_IN_FOLDER)
START_COMMAND = "make run"
"""What starts the site."""
if COMMAND != COMMAND_IN_FOLDER:
    START_COMMAND = "sudo systemctl start tangxu"
