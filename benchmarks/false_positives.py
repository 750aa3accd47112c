"""False positives and power of tests of systems where tables are unbalanced, tied or sparse, or raters differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from joblib import Parallel, delayed

from benchmarks.data import QUICK, Size
from benchmarks.report import table
from classy_aesop.significance.additive.additive_model import fit_additive_model
from classy_aesop.significance.base import BoolArray, FloatArray, IntArray
from classy_aesop.significance.decisions import is_significant
from classy_aesop.significance.multiplicity.corrections import adjust_p_values
from classy_aesop.significance.pairs.additive_pairs import compare_least_squares_means
from classy_aesop.significance.pairs.pair_comparisons import PairTests, compare_pairs

TITLE = "False positives and power"

N_DRAWS = 1_000
TESTS = ("additive model", "signed ranks", "paired t", "unpaired t")

# --- how ratings are made ---


@dataclass(frozen=True)
class Design:
    """How ratings are drawn. Spreads are in points of five grades; scales of other grades are stretched.

    Attributes
    ----------
    n_raters, ratings_a_cell
        Raters, and how many of them rate a cell, at least and at most. A single rater is none in the model.
    rater_gap
        Points between the most and the least lenient rater; with ``rater_deviation`` they are normal instead.
    spread_of_grades, topic_deviation
        Factor of all deviations of scores; standard deviation of topics, 0 where topics do not differ.
    preference
        Log odds that a system meets the rater of its number; infinite: it meets no other.
    noise_of_first
        Factor of the error of the first system.
    missing
        ``random``: 30 % of the cells; ``easy``: of the first system most hard topics; ``bad``: of the first system half
        of the cells that went badly; ``sparse``: all but two or three cells of a topic.
    """

    n_systems: int = 4
    n_topics: int = 20
    n_grades: int = 5
    n_raters: int = 1
    ratings_a_cell: tuple[int, int] = (1, 1)
    rater_gap: float = 0.0
    rater_deviation: float = 0.0
    preference: float = 0.0
    shares_of_first_rater: tuple[float, ...] = ()
    widest_slope: float = 1.0
    noise_of_first: float = 1.0
    twins: float = 0.0
    missing: str = ""
    raters_of_topics: bool = False
    spread_of_grades: float = 1.0
    topic_deviation: float = 0.8
    effect: float = 0.5


@dataclass(frozen=True)
class Ratings:
    """Single ratings, (n_ratings,)."""

    y: FloatArray
    system: IntArray
    topic: IntArray
    rater: IntArray

    def cells(self, design: Design) -> FloatArray:
        """Give the mean rating of each cell, (n_systems, n_topics); NaN without any."""
        cell = self.system * design.n_topics + self.topic
        n_cells = design.n_systems * design.n_topics
        counts = np.bincount(cell, minlength=n_cells)
        sums = np.bincount(cell, self.y, minlength=n_cells)
        means = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
        return means.reshape(design.n_systems, design.n_topics)


def draw_ratings(design: Design, effect: float, rng: np.random.Generator) -> Ratings:
    """Draw ratings; the last system is better by the effect."""
    n_systems = design.n_systems
    n_topics = design.n_topics
    n_raters = design.n_raters
    topic_effect = rng.normal(0, design.topic_deviation * design.spread_of_grades, n_topics)
    cell_effect = rng.normal(0, 0.4 * design.spread_of_grades, (n_systems, n_topics))
    if design.twins:
        cell_effect[1] = design.twins * cell_effect[0] + np.sqrt(1 - design.twins**2) * cell_effect[1]
    cell_effect[0] *= design.noise_of_first
    leniency = rng.permutation(np.linspace(-0.5, 0.5, n_raters)) * design.rater_gap
    if design.shares_of_first_rater:
        leniency = np.linspace(0.5, -0.5, n_raters) * design.rater_gap
    leniency = leniency + rng.normal(0, 1, n_raters) * design.rater_deviation
    slope = rng.permutation(np.linspace(1, design.widest_slope, n_raters))
    system, topic = np.nonzero(draw_cells(design, topic_effect, cell_effect, rng))
    low, high = design.ratings_a_cell
    n_ratings = rng.integers(low, high + 1, len(system))
    raters = draw_raters(design, system, topic, rng)
    is_rating = np.arange(raters.shape[1]) < n_ratings[:, None]
    system = np.repeat(system, n_ratings)
    topic = np.repeat(topic, n_ratings)
    rater = raters[is_rating]
    value = topic_effect[topic] + cell_effect[system, topic] + effect * (system == n_systems - 1)
    noise = rng.normal(0, 0.5 * design.spread_of_grades, len(value))
    noise *= np.where(system == 0, design.noise_of_first, 1.0)
    value = slope[rater] * value + leniency[rater] + noise
    grades = np.round((design.n_grades + 1) / 2 + value * design.n_grades / 5)
    return Ratings(np.clip(grades, 1.0, design.n_grades), system, topic, rater)


def draw_cells(
    design: Design, topic_effect: FloatArray, cell_effect: FloatArray, rng: np.random.Generator
) -> BoolArray:
    """Draw which cells are there, (n_systems, n_topics)."""
    shape = design.n_systems, design.n_topics
    is_there = np.ones(shape, dtype=bool)
    if design.missing == "random":
        is_there = rng.random(shape) > 0.3
    elif design.missing == "easy":
        is_there[0] = rng.random(design.n_topics) > 0.7 * (topic_effect < 0)
    elif design.missing == "bad":
        is_there[0] = rng.random(design.n_topics) > 0.5 * (cell_effect[0] < 0)
    elif design.missing == "sparse":
        order = rng.random(shape).argsort(axis=0).argsort(axis=0)
        is_there = order < rng.integers(2, 4, design.n_topics)
    return is_there


def draw_raters(design: Design, system: IntArray, topic: IntArray, rng: np.random.Generator) -> IntArray:
    """Draw the raters of each cell in the order in which they are used, (n_cells, largest number of ratings a cell)."""
    n_raters = design.n_raters
    max_ratings = design.ratings_a_cell[1]
    if design.raters_of_topics:
        return rng.integers(n_raters, size=design.n_topics)[topic][:, None]
    if np.isinf(design.preference):
        return (system % n_raters)[:, None]
    log_weights = design.preference * (np.arange(n_raters) == system[:, None] % n_raters)
    if design.shares_of_first_rater:
        share = np.array(design.shares_of_first_rater)[system]
        log_weights = np.log(np.stack([share, 1 - share], axis=1))
    keys = log_weights + rng.gumbel(size=(len(system), n_raters))
    return np.argsort(-keys, axis=1)[:, :max_ratings]


# --- what tests find ---


def compare_all(design: Design, ratings: Ratings) -> Iterator[tuple[str, PairTests]]:
    """Test all pairs by every test; the model is of single ratings if there are raters, else of cells.

    In a complete table without raters it is the paired t-test (`tests/significance/additive/test_additive_model.py`),
    and left out.
    """
    X = ratings.cells(design)
    compare_means = partial(compare_least_squares_means, correction="none", confidence=None)
    if design.n_raters > 1:
        rows = ratings.y, ratings.system, ratings.topic
        model = fit_additive_model(
            *rows, n_systems=design.n_systems, rater=ratings.rater, n_raters=design.n_raters
        )
        yield "additive model", compare_means(model)
    elif design.missing:
        system, topic = np.nonzero(~np.isnan(X))
        model = fit_additive_model(X[system, topic], system, topic, n_systems=design.n_systems)
        yield "additive model", compare_means(model)
    for name, test in (("signed ranks", "wilcoxon"), ("paired t", "paired_t"), ("unpaired t", "unpaired_t")):
        yield name, compare_pairs(X, test=test, correction="none", confidence=None)


def measure(design: Design, n_draws: int, seed: int) -> dict[str, list[float]]:
    """Draw tables without and with a difference, and give how often each test rejects.

    Returns
    -------
    dict
        For each test five shares: of pairs of equal systems with p <= .05, on average and for the worst pair; of tables
        of equal systems with any finding after Holm's correction; of pairs in which the last system, which is better,
        is significantly better, at .05 and after Holm's correction.
    """
    rng = np.random.default_rng(seed)
    second = np.triu_indices(design.n_systems, 1)[1]
    has_better = second == design.n_systems - 1
    is_significant_pair: dict[str, list[BoolArray]] = {}
    is_any: dict[str, list[bool]] = {}
    power: dict[str, list[float]] = {}
    power_after_holm: dict[str, list[float]] = {}
    for _ in range(n_draws):
        for name, tests in compare_all(design, draw_ratings(design, 0.0, rng)):
            is_significant_pair.setdefault(name, []).append(tests.significant())
            is_any.setdefault(name, []).append(bool(is_significant(adjust_p_values(tests.p)).any()))
        for name, tests in compare_all(design, draw_ratings(design, design.effect, rng)):
            is_right = (tests.difference < 0)[has_better]
            corrected = is_significant(adjust_p_values(tests.p))[has_better]
            power.setdefault(name, []).append(float((tests.significant()[has_better] & is_right).mean()))
            power_after_holm.setdefault(name, []).append(float((corrected & is_right).mean()))
    shares = {}
    for name, rows in is_significant_pair.items():
        of_pairs = np.mean(rows, axis=0)
        shares[name] = [
            float(of_pairs.mean()),
            float(of_pairs.max()),
            float(np.mean(is_any[name])),
            float(np.mean(power[name])),
            float(np.mean(power_after_holm[name])),
        ]
    return shares


# --- the designs ---

RATED = Design(n_raters=3, rater_gap=2.0, preference=1.5)
TWO_RATERS = Design(2, 40, n_raters=2)
CROWD = Design(4, 40, n_raters=100, rater_deviation=0.5)
SPARSE = Design(10, 100, missing="sparse", effect=1.5)

DESIGNS = {
    **{
        f"two raters, gap {gap:g}, share {share:g}": replace(
            TWO_RATERS, rater_gap=gap, shares_of_first_rater=(share, 0.5)
        )
        for gap, share in ((1.0, 0.65), (1.0, 0.8), (2.0, 0.5), (2.0, 0.8))
    },
    "4 systems, 2 of 3 raters": replace(RATED, n_topics=40, ratings_a_cell=(2, 2)),
    "complete, 2 systems": Design(2),
    "complete, 4 systems": Design(),
    "complete, 12 topics": Design(n_topics=12),
    "complete, 5 topics": Design(n_topics=5),
    "complete, 3 grades": Design(n_grades=3),
    "complete, 100 grades": Design(n_grades=100),
    "complete, first 3 times as noisy": Design(noise_of_first=3.0),
    "complete, near-twins": Design(twins=0.95),
    "complete, 8 systems, 12 topics, 1 point": Design(8, 12, effect=1.0),
    "raters, 2 systems": replace(RATED, n_systems=2, n_topics=40, n_raters=2),
    "raters, 4 systems": RATED,
    "raters, 12 topics": replace(RATED, n_topics=12),
    "raters, 6 topics": replace(RATED, n_topics=6),
    "raters, 16 systems": replace(RATED, n_systems=16, n_raters=4),
    "raters, 3 grades": replace(RATED, n_grades=3),
    "raters, 100 grades": replace(RATED, n_grades=100),
    "raters, 2 a cell": replace(RATED, ratings_a_cell=(2, 2)),
    "raters, 1 to 3 a cell": replace(RATED, n_raters=5, ratings_a_cell=(1, 3)),
    "raters, first 3 times as noisy": replace(RATED, noise_of_first=3.0),
    "raters, near-twins": replace(RATED, twins=0.95),
    "raters, slopes 1 to 2": replace(RATED, widest_slope=2.0),
    "raters, slopes, easy topics": replace(RATED, widest_slope=2.0, missing="easy"),
    "raters, 30 % missing": replace(RATED, missing="random"),
    "raters, easy topics": replace(RATED, missing="easy"),
    "raters, bad cells missing": replace(RATED, missing="bad"),
    "raters, strong preference": replace(RATED, preference=4.0),
    "equal raters, strong preference": replace(RATED, rater_gap=0.0, preference=4.0),
    "raters of whole topics": replace(RATED, raters_of_topics=True),
    "30 % missing": Design(missing="random"),
    "easy topics": Design(missing="easy"),
    "sparse": SPARSE,
    "sparse, first 3 times as noisy": replace(SPARSE, noise_of_first=3.0),
    "sparse, raters": replace(SPARSE, n_raters=4, rater_gap=2.0, preference=1.5),
    "40 raters of 80 cells": Design(n_raters=40, rater_deviation=0.5),
    "20 raters of 160 cells": Design(n_topics=40, n_raters=20, rater_deviation=0.5),
    "100 workers, one a cell": CROWD,
    "100 workers, three a cell": replace(CROWD, ratings_a_cell=(3, 3)),
    "raters confounded with systems": Design(n_raters=4, rater_gap=2.0, preference=np.inf),
    **{
        f"{n_systems} systems, {n_topics} {topics} topics, spread {spread:g}": Design(
            n_systems, n_topics, spread_of_grades=spread, topic_deviation=deviation, effect=1.5
        )
        for topics, deviation in (("unlike", 0.8), ("like", 0.0))
        for n_systems in (8, 16)
        for n_topics in (2, 3, 4, 5, 6)
        for spread in (1.0, 0.5)
    },
}


def rows(n_draws: int, n_jobs: int) -> Iterator[list[str]]:
    """Measure each design; a row for each."""
    seeds = np.random.SeedSequence(1).generate_state(len(DESIGNS)).tolist()
    work = (
        delayed(measure)(design, n_draws, seed) for design, seed in zip(DESIGNS.values(), seeds, strict=True)
    )
    measured = Parallel(n_jobs=n_jobs, return_as="generator")(work)
    for design, shares in zip(DESIGNS, measured, strict=True):
        cells = [design]
        for name in TESTS:
            if name not in shares:
                cells.append("paired t")
                continue
            *sizes, power, power_after_holm = shares[name]
            written = " / ".join(f"{size:.3f}" for size in sizes)
            cells.append(f"{written}; {power:.2f}, {power_after_holm:.2f}")
        yield cells


def text(size: Size, n_jobs: int = 2) -> str:
    """Measure, and write the section."""
    n_draws = 20 if size is QUICK else N_DRAWS
    head = ["design", *TESTS]
    return (
        f"Equal systems, {n_draws} draws each: share of pairs with p <= .05, on average / of the worst pair / share of "
        "tables with any finding after Holm; then the share of pairs in which the better system is found better, and "
        "after Holm.\n\n" + table(head, list(rows(n_draws, n_jobs)))
    )
