"""Predict how humans would score a summary, and test which systems and metrics really differ.

The public names load when they are first used, so importing one part never loads another.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from classy_aesop.version import __version__

_HOMES = {
    name: module
    for module, names in {
        "answers.assessors": "assessors",
        "answers.estimates": "estimate estimate_differences",
        "answers.bias": "evaluate_bias",
        "answers.metric_pairs": "evaluate_pairs",
        "answers.metrics": "evaluate",
        "answers.raters": "rater_reliability",
        "answers.systems": "compare compare_pairs",
        "answers.topic_plans": "power",
        "answers.preferences": "evaluate_by_preferences",
        "answers.selection": "Selection",
        "baselines.rouge": "Rouge rouge",
        "baselines.baseline_scores": "score_baselines",
        "config": "Config read_config",
        "data.preference_records": "Preferences",
        "errors": "DataWarning InputError UsageError",
        "estimators": "SubsetSearchRegressor SummaryFeatures",
        "features.counts": "FeatureOptions",
        "features.table": "feature_table summary_features",
        "predictor": "Predictor",
        "predictor.texts": "predict score",
        "reading.given_tables": "read_preferences",
        "reading": "Corpus Stream read_corpus read_humans read_scores",
        "pages.formats": "read_result",
        "tables.result": "Result",
        "training.experiment": "Experiment train",
    }.items()
    for name in names.split()
}
"""Where each public name lives."""

_COMMANDS_ELSEWHERE = {
    "PeerSelection": "Selection",
    "agreement": "classy_aesop.papers.rankel_2013.label_agreement",
    "assessor_exclusion": "classy_aesop.papers.consistency.agreement_exclusion",
    "baselines": "score_baselines",
    "cohen_kappa": "assessors",
    "cohen_kappa_score": "assessors",
    "compare_metric_pairs": "evaluate_pairs",
    "compare_metrics": "evaluate_pairs",
    "correlate": "evaluate",
    "correlation": "evaluate",
    "features": "feature_table",
    "krippendorff": "assessors",
    "krippendorff_alpha": "assessors",
    "leaderboard": "evaluate",
    "load": "read_scores",
    "load_data": "read_scores",
    "pearsonr": "evaluate",
    "plot": "RESULT.plot()",
    "power_analysis": "power",
    "rank": "compare",
    "read_csv": "read_scores",
    "read_excel": "read_scores",
    "spearmanr": "evaluate",
    "ttest": "compare",
    "ttest_rel": "compare",
    "wilcoxon": "compare(SCORES, test='wilcoxon')",
    "report": "RESULT.to_html(PATH)",
    "validate": "print(read_corpus(PATH))",
}
"""What Python has instead of commands and former names that are no functions here."""

__all__ = [
    "Config",
    "Corpus",
    "DataWarning",
    "Experiment",
    "FeatureOptions",
    "InputError",
    "Predictor",
    "Preferences",
    "Result",
    "Rouge",
    "Selection",
    "Stream",
    "SubsetSearchRegressor",
    "SummaryFeatures",
    "UsageError",
    "__version__",
    "assessors",
    "compare",
    "compare_pairs",
    "estimate",
    "estimate_differences",
    "evaluate",
    "evaluate_bias",
    "evaluate_by_preferences",
    "evaluate_pairs",
    "feature_table",
    "power",
    "predict",
    "rater_reliability",
    "read_config",
    "read_corpus",
    "read_humans",
    "read_preferences",
    "read_result",
    "read_scores",
    "rouge",
    "score",
    "score_baselines",
    "summary_features",
    "train",
]

if TYPE_CHECKING:
    from classy_aesop.answers.assessors import assessors
    from classy_aesop.answers.bias import evaluate_bias
    from classy_aesop.answers.estimates import estimate, estimate_differences
    from classy_aesop.answers.metric_pairs import evaluate_pairs
    from classy_aesop.answers.metrics import evaluate
    from classy_aesop.answers.preferences import (
        evaluate_by_preferences,
    )
    from classy_aesop.answers.raters import rater_reliability
    from classy_aesop.answers.selection import Selection
    from classy_aesop.answers.systems import compare, compare_pairs
    from classy_aesop.answers.topic_plans import power
    from classy_aesop.baselines.baseline_scores import score_baselines
    from classy_aesop.baselines.rouge import Rouge, rouge
    from classy_aesop.config import Config, read_config
    from classy_aesop.data.preference_records import Preferences
    from classy_aesop.errors import DataWarning, InputError, UsageError
    from classy_aesop.estimators import SubsetSearchRegressor, SummaryFeatures
    from classy_aesop.features.counts import FeatureOptions
    from classy_aesop.features.table import feature_table, summary_features
    from classy_aesop.pages.formats import read_result
    from classy_aesop.predictor import Predictor
    from classy_aesop.predictor.texts import predict, score
    from classy_aesop.reading import Corpus, read_corpus, read_humans, read_scores
    from classy_aesop.reading.given_tables import read_preferences
    from classy_aesop.tables.result import Result
    from classy_aesop.training.experiment import Experiment, train


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        from classy_aesop.keywords import nearest_name

        instead = _COMMANDS_ELSEWHERE.get(name) or nearest_name(name, __all__)
        advice = f"; write {instead}" if instead else ""
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{advice}")
    value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
