"""Comparisons of judged systems, by the package and by others that put error bars on them, on made-up scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import ttest_1samp

from benchmarks.data import QUICK, SEED, Size
from benchmarks.harness import Contestant, run_here
from benchmarks.peer_designs import JUDGES, Design, Draw, JudgedDraw
from benchmarks.report import table
from benchmarks.search_peers import Array
from classy_aesop import compare_pairs, estimate, estimate_differences
from classy_aesop.significance.base import BoolArray
from classy_aesop.significance.choices import SystemTest
from classy_aesop.significance.multiplicity.corrections import adjust_p_values

TITLE = "Judged systems beside other packages"

PEERS = ("errorbars", "evalstats", "evalaudit", "truescore")

ALPHA = 0.05
N_LABELS = 40

SHIFTS = {"lognormal": 0.27, "mixture": 1.1}
"""By how much a better system is better; elsewhere .35."""

DESIGNS = [
    Design(kind, n_topics, shift * SHIFTS.get(kind, 0.35), feature, n_systems)
    for shift in (0, 1)
    for kinds, sizes, feature, n_systems in (
        (("grades", "pass.5", "pass.8", "pass.95", "lognormal", "mixture"), (15, 40, 100), "", 2),
        (("grades", "pass.8"), (40,), "attempts", 2),
        (("grades",), (40,), "missing", 2),
        (("grades",), (40,), "missing-hard", 2),
        (("points",), (40,), "raters", 2),
        (("grades",), (40,), "", 8),
    )
    for kind, n_topics in product(kinds, sizes)
] + [Design("mixture", n_topics, -0.66) for n_topics in (15, 40, 100)]

Method = Callable[[Any], Array]


# --- each pair of systems: p and the ends of the interval, (n_pairs, 3) ---


def by_package(draw: Draw, test: SystemTest | None = None) -> Array:
    """Compare by the package."""
    pairs = compare_pairs(draw.frame, test=test).table
    return pairs[["p_adjusted", "low", "high"]].to_numpy(np.float64)


def by_errorbars(draw: Draw) -> Array:
    """Compare by errorbars."""
    from errorbars.compare import paired_compare

    return by_arrays(draw, paired_compare)


def by_evalaudit(draw: Draw) -> Array:
    """Compare by evalaudit, with one seed."""
    from evalaudit import compare_paired

    return by_arrays(draw, partial(compare_paired, seed=0))


def by_arrays(draw: Draw, compare: Callable[..., Any]) -> Array:
    """Compare each pair on the topics that both have, with Holm's correction."""
    scores = [np.array(pair) for pair in combinations(draw.means, 2)]
    pairs = [compare(*means[:, ~np.isnan(means).any(axis=0)]) for means in scores]
    p_values = adjust_p_values(np.array([pair.p_value for pair in pairs]), correction="holm")
    return np.column_stack([p_values, [(pair.ci_low, pair.ci_high) for pair in pairs]])


def by_evalstats(draw: Draw) -> Array:
    """Compare the topics that all have, without raters, whom it does not know."""
    from evalstats import compare, load_from

    is_shared = draw.frame["item"].isin(np.flatnonzero(~np.isnan(draw.means).any(axis=0)))
    frame = draw.frame[is_shared].drop(columns="rater", errors="ignore")
    pairs = compare(load_from(frame), factors="model").to_frame()["pairwise"]
    return np.asarray(pairs[["p_value", "ci_low", "ci_high"]], dtype=np.float64)


COMPARERS: Mapping[str, Method] = {
    "package": by_package,
    "its paired_t": partial(by_package, test="paired_t"),
    "errorbars": by_errorbars,
    "evalstats": by_evalstats,
    "evalaudit": by_evalaudit,
}


# --- a judge and some labels: an estimate and the ends of its interval, (3,) ---


def mean_by_package(draw: JudgedDraw, n_systems: int = 2) -> Array:
    """Estimate the mean of a, with or without b."""
    means = estimate(*draw.tables(n_systems), target="score").table.set_index("summarizer")
    return means.loc["a", ["estimate", "low", "high"]].to_numpy(np.float64)


def difference_by_package(draw: JudgedDraw) -> Array:
    """Estimate the difference of a and b."""
    pairs = estimate_differences(*draw.tables(), target="score").table
    return pairs.loc[0, ["difference", "low", "high"]].to_numpy(np.float64)


def by_labels(draw: JudgedDraw, contrast: Array) -> Array:
    """Take the labels alone, with Student's t."""
    labels = contrast @ draw.human[:, draw.labelled]
    return np.array([labels.mean(), *ttest_1samp(labels, 0).confidence_interval()])


def by_truescore(draw: JudgedDraw, contrast: Array) -> Array:
    """Estimate by PPI++, for a difference as `ppi_compare` does, whose p agrees with the interval."""
    from truescore import ppi_estimate

    labels = contrast @ draw.human[:, draw.labelled]
    found = ppi_estimate(contrast @ draw.judge, labels, draw.labelled)
    return np.array([found.point, found.low, found.high])


MEAN = np.array([1.0, 0.0])
DIFFERENCE = np.array([1.0, -1.0])

