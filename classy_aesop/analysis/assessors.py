"""Do assessors agree with each other, or with themselves where they met the same text twice?"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from classy_aesop.analysis.pairing import check_once, in_place, only
from classy_aesop.analysis.rater_pairs import Row, Units, parts_of_raters
from classy_aesop.data import KEYS, named, natural, tidied
from classy_aesop.data.corpus import Corpus
from classy_aesop.data.scores import without_empty_places
from classy_aesop.errors import DataWarning, InputError, UsageError, about_data, listed
from classy_aesop.significance.alpha import confusion_counts, krippendorff_alpha, ratings_of_units
from classy_aesop.significance.base import N_RESAMPLES
from classy_aesop.significance.choices import Scale
from classy_aesop.work.progress import by_workers, watched
from classy_aesop.work.seeding import seeded_rng

FOUND = ["value", "low", "high", "n_units", "n_pairs", "n_ratings", "n_single"]
"""The fields of `Alpha` with a number a row."""

ROW = ["year", "task", "metric", "assessor"]
"""What ratings are taken together for; ``assessor`` is empty where all of them are."""

COLUMNS = [*ROW, "other", *FOUND, "flag", "scale", "units", "confidence", "n_resamples", "n_dropped", "seed"]
"""The columns of `assessor_agreement`."""

CONFUSED = [*ROW, "low", "high", "count", "share", "units"]
"""The columns of `assessor_confusion`."""


def assessor_agreement(
    ratings: pd.DataFrame,
    *,
    corpus: Corpus | None = None,
    scale: Scale = "interval",
    metrics: Sequence[str] | None = None,
    year: str | None = None,
    task: str | None = None,
    confidence: float = 0.95,
    n_resamples: int = N_RESAMPLES,
    seed: int = 0,
    n_jobs: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Compute Krippendorff's alpha for each human measure, with a bootstrap interval.

    Parameters
    ----------
    ratings : DataFrame
        A score table. With ``assessor``, or columns of raters (``rating_1``, ``rating_2``), units are summaries
        and the question is whether assessors agree.
    corpus : Corpus, optional
        The texts. Units are then the sets of summaries of one topic and task with one text (white space aside),
        rated by one assessor, and the question is whether an assessor is consistent; a table without
        ``assessor`` has one unnamed assessor a topic.
    scale : {"interval", "ordinal", "nominal", "ratio"}
        As for :func:`classy_aesop.significance.alpha.krippendorff_alpha`.
    metrics : sequence of str, optional
        Only these measures.
    confidence, n_resamples, seed
        Of the interval, from drawing units again.
    year, task, n_jobs, progress
        As in all of :mod:`classy_aesop.analysis`.

    Returns
    -------
    DataFrame
        A row a year, task and measure for all assessors together, with ``assessor`` and ``other`` empty. Then, where
        there are three or more, a row for each against `THE_OTHERS` (the mean of their ratings of a summary; not on
        the nominal scale, where there is no mean), and, for up to `MOST_PAIRED` of them, a row for each pair. With a
        corpus, a row a year and measure for all assessors together, and
        one for each who has a name: tasks are pooled there, for the paper pools them. Columns ``year, task,
        metric, assessor, other, value, low, high, n_units`` (those with two ratings or more), ``n_pairs, n_ratings,
        n_single`` (units left out with one rating), ``flag, scale, units, confidence, n_resamples, n_dropped,
        seed``.

    Raises
    ------
    UsageError
        There is no such metric, year or task, or confidence is not between 0 and 1.
    InputError
        No assessors and no corpus; or a corpus in which no text occurs twice, or without the summaries rated.

    Warns
    -----
    DataWarning
        For ratings of summaries that the corpus does not hold.

    Notes
    -----
    Rankel (2016), section 3.6 and chapter 6. The interval draws units as if they were independent, though
    those of a topic have more in common. Empty summaries of a topic are one text, too.

    Examples
    --------
    >>> ratings = pd.DataFrame({"topic": [1, 1, 2, 2, 3, 3], "system": list("ababab")})
    >>> ratings[["rating_1", "rating_2"]] = [[5, 5], [2, 1], [4, 4], [2, 2], [5, 4], [3, 3]]
    >>> found = assessor_agreement(ratings, n_resamples=199)
    >>> found[["metric", "value", "n_units"]].round(3).values.tolist()
    [['rating', 0.911, 6]]
    """
    if not 0 < confidence < 1:
        raise UsageError(f"confidence is {confidence}; expected between 0 and 1")
    rows = _ratings(ratings, metrics, year, task)
    parts: dict[Row, Units] = {(*names, ""): units for names, units in _units(rows, corpus).items()}
    if corpus is None:
        parts |= parts_of_raters(rows, means=scale != "nominal")
        parts = dict(sorted(parts.items(), key=lambda part: tuple(map(natural, part[0][:3]))))
    how = _Alpha(scale, confidence, n_resamples, seed)
    done = by_workers(how.of, parts.items(), n_jobs=n_jobs)
    found = watched(done, "alpha", "measures", shown=progress, total=len(parts))
    table = pd.DataFrame(list(found))
    return without_empty_places(table.assign(units=_source(corpus), seed=seed)[COLUMNS])


