"""The page is well-formed, asks the network for nothing, is readable, and holds what the tables hold."""

import json
import re
import shutil
from html.parser import HTMLParser
from importlib import resources

import numpy as np
import pandas as pd
import pytest

from classy_aesop.errors import InputError
from classy_aesop.report.files import read_table

pytest.importorskip("matplotlib")
pytest.importorskip("jinja2")

from classy_aesop.report.html import html, named_tables, write_page
from classy_aesop.report.page import Page, Section, Table
from classy_aesop.report.run_page import run_page
from classy_aesop.report.table_page import kind_of, table_page
from tests.each import each

VOID = {"meta", "link", "img", "br", "hr", "input"}
LOADING = {"src", "srcset", "data", "action", "poster", "background", "formaction"}


class Checker(HTMLParser):
    """Every element is closed in its turn; elements, attributes and text are kept."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.attributes, self.text = [], [], [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += [(tag, *pair) for pair in attributes]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += [(tag, *pair) for pair in attributes]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def parsed(text):
    checker = Checker()
    checker.feed(text)
    checker.close()
    assert checker.open == []
    return checker


def check_is_safe(text):
    """Only our script, nothing that loads, no handler, unique ids."""
    found = parsed(text)
    assert found.tags.count("script") == 1
    assert not {"iframe", "object", "embed", "link", "base", "form", "foreignobject"} & set(found.tags)
    ids = [value for _, name, value in found.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    for tag, name, value in found.attributes:
        assert not name.startswith("on"), (tag, name)
        assert name not in LOADING, (tag, name)
        if name in ("href", "xlink:href"):
            assert value.startswith(("#", "report.data/")) or (
                tag == "image" and value.startswith("data:image/png")
            )
        if name == "style":
            assert not re.search(r"url\((?!#)|@import", value)
    style = "".join(re.findall(r"<style>(.*?)</style>", text, flags=re.S))
    assert "url(" not in style
    assert "@import" not in style
    assert "default-src 'none'" in text
    return found


def test_the_page_of_a_run_with_hostile_names_is_safe(page):
    found = check_is_safe(page.read_text(encoding="utf-8"))
    every = "".join(found.text)
    assert "<script>alert(1)</script>" in every  # as text
    assert "x" * 200 in every
    assert "مُلخِّص" in every
    assert "\u202e" not in every


def test_the_first_sentences_say_what_was_predicted_and_how_well(page):
    lead = re.findall(r'<p class="lead" dir="auto">(.*?)</p>', page.read_text(encoding="utf-8"))
    assert len(lead) == 3
    assert lead[0].startswith("The human scores (responsiveness) of ")
    assert (
        "of 2023 (5 topics, 10 summarizers) were predicted by 1 predictor, learned from 2021, 2022."
        in lead[0]
    )
    assert "ROUGE-2" in lead[1]
    assert lead[2].startswith("Luck alone")


def test_the_page_has_every_part(page):
    text = page.read_text(encoding="utf-8")
    titles = re.findall(r'<h2 dir="auto">(.*?)</h2>', text)
    assert titles == [
        "How well", "Warnings", "Run 6-A-all_peers", "Every number", "Commands", "Signature", "Configuration"
    ]  # fmt: skip
    captions = " ".join(re.findall(r"<figcaption>(.*?)</figcaption>", text))
    for part in (
        "95 % intervals",
        "Mean prediction",
        "Each summary",
        "The search",
        "moves the predictions",
        "by topic",
    ):
        assert part in captions
    assert "Subsets that are averaged" in text
    assert "Optimism of the best score" in text


def test_all_numbers_lie_beside_the_page(page, run_folder):
    folder = page.with_name("report.data")
    files = {path.name for path in folder.iterdir()} - {"manifest.json"}
    linked = set(re.findall(r'href="report.data/([^"]*)" download', page.read_text(encoding="utf-8")))
    assert files == linked
    assert {name.rpartition(".")[2] for name in files} == {"tsv", "json", "tex"}
    [path] = folder.glob("*-predictions.tsv")
    rows, _ = read_table(run_folder / "predictions.tsv")
    pd.testing.assert_frame_equal(read_table(path)[0], rows)
    json_rows = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["rows"]
    assert [row["score"] for row in json_rows] == rows["score"].tolist()


@pytest.mark.slow
def test_two_pages_have_the_same_bytes(page, run_folder, tmp_path):
    write_page(run_page(run_folder), tmp_path / "report.html")
    assert (tmp_path / "report.html").read_bytes() == page.read_bytes()
    for path in (tmp_path / "report.data").iterdir():
        assert path.read_bytes() == (page.with_name("report.data") / path.name).read_bytes()


def test_shares_of_learners_are_shown(run_folder):
    from dataclasses import replace

    from classy_aesop.report import run_page as module

    found = module._read(run_folder)
    one = found.predictors[0]
    shares = [{"name": "ridge", "share": 0.75}, {"name": "forest", "share": 0.25}]
    learned = replace(one, training={**one.training, "learners": shares})
    tables = [item for item in module._parts(found, learned) if item.kind == "table"]
    assert tables[-1].rows.to_dict("records") == shares


def colours(part):
    return dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", part))


def contrast(one, other):
    """The ratio of WCAG 2.2, from 1 to 21."""

    def light(colour):
        parts = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
        return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4) @ [
            0.2126,
            0.7152,
            0.0722,
        ]

    dark, bright = sorted([light(one), light(other)])
    return (bright + 0.05) / (dark + 0.05)


def test_colours_have_contrast_in_light_dark_and_print():
    style = resources.files("classy_aesop.report").joinpath("page.css").read_text(encoding="utf-8")
    parts = [colours(part) for part in re.findall(r":root \{(.*?)\}", style, flags=re.S)]
    assert len(parts) == 3
    for found in parts:
        for paper in (found["paper"], found["shade"]):
            assert contrast(found["ink"], paper) >= 7
            assert contrast(found["link"], paper) >= 4.5
        assert contrast(found["grey"], found["paper"]) >= 4.5
        for name in ("blue", "vermillion", "green", "purple", "orange", "sky"):
            assert contrast(found[name], found["paper"]) >= 3, name


def test_a_long_table_is_shown_in_part():
    rows = pd.DataFrame({"topic": [f"T{at}" for at in range(500)], "score": 0.123456})
    page = Page("t", [], [Section("s", items=[Table("a/../b", "c", rows)])])
    text = html(page, "x.data")
    assert text.count("<tr>") == 201
    assert "300 more rows are in the files." in text
    assert [name for name, _ in named_tables(page)] == ["001-a_.._b"]
    assert 'class="number">0.123<' in text


def written(tmp_path, name, rows, **more):
    path = tmp_path / name
    pd.DataFrame(rows).assign(**more).to_csv(path, sep="\t", index=False)
    return path


PLACE = {"year": "2023", "task": "A", "signature": "s:1"}
TABLES = {
    "Tests of pairs of summarizers": {
        "metric": ["m"], "first": ["<b>"], "second": ["2"], "difference": [1.0], "significant": [True]},
    "Ranks and clusters": {
        "summarizer": ["a", "b"], "mean": [2.0, 1], "cluster": [1, 2], "rank": [1, 2], "best_rank": [1, 2],
        "worst_rank": [1, 2]},
    "Tests of pairs of metrics": {
        "first": ["a"], "second": ["b"], "r_first": [0.5], "r_second": [0.1], "difference": [0.4],
        "p_by_first": [0.01]},
    "Correlations with human scores": {
        "metric": ["a", "b"], "target": "t", "level": "system", "coefficient": "pearson", "value": [0.5, 0.1],
        "n_summarizers": 5, "n_topics": 3, "n_skipped": 0, "low": [0.1, -0.2], "high": [0.6, 0.4]},
    "Agreement with human decisions": {"metric": ["a"], "tp": [1], "fn": [2], "ba": [0.6]},
    "Agreement of assessors": {
        "metric": ["m"], "assessor": ["1"], "value": [0.6], "low": [0.4], "high": [0.7], "n_units": [9]},
    "Power of tests": {"share": [0.1, 0.2], "test": "t", "power": [0.4, 0.9]},
    "Scores beside human scores": {
        "summarizer": ["a", "b"], "human": [True, False], "score": [0.1, 0.2], "human_score": [3.0, 4],
        "slope": [1.0, 1]},
    "Topics needed": {"first": ["1"], "second": ["2"], "n_topics": [30], "power": [0.8], "low": [28], "high": [32]},
    "Contributions": {"metric": ["m"] * 2, "part": ["r2", "r2"], "contribution": [0.1, 0.3]},
    "Scores": {"topic": ["T1", "T2"], "summarizer": ["a", "a"], "metric": "m", "score": [1.0, 2]},
    "Table": {"other": ["x"], "thing": [3]},
}  # fmt: skip


@each("what", TABLES)
def test_tables_are_known_by_their_columns_and_drawn(what, tmp_path):
    path = written(tmp_path, "t.tsv", TABLES[what], **PLACE)
    page = table_page([path])
    rows, signed = read_table(path)
    assert (kind_of(rows).what, signed) == (what, "s:1")
    n_pictures = sum(item.kind == "picture" for section in page.sections for item in section.items)
    assert n_pictures == (what != "Table")
    check_is_safe(html(page, "report.data"))


def test_a_column_of_words_where_numbers_belong_is_refused(tmp_path):
    path = written(tmp_path, "t.tsv", {**TABLES["Scores"], "score": ["1", "much"]}, **PLACE)
    with pytest.raises(InputError, match=r"t\.tsv: score is 'much'; expected a number"):
        table_page([path])


@each(
    ("name", "text", "said"),
    [
        ("a.tsv", "one\n", "expected a header of two or more"),
        ("a.tsv", "one\ttwo\n1\n", "line 2: 1 columns; expected 2"),
        ("a.tsv", "one\ttwo\n", "no rows"),
        ("a.json", "[1]", "expected an object with rows"),
        ("a.json", '{"rows": [1]}', "expected each row to be an object"),
        ("a.jsonl", '{"a": 1}\n{', "line 2: not JSON"),
    ],
)
def test_what_is_no_table_is_refused_with_its_line(name, text, said, tmp_path):
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=said):
        read_table(tmp_path / name)


def test_json_and_json_lines_are_read_like_tsv(tmp_path):
    from classy_aesop.report.table import write_table

    rows = pd.DataFrame({"metric": ["01", "b"], "value": [0.5, np.nan]})
    for format in ("tsv", "json", "jsonl"):
        with (tmp_path / f"t.{format}").open("w") as stream:
            write_table(rows, stream, format, "s:1")
        found, signed = read_table(tmp_path / f"t.{format}")
        pd.testing.assert_frame_equal(found, rows, check_dtype=False)
        assert signed == "s:1"


def test_a_folder_that_is_no_run_is_refused(tmp_path, run_folder):
    with pytest.raises(InputError, match=r"no run\.json; expected a folder"):
        run_page(tmp_path)
    shutil.copytree(run_folder, tmp_path / "copy")
    rows = (run_folder / "verdict.tsv").read_text(encoding="utf-8").replace("against", "older")
    (tmp_path / "copy" / "verdict.tsv").write_text(rows, encoding="utf-8")
    with pytest.raises(
        InputError, match=r"verdict\.tsv: no column against; expected a table that this version"
    ):
        run_page(tmp_path / "copy")
    (tmp_path / "copy" / "run.json").write_text("{}")
    with pytest.raises(InputError, match="not a record of train"):
        run_page(tmp_path / "copy")


@pytest.mark.slow
def test_a_year_without_judgments_has_a_page_that_says_so(run_folder, tmp_path):
    folder = shutil.copytree(run_folder, tmp_path / "copy")
    for name, columns in {
        "predictions": ["judged"],
        "verdict": ["value", "rival", "difference", "p", "p_adjusted"],
    }.items():
        rows = pd.read_csv(folder / f"{name}.tsv", sep="\t", dtype=str, keep_default_na=False)
        rows.assign(**dict.fromkeys(columns, "")).to_csv(folder / f"{name}.tsv", sep="\t", index=False)
    (folder / "summary.tsv").write_text(
        (folder / "summary.tsv").read_text(encoding="utf-8").split("\n")[0] + "\n"
    )
    text = html(run_page(folder))
    assert "2023 has no human scores of responsiveness" in text
    assert "2023 has no judgments to compare with." in text
    check_is_safe(text)


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1280, 900), (360, 740)])
def test_a_browser_shows_it_whole_and_asks_for_nothing(page, scheme, size):
    playwright = pytest.importorskip("playwright.sync_api")
    found = next(
        filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "google-chrome"))), None
    )
    with playwright.sync_playwright() as program:
        try:
            browser = program.chromium.launch(executable_path=found, args=["--no-sandbox"])
        except playwright.Error:
            pytest.skip("no browser: install chromium, or run playwright install chromium")
        context = browser.new_context(
            viewport=dict(zip(("width", "height"), size, strict=True)), color_scheme=scheme
        )
        shown, said, asked = context.new_page(), [], []
        shown.on("console", lambda message: said.append(message.text))
        shown.on("pageerror", lambda error: said.append(str(error)))
        shown.on("dialog", lambda dialog: said.append(dialog.message))
        shown.on("request", lambda request: asked.append(request.url))
        shown.goto(page.as_uri())
        assert said == []
        assert asked == [page.as_uri()]
        assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert shown.evaluate(CUT_OFF) == []
        assert shown.evaluate(OVERLAP) == []
        button = shown.locator("th button").first
        button.focus()
        shown.keyboard.press("Enter")
        assert shown.evaluate("document.querySelector('th').getAttribute('aria-sort')") == "ascending"
        shown.keyboard.press("Enter")
        assert shown.evaluate("document.querySelector('th').getAttribute('aria-sort')") == "descending"
        browser.close()


OVERLAP = """[...document.querySelectorAll("figure svg")].flatMap((svg) => {
  const texts = [...svg.querySelectorAll("text")].map((text) => [text.textContent, text.getBoundingClientRect()]);
  return texts.flatMap(([name, a], at) => texts.slice(at + 1).filter(([_, b]) =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 4 && b.top < a.bottom - 4
  ).map(([other]) => `${name} over ${other}`));
})"""

CUT_OFF = """[...document.querySelectorAll("figure svg")].flatMap((svg) => {
  const all = svg.getBoundingClientRect();
  return [...svg.querySelectorAll("text")].filter((text) => {
    const own = text.getBoundingClientRect();
    return own.left < all.left - 4 || own.right > all.right + 4 || own.top < all.top - 4 || own.bottom > all.bottom + 4;
  }).map((text) => text.textContent);
})"""
