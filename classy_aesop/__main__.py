"""The program, as ``classy-aesop`` and as ``python -m classy_aesop``.

Until all is imported Ctrl-C ends it without a word; from then on the program says what it left.
"""

import gc
import io
import signal
import sys

_interrupted = signal.getsignal(signal.SIGINT)
if _interrupted is signal.default_int_handler:  # a job in the background ignores it
    signal.signal(signal.SIGINT, signal.SIG_DFL)

_OBJECTS_BETWEEN_COLLECTIONS = 300_000  # more than there are when all is imported
"""Python's own number is 700. Texts hold no cycles; to look for some takes a fourteenth of the time of a prediction."""


def run() -> int:
    """Run one command; give its exit code."""
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    from classy_aesop.cli import main
    from classy_aesop.cli.program import interrupt, repeat_interruption

    # UTF-8 whatever the locale, as files are: a command would stop within a row at a letter that the locale lacks.
    for stream, errors in ((sys.stdout, "strict"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors=errors)
    signal.signal(signal.SIGINT, interrupt if _interrupted is signal.default_int_handler else _interrupted)
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, interrupt)
    sys.unraisablehook = repeat_interruption
    code = main()
    gc.freeze()  # at its end Python would look through all that is loaded, for a tenth of the time of a short command
    return code


if __name__ == "__main__":
    sys.exit(run())
