"""Each benchmark runs at its quick size and writes its section."""

import importlib

import numpy as np
import pytest

from benchmarks import harness, report, startup
from benchmarks.__main__ import main
from benchmarks.data import QUICK, made_up_search, more_columns
from benchmarks.harness import Contestant, Run


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["search", "features", "rouge_l", "resampling", "pairs", "memory", "scaling"]
)
def test_benchmark_writes_its_section(name, tmp_path, capsys):
    page = tmp_path / "performance.md"
    main([name, "--quick", "-o", str(page)])
    title = importlib.import_module(f"benchmarks.{name}").TITLE
    written = page.read_text("utf-8")
    assert f"\n## {title}\n" in written
    assert "Versions: classy-aesop" in written
    assert capsys.readouterr().out.startswith(f"## {title}\n")


@pytest.mark.slow
def test_a_start_tells_what_is_held():
    assert startup.start("pass") == []
    assert startup.start("import numpy") == ["numpy"]
    assert startup.start(startup.COMMANDS["--help"]) == []


def test_a_section_is_replaced_in_place(tmp_path):
    page = tmp_path / "page.md"
    for title, text in [("One", "first"), ("Two", "second"), ("One", "third\n\n### part")]:
        report.write_section(page, title, text)
    written = page.read_text("utf-8")
    assert "first" not in written
    assert written.index("## One\n\nthird\n\n### part\n\n## Two\n\nsecond\n") > 0


def test_ratio_is_taken_within_rounds():
    ours, peer = (
        [Run(cpu, 2 * cpu, None) for cpu in numbers] for numbers in ([1.0, 2.0, 4.0], [10.0, 40.0, 40.0])
    )
    assert harness.ratio(peer, ours) == harness.Spread(10.0, 10.0, 20.0)


def test_rounds_turn_round():
    order = []
    works = {name: Contestant(lambda name=name: order.append(name)) for name in "abc"}
    runs = harness.rounds(works, 2)
    assert order == list("abccba")
    assert {name: len(found) for name, found in runs.items()} == {"a": 2, "b": 2, "c": 2}


def test_a_run_apart_leaves_nothing_behind():
    held = []
    found = harness.run_apart(Contestant(lambda: held.append(1) or len(held), share=0.5))
    assert (found.value, held) == (1, [])


@pytest.mark.slow
def test_more_columns_keep_those_that_are_there():
    data = made_up_search(QUICK, "A")
    wider = more_columns(data, 8)
    assert wider.train.X.shape[1] == len(wider.groups) == 8
    np.testing.assert_array_equal(wider.select.X[:, :5], data.select.X)
