"""Where each answer is declared, by the command that its files name."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from classy_aesop.tables.answer import Answer

DECLARED = {
    "compare": "answers.systems:RANKING",
    "compare --pairs": "answers.systems:COMPARISON",
    "estimate": "answers.estimates:ESTIMATES",
    "estimate --differences": "answers.estimates:DIFFERENCES",
    "estimate --plan": "answers.estimates:PLAN",
    "assessors": "answers.assessors:ALPHA_OF_RATERS",
    "assessors --confusion": "answers.assessors:CONFUSION",
    "assessors --worst": "answers.assessors:EXCLUSION",
    "assessors --reliability": "answers.raters:RELIABILITY",
    "power": "answers.topic_plans:POWER",
    "scores": "answers.scored_summaries:SCORES",
    "predict": "answers.scored_summaries:PREDICTIONS",
    "predict --means": "answers.scored_summaries:PREDICTED_MEANS",
    "explain": "answers.scored_summaries:CONTRIBUTIONS",
    "baselines": "answers.scored_summaries:BASELINES",
    "rouge": "answers.scored_summaries:ROUGE_AVERAGES",
    "rouge --per-summary": "answers.scored_summaries:ROUGE_SCORES",
}
"""Where each answer is declared, by the name that its files carry."""


def declared_answer(name: str) -> Answer | None:
    """Give the answer of a file that is read back; None if its table is not declared."""
    return load_answer(name) if name in DECLARED else None


def load_answer(name: str) -> Answer:
    """Import the declaration of an answer."""
    answer: Answer = resolve_name(f"classy_aesop.{DECLARED[name]}")
    return answer
