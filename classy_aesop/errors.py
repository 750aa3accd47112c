"""What goes wrong, as classes: input or usage that stops the work, and what is only said."""

from __future__ import annotations

from pathlib import Path


class InputError(ValueError):
    """Bad input inside a file, a table or a configuration: one line that says what, where and what was expected.

    Parameters
    ----------
    message : str
        What was found and what was expected.
    path : path-like, optional
        The file it was found in.
    line : int, optional
        The line of that file, counted from 1.

    Examples
    --------
    >>> print(InputError("score is 'n/a'; expected a number", path="judgments.tsv", line=17))
    judgments.tsv, line 17: score is 'n/a'; expected a number
    """

    def __init__(self, message: str, *, path: str | Path | None = None, line: int | None = None) -> None:
        where = "" if path is None else f"{path}: " if line is None else f"{path}, line {line}: "
        super().__init__(where + message)


class UsageError(ValueError):
    """What was asked for cannot be meant: an option that does not fit the others or the files."""


class DataWarning(UserWarning):
    """Something in the data that is kept and handled as documented, but that a careful user wants to know."""


def listed(names: object, *, most: int = 5) -> str:
    """Join the first names for a message and count the rest.

    Examples
    --------
    >>> listed(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    items = [str(name) for name in names]  # type: ignore[attr-defined]
    rest = len(items) - most
    return ", ".join(items[:most]) + (f" and {rest} more" if rest > 0 else "")
