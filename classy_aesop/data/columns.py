"""The roles of a table's columns: by common names, or as the user says.

A role is what a column holds: the topic, the summarizer, the text and so on (`ROLES`). A column belongs to a role if
its name, in lower case, is one of the role's common names. Columns of references and documents may be numbered
(``reference_1``, ``reference_2``). Every other column of numbers is a human measure, unless its name is that of
something else (`is_doubtful`), or the user says that it holds the ``scores`` of a metric, such as an LLM judge.

Columns that differ by a number only (``rating_1``, ``rating_2``; ``A1``, ``A2``) are raters of the measure that they
have in common, unless their name is that of something else: a metric, a question, a model. The user says otherwise by
the role ``ratings``, with names or patterns such as ``rating_*``.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import takewhile

from classy_aesop.data.sources import Where
from classy_aesop.errors import InputError, UsageError, listed, shortened

Raters = Mapping[str, Mapping[str, str]]
"""For each measure the columns of its raters, by the raters' names."""

_NUMBERED = re.compile(r"(.*?\D)([0-9]{1,3})")
_BETWEEN = " _.-#"
_PEOPLE = frozenset(
    {
        *("rating", "rater", "annotator", "annotation", "assessor", "worker", "coder"),
        *("expert", "human", "evaluator", "judgment", "judgement"),
    }
)
_THINGS = frozenset(
    {
        *("q", "question", "item", "criterion", "dimension", "aspect", "level", "step", "section", "part"),
        *("option", "k", "top", "r", "m", "metric", "measure", "system", "model", "reference", "ref"),
        *("candidate", "topic", "doc", "task", "year"),
    }
)


def recognized_raters(names: Iterable[str], *, of_humans: bool) -> dict[str, dict[str, str]]:
    """Find the columns of raters by their names.

    Parameters
    ----------
    names : iterable of str
        Columns of numbers.
    of_humans : bool
        Whether they hold human scores. If not, such as in a table of metrics, only names of raters count.

    Examples
    --------
    >>> recognized_raters(["rating_1", "rating_2", "rouge1", "rouge2", "A1"], of_humans=True)
    {'rating': {'1': 'rating_1', '2': 'rating_2'}}
    """
    known = list(names)
    stems = {name.strip().lower() for name in known}
    return {
        measure: columns
        for measure, columns in _numbered(known).items()
        if measure.lower() not in stems and _are_raters(measure, columns, of_humans)
    }


