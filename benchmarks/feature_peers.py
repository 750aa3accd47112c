"""ROUGE by other packages and by plain Counters, on the same texts: the pooled recall of ROUGE-2 and ROUGE-SU4."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from classy_aesop.data import Topic
from classy_aesop.text.stems import Stemming, stem

Array = NDArray[np.float64]
Counts = Counter[tuple[str, ...]]

SPAN = 5
WORD = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True)
class Case:
    """One summary with its references; a text has one sentence per line."""

    summary: str
    references: tuple[str, ...]


def cases(topics: Iterable[Topic]) -> list[Case]:
    """List the summaries of some topics in order."""
    return [
        Case(
            "\n".join(summary.text),
            tuple(
                "\n".join(one.text)
                for one, met in zip(topic.references, topic.meets(summary), strict=True)
                if met
            ),
        )
        for topic in topics
        for summary in topic.summaries
    ]


def words(text: str) -> list[str]:
    """Tokenize like ROUGE-1.5.5."""
    return WORD.findall(text.lower())


# --- plain Counters ---


def by_counters(given: Sequence[Case]) -> Array:
    """Counters, each text counted once, stems remembered."""
    stemmed = lru_cache(maxsize=None)(stem.__wrapped__)
    counted = lru_cache(maxsize=None)(lambda text: _counts([stemmed(word) for word in words(text)]))
    return np.array(
        [_recalls(counted(case.summary), [counted(r) for r in case.references]) for case in given]
    )


def _counts(tokens: Sequence[str]) -> tuple[Counts, Counts, Counts]:
    """Count unigrams, bigrams, and skip-bigrams with all unigrams but the last."""
    singles: list[tuple[str, ...]] = [(token,) for token in tokens]
    skips: list[tuple[str, ...]] = [
        pair for gap in range(1, SPAN + 1) for pair in zip(tokens, tokens[gap:], strict=False)
    ]
    bigrams: list[tuple[str, ...]] = list(pairwise(tokens))
    return Counter(singles), Counter(bigrams), Counter(skips + singles[:-1])


def _recalls(summary: Sequence[Counts], references: Sequence[Sequence[Counts]]) -> list[float]:
    """Pool ROUGE-1, ROUGE-2 and ROUGE-SU4 over the references; give the latter two."""
    recalls = []
    for kind, own in enumerate(summary):
        hits = sum(
            min(n, own[term])
            for reference in references
            for term, n in reference[kind].items()
            if term in own
        )
        recalls.append(hits / max(1, sum(reference[kind].total() for reference in references)))
    return recalls[1:]


# --- packages ---


def by_rouge_score(given: Sequence[Case]) -> Array:
    """The rouge-score package: ROUGE-1 and ROUGE-2 against each reference, pooled here."""
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(["rouge1", "rouge2"], use_stemmer=True)
    recalls = []
    for case in given:
        found = [scorer.score(reference, case.summary)["rouge2"].recall for reference in case.references]
        sizes = [max(0, len(words(reference)) - 1) for reference in case.references]
        recalls.append([float(np.dot(found, sizes)) / max(1, sum(sizes)), np.nan])
    return np.array(recalls)


def by_pyrouge(given: Sequence[Case]) -> Array:
    """The rouge-metric package's own Python: ROUGE-1, ROUGE-2, ROUGE-SU4, unstemmed."""
    from rouge_metric import PyRouge

    scorer = PyRouge(rouge_n=(1, 2), rouge_l=False, rouge_su=True, skip_gap=SPAN - 1, mode="individual")
    found = scorer.evaluate(
        [case.summary for case in given], [list(case.references) for case in given], tokenizer=words
    )
    return np.array([[scores["rouge-2"]["r"], scores["rouge-su4"]["r"]] for scores in found])


def why_not(module: str) -> str:
    """Say that a package is not installed; empty if it is."""
    return "" if find_spec(module) else "not installed"


@dataclass(frozen=True)
class Peer:
    """Another implementation of ROUGE.

    Parameters
    ----------
    name : str
    score : callable
        From cases to recalls (n_cases, 2) of ROUGE-2 and ROUGE-SU4, NaN for what it has not.
    stemming : str
        Which of our ways of stemming is nearest.
    agrees : float, optional
        How far its recalls may be from ours; None where its stems are others.
    absent : callable
        Explains why it cannot run; empty if it can.
    part : float
        Which part of the size's topics for slow peers it scores.
    """

    name: str
    score: Callable[[Sequence[Case]], Array]
    stemming: Stemming
    agrees: float | None
    absent: Callable[[], str]
    part: float = 1.0


PEERS = (
    Peer("rouge-score (R1 R2)", by_rouge_score, "porter", None, lambda: why_not("rouge_score"), 0.5),
    Peer("rouge-metric PyRouge (R1 R2 SU4)", by_pyrouge, "none", 1e-12, lambda: why_not("rouge_metric")),
    Peer("plain Counters (R1 R2 SU4)", by_counters, "exceptions", 1e-12, lambda: "", 4.0),
)
