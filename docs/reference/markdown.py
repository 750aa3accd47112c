"""Pieces of Markdown, and what docstrings say as such pieces."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Sequence
from functools import partial

_ROLE = re.compile(r"(?::\w+:)?(`+)([^`]+)\1")
_SECTION = re.compile(r"^(Parameters|Attributes)\n-+\n", flags=re.M)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table; line breaks and bars inside a cell are kept from ending it.

    Examples
    --------
    >>> print(table(["name", "is"], [["a", "b|c"]]))
    | name | is |
    |---|---|
    | a | b\\|c |
    """
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(_row(line, rule=at == 1) for at, line in enumerate(lines))


def _row(cells: Sequence[str], *, rule: bool) -> str:
    if rule:
        return f"|{'|'.join(cells)}|"
    return f"| {' | '.join(' '.join(cell.split()).replace('|', chr(92) + '|') for cell in cells)} |"


def code(text: str) -> str:
    """Write text as code."""
    return f"`{text}`"


def codes(names: Iterable[str]) -> str:
    """Write names as code, with commas."""
    return ", ".join(map(code, names))


def plain(text: str) -> str:
    """Give the text of a docstring with references and literals as code.

    Examples
    --------
    >>> plain("a key of `FITTERS`, or ``auto``; see :func:`train`")
    'a key of `FITTERS`, or `auto`; see `train`'
    """
    return _ROLE.sub(r"`\2`", text)


def linked(text: str) -> str:
    """Make links of the pages that a text names.

    Examples
    --------
    >>> linked("groups of features, see docs/features.md")
    'groups of features, see [features](features.md)'
    """
    return re.sub(r"docs/([\w-]+)\.md", r"[\1](\1.md)", text)


def first_line(thing: object) -> str:
    """Give the first line of a docstring, which must be there."""
    lines = _docstring(thing).splitlines()
    if not lines:
        raise ValueError(f"{thing!r} has no docstring")
    return plain(lines[0])


def _docstring(thing: object) -> str:
    """Give a docstring; a partial function has that of the whole one."""
    return inspect.getdoc(thing.func if isinstance(thing, partial) else thing) or ""


def paragraphs(thing: object) -> str:
    """Give a docstring up to its sections."""
    text = _docstring(thing)
    return plain(re.split(r"\n\n\w+\n-+\n", text)[0])


def described(cls: type) -> dict[str, str]:
    """Give what a docstring (numpydoc) says of each parameter or attribute, by name.

    Examples
    --------
    >>> from classy_aesop.features.counts import FeatureOptions
    >>> described(FeatureOptions)["sentences"]
    'How sentences are found; see `classy_aesop.text.sentence_splitting.split_sentences`.'
    """
    rest = _SECTION.split(inspect.getdoc(cls) or "", maxsplit=1)[-1]
    section = re.split(r"\n\n\w+\n-+\n", rest)[0]
    found: dict[str, str] = {}
    for entry in re.split(r"\n(?=\S)", section):
        head, _, text = entry.partition("\n")
        for name in head.partition(" : ")[0].split(", "):
            found[name] = plain(" ".join(text.split()))
    return found
