"""The roles of a table's columns: by common names, or as the user says.

A role is what a column holds: the topic, the summarizer, the text and so on (`ROLES`). A column belongs to a role if
its name, in lower case, is one of the role's common names. Columns of references and documents may be numbered
(``reference_1``, ``reference_2``). Every other column of numbers is a human measure, unless its name is that of
something else (`measure_names`), or the user says that it holds the ``scores`` of a metric, such as an LLM judge.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from classy_aesop.data import raters
from classy_aesop.data.asked import Fields, asked_columns
from classy_aesop.data.measure_names import is_doubtful
from classy_aesop.data.score_columns import IDENTIFIERS, is_counter, plain, with_own_names
from classy_aesop.errors import InputError, UsageError, listed

ROLES: dict[str, tuple[str, ...]] = {
    "topic": IDENTIFIERS["topic"],
    "summarizer": IDENTIFIERS["summarizer"],
    "text": (
        *("text", "summary", "output", "prediction", "predicted", "candidate", "decoded", "hypothesis"),
        *("generated", "generated_summary", "system_summary", "system_output", "model_output"),
    ),
    "references": (
        *("reference", "references", "target", "targets", "ref", "refs", "gold", "highlights"),
        *("reference_summary", "reference_summaries", "gold_summary", "target_summary"),
        *("human_summary", "human_summaries"),
    ),
    "documents": ("document", "documents", "source", "sources", "article", "articles", "source_text"),
    "year": IDENTIFIERS["year"],
    "task": IDENTIFIERS["task"],
    "human": ("human", "is_human"),
    "summarizer_type": ("summarizer_type",),
    "assessor": IDENTIFIERS["assessor"],
    "earlier_references": ("earlier_references",),
    "measures": ("measures", "measure", "judgments", "metrics"),
    "scores": (),
    "ratings": (),
}
"""The roles that columns have, each with its common names.

