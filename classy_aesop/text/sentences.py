"""Sentences of a text: as given where they are, else found by nltk's Punkt rules.

Punkt's class decides whether a period ends a sentence; the abbreviations and the words that begin sentences
are our own lists (``data/``), so nothing is downloaded or trained. Text that is tokenized (`` . ``) or
lower-cased is split alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

SPLITTER = "punkt-news-1"
"""Name and version of the rule that splits text; changes whenever its answers may."""

SENTENCES = ("auto", "given", "split")
"""Ways to find sentences: by what the text looks like, as given, always by rule."""


def sentences(text: str | Sequence[str], how: str = "auto") -> list[str]:
    r"""Sentences of a text in their order, without blank ones; together they hold all of its tokens.

    Parameters
    ----------
    text : str or sequence of str
        One string, or one item a sentence.
    how : {"auto", "given", "split"}
        ``"auto"`` takes two or more items, or the lines of a single text that has line breaks, as given, and
        splits anything else. ``"given"`` never splits. ``"split"`` joins everything and splits anew.

    Examples
    --------
    >>> sentences("Mr. Lee left the U.S. The plane was late . nobody knew why .")
    ['Mr. Lee left the U.S.', 'The plane was late .', 'nobody knew why .']
    >>> sentences("A headline\nDr. No. Yes.")
    ['A headline', 'Dr. No. Yes.']
    """
    items = [text] if isinstance(text, str) else list(text)
    if len(items) == 1 and how != "split":
        items = items[0].split("\n")
    given = [item for item in map(str.strip, items) if item]
    if how == "split" or (how == "auto" and len(items) == 1):
        return split(" ".join(given))
    return given


def split(text: str) -> list[str]:
    """Split running text into sentences by rule (`SPLITTER`)."""
    found: list[str] = _punkt().tokenize(text)
    return found


@lru_cache(maxsize=1)
def _punkt():  # type: ignore[no-untyped-def]
    from classy_aesop.text.punkt import QuickPunkt

    return QuickPunkt(_listed("abbreviations.txt"), _listed("sentence_starters.txt"))


def _listed(name: str) -> set[str]:
    lines = (files("classy_aesop.text") / "data" / name).read_text(encoding="utf-8").splitlines()
    return {word for line in lines if not line.startswith("#") for word in line.split()}
