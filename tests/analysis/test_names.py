"""Names and tables may be one or several, in the words of the options; an unknown name is answered with the known."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop import IntervalOptions, compare, compare_metrics, evaluate, rank
from classy_aesop.errors import InputError, UsageError

ROWS = [(f"t{topic}", f"s{system}") for topic in range(5) for system in range(7)]


def scores_by(name, seed):
    values = np.random.default_rng(seed).normal(size=len(ROWS))
    return pd.DataFrame(ROWS, columns=["topic", "summarizer"]).assign(**{name: values})


ONE, TWO, HUMAN = (scores_by(name, seed) for seed, name in enumerate(("m1", "m2", "quality")))
FEW = {"n_resamples": 99}


def test_one_name_is_a_list_of_one():
    of_lists = {"levels": ["system"], "coefficients": ["pearson"], "interval": IntervalOptions("fisher")}
    of_names = {"levels": "system", "coefficients": "pearson", "interval": "fisher"}
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


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"levels": "sistem"}, "no level 'sistem'; expected one of system, input, "),
        ({"coefficients": ["pearsn"]}, "no coefficient 'pearsn'; expected one of pearson, spearman, "),
        ({"interval": "fischer"}, "interval is 'fischer'; expected one of fisher, boot-systems, "),
    ],
)
def test_an_unknown_name_is_answered_with_the_known(how, said):
    for function in (evaluate, lambda *tables, **how: compare_metrics(*tables, "quality", **FEW, **how)):
        with pytest.raises(UsageError, match=said):
            function([ONE, TWO], HUMAN, **how)
