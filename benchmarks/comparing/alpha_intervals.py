"""Coverage and width of intervals of Krippendorff's alpha on few units.

    python benchmarks/comparing/alpha_intervals.py [--draws 1000]

Candidates:

bootstrap      percentiles of resamples of units, those without variation left out (today)
counted        the same, resamples without variation as alpha = low end (-inf) and high end (1) in turn
jackknife      log(1 - alpha) with the jackknife's error over units and t quantiles
hull           of the last and the one after it; "jackknife/hull": the hull where the jackknife is undefined
smoothed       jackknife, after adding half a unit of full agreement on each grade pair of the data and half a unit of
               disagreement at random
"""

from __future__ import annotations

import argparse

import numpy as np
from scipy.special import stdtrit

LEVEL = 0.95


def coincidences(ratings: np.ndarray, grades: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sums of each unit: its disagreement (interval scale), and n, sum and sum of squares of its pairable ratings."""
    known = ~np.isnan(ratings)
    m = known.sum(axis=0)
    value = np.where(known, ratings, 0.0)
    total, square = value.sum(axis=0), (value**2).sum(axis=0)
    kept = m > 1
    m, total, square = m[kept], total[kept], square[kept]
    within = 2 * (m * square - total**2) / (m - 1)
    return np.stack([within, m, total, square])


def alpha_of(sums: np.ndarray) -> np.ndarray:
    """Alpha from the four sums over units, (4, ...)."""
    within, n, total, square = sums
    expected = 2 * (n * square - total**2)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(expected > 1e-9, 1 - (n - 1) * within / expected, np.nan)


def bootstrap(
    units: np.ndarray, rng: np.random.Generator, counted: bool, n_resamples: int = 500
) -> tuple[float, float]:
    n = units.shape[1]
    values = alpha_of(units[:, rng.integers(n, size=(n_resamples, n))].sum(axis=2))
    if counted:
        low = np.quantile(np.where(np.isnan(values), -1.0, values), (1 - LEVEL) / 2)
        high = np.quantile(np.where(np.isnan(values), 1.0, values), (1 + LEVEL) / 2)
        return low, high
    values = values[~np.isnan(values)]
    return tuple(np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])) if len(values) else (np.nan, np.nan)


def jackknife(units: np.ndarray, pseudo: np.ndarray | None = None) -> tuple[float, float]:
    """t interval of log(1 - alpha); NaN where a leave-one-out value is undefined."""
    n = units.shape[1]
    added = np.zeros(4) if pseudo is None else pseudo
    total = units.sum(axis=1) + added
    value = alpha_of(total)
    if np.isnan(value) or value >= 1:
        return np.nan, np.nan
    left_out = alpha_of(total[:, None] - units)
    if np.isnan(left_out).any() or (left_out >= 1).any():
        return np.nan, np.nan
    logs, center = np.log(1 - left_out), np.log(1 - value)
    error = np.sqrt((n - 1) / n * np.square(logs - logs.mean()).sum())
    half = stdtrit(n - 1, (1 + LEVEL) / 2) * error
    return 1 - np.exp(center + half), 1 - np.exp(center - half)


def pseudo_units(units: np.ndarray, grades: np.ndarray, weight: float) -> np.ndarray:
    """Sums of ``weight`` units of two ratings that agree on each grade, and of as many with two grades at random."""
    len(grades)
    agree = np.array([0.0, 2.0, 2 * grades.mean(), 2 * (grades**2).mean()])
    a, b = np.meshgrid(grades, grades)
    within = 2 * (2 * (a**2 + b**2) - (a + b) ** 2).mean()
    differ = np.array([within, 2.0, 2 * grades.mean(), 2 * (grades**2).mean()])
    return weight * (agree + differ)


def draw(kind: str, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Ratings (raters, units) and the grades of the scale."""
    if (
        kind == "rare"
    ):  # 90 % one grade; two raters copy a truth with chance .73**.5 each, else draw at random
        truth = (rng.random(n) < 0.1).astype(float)
        follow = rng.random((2, n)) < np.sqrt(0.73)
        return np.where(follow, truth, (rng.random((2, n)) < 0.1).astype(float)), np.array([0.0, 1.0])
    grades = np.arange(1.0, 6.0)
    truth = rng.integers(1, 6, n).astype(float)
    follow = rng.random((3, n)) < 0.8
    ratings = np.where(follow, truth, rng.integers(1, 6, (3, n)).astype(float))
    if kind == "missing":
        ratings[rng.random(ratings.shape) < 0.3] = np.nan
    return ratings, grades


def main() -> None:
    """Print coverage and median width of each candidate, over tables for which it gives an interval."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--draws", type=int, default=1000)
    options = parser.parse_args()
    rng = np.random.default_rng(1)
    for kind in ("rare", "even", "missing"):
        truth = float(alpha_of(coincidences(*draw(kind, 2_000_000, rng)).sum(axis=1)))
        for n in (10, 20, 50, 100):
            rows: dict[str, list] = {}
            for _ in range(options.draws):
                ratings, grades = draw(kind, n, rng)
                units = coincidences(ratings, grades)
                if units.shape[1] < 3 or np.isnan(alpha_of(units.sum(axis=1))):
                    continue
                observed = np.nan_to_num(ratings[:, (~np.isnan(ratings)).sum(axis=0) > 1], nan=-1)
                deviating = int(
                    (
                        ~(observed == np.bincount(observed[observed >= 0].astype(int)).argmax())
                        & (observed >= 0)
                    )
                    .any(axis=0)
                    .sum()
                )
                candidates = {
                    "bootstrap": bootstrap(units, rng, False),
                    "counted": bootstrap(units, rng, True),
                    "jackknife": jackknife(units),
                    "smoothed .5": jackknife(units, pseudo_units(units, grades, 0.5)),
                    "smoothed 1": jackknife(units, pseudo_units(units, grades, 1.0)),
                }
                (low, high), (low_too, high_too) = candidates["counted"], candidates["smoothed .5"]
                candidates["hull"] = (min(low, low_too), max(high, high_too))
                candidates["jackknife/hull"] = candidates[
                    "hull" if np.isnan(candidates["jackknife"][0]) else "jackknife"
                ]
                for name, (low, high) in candidates.items():
                    given = not np.isnan(low)
                    rows.setdefault(name, []).append(
                        (given, low <= truth <= high, high - low if given else np.nan, deviating)
                    )
            print(
                f"{kind}, {n} units, true alpha {truth:.3f}: given / covers where given / median width / no width; with 5, 8, 10 or more units off the mode: given / covers"
            )
            for name, found in rows.items():
                table = np.array(found, dtype=float)
                given = table[:, 0] > 0
                line = f"    {name:12s} {given.mean():.2f} / {table[given, 1].mean():.3f} / {np.nanmedian(table[given, 2]):.2f} / {(table[given, 2] < 1e-9).mean():.2f} ;"
                for least in (5, 8, 10):
                    enough = given & (table[:, 3] >= least)
                    line += (
                        f" {enough.mean():.2f} / {table[enough, 1].mean() if enough.any() else np.nan:.3f};"
                    )
                print(line, flush=True)


if __name__ == "__main__":
    main()
