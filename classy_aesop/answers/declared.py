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
    "compare of preferences": "answers.preferences:PREFERENCE_RANKING",
    "compare --pairs of preferences": "answers.preferences:PREFERENCE_PAIRS",
    "assessors of preferences": "answers.preferences:PREFERENCE_AGREEMENT",
    "evaluate of preferences": "answers.preferences:METRIC_PREFERENCES",
    "power": "answers.topic_plans:POWER",
    "evaluate": "answers.metrics:EVALUATION",
    "evaluate --bias": "answers.bias:BIAS",
    "agreement": "answers.metrics:AGREEMENT",
    "compare-metrics": "answers.metric_pairs:RANKING",
    "compare-metrics --pairs": "answers.metric_pairs:COMPARISON",
    "leaderboard": "answers.leaderboard:LEADERBOARD",
    "scores": "answers.scored_summaries:SCORES",
    "predict": "answers.scored_summaries:PREDICTIONS",
    "predict --means": "answers.scored_summaries:PREDICTED_MEANS",
    "explain": "answers.scored_summaries:CONTRIBUTIONS",
    "baselines": "answers.scored_summaries:BASELINE_SCORES",
    "rouge": "answers.scored_summaries:ROUGE_AVERAGES",
    "rouge --per-summary": "answers.scored_summaries:ROUGE_SCORES",
}
"""Where each answer is declared, by the name that its files carry."""


def declared_answer(name: str) -> Answer | None:
    """Give the answer of a file that is read back; None if its table is not declared."""
    return load_answer(name) if name in DECLARED else None


def names_of_command(command: str) -> list[str]:
    """Give the answers of a command, as they are typed: ``compare`` and ``compare --pairs``."""
    return [name for name in DECLARED if name == command or name.startswith(f"{command} --")]


def load_answer(name: str) -> Answer:
    """Import the declaration of an answer."""
    answer: Answer = resolve_name(f"classy_aesop.{DECLARED[name]}")
    return answer
