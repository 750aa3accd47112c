"""Where each answer is declared, by the command that its files name."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from classy_aesop.tables.answer import Answer
    from classy_aesop.tables.result import Result

DECLARED = {
    "compare": "answers.systems:SYSTEM_RANKING",
    "compare --pairs": "answers.systems:SYSTEM_COMPARISON",
    "estimate": "answers.estimates:ESTIMATES",
    "estimate --differences": "answers.estimates:DIFFERENCES",
    "assessors": "answers.assessors:ALPHA_OF_RATERS",
    "assessors --reliability": "answers.raters:RELIABILITY",
    "compare of preferences": "answers.preferences:PREFERENCE_RANKING",
    "compare --pairs of preferences": "answers.preferences:PREFERENCE_PAIRS",
    "evaluate of preferences": "answers.preferences:METRIC_PREFERENCES",
    "power": "answers.topic_plans:POWER",
    "power --scores": "answers.estimate_plans:PRECISION",
    "evaluate": "answers.correlation_tables:EVALUATION",
    "evaluate --bias": "answers.bias:BIAS",
    "evaluate --pairs": "answers.metric_pairs:METRIC_COMPARISON",
    "evaluate --ranking": "answers.metric_pairs:METRIC_RANKING",
    "scores": "answers.scored_summaries:SCORE_TABLE",
    "predict": "answers.scored_summaries:PREDICTED_SCORES",
    "predict --means": "answers.scored_summaries:PREDICTED_MEANS",
    "features": "answers.scored_summaries:FEATURE_TABLE",
    "validate": "answers.scored_summaries:CONTENTS",
    "predict --explain": "answers.scored_summaries:FEATURE_CONTRIBUTIONS",
    "baselines": "answers.scored_summaries:BASELINE_SCORES",
    "rouge": "answers.scored_summaries:ROUGE_AVERAGES",
    "rouge --per-summary": "answers.scored_summaries:ROUGE_SCORES",
    "study coverage": "papers.deutsch_2021:COVERAGE",
    "study metric-power": "papers.deutsch_2021:METRIC_POWER",
    "study normality": "papers.deutsch_2021:NORMALITY",
    "study metric-intervals": "papers.deutsch_2021:METRIC_INTERVALS",
    "study distributions": "papers.deutsch_2021:DISTRIBUTIONS",
    "study metric-pairs": "papers.deutsch_2021:METRIC_PAIRS",
    "study williams-shift": "papers.deutsch_2021:WILLIAMS_SHIFT",
    "study ngram-correlations": "papers.lin_hovy_2003:NGRAM_CORRELATIONS",
    "study bleu-correlations": "papers.lin_hovy_2003:BLEU_CORRELATIONS",
    "study ngram-ranks": "papers.lin_hovy_2003:NGRAM_RANKS",
    "study ngram-hits": "papers.lin_hovy_2003:NGRAM_HITS",
    "study marked-units": "papers.lin_hovy_2003:MARKED_UNITS",
    "study pair-counts": "papers.rankel_2011:PAIR_COUNTS",
    "study score-map": "papers.rankel_2011:SCORE_MAP",
    "study topic-ranks": "papers.rankel_2011:TOPIC_RANKS",
    "study best-pairs": "papers.rankel_2013:BEST_PAIRS",
    "study label-agreement": "papers.rankel_2013:LABEL_AGREEMENT",
    "study best-metrics": "papers.rankel_2013:BEST_METRICS",
    "study human-gap": "papers.rankel_2016:HUMAN_GAP",
    "study best-on-topic": "papers.rankel_2016:BEST_ON_TOPIC",
    "study coefficients": "papers.rankel_2016:COEFFICIENTS_BY_SCORE",
    "study mixture-power": "papers.rankel_2016:MIXTURE_POWER",
    "study principal-components": "papers.rankel_2016:PRINCIPAL_COMPONENTS",
    "study score-ranks": "papers.rankel_2016:SCORE_RANKS",
    "study year-counts": "papers.rankel_2016:YEAR_COUNTS",
    "study topic-counts": "papers.rankel_2016_assessors:TOPIC_COUNTS",
    "study assessor-effects": "papers.rankel_2016_assessors:ASSESSOR_EFFECTS",
    "study retraining": "papers.rankel_2016_assessors:RETRAINING",
    "study pyramid-gap": "papers.rankel_2016_assessors:PYRAMID_GAP",
    "study gap-exclusion": "papers.rankel_2016_assessors:GAP_EXCLUSION",
    "study agreement-exclusion": "papers.consistency:EXCLUSION",
    "study consistency": "papers.consistency:CONSISTENCY",
    "study check": "papers.checks:PRINTED_NUMBERS",
    "train summary": "pages.run_tables:SUMMARY_OF_RUN",
    "train predictions": "pages.run_tables:PREDICTIONS_OF_RUN",
    "train verdict": "pages.run_tables:VERDICT_OF_RUN",
    "train contributions": "pages.run_tables:CONTRIBUTIONS_OF_RUN",
    "train top": "pages.run_tables:BEST_SUBSETS",
    "train sizes": "pages.run_tables:BEST_OF_SIZES",
    "train inclusion": "pages.run_tables:INCLUSION",
    "train means": "pages.run_tables:MEANS_OF_RUN",
}
"""Where each answer is declared, by the name that its files carry."""


def declared_answer(name: str) -> Answer | None:
    """Give the answer of a file that is read back; None if its table is not declared."""
    return load_answer(name) if name in DECLARED else None


def load_answer(name: str) -> Answer:
    """Import the declaration of an answer."""
    answer: Answer = resolve_name(f"classy_aesop.{DECLARED[name]}")
    return answer


def names_of_command(command: str) -> list[str]:
    """Name the tables of a command, as they are typed: ``compare``, ``compare --pairs``, ``compare of preferences``."""
    return [name for name in DECLARED if name == command or name.startswith(f"{command} ")]


def answer_of(result: Result) -> Answer:
    """Give what is declared of a result; of a table that somebody else made, its columns are estimates."""
    declared = result.answer or declared_answer(result.kind)
    if declared is not None:
        return declared
    from classy_aesop.tables.answer import Answer

    caption = f"Table of {result.kind}" if result.kind else "Table"
    return Answer(result.kind, caption, columns=())
