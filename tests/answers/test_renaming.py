"""Renamed systems and topics, and shuffled rows, change no coefficient at any level, and no exact p."""

import numpy as np
import pandas as pd
import pytest
from numpy.random import default_rng

from classy_aesop import Corpus, evaluate, evaluate_pairs
from classy_aesop.answers.bias import evaluate_bias
from classy_aesop.significance.choices import CORRELATION_LEVELS
from classy_aesop.significance.correlations.accuracies import SOFT_ACCURACY
from classy_aesop.significance.correlations.coefficients import ALL_COEFFICIENTS

pytestmark = [
    pytest.mark.filterwarnings("ignore:system level"),
    pytest.mark.filterwarnings("ignore:[0-9]+ systems. by exchanging"),
]
COEFFICIENTS = list(ALL_COEFFICIENTS)
N_SYSTEMS = 7
NAMES = ["topic", "system"]


def table_of(n_topics, missing, seed=0):
    """Grades and metrics with ties; some cells are missing."""
    rng = default_rng(seed)
    system = rng.normal(size=(N_SYSTEMS, 1))
    shape = (N_SYSTEMS, n_topics)
    quality = np.clip(np.rint(3 + system + rng.normal(size=shape)), 1, 5)
    frame = pd.DataFrame(
        [(f"t{topic}", f"s{number}") for number in range(N_SYSTEMS) for topic in range(n_topics)],
        columns=NAMES,
    )
    for name, noise in (("alpha", 0.5), ("beta", 1.0), ("gamma", 2.0)):
        frame[name] = (quality + noise * rng.normal(size=shape)).round(1).ravel()
    return frame.assign(quality=quality.ravel())[rng.random(quality.size) >= missing]


def renamed(frame):
    """Give other names, whose order is another one, and another order of rows; and how to get back."""
    rng = default_rng(9)
    back = {}
    for column in NAMES:
        old = sorted(set(frame[column]))
        new = rng.permutation(len(old))
        back[column] = {f"{column}-{place:02}": name for name, place in zip(old, new, strict=True)}
        frame = frame.assign(**{column: frame[column].map({name: key for key, name in back[column].items()})})
    return frame.sample(frac=1, random_state=3), back


def sides(frame):
    return frame.drop(columns="quality"), frame[[*NAMES, "quality"]]


def assert_same(first, second, keys, columns):
    first, second = (table.set_index(keys)[columns].astype(float).sort_index() for table in (first, second))
    pd.testing.assert_frame_equal(first, second, rtol=0, atol=1e-12)


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("means", ["least-squares", "plain"])
@pytest.mark.parametrize(("n_topics", "missing"), [(9, 0.25), (20, 0.0), (20, 0.25)])
def test_every_coefficient_at_every_level(n_topics, missing, means):
    frame = table_of(n_topics, missing)
    options = {"level": CORRELATION_LEVELS, "coefficient": COEFFICIENTS, "means": means, "interval": "none"}
    first, second = (evaluate(*sides(table), **options).table for table in (frame, renamed(frame)[0]))
    assert len(first) == 3 * (len(CORRELATION_LEVELS) * (len(COEFFICIENTS) - 1) + 1)
    assert first["value"].notna().all()
    keys = ["metric", "level", "coefficient"]
    assert_same(first, second, keys, ["value", "chance", "epsilon"])


@pytest.mark.slow
@pytest.mark.parametrize("level", ["system", "input"])
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_metrics_against_each_other(level, coefficient):
    """With all exchanges of seven systems p is exact; random ones differ within their error."""
    if level == "input" and coefficient == SOFT_ACCURACY:
        pytest.skip("soft pairwise accuracy is of systems")
    frame = table_of(8, 0.2)
    options = {"level": level, "coefficient": coefficient, "n_resamples": 199}
    tables = [
        evaluate_pairs(*sides(table), "quality", **options).table for table in (frame, renamed(frame)[0])
    ]
    assert set(tables[0]["n_resamples"]) == {2**N_SYSTEMS}
    assert_same(*tables, ["first", "second"], ["r_first", "r_second", "difference", "p", "p_adjusted"])
    assert (tables[0]["p_here"] - tables[1]["p_here"]).abs().max() < 0.2
    rankings = [
        evaluate_pairs(*sides(table), "quality", **options).first().table
        for table in (frame, renamed(frame)[0])
    ]
    assert_same(*rankings, ["metric"], ["value", "rank", "cluster"])


@pytest.mark.slow
def test_williams():
    frame = table_of(8, 0.2)
    tables = [
        evaluate_pairs(*sides(table), "quality", test="williams", n_resamples=99).table
        for table in (frame, renamed(frame)[0])
    ]
    assert_same(*tables, ["first", "second"], ["difference", "low", "high", "statistic", "p"])


@pytest.mark.slow
def test_texts():
    frame = table_of(8, 0.0)
    words = default_rng(1).choice(["rain", "fell", "all", "day", "in", "the", "north"], size=(len(frame), 6))
    frame = frame.assign(
        summary=[" ".join(line) + "." for line in words], reference="Rain fell in the north."
    )
    options = {"compute": "rouge", "coefficient": [*COEFFICIENTS[:5], SOFT_ACCURACY]}
    boards = []
    for table in (frame, renamed(frame)[0]):
        corpus = Corpus.from_rows(table[[*NAMES, "summary", "reference", "quality"]])
        boards.append(evaluate(table[[*NAMES, "alpha"]], corpus, "quality", **options).table)
    assert_same(*boards, ["metric", "level", "coefficient"], ["value", "chance"])


@pytest.mark.slow
def test_biases():
    frame = table_of(12, 0.2)
    other, back = renamed(frame)
    first, second = (evaluate_bias(*sides(table)).table for table in (frame, other))
    second = second.assign(summarizer=second["summarizer"].map(back["system"]))
    columns = ["human_rank", "judge_rank", "bias", "low", "high", "relative", "kinder_than", "p_over_pick"]
    assert_same(first, second, ["metric", "summarizer"], columns)
