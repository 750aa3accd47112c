# PYTHON_ARGCOMPLETE_OK
"""The program, as ``classy-aesop`` and as ``python -m classy_aesop``.

Until all is imported Ctrl-C ends it without a word; from then on the program says what it left.
"""

import signal
import sys

_interrupted = signal.getsignal(signal.SIGINT)
if _interrupted is signal.default_int_handler:  # a job in the background ignores it
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def run() -> int:
    """Run one command; give its exit code."""
    from classy_aesop.cli import main

    signal.signal(signal.SIGINT, _interrupted)
    return main()


if __name__ == "__main__":
    sys.exit(run())
