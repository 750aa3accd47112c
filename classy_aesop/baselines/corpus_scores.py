"""BLEU and NIST of all summaries of a summarizer together, as machine translation is scored: a score a summarizer.

BLEU (Papineni et al. 2001) is the geometric mean of the clipped precisions of 1- to 4-grams, pooled over all summaries,
times a penalty for brevity: Lin and Hovy (2003), equations 2 to 4. NIST (Doddington 2002) adds up the information of
the matched 1- to 5-grams, log2 of how much rarer they are in the references than their beginnings, as nltk has it.
Tokens are ROUGE's, without stems. Tests of summarizers need a score a summary: BLEU of single summaries is the baseline
``bleu``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from classy_aesop.data.topics import Topic
from classy_aesop.text.tokens import blank_like_rouge

if TYPE_CHECKING:
    import pandas as pd


class CorpusScore(NamedTuple):
    """A row of `corpus_scores`: the score of all summaries of a summarizer together.

    ``metric`` is ``BLEU`` (``score`` from 0 to 1) or ``NIST`` (0 or more); ``n_references`` is the most references that
    a summary was compared with.
    """

    year: str
    task: str
    summarizer: str
    metric: str
    n_references: int
    score: float


BLEU_LENGTH = 4
"""The longest n-grams of BLEU."""

NIST_LENGTH = 5
"""The longest n-grams of NIST."""

TokenizedSummary = tuple[list[str], list[list[str]]]
"""The tokens of a summary, and those of each reference that it is compared with."""


def corpus_scores(topics: Iterable[Topic], *, max_references: int | None = None) -> pd.DataFrame:
    """Score every summarizer of each year and task by BLEU and NIST of all its summaries.

    Examples
    --------
    >>> from classy_aesop import Corpus
    >>> texts = {"text": "The cat sat on the mat.", "references": {"A": "The cat sat on a mat."}}
    >>> row = {"topic": "t", "summarizer": "1", **texts}
    >>> corpus_scores(Corpus.from_rows([row]))[["metric", "score"]].round(4).values.tolist()
    [['BLEU', 0.5373], ['NIST', 2.1541]]
    """
    import pandas as pd

    summaries_of_key: dict[tuple[str, str, str], list[TokenizedSummary]] = {}
    for topic in topics:
        references = [_tokenize(reference.text) for reference in topic.references]
        for summary in topic.summaries:
            references_met = [
                tokens
                for tokens, meets in zip(references, topic.meets(summary), strict=True)
                if meets and tokens
            ][:max_references]
            if references_met:
                key = (topic.year, topic.task, summary.summarizer)
                tokenized = (_tokenize(summary.text), references_met)
                summaries_of_key.setdefault(key, []).append(tokenized)
    rows = []
    for key, summaries in summaries_of_key.items():
        if any(tokens for tokens, _ in summaries):
            n_references = max(len(references_met) for _, references_met in summaries)
            rows.append(CorpusScore(*key, "BLEU", n_references, corpus_bleu(summaries)))
            rows.append(CorpusScore(*key, "NIST", n_references, corpus_nist(summaries)))
    return pd.DataFrame(rows, columns=CorpusScore._fields)


def _tokenize(sentences: Iterable[str]) -> list[str]:
    """Return ROUGE's tokens of a text, unstemmed."""
    return [token for sentence in sentences for token in blank_like_rouge(sentence).split()]


def corpus_bleu(summaries: list[TokenizedSummary]) -> float:
    """Return BLEU of summaries with their references, as tokens; 0 if some length has no match.

    A reference's length is the one that is nearest to the summary's, of two the shorter. nltk's BLEU counts an n-gram
    in a text that is too short for any, so only its penalty is used.
    """
    from nltk.translate import bleu_score

    matches = np.zeros(BLEU_LENGTH)
    totals = np.zeros(BLEU_LENGTH)
    for tokens, references in summaries:
        for n in range(1, BLEU_LENGTH + 1):
            counts = count_ngrams(tokens, n)
            max_reference_counts = Counter[tuple[str, ...]]()
            for reference in references:
                max_reference_counts |= count_ngrams(reference, n)
            matches[n - 1] += (counts & max_reference_counts).total()
            totals[n - 1] += counts.total()
    if not matches.all():
        return 0.0
    length = sum(len(tokens) for tokens, _ in summaries)
    reference_length = sum(
        bleu_score.closest_ref_length(references, len(tokens)) for tokens, references in summaries
    )
    penalty = bleu_score.brevity_penalty(reference_length, length)
    return float(penalty * np.exp(np.mean(np.log(matches / totals))))


def count_ngrams(tokens: list[str], n: int) -> Counter[tuple[str, ...]]:
    """Count the n-grams of a text."""
    return Counter(zip(*(tokens[start:] for start in range(n)), strict=False))


def corpus_nist(summaries: list[TokenizedSummary]) -> float:
    """Return NIST of summaries with their references, as tokens."""
    from nltk.translate import nist_score

    references_of_summaries = [references for _, references in summaries]
    tokens_of_summaries = [tokens for tokens, _ in summaries]
    max_length = min(NIST_LENGTH, max(map(len, tokens_of_summaries)))
    return float(nist_score.corpus_nist(references_of_summaries, tokens_of_summaries, max_length))
