"""What the names of a table's columns say: the roles that they may have, raters, and what is no judgment.

A role is what a column holds: the topic, the summarizer, the text and so on (`ROLES`). A column belongs to a role if
its name, in lower case, is one of the role's common names. Columns of references and documents may be numbered
(``reference_1``, ``reference_2``).

Columns that differ by a number only (``rating_1``, ``rating_2``; ``A1``, ``A2``) are raters of the measure that they
have in common, unless their name is that of something else: a metric, a question, a model.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from classy_aesop.data.scores import UnnamedRater
from classy_aesop.errors import UsageError, join_names
from classy_aesop.reading.column_names import (
    ATTEMPT_NAMES,
    COUNTERS,
    is_administration,
    is_human,
    is_identifier,
    is_metric,
    numbers_attempts,
    spell,
    words_of,
)

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
    """Find the columns of raters, or attempts, among columns of numbers, by their names; fewer names do of metrics."""
    columns_of_numbers = list(names)
    lower_names = {name.strip().lower() for name in columns_of_numbers}
    raters: dict[str, dict[str, str]] = {}
    for measure, columns in _group_numbered(columns_of_numbers).items():
        numbers = sorted(map(int, columns))
        words = set(re.split(r"[\W_]+", measure.lower()))
        is_other = words & _THINGS or any(map(is_doubtful, columns.values()))
        are_consecutive = numbers[0] < 2 and numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        are_raters = are_consecutive and (not is_other if of_humans else words & _PEOPLE)
        if (
            len(numbers) > 1
            and (are_raters or numbers_attempts(measure))
            and measure.lower() not in lower_names
        ):
            raters[measure] = {UnnamedRater(number): name for number, name in columns.items()}
    return raters


def _group_numbered(names: Iterable[str]) -> dict[str, dict[str, str]]:
    """Give the columns whose names differ by a number only, by what they have in common, in upper or lower case."""
    columns_of: dict[str, dict[str, str]] = {}
    spelled: dict[str, str] = {}
    for name in names:
        parts = _NUMBERED.fullmatch(name.strip())
        measure = parts[1].strip(_BETWEEN) if parts else ""
        if parts and measure:
            measure = spelled.setdefault(plain(measure), measure)
            columns_of.setdefault(measure, {}).setdefault(parts[2], name)
    return columns_of


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
    numbered = _group_numbered(columns)
    sizes = [len(columns_of_measure) for columns_of_measure in numbered.values()]
    if not columns or (sum(sizes) == len(columns) and min(sizes) > 1):
        return numbered
    start = os.path.commonprefix(list(columns))  # noqa: RUF071
    start = start[: 1 + max(map(start.rfind, _BETWEEN))]
    measure = start.strip(_BETWEEN) or "rating"  # where they have nothing in common
    return {measure: {name[len(start) :].strip(): name for name in columns}}


def described_raters(raters: Raters) -> str:
    """Say what is taken as raters, or attempts, of what."""
    return "; ".join(
        f"{measure} is the mean of {len(columns)} {'attempts' if numbers_attempts(measure) else 'raters'} "
        f"({join_names(columns.values(), most=20)})"
        for measure, columns in raters.items()
    )


def is_doubtful(name: str) -> bool:
    """Whether a name says that numbers are no judgments: that of a metric, an identifier, a date or a rank."""
    is_place = bool({*words_of(name)} & {"n", "num", "number", "rank", "judge"})
    return is_metric(name) or is_administration(name) or tells_rows_apart(name) or is_place


def is_human_measure(name: str) -> bool:
    """Whether a column's name is that of a human measure, and of nothing else."""
    return is_human(name) and not is_doubtful(name)


def tells_rows_apart(name: str) -> bool:
    """Whether a column's name is that of an identifier, so that its numbers are no scores."""
    return is_identifier(name) or plain(name) in (
        *IDENTIFIERS["topic"],
        *SELDOM_ROLE_NAMES["topic"],
        *ATTEMPT_NAMES,
    )


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

OWN = frozenset({*IDENTIFIERS, "instance_id", "summarizer_id"})
"""The names that our own files give them."""


