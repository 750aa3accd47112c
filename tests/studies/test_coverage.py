"""Coverage of intervals from score tables: the same as on the matrices, and as a command."""

import pandas as pd
import pytest

from classy_aesop.cli import main
from classy_aesop.errors import UsageError
from classy_aesop.significance.simulations import interval_coverage
from classy_aesop.studies.deutsch_2021 import table_coverage
from classy_aesop.work.records import seeded_rng


@pytest.fixture
def matrices():
    rng = seeded_rng(1, "made up")
    quality = rng.normal(size=(8, 1))
    return {name: quality + rng.normal(size=(8, 10)) for name in ("r2", "su4", "overall")}


@pytest.fixture
def tables(matrices):
    """A table of scores and one of judgments."""
    rows = [
        ("2021", f"t{topic}", "A", str(system), name, score)
        for name, values in matrices.items()
        for system, row in enumerate(values)
        for topic, score in enumerate(row)
    ]
    table = pd.DataFrame(rows, columns=["year", "topic", "task", "summarizer", "metric", "score"])
    of_humans = table["metric"] == "overall"
    return table[~of_humans], table[of_humans]


@pytest.mark.slow
def test_coverage_is_that_of_the_matrices(tables, matrices):
    found = table_coverage(tables, "overall", n_trials=7, n_resamples=30, seed=5)
    assert list(found)[:4] == ["year", "task", "metric", "target"]
    assert set(found["level"]) == {"system", "input"}
    for (metric, level), own in found.groupby(["metric", "level"]):
        rng = seeded_rng(5, "2021", "A", metric, "overall", level, "pearson")
        X, Z = matrices[metric], matrices["overall"]
        expected = interval_coverage(X, Z, level=level, n_trials=7, n_resamples=30, rng=rng)
        assert own["coverage"].tolist() == [one.coverage for one in expected]
        assert own["width"].tolist() == [one.width for one in expected]


def test_a_metric_alone_has_the_same_draws(tables):
    both = table_coverage(tables, "overall", n_trials=5, n_resamples=20)
    alone = table_coverage(tables, "overall", metrics=["su4"], n_trials=5, n_resamples=20)
    pd.testing.assert_frame_equal(both[both["metric"] == "su4"].reset_index(drop=True), alone)


def test_unknown_names_are_refused(tables):
    with pytest.raises(UsageError, match="no target 'form'"):
        table_coverage(tables, "form")


def test_the_commands_print_rows(tables, tmp_path, capsys):
    paths = [tmp_path / "scores.tsv", tmp_path / "judgments.tsv"]
    for table, path in zip(tables, paths, strict=True):
        table.to_csv(path, sep="\t", index=False)
    command = ["study", "coverage", *map(str, paths), "--target", "overall"]
    assert main([*command, "--trials", "3", "--resamples", "9", "--metric", "r2"]) == 0
    printed = capsys.readouterr().out
    assert " metric r2, " in printed
    assert sum(line.split()[1:2] in (["system"], ["input"]) for line in printed.splitlines()) == 18
    assert "|metric:r2|trials:3|resamples:9|seed:0|" in printed