def assessor_confusion(
    ratings: pd.DataFrame,
    *,
    corpus: Corpus | None = None,
    metrics: Sequence[str] | None = None,
    year: str | None = None,
    task: str | None = None,
) -> pd.DataFrame:
    """Count which pairs of ratings a unit got.

    Parameters
    ----------
    ratings, corpus, metrics, year, task
        As for :func:`assessor_agreement`.

    Returns
    -------
    DataFrame
        A row for each pair of values that occurs, for the same years, tasks, measures and assessors as there:
        ``year, task, metric, assessor, low, high, count`` (unordered pairs of ratings of one unit), ``share`` (of
        all pairs of the assessor) and ``units``. No row where no unit has two ratings.

    Raises
    ------
    UsageError, InputError
        As ``assessor_agreement``.

    Notes
    -----
    Rankel (2016), chapter 6, Figures 6.1 and 6.2.

    Examples
    --------
    >>> ratings = pd.DataFrame({"topic": [1, 1, 2, 2, 3, 3], "system": list("ababab")})
    >>> ratings[["rating_1", "rating_2"]] = [[5, 5], [2, 1], [4, 4], [2, 2], [5, 4], [3, 3]]
    >>> assessor_confusion(ratings)[["low", "high", "count"]].values.tolist()
    [[1.0, 2.0, 1.0], [2.0, 2.0, 1.0], [3.0, 3.0, 1.0], [4.0, 4.0, 1.0], [4.0, 5.0, 1.0], [5.0, 5.0, 1.0]]
    """
    rows = []
    for names, units in _units(_ratings(ratings, metrics, year, task), corpus).items():
        found = confusion_counts(ratings_of_units(units))
        for low, high in zip(*found.counts.nonzero(), strict=True):
            count = int(found.counts[low, high])
            share = count / found.counts.sum()
            rows.append((*names, found.values[low], found.values[high], count, share, _source(corpus)))
    return without_empty_places(pd.DataFrame(rows, columns=CONFUSED))


def _source(corpus: Corpus | None) -> str:
    return "summaries" if corpus is None else "identical texts"


def _ratings(
    ratings: pd.DataFrame, metrics: Sequence[str] | None, year: str | None, task: str | None
) -> pd.DataFrame:
    """Give the rows of the part that is asked for, without missing ratings."""
    rows = in_place(
        only(tidied(ratings, of_humans=True), "metric", metrics).dropna(subset="score"), year, task
    )
    if rows.empty:
        raise InputError("no ratings; expected one at least")
    if "assessor" in rows:
        check_once(rows)
    return rows


