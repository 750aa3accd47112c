"""The package's error classes, which stop the work, and its warning, which does not."""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NOTE = 25
"""The level of what the log says without being asked: what was taken for what."""

CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
"""Control characters, half characters, and marks that end a line or turn the direction of text."""


class InputError(ValueError):
    """Bad input in a file, a table or a configuration.

    The message is one line: where, what was found and what was expected.

    Parameters
    ----------
    message : str
        What was found and what was expected.
    path : path-like, optional
        The file it was found in.
    line : int, optional
        The line of that file, counted from 1.
    unit : str
        What is counted, if it is no line: a row of a workbook.
    advice : str, optional
        An option that says how the file is read; it ends the message, but where the command has it not for this file.

    Attributes
    ----------
    path, line, advice
        As given: whoever adds a file to a message without one need not search its text.

    Examples
    --------
    >>> print(InputError("score is 'high'; expected a number", path="judgments.tsv", line=17))
    judgments.tsv, line 17: score is 'high'; expected a number
    """

    def __init__(
        self,
        message: str,
        *,
        path: str | Path | None = None,
        line: int | None = None,
        unit: str = "line",
        advice: str = "",
    ) -> None:
        name = quote_blank(str(path))
        where = "" if path is None else f"{name}: " if line is None else f"{name}, {unit} {line}: "
        advice = f"; {advice}" if advice else ""
        super().__init__(shorten_message(escape_controls(where + message)) + advice)
        self.path = path
        self.line = line
        self.advice = advice


class NoTextError(InputError):
    """A table of summaries in which no column holds their texts; it may hold scores."""


class UsageError(ValueError):
    """A request that makes no sense: an option that does not fit the other options or the files.

    Examples
    --------
    >>> from classy_aesop.answers.answer_options import PairTest
    >>> try:
    ...     PairTest(alpha=5)
    ... except UsageError as error:
    ...     print(error)
    alpha is 5; expected a number between 0 and 1
    """


@contextmanager
def value_errors_as_input_errors() -> Iterator[None]:
    """Turn a `ValueError` of the block into an `InputError`: the data do not allow what it computes.

    Examples
    --------
    >>> with value_errors_as_input_errors():
    ...     raise ValueError("no score is left; expected one")
    Traceback (most recent call last):
    ...
    classy_aesop.errors.InputError: no score is left; expected one
    """
    try:
        yield
    except (InputError, UsageError):
        raise
    except ValueError as error:
        raise InputError(str(error)) from error


class DataWarning(UserWarning):
    """Something in the data that is handled as documented, but that a careful user will want to know.

    Examples
    --------
    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always", DataWarning)
    ...     warnings.warn("3 summaries have no judgment", DataWarning, stacklevel=1)
    >>> [str(warning.message) for warning in caught]
    ['3 summaries have no judgment']
    """


PACKAGE_FOLDER = str(Path(__file__).parent)


def warn(message: str, category: type[Warning] = DataWarning) -> None:
    """Issue a warning that names the line outside this package from which it was called.

    Examples
    --------
    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     warn("3 summaries have no judgment")
    >>> caught[0].category.__name__, caught[0].filename == __file__  # not a line of this package
    ('DataWarning', False)
    """
    depth = 0
    stack_level = 1
    frame = inspect.currentframe()
    try:
        while frame is not None:
            depth += 1
            if frame.f_code.co_filename.startswith(PACKAGE_FOLDER):
                stack_level = depth + 1  # of the caller, also where another library calls the package back
            frame = frame.f_back
    finally:
        del frame  # which refers to itself by its own variables
    warnings.warn(message, category, stacklevel=stack_level)


def quote_blank(name: str) -> str:
    """Quote a name that is nothing but blanks, which nobody would see in a message.

    Examples
    --------
    >>> quote_blank(" "), quote_blank("a b.csv")
    ("' '", 'a b.csv')
    """
    return name if name.strip() else f"'{name}'"


def escape_controls(text: str, *, keep: str = "") -> str:
    """Write control characters so that they can be seen, and do nothing to a terminal; those in ``keep`` stay.

    Examples
    --------
    >>> escape_controls("\\x1b[31mred\\n\\u202e")
    '\\\\x1b[31mred\\\\n\\\\u202e'
    """
    if text.isprintable():  # nearly always
        return text
    return CONTROL.sub(lambda match: match[0] if match[0] in keep else ascii(match[0])[1:-1], text)


def format_in_one_line(message: str) -> str:
    """Write a message as one line that can be printed."""
    return shorten_message(escape_controls(" ".join(message.split())))


def shorten_message(message: str, *, limit: int = 2000) -> str:
    """Leave out the middle of a message that repeats a very long name or value.

    Examples
    --------
    >>> shorten_message("no column " + "x" * 5000 + " here", limit=40)
    'no column xxxxxxxxxx ... xxxxxxxxxx here'
    """
    half = limit // 2
    return message if len(message) <= limit else f"{message[:half]} ... {message[-half + 5 :]}"


def join_names(names: object, *, limit: int = 5, by: str = ", ") -> str:
    """Join the first names for a message and count the rest.

    Examples
    --------
    >>> join_names(["a", "b", "c"], limit=2)
    'a, b and 1 more'
    """
    items = [str(name) for name in names]  # type: ignore[attr-defined]
    n_more = len(items) - limit
    return by.join(items[:limit]) + (f" and {n_more} more" if n_more > 0 else "")