def plain(name: str) -> str:
    """Give a column's name in lower case, its parts joined by underscores."""
    return re.sub(r"[\s.-]+", "_", name.strip().lower())


def is_counter(name: str) -> bool:
    """Whether a column's name is one that programs give to the numbers of rows."""
    return spell(name) in COUNTERS


ROLES: dict[str, tuple[str, ...]] = {
    "topic": IDENTIFIERS["topic"],
    "summarizer": IDENTIFIERS["summarizer"],
    "text": (
        *(
            "text",
            "summary",
            "output",
            "prediction",
            "predictions",
            "predicted",
            "candidate",
            "decoded",
            "hypothesis",
        ),
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
    "attempt": tuple(name for name in ATTEMPT_NAMES if name not in ("sample_id", "run_id")),
    "earlier_references": ("earlier_references",),
    "measures": ("measures", "measure", "judgments", "metrics"),
    "scores": (),
    "ratings": (),
}
"""The roles that columns have, each with its common names.

No name says that a column has a metric's ``scores``; ``ratings`` are known by the numbers at the end of their names.
``sample_id`` and ``run_id`` are of attempts only beside a topic and a system of other names.
"""

SELDOM_ROLE_NAMES: dict[str, tuple[str, ...]] = {
    "topic": (
        *("sample_id", "item_id", "query_id", "question_id", "source_id", "story_id", "dialogue_id"),
        *("conversation_id", "segment_id", "seg_id", "instruction_id", "request_id", "case_id", "uid"),
    ),
    "summarizer": (
        *("engine", "engine_id", "method", "candidate_id", "candidate_name", "generator", "submission"),
        *("team", "run_id", "variant", "bot", "llm", "model_key", "system_label"),
    ),
    "text": (
        *("response", "completion", "answer", "generation", "generated_text", "output_text", "hyp", "pred"),
        *("candidate_summary", "model_response", "system_response", "summary_text", "decoded_summary"),
    ),
    "references": (
        *("ground_truth", "reference_text", "gold_reference", "expected_output", "target_text"),
        *("ideal_summary", "expert_summary", "label_summary"),
    ),
    "documents": (
        *("context", "input", "input_text", "passage", "dialogue", "source_document", "original_text"),
    ),
    "assessor": (
        *("annotator_name", "rater_name", "judge_id", "reviewer", "reviewer_id", "labeler", "labeler_id"),
        *(
            "participant",
            "participant_id",
            "expert_id",
            "worker_name",
            "user_id",
            "grader",
        ),
        *("evaluator_name", "reviewer_name", "expert_name", "respondent", "respondent_id", "prolific_id"),
    ),
}
"""Further names of today's evaluation tables, which count where no other column has the role."""

MEANING_OF_ROLE = {
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
    "attempt": "in a table of scores, which of several outputs of a system on one topic: their scores are averaged; "
    "several columns number them together; numbered columns (``run_1``, ``run_2``) are attempts too",
    "earlier_references": "references of the topic's task ``A``, for an update",
    "measures": "names with numbers; every other column of numbers is a human score too: a number, or a list of "
    "numbers, one an assessor; but for names of metrics, identifiers, dates and counts",
    "scores": "the scores of a metric, such as an LLM judge: only where they are named, since no name says it",
    "ratings": "the scores of one rater each (``rating_1``, ``rating_2``), recognized where names differ by a number "
    "only: the human score is their mean, under the name that they have in common",
}
"""What the columns of each role hold."""

SEVERAL = ("references", "documents", "earlier_references", "measures", "scores", "ratings", "attempt")
"""Roles that several columns may have."""

OF_TEXTS = tuple(role for role in ROLES if role != "attempt")
"""The roles in a table of summaries: an attempt is a text of its own."""


def role_of(name: str, roles: Collection[str] = ROLES) -> str:
    """Give the role that a name stands for: itself or one of its common names; none of ``roles`` is a `UsageError`."""
    spelled = plain(name)
    for role in roles:
        if spelled == role or spelled in ROLES[role] or spelled in SELDOM_ROLE_NAMES.get(role, ()):
            return role
    raise UsageError(f"no column is a {name!r}; expected one of {', '.join(roles)}")
