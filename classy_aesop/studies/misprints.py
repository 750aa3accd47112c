"""What is known to be misprinted in the papers, shown below the tables that it concerns.

``data/misprints.tsv`` has a row for each: the studies (or commands) whose tables it concerns, where it is printed, and
what is known of it.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files


def misprints(kind: str, signature: str = "") -> tuple[str, ...]:
    """Give what is known of the printed tables that a study or command remakes, a line each.

    Agreement of raters on summaries is in no paper, whatever ``assessors`` does with identical texts.

    Examples
    --------
    >>> misprints("study ngram-hits")
    ('Lin and Hovy (2003), section 4.2: the level .25 stands in the place of .025.',)
    """
    if "|of:summaries|" in signature:
        return ()
    return tuple(
        f"{where}: {note}." for studies, where, note in _rows() if set(studies.split()) & set(kind.split())
    )


@cache
def _rows() -> tuple[tuple[str, str, str], ...]:
    text = (files("classy_aesop.studies") / "data" / "misprints.tsv").read_text(encoding="utf-8")
    cells = (line.split("\t") for line in text.splitlines()[1:])
    return tuple((studies, where, note) for studies, where, note in cells)
