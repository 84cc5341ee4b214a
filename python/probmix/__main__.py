"""python -m probmix: the command line, for tables of more formats."""

import signal
import sys

from . import _core
from ._files import open_table


def main():
    # As in any other program: Python would wait for a command's end before it heeds Ctrl-C, and turns a
    # closed pipe into an error.
    for number in (signal.SIGINT, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)
    return _core.run_command_line(["probmix", *sys.argv[1:]], open_table)


if __name__ == "__main__":
    sys.exit(main())