No name says that a column has a metric's ``scores``; ``ratings`` are known by the numbers at the end of their names.
"""

HOLDS = {
    "topic": "what is summarized: rows of one topic share references and documents",
    "summarizer": "who wrote the summary",
    "text": "the summary, a text or a list of sentences",
    "references": "one reference, a list of them, or several columns: ``reference_1``, ``reference_2``",
    "documents": "the source text, or a list of texts",
    "year": "as in the other formats",
    "task": "as in the other formats",
    "human": "whether the row is a reference",
    "summarizer_type": "``reference`` if the row is a reference, else ``peer``",
    "assessor": "who gave the row's scores: a summary may then have several rows",
    "earlier_references": "references of the topic's task ``A``, for an update",
    "measures": "names with numbers; every other column of numbers is a human score too: a number, or a list of "
    "numbers, one an assessor; but for names of metrics, identifiers, dates and counts",
    "scores": "the scores of a metric, such as an LLM judge: only where they are named, since no name says it",
    "ratings": "the scores of one rater each (``rating_1``, ``rating_2``), recognized where names differ by a number "
    "only: the human score is their mean, under the name that they have in common",
}
"""What the columns of each role hold."""

SEVERAL = ("references", "documents", "earlier_references", "measures", "scores", "ratings")
"""Roles that several columns may have."""

_NUMBERS = ("numbers", "mixed", "places")
_WITHOUT_TEXTS = (
    "; evaluate, compare, compare-metrics, agreement, power and assessors take scores without texts"
)
_TEXTS = ("text", "references", "documents", "earlier_references")


@dataclass(frozen=True)
class Columns:
    """The columns of each role, and the columns with values that are not used.

    ``doubtful`` are columns of numbers whose names, or values, are not those of human measures; ``raters`` are the
    measures of the columns that have the role ``ratings``.
    """

    roles: Mapping[str, tuple[str, ...]]
    unread: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    raters: raters.Raters = field(default_factory=dict)

    def __getitem__(self, role: str) -> tuple[str, ...]:
        return self.roles.get(role, ())

    def one(self, role: str) -> str | None:
        """Give the column of a role that at most one has."""
        return next(iter(self[role]), None)

    def __str__(self) -> str:
        return ", ".join(f"{role} = {listed(self[role], most=20, by=' + ')}" for role in ROLES if self[role])


def recognize(columns: Mapping[str, str], fields: Fields | None = None) -> Columns:
    """Find the role of each column.

    Parameters
    ----------
    columns : mapping of str to str
        What each column holds: ``numbers``, ``mixed`` (numbers, but for some cells), ``places`` (whole numbers that
        only tell rows apart), ``nothing`` or ``text`` (anything else). A column of numbers is never a text, and one
        with nothing is taken only if there is no other.
    fields : mapping, optional
        What the user says of roles; it replaces what their names say.

    Raises
    ------
    InputError
        Several columns could have one role, or none is the text.
    UsageError
        ``fields`` names a role or a column that does not exist, or a column twice.
    """
    given = asked_columns(columns, fields or {}, role_of=role_of, several=SEVERAL)
    taken = {name for names in given.values() for name in names}
    free = [name for name in columns if name not in taken]
    roles = {role: given[role] if role in given else _named(role, free, columns) for role in ROLES}
    used = {name for names in roles.values() for name in names}
    doubtful: tuple[str, ...] = ()
    found = raters.named(given.get("ratings", ()))
    if "measures" not in given:
        numbers = [name for name in free if columns[name] in _NUMBERS and not is_counter(name)]
        doubtful = tuple(
            name for name in numbers if name not in used and (is_doubtful(name) or columns[name] == "places")
        )
        used |= set(doubtful)
        measures = [name for name in numbers if name in roles["measures"] or name not in used]
        if "ratings" not in given and not roles["assessor"]:
            found = raters.recognized(measures, of_humans=True)
            roles["ratings"] = tuple(name for one in found.values() for name in one.values())
        roles["measures"] = tuple(name for name in measures if name not in roles["ratings"])
        used |= {*roles["measures"], *roles["ratings"]}
    _check_raters(found, roles)
    if not roles["text"]:
        raise InputError(
            f"no column for the text of a summary among {listed(columns, most=20) or 'none'}; "
            f"expected {', '.join(ROLES['text'][:7])}, or its name: {how('text')}{_WITHOUT_TEXTS}"
        )
    unread = tuple(name for name in columns if name not in used and columns[name] != "nothing")
    return Columns(roles, unread, doubtful, found)


def _check_raters(found: raters.Raters, roles: Mapping[str, tuple[str, ...]]) -> None:
    """Refuse what would give one rating two raters, or one measure two meanings."""
    if found and roles["assessor"]:
        raise UsageError(
            f"ratings are {listed(roles['ratings'])} and a column names the assessor of a row: {roles['assessor'][0]}; "
            "expected one of the two"
        )
    again = [name for name in found if name in roles["measures"]]
    if again:
        raise UsageError(
            f"raters of {listed(again)}, and a column of this name; expected another name of one"
        )


def role_of(name: str) -> str:
    """Give the role that a name stands for: itself or one of its common names.

    Raises
    ------
    UsageError
        It stands for none.

    Examples
    --------
    >>> role_of("system"), role_of("topic")
    ('summarizer', 'topic')
    """
    known = plain(name)
    for role, names in ROLES.items():
        if known == role or known in names:
            return role
    raise UsageError(f"no column is a {name!r}; expected one of {', '.join(ROLES)}")


def meant(name: str) -> str | None:
    """Give the common name that a column's name resembles, such as a misspelled one; None if there is none."""
    known = [one for names in ROLES.values() for one in names if len(one) > 2]
    like = difflib.get_close_matches(plain(name), known, n=1, cutoff=0.8)
    return None if plain(name) in like else next(iter(like), None)


def _named(role: str, free: Iterable[str], columns: Mapping[str, str]) -> tuple[str, ...]:
    """Find the columns that have a role by their names."""
    names = [name for name in free if _stem(name, role) in ROLES[role]]
    if role in _TEXTS:
        names = [name for name in names if columns[name] not in ("numbers", "places")]
    names = [name for name in names if columns[name] != "nothing"] or names
    names = with_own_names(names) if role in IDENTIFIERS else names
    kinds = {_stem(name, role) if role in SEVERAL else name for name in names}
    if len(kinds) > 1 and role != "measures":
        raise InputError(f"{role} could be {' or '.join(names)}; name the one that is meant: {how(role)}")
    return tuple(names)


def _stem(name: str, role: str) -> str:
    """Give a name in lower case, for roles of several columns without its number."""
    known = plain(name)
    return re.sub("_?[0-9]+$", "", known) if role in SEVERAL else known


def how(role: str) -> str:
    """Describe how the user names the column of a role."""
    return f"--columns {role}=NAME, or fields={{{role!r}: NAME}} in Python"
