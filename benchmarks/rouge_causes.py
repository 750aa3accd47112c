"""Why two programs give a summary different ROUGE scores: the effect of each cause alone, from NIST's options.

``python -m benchmarks.rouge_causes [CORPUS]`` prints the change of the mean of each metric and, in brackets, Kendall's
tau-b between the summarizers' means and those of the original.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import structs

from benchmarks.report import table
from classy_aesop.baselines.rouge import Rouge
from classy_aesop.baselines.rouge_metrics import MATCHES, ROUGE_STATISTICS, MatchScoring, RougeMetric
from classy_aesop.data.scores import add_stratum_columns
from classy_aesop.data.topics import Topic
from classy_aesop.features.counts import FeatureFunction, FeatureOptions, TopicCounts
from classy_aesop.features.rows import feature_rows
from classy_aesop.significance.correlations.coefficients import kendall
from classy_aesop.significance.equality import rounding_slack, snap_ties
from classy_aesop.text.arrays import Floats
from classy_aesop.text.stems import stem
from classy_aesop.text.tokens import blank_any_script, blank_like_rouge
from classy_aesop.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop import Corpus

METRICS: tuple[RougeMetric, ...] = ("ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-SU4")
LIMIT = 50
"""Words that summaries are cut to in one of the variants."""

_KEY = ["year", "topic", "task", "summarizer"]


def rouge_causes(corpus: Corpus, rouge_metrics: Iterable[RougeMetric] = METRICS) -> pd.DataFrame:
    """Change one setting of ROUGE at a time, and measure how the scores change.

    Summaries without references are left out. A row a cause and metric: ``cause, metric``; ``mean``, over all
    summaries; its ``difference`` from the mean recall of the original; ``largest``, the largest change of one summary;
    ``tau``, Kendall's tau-b of the summarizers' means with the original's; ``n`` summaries.
    """
    import pandas as pd

    names = tuple(rouge_metrics)
    original = _scores(Rouge(rounded=False, metrics=names).table(corpus, jackknife=False))
    rows = []
    for cause, scores in _variants(corpus, names):
        changed = _scores(scores).reindex(original.index)
        for metric in names:
            rows.append((cause, metric, *_changes(changed[metric], original[metric])))
    return pd.DataFrame(rows, columns=["cause", "metric", "mean", "difference", "largest", "tau", "n"])


def _changes(changed: pd.Series, original: pd.Series) -> tuple[float, float, float, float, int]:
    both = changed.notna() & original.notna()
    new, old = changed[both], original[both]
    level = ["year", "task", "summarizer"]
    means = [
        snap_ties(scores.groupby(level=level).mean().to_numpy(), rounding_slack(scores.to_numpy()))
        for scores in (new, old)
    ]
    tau = kendall(*means)
    return new.mean(), new.mean() - old.mean(), float((new - old).abs().max()), tau, int(both.sum())


def _scores(table: pd.DataFrame) -> pd.DataFrame:
    named = add_stratum_columns(table).assign(metric=table["metric"].str.replace("-[RPF]$", "", regex=True))
    return named.pivot(index=_KEY, columns="metric", values="score")


def _variants(corpus: Corpus, metrics: tuple[RougeMetric, ...]) -> Iterator[tuple[str, pd.DataFrame]]:
    plain = Rouge(rounded=False, metrics=metrics)
    settings = {
        "rounded to five decimals": replace(plain, rounded=True),
        "stems: none": replace(plain, stemming="none"),
        "stems: without exceptions": replace(plain, stemming="porter"),
        "stop words out": replace(plain, stop_words=True),
        "references: the best (-f B)": replace(plain, aggregate="best"),
        f"cut to {LIMIT} words (-l)": replace(plain, limit_words=LIMIT),
    }
    for cause, scorer in settings.items():
        yield cause, scorer.table(corpus, jackknife=False)
    yield "stems: nltk's Porter", _by_words(corpus, metrics, blank_like_rouge, _nltk_stem)
    yield "words: parted by white space only", _by_words(corpus, metrics, str.lower, stem)
    yield "words: letters of any script", _by_words(corpus, metrics, blank_any_script, stem)
    yield "references: mean of single recalls", _scored_each(corpus, metrics, _mean_recall)
    yield "references: greatest single F", _scored_each(corpus, metrics, _greatest_f)
    yield "references: one left out (jackknife)", plain.table(corpus, jackknife=True)
    yield "sentences: each text one", plain.table(_joined(corpus), jackknife=False)
    yield "sentences: split by rule", plain.table(corpus, jackknife=False, sentences="split")
    for letter, name in zip(ROUGE_STATISTICS[1:], ("precision", "F"), strict=True):
        yield f"{name} for recall", plain.table(corpus, jackknife=False, statistics=[letter])


def _joined(corpus: Corpus) -> Iterator[Topic]:
    def whole(texts: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(structs.replace(one, text=(" ".join(one.text),)) for one in texts)

    for topic in corpus.topics:
        yield replace(topic, summaries=whole(topic.summaries), references=whole(topic.references))


def _by_words(
    corpus: Corpus, metrics: tuple[str, ...], blanked: Callable[[str], str], stemmed: Callable[[str], str]
) -> pd.DataFrame:
    return _table(corpus, MatchScoring().functions(metrics), Vocabulary(blanked, stemmed))


def _scored_each(
    corpus: Corpus, metrics: tuple[str, ...], score: Callable[[str, TopicCounts], Floats]
) -> pd.DataFrame:
    functions: dict[str, FeatureFunction] = {metric: partial(score, metric) for metric in metrics}
    return _table(corpus, functions, Vocabulary(blank_like_rouge, stem))


def _table(corpus: Corpus, functions: dict[str, FeatureFunction], vocabulary: Vocabulary) -> pd.DataFrame:
    import pandas as pd

    options = FeatureOptions(sentences="given")
    parts = [
        pd.DataFrame({"summarizer": topic.summarizers, "score": values}).assign(
            year=topic.key[0], topic=topic.key[1], task=topic.key[2], metric=metric
        )
        for topic in feature_rows(corpus.topics, options, names=(), metrics=functions, vocabulary=vocabulary)
        for metric, values in topic.scores.items()
    ]
    return pd.concat(parts)


def _single(metric: str, topic: TopicCounts) -> tuple[Floats, Floats]:
    """Recall and precision of each pair of a summary and a reference, (n_pairs,)."""
    matches = MATCHES[metric](topic)
    reference_sizes = np.maximum(matches.reference_sizes, 1).take(topic.pairs.reference)
    summary_sizes = np.maximum(matches.summary_sizes, 1).take(topic.pairs.summary)
    recall = (matches.hits / reference_sizes) ** (1 / matches.power)
    precision = (matches.hits / summary_sizes) ** (1 / matches.power)
    return recall, precision


def _mean_recall(metric: str, topic: TopicCounts) -> Floats:
    mean: Floats = topic.sum_over_references(_single(metric, topic)[0]) / np.maximum(topic.n_met, 1)
    return mean


def _greatest_f(metric: str, topic: TopicCounts) -> Floats:
    """F against the reference for which it is highest, as in several packages."""
    recall, precision = _single(metric, topic)
    both = recall + precision
    return topic.max_over_references(2 * recall * precision / np.where(both > 0, both, 1))


@lru_cache(maxsize=1 << 16)
def _nltk_stem(word: str) -> str:
    """Stem with nltk's default, words of four letters or more."""
    from nltk.stem.porter import PorterStemmer

    return word if len(word) < 4 else str(PorterStemmer().stem(word))


def main() -> None:
    """Print a table of all causes."""
    from classy_aesop import read_corpus

    found = rouge_causes(read_corpus(sys.argv[1] if sys.argv[1:] else "data_samples/2023"))
    found["shown"] = [f"{row.difference:+.3f} ({row.tau:.2f})" for row in found.itertuples()]
    wide = found.pivot(index="cause", columns="metric", values="shown").loc[
        found["cause"].unique(), list(METRICS)
    ]
    print(
        table(
            ("cause", *METRICS),
            ((cause, *row) for cause, row in zip(wide.index, wide.to_numpy(), strict=True)),
        )
    )


if __name__ == "__main__":
    main()
