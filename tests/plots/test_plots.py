"""Pictures draw what the tables hold, on the axes that are given, and refuse what is not theirs."""

import re
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("matplotlib")

from matplotlib.figure import Figure

from classy_aesop import plots
from classy_aesop.errors import InputError, UsageError
from classy_aesop.plots.base import (
    MAX_LABEL_LENGTH,
    replace_control,
    require_packages,
    safe_label,
    safe_labels,
    shorten_names,
    write_cell_names,
)

HOSTILE = ["<script>alert(1)</script>", "abc\u202edef", "x" * 200, "$\\frac$", "a\x00b", "שלום", "two\nlines"]

POINTS = pd.DataFrame(
    {"score": [1.0, 2, 3, 4], "judged": [1.5, 2, np.nan, 5], "human": [False, False, False, True],
     "low": [0.5, 1, 2, 3], "high": [2, 3, 4, 5.0]}
)  # fmt: skip
PAIRS = {"first": list("aab"), "second": list("bcc"), "difference": [1.0, 2, -1]}
PAIRS = pd.DataFrame(PAIRS | {"significant": [True, True, False]})
SCORES = pd.DataFrame(
    {"topic": ["T1", "T2", "T1"], "summarizer": list("aab"), "metric": "r2", "score": [1.0, 2, 3]}
)
FOREST = {"metric": ["r2", "su4"], "value": [0.5, -0.1], "low": [0.2, np.nan], "high": [0.7, np.nan]}
FOREST = pd.DataFrame(FOREST)
POWER = pd.DataFrame({"test": ["t", "t", "w"], "n_topics": [10, 20, 10], "power": [0.5, 0.9, 0.4]})
PARTS = pd.DataFrame({"part": ["r2", "su4"], "spread": [0.1, 0.4]})
DRAWN = [
    (plots.scatter, POINTS, ["score", "judged"]),
    (plots.forest, FOREST, ["metric", "value"]),
    (plots.heatmap, SCORES, ["topic", "summarizer", "metric", "score"]),
    (plots.pairs, PAIRS, ["first", "second", "difference", "significant"]),
    (partial(plots.curves, x="test", y="power"), POWER, ["test", "power"]),
    (plots.contributions, PARTS, ["part", "spread"]),
]


@pytest.mark.parametrize(("draw", "table", "columns"), DRAWN)
def test_pictures_use_the_axes_and_say_which_column_is_missing(draw, table, columns):
    ax = Figure().add_subplot()
    assert draw(table, ax=ax) is ax
    assert ax.has_data() or ax.patches or ax.artists
    for name in columns:
        with pytest.raises(InputError, match="no column"):
            draw(table.drop(columns=name), ax=ax)
    with pytest.raises(InputError, match="no rows"):
        draw(table.iloc[:0], ax=ax)


def test_the_page_of_the_docs_names_every_picture():
    page = (Path(__file__).parents[2] / "docs" / "report.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^plots\.(\w+)\(", page, flags=re.M)) == set(plots.__all__)


def test_humans_and_systems_and_points_without_an_interval_are_told_apart():
    ax = plots.scatter(POINTS, diagonal=True, lines=True, ax=Figure().add_subplot())
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["systems (2)", "humans (1)"]
    ends = {"low": [0.0, np.nan], "high": [0.3, np.nan]}
    ax = plots.forest(
        pd.DataFrame({"metric": ["m", "n"], "value": [0.1, 0.2], **ends}), ax=Figure().add_subplot()
    )
    assert [0.1, 0.2] in [list(line.get_xdata()) for line in ax.lines]


def test_pairs_are_ordered_by_wins_and_bars_cover_cells_that_are_alike():
    """The last two win nothing, and the third is 1 better than the second."""
    ax = plots.pairs(PAIRS, ax=Figure().add_subplot())
    assert [text.get_text() for text in ax.texts] == ["a", "c", "b"]
    better, worse, undecided = (bars.get_path().vertices.reshape(-1, 5, 2) for bars in ax.patches)
    assert better[:, [0, 2]].round(2).tolist() == [[[0.5, -0.42], [2.5, 0.42]]]  # a beats b and c
    assert worse[:, 0, 0].tolist() == [-0.5, -0.5]
    assert len(undecided) == 2


def test_names_keep_their_order_on_curves_and_maps():
    rows = pd.DataFrame(
        {"metric": ["b", "a"] * 2, "level": ["x", "x", "y", "y"], "recall": [0.1, 0.2, 0.3, 0.4]}
    )
    ax = plots.curves(rows, x="metric", y="recall", by="level", ax=Figure().add_subplot())
    assert [text.get_text() for text in ax.get_xticklabels()] == ["b", "a"]
    assert [line.get_ydata().tolist() for line in ax.lines] == [[0.1, 0.2], [0.3, 0.4]]
    assert [text.get_text() for text in plots.heatmap(SCORES, ax=Figure().add_subplot()).texts] == ["b", "a"]


