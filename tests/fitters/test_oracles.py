"""The fitters against answers of other software (tests/oracles/fitters, which names it)."""

import csv
import json
import warnings
from pathlib import Path

import numpy as np
import pytest

from classy_aesop.errors import DataWarning
from classy_aesop.fitters import CanonicalRegression, NonNegativeRegression, RobustRegression
from classy_aesop.fitters.least_squares import least_squares
from classy_aesop.fitters.nonnegative import nonnegative_least_squares

FOLDER = Path(__file__).parent.parent / "oracles" / "fitters"
ROWS = json.loads((FOLDER / "expected.json").read_text())["rows"]
NIST = json.loads((FOLDER / "nist_strd.json").read_text())["sets"]


def rows(start, without="-"):
    chosen = [row for row in ROWS if row["fit"].startswith(start) and without not in row["fit"]]
    return pytest.mark.parametrize(
        "row", chosen, ids=lambda row: f"{row['data']}-{row['target']}-{row['fit']}"
    )


def data(row):
    with open(FOLDER / f"{row['data']}.csv", newline="") as file:
        table = list(csv.DictReader(file))
    X = np.array([[float(v) for k, v in line.items() if k.startswith("x")] for line in table])
    Y = np.array([[float(v) for k, v in line.items() if k.startswith("y")] for line in table])
    return X, Y if row["target"] == "Y" else Y[:, int(row["target"][1]) - 1]


def agree(row, coef, design):
    expected = np.array(row["coef"])
    if row["compare"] == "fitted":
        np.testing.assert_allclose(
            design @ coef, design @ expected, rtol=0, atol=row["rtol"] * np.abs(design @ expected).max()
        )
    else:
        assert np.all(np.abs(coef - expected) <= row["rtol"] * np.array(row["coef_scale"]))


def with_ones(X):
    return np.column_stack([np.ones(len(X)), X])


@rows("ols")
def test_least_squares_against_exact(row):
    X, y = data(row)
    design = X if row["fit"].endswith("noconst") else with_ones(X)
    agree(row, least_squares(design, y)[0], design)


@pytest.mark.slow(after=51)
@rows("robust_matlab", without="noconst")
def test_robust_against_octave(row):
    X, y = data(row)
    fitter = RobustRegression()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        fitter.fit(X, y)
    agree(row, np.r_[fitter.intercept_, fitter.coef_], with_ones(X))
    np.testing.assert_allclose(fitter.scale_, row["s"], rtol=1e-6)
    if "weights" in row:
        np.testing.assert_allclose(fitter.weights_, row["weights"], rtol=0, atol=2e-6)


def nonnegative_of(row, X, y):
    """Weights of the turned columns as the row reports them, constant first, and the fitted values."""
    if row["fit"] == "nnls":
        coef = nonnegative_least_squares(X, y)
        return coef, X @ coef
    fitter = NonNegativeRegression().fit(X, y)
    assert fitter.signs_.tolist() == row["signs"]
    if row["fit"] == "nnls_flip":
        coef = nonnegative_least_squares(X * fitter.signs_, y)
        return coef, X * fitter.signs_ @ coef
    return np.r_[fitter.intercept_, fitter.signs_ * fitter.coef_], fitter.predict(X)


@rows("nnls")
def test_nonnegative_against_three_programs(row):
    X, y = data(row)
    coef, fitted = nonnegative_of(row, X, y)
    assert abs(np.sum((y - fitted) ** 2) - row["rss"]) <= row["rtol"] * max(1, row["rss"])
    if row["compare"] == "coef":
        np.testing.assert_allclose(
            coef, row["coef"], rtol=row["rtol"], atol=row["rtol"] * np.abs(row["coef"]).max()
        )


@rows("cca")
def test_canonical_against_r(row):
    X, Y = data(row)
    fitter = CanonicalRegression(calibrate=False).fit(X, Y)
    np.testing.assert_allclose(fitter.correlations_, row["correlations"], rtol=0, atol=1e-10)
    expected = np.array(row["unit_weights"])
    score = (X - X.mean(0)) @ expected
    assert abs(np.corrcoef(score, fitter.predict(X))[0, 1]) == pytest.approx(1, abs=1e-12)
    if row["compare"] == "weights":
        unit = fitter.direction_ / np.linalg.norm(fitter.direction_)
        np.testing.assert_allclose(unit * np.sign(unit @ expected), expected, rtol=0, atol=1e-8)


def design_of(case):
    columns = np.array(case["x"])
    if case["degree"] > 1:
        columns = np.array([columns[0] ** k for k in range(1, case["degree"] + 1)])
    return (with_ones(columns.T) if case["intercept"] else columns.T), np.array(case["y"])


def digits(coef, certified):
    certified = np.array(certified)
    error = np.abs(coef - certified) / np.abs(certified)
    return float(-np.log10(max(error.max(), 1e-17)))


@pytest.mark.parametrize("name", [name for name in NIST if name != "Filip"])
def test_least_squares_keeps_the_digits_of_plain_qr(name):
    case = NIST[name]
    X, y = design_of(case)
    coef, basis = least_squares(X, y)
    assert basis.rank == X.shape[1]
    assert digits(coef, case["coef"]) >= case["digits_of_qr"] - 0.5


def test_filip_loses_a_column_by_the_rank_rule():
    X, y = design_of(NIST["Filip"])
    coef, basis = least_squares(X, y)
    assert basis.rank == X.shape[1] - 1
    assert np.sum(coef == 0) == 1
