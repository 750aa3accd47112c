"""The package's error classes, which stop the work, and its warning, which does not."""

from __future__ import annotations

from pathlib import Path


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

    Attributes
    ----------
    path, line
        As given: whoever adds a file to a message without one need not search its text.

    Examples
    --------
    >>> print(InputError("score is 'n/a'; expected a number", path="judgments.tsv", line=17))
    judgments.tsv, line 17: score is 'n/a'; expected a number
    """

    def __init__(self, message: str, *, path: str | Path | None = None, line: int | None = None) -> None:
        where = "" if path is None else f"{path}: " if line is None else f"{path}, line {line}: "
        super().__init__(shortened(where + message))
        self.path, self.line = path, line


class UsageError(ValueError):
    """A request that makes no sense: an option that does not fit the other options or the files."""


class DataWarning(UserWarning):
    """Something in the data that is handled as documented, but that a careful user will want to know."""


def shortened(message: str, *, most: int = 2000) -> str:
    """Leave out the middle of a message that repeats a very long name or value.

    Examples
    --------
    >>> shortened("no column " + "x" * 5000 + " here", most=40)
    'no column xxxxxxxxxx ... xxxxxxxxxx here'
    """
    half = most // 2
    return message if len(message) <= most else f"{message[:half]} ... {message[-half + 5 :]}"


def listed(names: object, *, most: int = 5, by: str = ", ") -> str:
    """Join the first names for a message and count the rest.

    Examples
    --------
    >>> listed(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    items = [str(name) for name in names]  # type: ignore[attr-defined]
    rest = len(items) - most
    return by.join(items[:most]) + (f" and {rest} more" if rest > 0 else "")