def _numbered(names: Iterable[str]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for name in names:
        parts = _NUMBERED.fullmatch(name.strip())
        measure = parts[1].strip(_BETWEEN) if parts else ""
        if parts and measure:
            found.setdefault(measure, {}).setdefault(parts[2], name)
    return found


def _are_raters(measure: str, columns: Mapping[str, str], of_humans: bool) -> bool:
    numbers = sorted(map(int, columns))
    words = set(re.split(r"[\W_]+", measure.lower()))
    if len(numbers) < 2 or numbers[0] > 1 or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        return False
    if not of_humans:
        return bool(words & _PEOPLE)
    return not (words & _THINGS or any(map(is_doubtful, columns.values())))


def named_raters(columns: Sequence[str]) -> dict[str, dict[str, str]]:
    """Give the measures of columns that the user says are raters'.

    Examples
    --------
    >>> named_raters(["relevance_1", "relevance_2", "fluency_1", "fluency_2"])
    {'relevance': {'1': 'relevance_1', '2': 'relevance_2'}, 'fluency': {'1': 'fluency_1', '2': 'fluency_2'}}
    >>> named_raters(["rating_ann", "rating_bob"])
    {'rating': {'ann': 'rating_ann', 'bob': 'rating_bob'}}
    >>> named_raters(["ann", "bob"])
    {'rating': {'ann': 'ann', 'bob': 'bob'}}
    """
    if not columns:
        return {}
    numbered = _numbered(columns)
    if sum(map(len, numbered.values())) == len(columns) and min(map(len, numbered.values())) > 1:
        return numbered
    alike = (len(set(letters)) == 1 for letters in zip(*columns, strict=False))
    start = columns[0][: sum(takewhile(bool, alike))]
    start = start[: 1 + max(map(start.rfind, _BETWEEN))]
    measure = start.strip(_BETWEEN) or "rating"  # where they have nothing in common
    return {measure: {name[len(start) :].strip(): name for name in columns}}


def matching(wanted: str, columns: Iterable[str]) -> list[str]:
    """Give the column of a name, or those that a pattern with ``*`` or ``?`` describes; none if there are none."""
    known = list(columns)
    if wanted in known:
        return [wanted]
    return [name for name in known if fnmatchcase(name, wanted)] if set(wanted) & set("*?") else []


def described_raters(raters: Raters) -> str:
    """Say what is taken as raters of what."""
    return "; ".join(
        f"{measure} is the mean of {len(columns)} raters ({', '.join(columns.values())})"
        for measure, columns in raters.items()
    )


_METRICS = re.compile(
    r"""(?:^|_)(?:(sacre)?(rouge|bleu|bleurt|chrf|ter|cider|spice|meteor|nist)(\d|_|$|[wlsn]|su|pp)
    |(bert|bart|mover|prism|align|uni|ctc|gpt|qa)_?score
    |(bertscore|bartscore|moverscore|comet|bewte|supert|estime|gruen|lerc|s3|js\d?d?|autosummeng|memog|npower)(_|\d|$)
    |(qa|summa_?qa|quest|fe_?qa)_?eval|summaqa|feqa|qags|blanc|factcc|summac|unieval|perplexity|ppl(_|$)
    |(chat)?gpt|llm|claude|gemini|llama|mistral|qwen|deepseek|g_?eval(_|$))""",
    re.VERBOSE,
)
_OF_ROWS = frozenset({"id", "ids", "idx", "index", "uuid", "hash", "row"})
"""Words in the names of columns that tell rows apart."""

_NO_MEASURES = frozenset(
    {
        *("judge", "autojudge", "llm", "gpt", "cosine", "similarity", "perplexity"),
        *_OF_ROWS,
        *("seed", "fold", "rank"),
        *("year", "month", "day", "date", "time", "timestamp", "seconds", "duration", "created", "updated"),
        *("n", "num", "number", "count", "counts", "len", "length", "lengths", "size"),
        *("words", "tokens", "sentences", "characters", "chars", "bytes"),
    }
)


def is_doubtful(name: str) -> bool:
    """Whether a column's name is that of a metric, a model's judgment, an identifier, a rank, a date or a count.

    Examples
    --------
    >>> [name for name in ("relevance", "rouge1", "gpt4_relevance", "rowId", "overall", "summary_length")
    ...  if is_doubtful(name)]
    ['rouge1', 'gpt4_relevance', 'rowId', 'summary_length']
    """
    words = _words(name)
    spelled = "_".join(words)
    own = {re.sub(r"\d+$", "", word) for word in words}
    return bool(own & _NO_MEASURES or _METRICS.search(spelled) or _METRICS.search(name.strip().lower()))


def tells_rows_apart(name: str) -> bool:
    """Whether a column's name is that of an identifier, so that its numbers are no scores.

    Examples
    --------
    >>> [name for name in ("id", "docId", "pair_index", "rouge_1", "valid") if tells_rows_apart(name)]
    ['id', 'docId', 'pair_index']
    """
    return not _OF_ROWS.isdisjoint(_words(name))


def _words(name: str) -> list[str]:
    """Give the words of a column's name, in lower case."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z][a-z])|(?<=[a-z])(?=Id$|ID$)", "_", name.strip())
    return re.sub(r"[\W_]+", "_", apart.lower()).strip("_").split("_")


IDENTIFIERS: dict[str, tuple[str, ...]] = {
    "topic": (
        *("topic", "topic_id", "instance_id", "doc_id", "docid", "doc"),
        *("document_id", "article_id", "input_id", "prompt_id", "example_id", "id"),
    ),
    "summarizer": (
        *("summarizer", "summarizer_id", "system", "system_id", "system_name"),
        *("model", "model_id", "model_name", "model_version", "peer", "peer_id"),
    ),
    "year": ("year",),
    "task": ("task",),
    "assessor": (
        *("assessor", "assessor_id", "annotator", "annotator_id", "rater", "rater_id"),
        *("worker", "worker_id", "coder", "coder_id", "evaluator", "evaluator_id"),
    ),
}
"""The identifiers, each with its common names."""

_OWN = frozenset({*IDENTIFIERS, "instance_id", "summarizer_id"})
"""The names that our own files give them."""


def plain(name: str) -> str:
    """Give a column's name in lower case, its parts joined by underscores.

    Examples
    --------
    >>> plain(" System ID ")
    'system_id'
    """
    return re.sub(r"[\s.-]+", "_", name.strip().lower())


def is_counter(name: str) -> bool:
    """Whether a column's name is one that programs give to the numbers of rows."""
    return plain(name) in ("", "index", "level_0", "unnamed:_0", "__index_level_0__")


Fields = Mapping[str, str | Iterable[str]]
"""Maps roles, or common names of them, to the columns that have them; no column: nothing has this role."""

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

LONG = {
    "metric": ("metric", "metric_name", "measure", "criterion", "dimension"),
    "score": ("score", "value", "rating", "judgment"),
}
"""The columns of a long table, each with its common names."""

OF_SCORES = (*IDENTIFIERS, "measures", "scores", "ratings")
"""The roles in a table of scores."""

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
    raters: Raters = field(default_factory=dict)

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
    given = asked_columns(columns, fields or {})
    taken = {name for names in given.values() for name in names}
    free = [name for name in columns if name not in taken]
    roles = {role: given[role] if role in given else of_role(role, free, columns) for role in ROLES}
    used = {name for names in roles.values() for name in names}
    doubtful: tuple[str, ...] = ()
    found = named_raters(given.get("ratings", ()))
    if "measures" not in given:
        numbers = [
            name for name in free if columns[name] in ("numbers", "mixed", "places") and not is_counter(name)
        ]
        doubtful = tuple(
            name for name in numbers if name not in used and (is_doubtful(name) or columns[name] == "places")
        )
        used |= set(doubtful)
        measures = [name for name in numbers if name in roles["measures"] or name not in used]
        if "ratings" not in given and not roles["assessor"]:
            found = recognized_raters(measures, of_humans=True)
            roles["ratings"] = tuple(name for one in found.values() for name in one.values())
        roles["measures"] = tuple(name for name in measures if name not in roles["ratings"])
        used |= {*roles["measures"], *roles["ratings"]}
    check_raters(found, roles["measures"], next(iter(roles["assessor"]), None))
    if not roles["text"]:
        raise InputError(
            f"no column for the text of a summary among {listed(columns, most=20) or 'none'}; "
            f"expected {', '.join(ROLES['text'][:7])}, or its name: {how('text')}; "
            "evaluate, compare, compare-metrics, agreement, power and assessors take scores without texts"
        )
    unread = tuple(name for name in columns if name not in used and columns[name] != "nothing")
    return Columns(roles, unread, doubtful, found)


def check_raters(found: Raters, measures: Collection[str], assessor: str | None) -> None:
    """Refuse what would give one rating two raters, or one measure two meanings; ``assessor`` is the column of it."""
    if found and assessor is not None:
        raise UsageError(
            f"ratings of {listed(found)} are columns of raters, and the column {assessor} names the "
            "rater of a row; expected one of the two"
        )
    again = [name for name in found if name in measures]
    if again:
        raise UsageError(
            f"raters of {listed(again)}, and a column of this name; expected another name of one"
        )


def role_of(name: str, among: Collection[str] = ROLES) -> str:
    """Give the role that a name stands for: itself or one of its common names; ``among`` are the roles that there are.

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
    for role in among:
        if known == role or known in ROLES[role]:
            return role
    raise UsageError(f"no column is a {name!r}; expected one of {', '.join(among)}")


def meant(name: str) -> str | None:
    """Give the common name that a column's name resembles, such as a misspelled one; None if there is none."""
    known = [one for names in ROLES.values() for one in names if len(one) > 2]
    like = difflib.get_close_matches(plain(name), known, n=1, cutoff=0.8)
    return None if plain(name) in like else next(iter(like), None)


def of_role(role: str, free: Iterable[str], holds: Mapping[str, str]) -> tuple[str, ...]:
    """Find the columns that have a role by their names; ``holds`` is as in `recognize`.

    Raises
    ------
    InputError
        Several columns could have a role that only one may have.
    """
    names = [name for name in free if _stem(name, role) in ROLES[role]]
    if role in _TEXTS:
        names = [name for name in names if holds[name] not in ("numbers", "places")]
    names = [name for name in names if holds[name] != "nothing"] or names
    if role in IDENTIFIERS:
        names = [role] if role in names else [name for name in names if plain(name) in _OWN] or names
    kinds = {_stem(name, role) if role in SEVERAL else name for name in names}
    if len(kinds) > 1 and role != "measures":
        raise InputError(f"{role} could be {' or '.join(names)}; name the one that is meant: {how(role)}")
    return tuple(names)


def identifiers(
    columns: Sequence[str], header: Where, given: Mapping[str, Sequence[str]] = {}
) -> dict[str, str]:
    """Find the columns of the identifiers in a table of scores, by their names unless they are ``given``.

    Raises
    ------
    InputError
        There is no column of the topic or of the summarizer, or there are several; at the place of the header.
    """
    taken = {name for names in given.values() for name in names}
    free = dict.fromkeys((name for name in columns if name not in taken), "text")
    try:
        found = {role: given[role] if role in given else of_role(role, free, free) for role in IDENTIFIERS}
    except InputError as error:
        raise header.error(str(error)) from None
    lacking = [role for role in ("topic", "summarizer") if not found[role]]
    if lacking:
        names = "; ".join(f"{role}: {', '.join(ROLES[role][:5])}" for role in lacking)
        there = listed([shortened(name, most=80) for name in columns])
        raise header.error(
            f"no column {listed(lacking)} among {there}; expected a header with it ({names})",
            advice=f"or its name: --columns {lacking[0]}=NAME",
        )
    return {role: names[0] for role, names in found.items() if names}


def _stem(name: str, role: str) -> str:
    """Give a name in lower case, for roles of several columns without its number."""
    known = plain(name)
    return re.sub("_?[0-9]+$", "", known) if role in SEVERAL else known


def how(role: str) -> str:
    """Describe how the user names the column of a role."""
    return f"--columns {role}=NAME, or fields={{{role!r}: NAME}} in Python"


def asked_columns(
    columns: Collection[str], fields: Fields, among: Collection[str] = ROLES
) -> dict[str, tuple[str, ...]]:
    """Give the columns of each role that the user names.

    Parameters
    ----------
    columns : collection of str
        Those of the table.
    fields : mapping
        What the user says; patterns with ``*`` and ``?`` stand for all columns that they fit.
    among : collection of str
        The roles that there are in such a table.

    Raises
    ------
    UsageError
        There is no such role or column, a column has two roles, or two columns one role that only one may have.

    Examples
    --------
    >>> asked_columns(["doc", "r1", "r2"], {"id": "doc", "ratings": "r*"})
    {'topic': ('doc',), 'ratings': ('r1', 'r2')}
    """
    found: dict[str, tuple[str, ...]] = {}
    for name, value in fields.items():
        role = role_of(name, among)
        matches = {one: matching(one, columns) for one in ((value,) if isinstance(value, str) else value)}
        unknown = [one for one, names in matches.items() if not names]
        if unknown:
            raise UsageError(
                f"no column {listed(unknown)} among {listed(columns, most=20)}; asked for as {name}"
            )
        found[role] = (*found.get(role, ()), *(one for names in matches.values() for one in names))
        if len(found[role]) > 1 and role not in SEVERAL:
            raise UsageError(f"{name} is one column; found {listed(found[role])}")
    every = [name for names in found.values() for name in names]
    again = sorted({name for name in every if every.count(name) > 1})
    if again:
        raise UsageError(f"column {listed(again)} is asked for twice; expected one role a column")
    return found
