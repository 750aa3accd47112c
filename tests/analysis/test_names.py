"""Names and tables may be one or several, in the words of the options."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop import compare, compare_metrics, evaluate, rank
from classy_aesop.errors import InputError

ROWS = [(f"t{topic}", f"s{system}") for topic in range(5) for system in range(7)]


def scores_by(name, seed):
    values = np.random.default_rng(seed).normal(size=len(ROWS))
    return pd.DataFrame(ROWS, columns=["topic", "summarizer"]).assign(**{name: values})


ONE, TWO, HUMAN = (scores_by(name, seed) for seed, name in enumerate(("m1", "m2", "quality")))
FEW = {"n_resamples": 99}


def test_one_name_is_a_list_of_one():
    of_lists = {"levels": ["system"], "coefficients": ["pearson"]}
    of_names = {"levels": "system", "coefficients": "pearson"}
    assert evaluate(ONE, HUMAN, **of_lists).equals(evaluate(ONE, HUMAN, **of_names))
    both = ONE.merge(TWO)
    one, other = (compare_metrics(both, HUMAN, "quality", **how, **FEW) for how in (of_lists, of_names))
    assert one.equals(other)


def test_several_tables_are_one():
    both = evaluate(ONE.merge(TWO), HUMAN)
    assert evaluate([ONE, TWO], [HUMAN]).equals(both)
    half = ONE["topic"] < "t2"
    parts = [ONE[half], ONE[~half]]
    assert compare(parts, "m1").equals(compare(ONE, "m1"))
    assert rank(parts, "m1").equals(rank(ONE, "m1"))
    with pytest.raises(InputError, match="table 2: t0 s0: m1 is in another of the files too"):
        evaluate([ONE, ONE], HUMAN)
