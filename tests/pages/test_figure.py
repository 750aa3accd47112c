"""Pictures as files: what the page draws, in the size and with the fonts that papers want."""

import re
import zlib
from pathlib import Path

import pandas as pd
import pytest

pytest.importorskip("matplotlib")

from classy_aesop import compare
from classy_aesop.errors import DataWarning, UsageError
from classy_aesop.pages.figure import WIDTH, pictures, save_figures
from classy_aesop.pages.formats import write_result
from classy_aesop.tables.result import Result

PAIRS = pd.DataFrame(
    {"year": "1", "first": ["a", "a", "b"], "second": ["b", "c", "c"], "difference": 1.0, "significant": True}
)
PAIR_NAMES = [f"{first} \N{MINUS SIGN} {second}" for first, second in ("ab", "ac", "bc")]


@pytest.mark.slow
def test_a_pdf_has_the_width_and_fonts_of_type_42(tmp_path):
    path = tmp_path / "f.pdf"
    save_figures(Result(PAIRS, kind="compare --pairs"), path)
    data = path.read_bytes()
    assert float(re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ", data)[1]) == pytest.approx(72 * WIDTH)
    parts = b"".join(
        zlib.decompress(part) if part[:1] == b"x" else part
        for part in re.findall(rb"stream\n(.*?)\nendstream", data, flags=re.S)
    )
    assert b"/Subtype /CIDFontType2" in data + parts  # what matplotlib embeds as Type 42
    assert b"/Subtype /Type3" not in data + parts


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["pdf", "svg", "PNG"])
def test_several_pictures_are_panels_of_one_file_of_the_same_bytes_again(ending, tmp_path):
    """Those of the table above come first."""
    above = Result(pd.concat([PAIRS, PAIRS.assign(year="2")]), kind="compare --pairs")
    result = Result(PAIRS.assign(year="3"), kind="compare --pairs", first=lambda: above)
    path = tmp_path / f"f.{ending}"
    save_figures(result, path)
    before = path.read_bytes()
    save_figures(result, path)
    assert path.read_bytes() == before
    assert [*tmp_path.iterdir()] == [path]
    captions = [picture.caption for table in (above, result) for picture in pictures(table)]
    if ending == "svg":
        assert "; ".join(captions) in path.read_text()


def test_an_axis_says_of_which_measure_the_means_are():
    from matplotlib.figure import Figure

    scores = pd.DataFrame({"topic": [1, 2, 3] * 2, "system": list("aaabbb"), "fluency": [1, 2, 3, 4, 4, 5]})
    assert compare(scores).plot(ax=Figure().add_subplot()).get_xlabel() == "mean fluency"


def test_where_nothing_can_be_drawn_a_warning_says_so(tmp_path):
    twice = {"topic": ["1", "1"], "summarizer": ["a", "a"], "metric": "m", "score": [1.0, 2]}
    with pytest.warns(DataWarning, match=r"f\.pdf: the table has nothing to draw"):
        save_figures(Result(pd.DataFrame(twice), kind="predict"), tmp_path / "f.pdf")
    assert not list(tmp_path.iterdir())


def test_a_result_is_drawn_in_a_notebook():
    from matplotlib import pyplot
    from matplotlib.figure import Figure

    ax = Figure().add_subplot()
    assert Result(PAIRS, kind="compare --pairs").plot(ax=ax) is ax
    assert [text.get_text() for text in ax.texts] == PAIR_NAMES
    several = Result(pd.concat([PAIRS, PAIRS.assign(year="2")]), kind="compare --pairs")
    assert len({place.figure for place in several.plot()}) == 2
    pyplot.close("all")
    with pytest.raises(UsageError, match="2 pictures of this table; expected one to draw it on ax, or no ax"):
        several.plot(ax=ax)


CANNOT = [
    ("validate", UsageError, "there is no picture of validate; expected one of .*compare,"),
    ("", UsageError, "there is no picture of a table of no kind; expected one of"),
]


@pytest.mark.parametrize(("kind", "error", "message"), CANNOT)
def test_what_cannot_be_drawn_is_told_in_a_line(kind, error, message):
    with pytest.raises(error, match=message):
        Result(PAIRS, kind=kind).plot()


def test_the_example_for_notebooks_of_the_page_runs(tmp_path, monkeypatch):
    from matplotlib import pyplot

    page = (Path(__file__).parents[2] / "docs" / "report.md").read_text("utf-8")
    [block] = [code for code in re.findall(r"```python\n(.*?)```", page, flags=re.S) if "read_result" in code]
    monkeypatch.chdir(tmp_path)
    with open("metrics.tsv", "w") as stream:
        write_result(
            Result(PAIRS, kind="compare --pairs", signature="command:compare --pairs"), stream, "tsv"
        )
    exec(compile(block, "report.md", "exec"), {})
    assert [text.get_text() for text in pyplot.gcf().axes[0].texts] == PAIR_NAMES
    pyplot.close("all")


RANKS = pd.DataFrame(
    {
        "year": "1",
        "task": ["A", "A", "A", "B", "B", "B"],
        "target": "t",
        "metric": "m",
        "summarizer": [*"abcabc"],
    }
).assign(rank=[1, 2, 3, 1, 2, 3], human_rank=[1, 3, 2, 1, 2, 3])


@pytest.mark.slow
def test_pictures_of_a_study_are_panels_of_one_file_that_say_what_they_are_of(tmp_path):
    result = Result(RANKS, kind="study ngram-ranks")
    titles = [f"year 1, task {task}, target t, metric m" for task in "AB"]
    assert [picture.title for picture in pictures(result)] == titles
    assert all(
        picture.caption.startswith(f"{title}: ")
        for picture, title in zip(pictures(result), titles, strict=True)
    )
    save_figures(result, tmp_path / "f.svg")
    text = (tmp_path / "f.svg").read_text()
    assert all(f"<!-- {title} -->" in text for title in titles)
    save_figures(Result(RANKS[:3], kind="study ngram-ranks"), tmp_path / "g.png")
    assert {path.name for path in tmp_path.iterdir()} == {"f.svg", "g.png"}