MEANS: Mapping[str, Method] = {
    "labels": partial(by_labels, contrast=MEAN),
    "package": mean_by_package,
    "package, a alone": partial(mean_by_package, n_systems=1),
    "truescore": partial(by_truescore, contrast=MEAN),
}
DIFFERENCES: Mapping[str, Method] = {
    "labels": partial(by_labels, contrast=DIFFERENCE),
    "package": difference_by_package,
    "truescore": partial(by_truescore, contrast=DIFFERENCE),
}


# --- measured ---


def present(methods: Mapping[str, Method]) -> list[str]:
    """Name the methods but those of packages that are not installed."""
    return [name for name in methods if name not in PEERS or find_spec(name)]


def measure(method: Method, draws: Sequence[Any]) -> tuple[Array, float]:
    """Answer every draw; also CPU milliseconds a call, without the first, which imports."""
    run_here(Contestant(lambda: method(draws[0])))
    run = run_here(Contestant(lambda: np.array([method(draw) for draw in draws]), len(draws) / 1000))
    return run.value, run.cpu


def covers(answers: Array, truth: float | Array) -> BoolArray:
    """Tell which intervals hold the truth; a missing end excludes nothing."""
    return ~((answers[..., 1] > truth) | (answers[..., 2] < truth))


def draw_all(draw: Callable[[np.random.Generator], Any], row: int, n_draws: int) -> list[Any]:
    """Draw for a row of a table."""
    return [draw(np.random.default_rng([SEED, row, number])) for number in range(n_draws)]


def comparison_rows(n_draws: int) -> Iterator[list[str]]:
    """Give findings, coverage, contradictions of p and interval and the time, by design and package.

    Findings are the share of the pairs with a better system, or of the draws with any finding if there is none.
    """
    for row, design in enumerate(DESIGNS):
        draws = draw_all(design.draw, row, max(2, 2 * n_draws // design.n_systems))
        truth = design.difference()
        cells = [f"{design}, {truth:.3f}"]
        for name in present(COMPARERS):
            answers, cpu = measure(COMPARERS[name], draws)
            is_found = answers[..., 0] <= ALPHA
            of_first = slice(design.n_systems - 1)
            found = is_found[:, of_first] if truth else np.logical_or.reduce(is_found, axis=1)
            contradicts = is_found == covers(answers, 0.0)
            cells.append(write_cell([found, covers(answers, truth)[:, of_first], contradicts], cpu))
        yield cells


def judged_rows(methods: Mapping[str, Method], contrast: Array, n_draws: int) -> Iterator[list[str]]:
    """Give coverage of the topics at hand, width and squared error; of a difference also how often it is found."""
    for row, (kind, judge) in enumerate(product(("grades", "pass.75"), JUDGES), start=len(DESIGNS)):
        equal, better = (
            draw_all(partial(Design(kind, 200, shift).draw_judged, judge, N_LABELS), row, n_draws)
            for shift in (0, 0.35)
        )
        at_hand = np.array([contrast @ draw.human.mean(axis=1) for draw in equal])
        cells = [f"{kind}, {judge}"]
        for name in present(methods):
            answers, cpu = measure(methods[name], equal)
            error = 1000 * (answers[:, 0] - at_hand) ** 2
            columns: list[NDArray[Any]] = [covers(answers, at_hand), answers[:, 2] - answers[:, 1], error]
            if contrast is DIFFERENCE:
                columns += [~covers(part, 0.0) for part in (answers, measure(methods[name], better)[0])]
            cells.append(write_cell(columns, cpu))
        yield cells


def write_cell(columns: Sequence[NDArray[Any]], cpu: float) -> str:
    """Write the means, and the time."""
    return " / ".join([*(f"{column.mean():.3f}" for column in columns), f"{cpu:.1f}"])


INTRODUCTION = """\
Each package has the same draws and is called as its readme calls it. A row names the scale, the topics x systems and
the true difference. A cell: share of the draws that find a difference at .05 (of eight systems with a better one: of
its pairs) / of the intervals that hold the true one / of the pairs whose p and interval contradict each other (of
eight systems p is corrected, and the interval is of one pair) / CPU ms a call."""

JUDGED = f"""\
A judge scores 200 topics of two systems, and humans label {N_LABELS} of them. The mean of a: share of the intervals
that hold the mean of all 200 / width / 1,000 x squared error / CPU ms."""

PAIRED = """\
Their difference: the same, and before the time the share of the draws that find one of equal systems / of a better."""


def text(size: Size) -> str:
    """Measure, and write the section."""
    n_draws = 2 if size is QUICK else 200
    parts = [
        INTRODUCTION,
        table(("design, difference", *present(COMPARERS)), comparison_rows(n_draws)),
        JUDGED,
        table(("scale, judge", *present(MEANS)), judged_rows(MEANS, MEAN, n_draws // 2)),
        PAIRED,
        table(("scale, judge", *present(DIFFERENCES)), judged_rows(DIFFERENCES, DIFFERENCE, n_draws // 2)),
        *(f"{name}: not installed" for name in PEERS if not find_spec(name)),
    ]
    return "\n\n".join(parts)