def test_lines_of_many_metrics_differ_in_colour_or_markers():
    rows = pd.DataFrame({"x": 1.0, "y": 2.0, "metric": [f"m{number}" for number in range(36)]})
    ax = plots.curves(rows, x="x", y="y", by="metric", ax=Figure().add_subplot())
    assert len({(line.get_color(), line.get_marker()) for line in ax.lines}) == 36


def test_a_map_has_the_order_asked_for_and_white_gaps():
    ax = plots.heatmap(SCORES, rows=["a", "b"], columns=["T2", "T1"], ax=Figure().add_subplot())
    assert [text.get_text() for text in ax.texts] == ["a", "b"]
    assert [text.get_text() for text in ax.get_xticklabels()] == ["T2", "T1"]
    [image] = ax.images
    assert image.get_array().mask.tolist() == [[False, False], [True, False]]  # a masked cell is transparent


def test_scores_of_several_metrics_or_twice_are_refused_and_contributions_have_a_spread():
    ax = Figure().add_subplot()
    with pytest.raises(InputError, match="2 metrics"):
        plots.heatmap(pd.concat([SCORES, SCORES.assign(metric="su4")]), ax=ax)
    with pytest.raises(InputError, match="several scores"):
        plots.heatmap(pd.concat([SCORES, SCORES]), ax=ax)
    table = pd.DataFrame({"part": ["baseline", "r2", "baseline", "r2"], "contribution": [3.0, 1, 3, -1]})
    ax = plots.contributions(table, ax=Figure().add_subplot())
    assert [bar.get_width() for bar in ax.patches] == [1.0]


def test_names_are_safe_to_draw():
    for name in (*HOSTILE, "\ud800"):
        shown = safe_label(name)
        assert len(shown.replace("\\$", "$")) <= MAX_LABEL_LENGTH
        assert not set("\u202e\x00\ud800\n") & set(shown)
    assert safe_label("$x$") == "\\$x\\$"
    assert replace_control("ab\u200dc") == "ab\u200dc"  # joins letters in many scripts
    ax = plots.forest(pd.DataFrame({"metric": HOSTILE, "value": 1.0}), ax=Figure().add_subplot())
    ax.figure.draw_without_rendering()


def test_a_missing_package_is_one_clear_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(UsageError, match=r"matplotlib is not installed.*pip install matplotlib"):
        require_packages("matplotlib")
    with pytest.raises(UsageError, match="matplotlib is not installed"):
        plots.forest(FOREST)


@pytest.mark.parametrize(
    ("name", "columns", "said"),
    [
        ("value", {"coefficient": "tau_ap", "target": "t", "level": "input"}, r"tau_ap with t, input level"),
        ("value", {"coefficient": "kendall", "target": "litepyramid_recall", "level": "system"},
         "Kendall's tau with litepyramid_recall, system level"),
        ("value", {"coefficient": "pearson", "target": ["a", "b"]}, "Pearson's r"),
        ("value", {"coefficient": ["kendall", "pearson"], "target": "t"}, "correlation with t"),
        ("ba", {}, "balanced accuracy"),
        ("mean_rank", {}, "mean rank"),
    ],
)  # fmt: skip
def test_an_axis_says_what_it_shows(name, columns, said):
    table = pd.DataFrame({"metric": ["m", "n"], name: [0.1, 0.2], **columns})
    assert plots.forest(table, value=name, ax=Figure().add_subplot()).get_xlabel() == said


def test_labels_keep_what_differs_and_drop_what_is_common():
    long = "a system with a name that says much"
    assert safe_labels([f"{long} one", f"{long} two"]) == ["…one", "…two"]
    assert safe_labels([f"x1-{long}", f"x2-{long}"]) == ["x1…", "x2…"]
    short = ["ROUGE-1 recall", "ROUGE-2 recall"]
    assert safe_labels(short) == short
    alike = [f"{'x' * 40}{middle}{'y' * 40}" for middle in ("A1", "B1", "B2")] + ["short"]
    shown = safe_labels([*alike, alike[0]])
    assert len(set(shown)) == 4
    assert shown[0] == shown[-1]
    assert all(len(name) <= MAX_LABEL_LENGTH for name in shown)
    assert safe_labels([]) == []


def test_names_that_are_cut_at_their_end_have_a_mark_there():
    names = ["rouge-1.precision", "rouge-2.precision", "novelty"]
    assert shorten_names(names, 13) == ["rouge-1.prec…", "rouge-2.prec…", "novelty"]

    assert safe_labels(["x" * 40] * 2) == [safe_label("x" * 40)] * 2


@pytest.mark.parametrize(("width", "n_shown"), [(3, 33), (9, 66)])
def test_names_of_a_matrix_never_overprint(width, n_shown):
    ax = Figure(figsize=(width, 6)).add_subplot()
    names = [str(number) for number in range(66)]
    write_cell_names(ax, names[:48], names)
    shown = [label for label in ax.get_xticklabels() if label.get_text()]
    assert [label.get_text() for label in shown] == names[:: 66 // n_shown]
    room = ax.get_window_extent().width * 72 / ax.figure.dpi
    assert sum(label.get_fontsize() for label in shown) <= room