def _units(rows: pd.DataFrame, corpus: Corpus | None) -> dict[Row, Units]:
    """Collect the ratings of each unit, row by row of the result, in natural order."""
    parts = _of_summaries(rows) if corpus is None else _of_texts(rows, corpus)
    return dict(sorted(parts.items(), key=_place))


@dataclass(frozen=True)
class _Alpha:
    """How the alpha of a row is computed."""

    scale: str
    confidence: float
    n_resamples: int
    seed: int

    def of(self, names: Row, units: Units) -> dict[str, object]:
        """Give one row of the table."""
        with about_data():
            found = krippendorff_alpha(
                ratings_of_units(units),
                scale=self.scale,
                confidence=self.confidence,
                n_resamples=self.n_resamples,
                rng=seeded_rng(self.seed, *names[: len(ROW)], *filter(None, names[len(ROW) :])),
            )
        return {**dict(zip([*ROW, "other"], names, strict=True)), **found.to_dict()}


def _place(part: tuple[Row, Units]) -> list[tuple[object, ...]]:
    return [natural(name) for name in part[0]]


def _of_summaries(rows: pd.DataFrame) -> dict[Row, Units]:
    """Units are summaries, rated by several assessors."""
    if "assessor" not in rows:
        raise InputError(
            "no assessors among the ratings; expected a column assessor (rater, annotator, ...), a column a rater "
            "(rating_1, rating_2, ...), or lists of ratings; with texts, --identical-texts asks whether an assessor is "
            "consistent"
        )
    return _parts(rows.assign(assessor=""), ["topic", "summarizer"])


def _of_texts(rows: pd.DataFrame, corpus: Corpus) -> dict[Row, Units]:
    """Units are the texts that one assessor met several times; tasks are pooled."""
    rows = _with_texts(rows if "assessor" in rows else rows.assign(assessor=""), corpus)
    if not rows.duplicated(["year", "metric", "topic", "task", "assessor", "text"]).any():
        raise InputError(
            "no text occurs twice in a topic and task, rated by one assessor; alpha needs such texts"
        )
    pooled = rows.groupby("year")["task"].transform(lambda names: "+".join(sorted(set(names), key=natural)))
    rows = rows.assign(rated_task=rows["task"], rater=rows["assessor"], task=pooled)
    unit = ["topic", "rated_task", "rater", "text"]
    together = _parts(rows.assign(assessor=""), unit)
    return {
        **_parts(rows, unit),
        **together,
    }  # assessors without a name count only in the rows of all assessors


def _parts(rows: pd.DataFrame, unit: list[str]) -> dict[Row, Units]:
    """Collect the ratings of each unit, in the order of names, so that resamples do not depend on the order of rows."""
    parts: dict[Row, Units] = {}
    for names, scores in rows.groupby([*ROW, *unit], sort=True)["score"]:
        parts.setdefault(tuple(map(str, names[: len(ROW)])), []).append(scores.tolist())
    return parts


def _with_texts(rows: pd.DataFrame, corpus: Corpus) -> pd.DataFrame:
    """Put the text beside each rating, white space made even; leave out, and say so, what has none."""
    texts = pd.DataFrame(
        [
            (*topic.key, summary.summarizer, " ".join(" ".join(summary.text).split()))
            for topic, summary in corpus.summaries()
        ],
        columns=[*KEYS, "text"],
    )
    with_texts = rows.merge(texts, on=KEYS, how="left", validate="many_to_one")
    lacking = (
        with_texts.loc[with_texts["text"].isna(), KEYS].drop_duplicates().itertuples(index=False, name=None)
    )
    unknown = [named(key) for key in sorted(lacking)]
    message = f"{len(unknown)} rated summaries are not in the corpus: {listed(unknown, most=3)}"
    with_texts = with_texts.dropna(subset="text")
    if with_texts.empty:
        raise InputError(message)
    if unknown:
        warnings.warn(f"left out: {message}", DataWarning, stacklevel=5)
    return with_texts
