"""Each benchmark runs at its quick size and prints its section."""

import importlib

import numpy as np
import pytest

from benchmarks import coverage, predictions
from benchmarks.__main__ import main
from classy_aesop.significance.correlations.correlation_levels import correlation


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "search",
        "features",
        "rouge_pairs",
        "pair_files",
        "resampling",
        "pairs",
        "peers",
        "memory",
        "predicting",
    ],
)
def test_benchmark_prints_its_section(name, capsys):
    main([name, "--quick"])
    printed = capsys.readouterr().out
    assert printed.startswith(f"## {importlib.import_module(f'benchmarks.{name}').TITLE}\n")
    assert "Versions: classy-aesop" in printed


@pytest.mark.slow
def test_predictions_and_their_intervals_are_measured(capsys):
    predictions.main(["--quick", "--seeds", "1", "--methods", "topicwise"])
    printed = capsys.readouterr().out
    assert "| responsiveness | no_models | " in printed
    assert "Share of judgments in their 90% interval" in printed or "nan" not in printed


@pytest.mark.slow
def test_coverage_of_intervals_of_a_correlation_is_measured(capsys):
    """Of other topics for the same systems, intervals seldom hold the correlation of other systems."""
    size = ["--systems", "8", "--topics", "6", "--trials", "20", "--resamples", "30"]
    coverage.main([*size, "--level", "system"])
    lines = [line.strip("| ") for line in capsys.readouterr().out.splitlines() if " | " in line]
    rows = dict(line.split(" | ", 1) for line in lines)
    assert float(rows["inputs"].split(" | ")[0]) < float(rows["both"].split(" | ")[0])
    assert set(rows) > {"fisher", "systems"}


@pytest.mark.slow
@pytest.mark.parametrize("coefficient", coverage.COEFFICIENTS_OF_NORMAL)
def test_made_up_scores_have_the_correlation_that_they_are_said_to_have(coefficient):
    design = coverage.Design(2_000, 4, 0.5, 1.0)
    X, Z = design.draw(np.random.default_rng(3))
    found = correlation(X, Z, level="system", coefficient=coefficient).value
    assert found == pytest.approx(design.truth("system", coefficient), abs=0.06)
