"""The predicted scores of a plain list of summaries, in one call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from classy_aesop.data.topics import ReferenceTexts, Texts, text_rows
from classy_aesop.errors import UsageError
from classy_aesop.keywords import explain_keywords
from classy_aesop.predictor.base import Predictor
from classy_aesop.predictor.published import WITH_REFERENCES, WITHOUT_REFERENCES
from classy_aesop.reading.given_tables import CorpusData, describe_kind, ensure_corpus
from classy_aesop.work.options import GivenColumns

if TYPE_CHECKING:
    import pandas as pd


@explain_keywords()
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


class Predicts(Protocol):
    """What can predict: a `Predictor`, or an `Experiment`, whose only predictor is meant."""

    def predict(self, data: Any, *, confidence: float | None = None) -> pd.DataFrame:
        """Score summaries."""
        ...


@explain_keywords()
def predict(
    predictor: str | Path | Predicts,
    data: CorpusData | Sequence[str] | pd.Series,
    *,
    columns: GivenColumns | None = None,
    confidence: float | None = None,
) -> pd.DataFrame:
    """Predict how humans would score summaries.

    Parameters
    ----------
    predictor : Predictor, Experiment, path-like or str
        What `train` gave or wrote, or a predictor that comes with the package (``published/news-content``).
    data : DataFrame, Corpus, path-like, or sequence of str
        The summaries: a table with a row a summary, a corpus, what `read_corpus` reads, or texts alone, which are
        scored by `score`.
    columns : mapping, optional
        What columns of a table are, where their names do not say so, see `Corpus.from_rows`.
    confidence : float, optional
        That of an interval for each score, e.g. 0.9.

    Returns
    -------
    DataFrame
        A score table, see `Predictor.predict`.

    Raises
    ------
    UsageError
        The predictor or the data are nothing of this, or the predictor has no such interval.
    InputError, FileNotFoundError
        As `Predictor.load` and `Predictor.predict`.

    Examples
    --------
    >>> rows = [{"topic": "1", "system": "a", "summary": "Rain fell.", "reference": "Rain fell all day."}]
    >>> predict("published/news-content", rows)[["summarizer", "metric"]].values.tolist()
    [['a', 'published/news-content']]
    """
    if isinstance(predictor, str | Path):
        loaded: Predicts = Predictor.load(predictor)
    elif hasattr(predictor, "predict"):
        loaded = predictor
    else:
        kind = describe_kind(predictor)
        raise UsageError(f"predictor is {kind}; expected what train gave, a file of it, or published/NAME")
    if is_list_of_texts(data):
        if not isinstance(loaded, Predictor):
            raise UsageError("data are texts alone; expected a table with the topic and the system of each")
        return score(data, predictor=loaded, confidence=confidence)  # type: ignore[arg-type]
    return loaded.predict(ensure_corpus(data, columns=columns), confidence=confidence)  # type: ignore[arg-type]


def is_list_of_texts(data: object) -> bool:
    """Whether data are texts alone: a list of strings, or a pandas Series."""
    import pandas as pd

    if isinstance(data, pd.Series):
        return True
    return isinstance(data, list | tuple) and bool(data) and all(isinstance(text, str) for text in data)
