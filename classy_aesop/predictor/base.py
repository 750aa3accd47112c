"""The fixed weights that a search found: saved as JSON, loaded and applied to new summaries.

A predictor is data: the columns it reads, the formula that it computes with, and what it was made from. Its file is
readable, has a version and a checksum, and runs no code when it is loaded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from classy_aesop.data import KEYS, key_table
from classy_aesop.data.leaks import Copies
from classy_aesop.data.scores import add_stratum_columns, average_scores, drop_empty_stratum_columns
from classy_aesop.errors import InputError, UsageError, join_names
from classy_aesop.features.counts import FeatureOptions
from classy_aesop.features.registry import abridge_columns, is_peer_feature
from classy_aesop.features.table import TopicSource
from classy_aesop.formulas import Formula
from classy_aesop.formulas.base import BASELINE_PART
from classy_aesop.keywords import nearest_name
from classy_aesop.predictor.calibration import Calibration
from classy_aesop.predictor.division import (
    Reasons,
    SummaryKey,
    add_unscored,
    rows_of_corpus,
    rows_of_scores,
    summary_keys,
)
from classy_aesop.predictor.file import FORMAT, FORMAT_VERSION, from_text, read_body, write_body
from classy_aesop.predictor.intervals import (
    RETRAIN,
    add_to_means,
    add_to_scores,
    check_confidence,
    require_calibration,
)
from classy_aesop.predictor.published import all_published, published_fields, read_ready_predictors
from classy_aesop.predictor.streams import predict_stream
from classy_aesop.predictor.table_checks import TrainingRange, check_overflow, check_table
from classy_aesop.predictor.within import (
    FormulaInput,
    WithinForm,
    contributions_of,
    explanation,
    warn_of_few_peers,
)
from classy_aesop.reading.streaming import UNSCORED, Stream, StreamedTable
from classy_aesop.work.records import signature

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.data.topics import Topic
    from classy_aesop.reading.score_tables import ScoreTables


@dataclass(frozen=True)
class Predictor:
    """A score of summaries on the scale of a human measure, computed from features by a formula.

    Parameters
    ----------
    name : str
        What its scores are called, e.g. ``25-A-all_peers``.
    target : str
        The human measure that it predicts.
    task, peers : str
        What it was trained for: ``A`` or ``B`` (or ``""``); ``no_models`` or ``all_peers``.
    fitter : str
        The method that found the weights.
    columns : tuple of str
        Feature columns it reads, named as `feature_table` names them.
    formula : Formula
        What is computed from the raw (not standardized) values of the columns: weights and a constant, or trees.
    features : FeatureOptions
        How the features are computed.
    references : mapping of str to tuple of int
        Reference counts seen in training: ``own_system``, ``own_human``, ``earlier``; empty where nothing was seen.
    training : mapping
        Years, rows, selection score and options, for human readers.
    imported : tuple of str
        Those of its columns that are imported metrics, and not computed from the corpus.
    training_range : TrainingRange, optional
        Range and mean of each column in training.
    calibration : Calibration, optional
        How far it was off on held-out topics and summarizers, for intervals.
    grades : (float, float), optional
        The lowest and the highest judgment in training, if its scores are on their scale.
    within : WithinForm, optional
        What it computes from a summary's differences from the others of its topic; without it every summary is scored
        by itself.

    Raises
    ------
    InputError
        A column appears twice, or the formula or the training range has another number of columns.

    Examples
    --------
    >>> from classy_aesop import Corpus
    >>> from classy_aesop.formulas import Linear
    >>> predictor = Predictor("by hand", "quality", "", "no_models", "none", ("r2", "r1"), Linear((2.0, 1.0), 1.0))
    >>> rows = [{"topic": "1", "system": "a", "summary": "Rain fell.", "reference": "Rain fell all day."}]
    >>> predictor.predict(Corpus.from_rows(rows))[["summarizer", "metric", "score"]].round(3).values.tolist()
    [['a', 'by hand', 2.167]]
    """

    name: str
    target: str
    task: str
    peers: str
    fitter: str
    columns: tuple[str, ...]
    formula: Formula
    features: FeatureOptions = field(default_factory=FeatureOptions)
    references: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    training: Mapping[str, Any] = field(default_factory=dict)
    imported: tuple[str, ...] = ()
    training_range: TrainingRange | None = None
    calibration: Calibration | None = None
    grades: tuple[float, float] | None = None
    within: WithinForm | None = None

    def __post_init__(self) -> None:
        n_columns = len(self.columns)
        repeated = [name for name, count in Counter(self.columns).items() if count > 1]
        if repeated:
            raise InputError(f"columns: {join_names(repeated)} twice; expected different names")
        try:
            self.formula.check_columns(n_columns)
        except ValueError as error:
            raise InputError(f"formula: {error}") from None
        if self.training_range is not None:
            self.training_range.check_columns(n_columns)

    @property
    def signature(self) -> str:
        """One line that says how the scores come about: version, fitter, columns, years, options, seed."""
        return signature(name=self.name, **self.recorded_options)

    @property
    def recorded_options(self) -> dict[str, object]:
        """What its signature records, without its name and the version."""
        return {
            "target": self.target,
            "fitter": self.fitter,
            "columns": abridge_columns(self.columns),
            **({"within": abridge_columns(self.within.plain)} if self.within else {}),
            "years": self.training.get("years"),
            **self.features.to_dict(),
            "seed": self.training.get("seed"),
        }

    @property
    def plain_columns(self) -> tuple[str, ...]:
        """All columns that it needs, as they are before they are made relative to the topic."""
        return tuple(dict.fromkeys((*self.columns, *(self.within.plain if self.within else ()))))

    def computed_of(self, columns: Iterable[str]) -> list[str]:
        """Give the columns that are computed from texts, and not imported."""
        return [column for column in columns if column not in self.imported]

    def to_standalone(self) -> Predictor:
        """Return the predictor that scores every summary by itself, whoever else is there.

        Raises
        ------
        UsageError
            It reads features that look at the other summaries.
        """
        of_peers = [name for name in self.columns if is_peer_feature(name)]
        if of_peers:
            raise UsageError(
                f"predictor {self.name} reads {join_names(of_peers)}, which look at the other summaries of a topic; "
                "expected one that can score a summary alone"
            )
        if self.within is None:
            return self
        return replace(self, within=None, calibration=self.within.calibration_alone)

    def __repr__(self) -> str:
        """Write what it predicts, from what, and what it learned from, in one line."""
        years = " ".join(map(str, self.training.get("years", ())))
        learned = f", learned on {years}" if years else ""
        n_columns = len(self.columns)
        source = f"{n_columns} column{'s' * (n_columns != 1)} ({join_names(self.columns)})"
        return f"Predictor({self.name}: {self.target} from {source} by {self.fitter}{learned})"

    @overload
    def predict(
        self,
        corpus: TopicSource | None = ...,
        *,
        scores: ScoreTables | None = ...,
        copies: Copies = ...,
        confidence: float | None = ...,
        n_jobs: int = ...,
        progress: bool = ...,
    ) -> pd.DataFrame: ...

    @overload
    def predict(
        self,
        corpus: Stream,
        *,
        scores: ScoreTables | None = ...,
        copies: Copies = ...,
        confidence: float | None = ...,
        n_jobs: int = ...,
        progress: bool = ...,
    ) -> StreamedTable: ...

    def predict(
        self,
        corpus: TopicSource | Stream | None = None,
        *,
        scores: ScoreTables | None = None,
        copies: Copies = "keep",
        confidence: float | None = None,
        n_jobs: int = 1,
        progress: bool = False,
    ) -> pd.DataFrame | StreamedTable:
        """Score every summary.

        The score of a summary that cannot be scored is NaN, and one `DataWarning` counts them: those of another task (a
        task of ``""`` fits every predictor), and those that lack the references that its columns need. A predictor
        without columns of an update task compares with a topic's own references only. The imported metrics that it
        reads come from ``scores``, a score table; a summary that lacks one is NaN, with a warning.

        Parameters
        ----------
        corpus : Corpus, iterable of Topic, path-like or Stream, optional
            The summaries. By default those that ``scores`` has, in its order, for a predictor that reads imported
            metrics alone and no text.
        scores : DataFrame, or sequence of DataFrame, optional
            Imported metrics, beside those that came with the corpus.
        copies : {"keep", "without", "exclude"}
            What is done with summaries that repeat a reference, see `treat_copies`.
        confidence : float, optional
            That of an interval for each score, e.g. 0.9; see `Calibration`. A `DataWarning` says so where it
            holds for the year of training alone.
        n_jobs, progress
            As for `feature_table`.

        Returns
        -------
        DataFrame
            A score table: ``year, topic, task, summarizer, metric, score``, in the order of the corpus. A
            predictor with a form within topics adds ``form``, how the summary was scored: ``within``, beside others,
            ``few``, beside few others, or ``alone``; the last two have the wider intervals of summaries by themselves.
            With ``confidence`` it has ``low`` and ``high``; ``group``, ``systems`` or ``humans``, if these have other
            intervals; and ``beyond``: which of ``score``, ``low`` and ``high`` lie beyond the
            grades in training, where the predictor holds them. Where it holds its training range, ``outside`` names the
            columns that are outside it, ``""`` if none is. Of a `Stream` it is a `StreamedTable`.

        Raises
        ------
        InputError
            No summary at all can be scored, an imported metric is not there, or there are only scores and the predictor
            reads texts.
        UsageError
            The predictor has no interval, or none of this confidence; there is nothing to score.
        """
        check_confidence(self, confidence, has_warned=isinstance(corpus, Stream))
        if isinstance(corpus, Stream):
            predict = partial(self.predict, copies=copies, confidence=confidence)
            unscored_table = partial(self.unscored_table, confidence=confidence)
            return predict_stream(self, corpus, scores, predict, unscored_table, n_jobs=n_jobs)
        rows = (
            rows_of_scores(self, scores)
            if corpus is None
            else rows_of_corpus(self, corpus, scores, copies, n_jobs=n_jobs, progress=progress)
        )
        predictions, values = self._score(rows.table, rows.without_reference, rows.unscored)
        predictions = add_to_scores(self, predictions, rows.table["human"], confidence)
        if self.training_range is not None:
            outside = self.training_range.outside(values.plain, self.columns)
            predictions = predictions.assign(outside=outside)
        return drop_empty_stratum_columns(add_unscored(predictions, rows.unscored, rows.order))

    def unscored_table(self, topics: Iterable[Topic], confidence: float | None = None) -> pd.DataFrame:
        """Give the table of `predict` for topics, possibly none, of which no summary can be scored."""
        numbers = ["score"]
        texts: dict[str, object] = {"form": self.within}
        if confidence is not None:
            numbers += ["low", "high"]
            texts |= {"group": require_calibration(self).humans, "beyond": self.grades}
        texts["outside"] = self.training_range
        table = key_table(summary_keys(topics)).assign(metric=self.name)
        table = table.assign(**dict.fromkeys(numbers, float("nan")))
        table = table.assign(**{name: "" for name, source in texts.items() if source})
        table.attrs[UNSCORED] = True
        return table

    def means(
        self,
        predictions: pd.DataFrame | StreamedTable,
        *,
        confidence: float | None = None,
    ) -> pd.DataFrame:
        """Average predictions by summarizer, within each year and task that the predictor can score.

        Parameters
        ----------
        predictions : DataFrame or StreamedTable
            From `predict`; with its ``group`` humans have their own intervals, if the predictor has them.
        confidence
            As for `predict`, of the means.

        Returns
        -------
        DataFrame
            ``year, task, summarizer, metric, n_topics, mean``, and with ``confidence`` its ends ``low`` and ``high``:
            those of a new summarizer's mean judgment over as many new topics; ``group`` and ``beyond`` as `predict`.

        Raises
        ------
        UsageError
            As `predict`.
        """
        parts = predictions if isinstance(predictions, StreamedTable) else [predictions]
        means = average_scores(parts)
        check_confidence(self, confidence, has_warned=parts is predictions or "low" in predictions)
        return drop_empty_stratum_columns(add_to_means(self, means, confidence))

    @overload
    def explain(
        self,
        corpus: TopicSource,
        *,
        scores: ScoreTables | None = ...,
        copies: Copies = ...,
        n_jobs: int = ...,
        progress: bool = ...,
    ) -> pd.DataFrame: ...

    @overload
    def explain(
        self,
        corpus: Stream,
        *,
        scores: ScoreTables | None = ...,
        copies: Copies = ...,
        n_jobs: int = ...,
        progress: bool = ...,
    ) -> StreamedTable: ...

    def explain(
        self,
        corpus: TopicSource | Stream,
        *,
        scores: ScoreTables | None = None,
        copies: Copies = "keep",
        n_jobs: int = 1,
        progress: bool = False,
    ) -> pd.DataFrame | StreamedTable:
        """Give what each column contributes to each predicted score, in units of the human measure.

        Parameters
        ----------
        corpus, scores, copies, n_jobs, progress
            As for `predict`. Summaries of another task have no rows.

        Returns
        -------
        DataFrame
            ``year, topic, task, summarizer, metric, part, value, mean, contribution``: for each summary a row
            ``baseline``, then a row a column with its value, its mean in training and what it adds, see
            `explanation`. Contributions of a summary sum to its predicted score.

        Raises
        ------
        InputError
            As `predict`.
        UsageError
            The predictor does not know the training means: its weights are published.
        """
        mean = self._require_training_range().mean
        if isinstance(corpus, Stream):
            explain = partial(self.explain, copies=copies)
            return predict_stream(self, corpus, scores, explain, n_jobs=n_jobs)
        rows = rows_of_corpus(self, corpus, scores, copies, n_jobs=n_jobs, progress=progress)
        values = self._values(rows.table, rows.without_reference, rows.unscored)
        contributions = self._contributions(values)
        check_overflow(self.name, np.abs(contributions).max(axis=1), values.plain)
        keys = rows.table[KEYS].assign(metric=self.name)
        columns = np.hstack([values.plain, values.relative])
        return drop_empty_stratum_columns(explanation(keys, self.parts, columns, mean, contributions))

    @property
    def parts(self) -> tuple[str, ...]:
        """The components of a score: the baseline, its columns, and the relative ones."""
        return (BASELINE_PART, *self.columns, *(self.within.columns if self.within else ()))

    def _require_training_range(self) -> TrainingRange:
        """Give the range of its columns in training; `UsageError` if there is none."""
        if self.training_range is None:
            raise UsageError(f"predictor {self.name} does not hold the means of training; {RETRAIN}")
        return self.training_range

    def score(self, table: pd.DataFrame, *, without_reference: Collection[SummaryKey] = ()) -> pd.DataFrame:
        """Score the rows of a feature table; see `predict` for what is returned and raised.

        The summaries ``without_reference``, which are meant to have no reference, are not counted in a warning.
        """
        return drop_empty_stratum_columns(self._score(add_stratum_columns(table), without_reference, {})[0])

    def _score(
        self,
        table: pd.DataFrame,
        without_reference: Collection[SummaryKey],
        unscored: Reasons,
    ) -> tuple[pd.DataFrame, FormulaInput]:
        """Score the rows of a feature table; give what was read of them, too."""
        values = self._values(table, without_reference, unscored)
        with np.errstate(over="ignore", invalid="ignore"):
            parts = values.parts(self.formula, self.within, lambda formula, X: formula.predict(X)[:, None])
        check_overflow(self.name, parts.score, values.plain)
        import pandas as pd

        scores = {**{name: table[name].array for name in KEYS}, "metric": self.name, "score": parts.score}
        if self.within is not None:
            n_in_training = self.training.get("least_company", 0)
            warn_of_few_peers(self.name, table, values.topics, self.within, parts, n_in_training)
            scores["form"] = parts.form
        return pd.DataFrame(scores), values

    def contributions(self, table: pd.DataFrame) -> NDArray[np.float64]:
        """Divide the score of each row of a feature table into `parts`, a column each, which sum to the score."""
        return self._contributions(
            FormulaInput.from_table(add_stratum_columns(table), self.columns, self.within, peers=self.peers)
        )

    def _contributions(self, values: FormulaInput) -> NDArray[np.float64]:
        """Divide scores into contributions, which may overflow."""
        with np.errstate(over="ignore", invalid="ignore"):
            return contributions_of(values, self.formula, self.within, self._require_training_range().mean)

    def _values(
        self,
        table: pd.DataFrame,
        without_reference: Collection[SummaryKey],
        unscored: Reasons,
    ) -> FormulaInput:
        """Read from a feature table what the formulas need; refuse a table of which no row can be scored."""
        check_table(self, table, without_reference, unscored)
        return FormulaInput.from_table(table, self.columns, self.within, peers=self.peers)

    def to_dict(self) -> dict[str, object]:
        """Give all that is saved, without the checksum."""
        parts = {"features": self.features.to_dict(), "formula": self.formula.to_dict()}
        if self.within is not None:
            few = self.within.few and self.within.few.to_dict()
            parts["within"] = {**asdict(self.within), "formula": self.within.formula.to_dict(), "few": few}
        return {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "signature": self.signature,
            **asdict(self),
            **parts,
        }

    def save(self, path: str | Path) -> None:
        """Write the predictor as JSON, whole or not at all."""
        write_body(self.to_dict(), path)

    @classmethod
    def load(cls, path: str | Path) -> Predictor:
        """Read a predictor from its file, or one that comes with the package by name (``published/25-A-all_peers``).

        Raises
        ------
        FileNotFoundError
            The file is not there.
        InputError
            Not a predictor, another version, or a changed file (checksum).
        UsageError
            An unknown published name.
        """
        name = str(path)
        if name.startswith("published/"):
            ready = read_ready_predictors().get(name)
            return (
                cls(**published_fields(name)) if ready is None else replace(from_text(ready, cls), name=name)
            )
        if not Path(path).exists():
            shipped = nearest_name(name, [*read_ready_predictors(), *all_published()])
            advice = f"; {shipped} comes with the package" if shipped else ""
            raise FileNotFoundError(f"{path}: no such predictor file{advice}")
        return read_body(path, cls)
