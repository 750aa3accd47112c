"""Power on mixtures from a table: the same as on the distributions, and as a command."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop.cli import main
from classy_aesop.errors import InputError, UsageError
from classy_aesop.significance.simulations import mixture_power
from classy_aesop.studies.rankel_2016 import MIXTURE, table_mixture_power
from classy_aesop.work.records import seeded_rng

FEW = {"shares": (0.0, 0.8), "n_topics": 15, "n_null": 200, "n_trials": 100}


@pytest.fixture
def table():
    """Two systems with 1, 1, 2, 3 and 1, 2, 2, 2; two humans with 2, 3, 3, 3 and 3, 3, 2, 2."""
    given = {"1": (1, 1, 2, 3), "2": (1, 2, 2, 2), "A": (2, 3, 3, 3), "B": (3, 3, 2, 2)}
    rows = [
        ("2021", f"t{topic}", "A", name, "overall", float(score))
        for name, scores in given.items()
        for topic, score in enumerate(scores)
    ]
    return pd.DataFrame(rows, columns=["year", "topic", "task", "summarizer", "metric", "score"])


@pytest.mark.parametrize("topic_effects", [False, True])
def test_power_is_that_of_the_distributions(table, topic_effects):
    found = table_mixture_power(table, "overall", ["A", "B"], topic_effects=topic_effects, seed=2, **FEW)
    assert list(found) == MIXTURE
    topics = np.array([(2, 1, 1), (1, 1, 2), (0, 3, 1), (0, 2, 2)]) / 4
    expected = mixture_power(
        [3 / 8, 4 / 8, 1 / 8],
        [0, 3 / 8, 5 / 8],
        values=[1, 2, 3],
        topics=topics if topic_effects else None,
        n_trials=100,
        rng=seeded_rng(2, "2021", "A", "overall"),
        **{name: FEW[name] for name in ("shares", "n_topics", "n_null")},
    )
    assert found["power"].to_numpy().reshape(2, 3).T.tolist() == expected.power.tolist()
    assert found["test"].tolist() == [*expected.tests] * 2


def test_the_command_prints_it(table, tmp_path, capsys):
    table.to_csv(tmp_path / "judgments.tsv", sep="\t", index=False)
    command = ["study", "mixture-power", str(tmp_path / "judgments.tsv"), "--metric", "overall"]
    assert main([*command, "--humans", "A", "B", "--trials", "50", "--null", "50", "--topics", "9"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("paired_t") == 17 * 2
    assert "|metric:overall|humans:A+B|" in printed
    assert main([*command, "--humans", "A", "B", "--trials", "50", "--null", "50", "--topics", "9"]) == 0
    assert capsys.readouterr().out == printed


def test_machines_and_humans_are_needed(table):
    with pytest.raises(UsageError, match="no summarizer 'H'"):
        table_mixture_power(table, "overall", ["H"])
    with pytest.raises(InputError, match="no machines among 4"):
        table_mixture_power(table, "overall", ["1", "2", "A", "B"])
    with pytest.raises(InputError, match="no humans among 4"):
        table_mixture_power(table, "overall", [])
