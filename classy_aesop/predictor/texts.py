"""The predicted scores of a plain list of summaries, in one call."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from classy_aesop.data.topics import ReferenceTexts, Texts, text_rows
from classy_aesop.errors import UsageError
from classy_aesop.predictor.base import Predictor
from classy_aesop.predictor.published import WITH_REFERENCES, WITHOUT_REFERENCES

if TYPE_CHECKING:
    import pandas as pd


def score(
    summaries: Texts,
    references: ReferenceTexts | None = None,
    *,
    predictor: str | Path | Predictor | None = None,
    topics: Iterable[object] | None = None,
    summarizers: Iterable[object] | None = None,
    confidence: float | None = None,
    alone: bool | None = None,
    n_jobs: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Predict how humans would score a list of summaries.

    Parameters
    ----------
    summaries : iterable of str
        One text a row; a list of strings is a text in sentences.
    references : iterable of str or of lists
        The reference of each summary, or the list of its references; an empty list if it has none. Without any a
        summary is compared with the others of its topic.
    predictor : str, path-like or Predictor, optional
        A file of ``train``, or a predictor that comes with the package: by default ``published/news-content`` with
        references and ``published/news-relevance`` without; docs/prediction.md says how good these are.
    topics, summarizers : iterables, optional
        What each row is about, and who wrote it, if the result is compared by topic or summarizer. They change no score
        of summaries that are scored by themselves.
    confidence : float, optional
        That of an interval for each score, e.g. 0.9.
    alone : bool, optional
        Whether each summary is scored by itself; else beside the others of its topic, if the predictor can. By default
        if there are references.
    n_jobs, progress
        As for `feature_table`.

    Returns
    -------
    DataFrame
        A score table: ``topic, summarizer, metric, score`` and what else `Predictor.predict` gives, a row a summary,
        in their order and with their index if they are a pandas Series. `text_rows` says how topics and
        summarizers are called that are not given.

    Raises
    ------
    InputError
        As `text_rows` and `Predictor.predict`.
    UsageError
        There is no such predictor that comes with the package, or it has no interval; or there are neither references
        nor topics.

    Examples
    --------
    >>> scores = score(
    ...     ["It rained all day.", "Snow fell."],
    ...     ["Rain fell all day.", "Snow fell."],
    ... )
    >>> scores["score"].rank().tolist()
    [1.0, 2.0]
    """
    alone = references is not None if alone is None else alone
    if references is None and topics is None and not alone:
        raise UsageError(
            "neither references nor topics; expected the topic of each summary, to compare it with others"
        )
    if predictor is None:
        predictor = WITHOUT_REFERENCES if references is None else WITH_REFERENCES
    loaded = predictor if isinstance(predictor, Predictor) else Predictor.load(predictor)
    rows = text_rows(summaries, references, topics=topics, summarizers=summarizers)
    scorer = loaded.to_standalone() if alone else loaded
    scores = (
        scorer.predict(rows.topics, confidence=confidence, n_jobs=n_jobs, progress=progress)
        if rows.topics
        else scorer.unscored_table((), confidence)
    )
    return rows.table(scores, like=summaries).assign(metric=loaded.name)
