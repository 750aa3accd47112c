"""The page is well-formed, asks the network for nothing, is readable, and holds what the tables hold."""

import base64
import re
import shutil
from html.parser import HTMLParser
from importlib import resources

import numpy as np
import pandas as pd
import pytest

from classy_aesop.data import KEYS
from classy_aesop.errors import InputError
from classy_aesop.pages.formats import read_result

pytest.importorskip("matplotlib")
pytest.importorskip("jinja2")

from matplotlib.figure import Figure

from classy_aesop import compare
from classy_aesop.answers.declared import DECLARED, answer_of, load_answer
from classy_aesop.pages.contents import run_page, state_best_system, table_page
from classy_aesop.pages.figure import pictures
from classy_aesop.pages.page import (
    Page,
    PageTable,
    Section,
    arrange_table,
    html,
    named_tables,
)
from classy_aesop.papers.printed import misprints
from classy_aesop.plots.base import CYCLE, GREY
from classy_aesop.tables.answer import say_nothing
from classy_aesop.tables.result import Result

HOSTILE = ("<script>alert(1)</script>", "abc\u202edef", "x" * 200, "$\\frac{$ \"'&amp;--><!--", "مُلخِّص")
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

    def handle_endtag(self, tag):
        assert tag in VOID or self.open.pop() == tag

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
            assert value.startswith(("#", "data:text/")) or (
                tag == "image" and value.startswith("data:image/png")
            )
        if name == "style":
            assert not re.search(r"url\((?!#)|@import", value)
    style = "".join(re.findall(r"<style>(.*?)</style>", text, flags=re.S))
    assert "url(" not in style
    assert "@import" not in style
    assert "default-src 'none'" in text
    return found


@pytest.mark.slow
def test_the_page_of_a_run_is_safe_and_begins_with_what_was_predicted_and_how_well(page):
    every = "".join(check_is_safe(page.read_text(encoding="utf-8")).text)
    assert "<script>alert(1)</script>" in every  # as text
    assert "x" * 200 in every
    assert "مُلخِّص" in every
    assert "\u202e" not in every
    lead = re.findall(r'<p class="lead" dir="auto">(.*?)</p>', page.read_text(encoding="utf-8"))
    assert len(lead) == 3
    assert "ROUGE-2" in lead[0]
    assert "significant" in lead[0]
    assert lead[1].startswith("The human scores (responsiveness) of ")
    assert "(5 topics, 10 summarizers) were predicted by 1 predictor, trained on 2021, 2022." in lead[1]
    assert lead[2].startswith("On rows held out in training, the mean absolute error of a prediction is ")


@pytest.mark.slow
def test_the_page_has_every_part_and_what_a_search_found_is_folded(page):
    text = page.read_text(encoding="utf-8")
    titles = re.findall(r'<h2 dir="auto">(.*?)</h2>', text)
    assert titles == [
        "How well it predicts", "Warnings", "Run 6-A-all_peers", "The search", "Every number", "Configuration",
    ]  # fmt: skip
    captions = " ".join(re.findall(r"<figcaption>(.*?)</figcaption>", text))
    for part in (
        "95 % intervals", "Mean prediction", "Each summary", "who is significantly better than whom", "the search",
        "contributions to the scores",
    ):  # fmt: skip
        assert part in captions
    text = text.replace("\n", "")
    heading = r'<details id="[^"]*"><summary><h2 dir="auto">'
    [folded] = re.findall(f"{heading}The search.*?(?={heading})", text)
    for part in ("The 100 best subsets", "best score by the number"):
        assert part in folded
        assert part not in text.replace(folded, "")


@pytest.mark.slow
def test_ranks_and_pairs_are_those_of_compare(page):
    from classy_aesop.answers.systems import compare, compare_pairs

    folder = page.with_name("unpacked")
    unpack(page, folder)
    [predictions], [means] = (folder.glob(f"*{name}.tsv") for name in ("-predictions", ".means"))
    scores = read_result(predictions).table[[*KEYS, "metric", "score"]]
    ours, expected = read_result(means).table, compare(scores, "6-A-all_peers").table
    for name in ("summarizer", "rank", "best_rank", "worst_rank", "cluster"):
        assert ours[name].tolist() == expected[name].tolist()
    assert not compare_pairs(scores, "6-A-all_peers").table["significant"].any()
    said = "By the predicted scores 0 of 45 differences between summarizers are significant"
    assert said in page.read_text(encoding="utf-8")


@pytest.mark.slow
def test_all_numbers_are_inside_the_page(page, run_folder, tmp_path):
    """A page that is sent alone has them: no file lies beside it, and no link leads out of it."""
    assert not page.with_name("report.data").exists()
    files = unpack(page, tmp_path / "unpacked")
    assert {path.suffix for path in files} == {".tsv"}
    [path] = (tmp_path / "unpacked").glob("*-predictions.tsv")
    rows = read_result(run_folder / "predictions.tsv").table
    pd.testing.assert_frame_equal(read_result(path).table, rows)


def unpack(page, folder):
    """Write the tables inside a page to a folder, as a reader who follows the links does; give the files."""
    folder.mkdir(exist_ok=True)
    links = re.findall(
        r'href="data:[^;]+;charset=utf-8;base64,([^"]*)" download="([^"]*)"', page.read_text("utf-8")
    )
    assert links
    for encoded, name in links:
        (folder / name).write_bytes(base64.b64decode(encoded))
    return sorted(folder.iterdir())


def contrast(one, other):
    """The ratio of WCAG 2.2, from 1 to 21."""
    parts = np.array([[int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)] for colour in (one, other)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    dark, bright = sorted(linear @ [0.2126, 0.7152, 0.0722])
    return (bright + 0.05) / (dark + 0.05)


LEAST = {"ink": 7, "link": 4.5, "grey": 4.5}


def test_colours_have_contrast_in_light_dark_and_print():
    assert min(contrast(colour, "#ffffff") for colour in (*CYCLE, GREY)) >= 3
    style = resources.files("classy_aesop.pages").joinpath("page.css").read_text(encoding="utf-8")
    blocks = re.findall(r":root \{(.*?)\}", style, flags=re.S)
    parts = [dict(re.findall(r"--(\w+): (#\w{6});", block)) for block in blocks]
    assert len(parts) == 3
    for found in parts:
        for name, least in LEAST.items():
            assert contrast(found[name], found["paper"]) >= least, name


def test_a_long_table_is_shown_in_part():
    rows = pd.DataFrame({"topic": [f"T{at}" for at in range(500)], "score": [0.123456, 0.5] * 250})
    page = Page("t", [], [Section("s", items=[PageTable("a/../b", Result(rows), "c")])])
    text = html(page)
    assert text.count("<tr>") == 201
    assert "300 more rows are in the data below." in text
    assert [name for name, _ in named_tables(page)] == ["001-a_.._b"]
    assert 'class="number">0.123<' in text


def written(tmp_path, name, rows, **more):
    path = tmp_path / name
    pd.DataFrame(rows).assign(**more).to_csv(path, sep="\t", index=False)
    return path


def written_by(kind, tmp_path, name, rows):
    """Write a table of a command, whose other columns are empty, or 0 where they hold whole numbers."""
    columns = load_answer(kind).columns if kind else ()
    others = {column.name: 0 if column.type == "int" else "" for column in columns if not column.is_optional}
    signature = {"signature": f"command:{kind}|version:1"} if kind not in ("", "scores") else {}
    return written(tmp_path, name, others | rows, **signature)


PLACE = {"year": "2023", "task": "A"}
TABLES = {
    "compare --pairs": {
        "metric": ["m"], "first": ["<b>"], "second": ["2"], "difference": [1.0], "significant": [True],
        "p_least": [0.01], "alpha": [0.05], "n": [9], "n_topics": [9], "flag": ""},
    "compare": {
        "summarizer": ["a", "b"], "mean": [2.0, 1], "cluster": [1, 2], "rank": [1, 2], "best_rank": [1, 2],
        "worst_rank": [1, 2], "wins": [1, 0], "losses": [0, 1], "untested": 0, "comparable": 1, "n_topics_all": 9,
        "low": [1.5, 0.5], "high": [2.5, 1.5], "p_least": 0.01, "alpha": 0.05, "n_topics": 9, "flag": ""},
    "evaluate --pairs": {
        "first": ["a"], "second": ["b"], "r_first": [0.5], "r_second": [0.1], "difference": [0.4],
        "p": [0.06], "p_here": [0.01], "p_adjusted": [0.06], "p_here_adjusted": [0.01]},
    "evaluate": {
        "metric": ["a", "b"], "target": "t", "level": "system", "coefficient": "pearson", "value": [0.5, 0.1],
        "n_summarizers": 5, "n_topics": 3, "n_skipped": 0, "low": [0.1, -0.2], "high": [0.6, 0.4]},
    "assessors": {
        "other": "",
        "metric": ["m"], "assessor": ["1"], "value": [0.6], "low": [0.4], "high": [0.7], "n_units": [9]},
    "study mixture-power": {"share": [0.1, 0.2], "test": "t", "power": [0.4, 0.9]},
    "study metric-power": {"share": [0.9, 0.8], "test": "t", "power": [0.4, 0.9]},
    "study score-ranks": {"metric": "m", "score": [1.0, 2.0], "share": [0.4, 0.6]},
    "study metric-pairs": {
        "first": ["a"], "second": ["b"], "r_first": [0.5], "r_second": [0.1], "p": [0.01], "p_by_first": [0.02],
        "p_overall": [0.06], "correction": "holm", "n_resamples": 9_999},
    "study human-gap": {
        "summarizer": ["a", "b"], "human": [True, False], "score": [0.1, 0.2], "human_score": [3.0, 4]},
    "compare of preferences": {
        "summarizer": ["a", "b"], "win_rate": [0.75, 0.25], "low": [0.6, 0.1], "high": [0.9, 0.4], "rank": [1, 2],
        "cluster": [1, 2], "wins": [1, 0], "losses": [0, 1], "strength": [0.5, -0.5], "comparable": 1, "untested": 0,
        "p_least": 0.001, "alpha": 0.05, "n_raters": 2, "test": "sign_flips", "flag": "", "test_flag": ""},
    "compare --pairs of preferences": {
        "first": ["a"], "second": ["b"], "difference": [0.5], "low": [0.2], "high": [0.8], "significant": [True],
        "test": "sign_flips", "flag": "", "n_raters": 0},
    "evaluate of preferences": {
        "metric": ["m", "n"], "target": "preference", "share": [0.8, 0.6], "low": [0.7, 0.4], "high": [0.9, 0.8],
        "n_comparisons": 62, "flag": ""},
    "evaluate --bias": {
        "summarizer": ["a", "b"], "metric": "m", "target": "t", "human_rank": [1, 2], "judge_rank": [2, 1],
        "human_mean": [3.0, 2], "judge_mean": [2.5, 2.6], "bias": [-0.5, 0.6], "low": [-0.7, 0.4], "high": [-0.2, 0.9],
        "relative": [-0.55, 0.55], "kinder_than": [0, 1], "harsher_than": [1, 0], "over_pick": [float("nan"), 1.1],
        "p_over_pick": [float("nan"), 0.001], "correction": "holm"},
    "estimate": {
        "summarizer": ["a", "b"], "n_judged": [3, 4], "plain": [2.0, 1], "estimate": [1.9, 1.2], "low": [1.5, 1],
        "high": [2.2, 1.4], "worth": 7.25},
    "estimate --differences": {
        "first": ["a"], "second": ["b"], "difference": [0.7], "significant": [True]},
    "power --scores": {
        "n_topics": [2, 9], "width": [0.9, 0.5], "width_low": [0.8, 0.4], "width_high": [1.1, 0.6],
        "plain_width": [1.9, 1.0], "needed": [pd.NA, 9], "settled": [pd.NA, 14], "n_observed": 2, "n_more": [0, 7]},
    "power": {"first": ["1"], "second": ["2"], "n_topics": [30], "power": [0.8], "low": [28], "high": [32]},
    "predict --explain": {
        "topic": ["T1", "T2"], "summarizer": "a", "metric": "m", "part": "r2", "contribution": [0.1, 0.3]},
    "study topic-ranks": {
        "topic": ["t1", "t2"], "mean_rank": [1.0, 2], "low": [0.0, 1], "high": [2.0, 3], "n_different": [0, 0],
        "highlight": ["selected", "similar"]},
    "study score-map": {
        "topic": ["T1", "T2"], "summarizer": "a", "metric": "m", "score": [1.0, 2]},
    "study distributions": {
        "metric": "m", "percent": [2.5, 25.0, 50.0, 75.0, 97.5], "value": [0.1, 0.2, 0.3, 0.4, 0.9]},
    "study ngram-ranks": {"summarizer": ["1", "2"], "metric": "Ngram(1,1)", "rank": [1.0, 2], "human_rank": [2.0, 1]},
    "study ngram-hits": {
        "metric": ["Ngram(1,1)"] * 2, "alpha": [0.1, 0.05], "n_hits": 3, "recall": [0.5, 0.4], "precision": 0.7},
    "study pyramid-gap": {
        "assessor": ["P"], "manual": [0.5], "automatic": [0.1], "difference": [0.4], "error": [0.1]},
    "scores": {"topic": ["T1", "T2"], "summarizer": ["a", "a"], "metric": "m", "score": [1.0, 2]},
    "": {"other": ["x"], "thing": [3]},
}  # fmt: skip
N_PICTURES = {"": 0, "evaluate --pairs": 2, "study metric-pairs": 3}


def drawn_of(kind, rows):
    return list(pictures(Result(rows, kind=kind)))


def shown(kind, rows):
    """Give the axes of its only picture."""
    [picture] = drawn_of(kind, rows)
    return picture.draw(ax=Figure().add_subplot())


def test_every_kind_has_its_pictures_and_a_sentence():
    answers = [load_answer(name) for name in DECLARED if not name.startswith("train")]
    drawn = {answer.pictures for answer in answers if answer.has_pictures}
    assert drawn == {load_answer(name).pictures for name in TABLES if name}
    for name, rows in TABLES.items():
        table = pd.DataFrame({**PLACE, **rows})
        answer = answer_of(Result(table, kind=name))
        assert len(drawn_of(name, table)) == N_PICTURES.get(name, 1), name
        assert answer.sentence is say_nothing or answer.sentence(table).endswith(".")


@pytest.mark.slow
def test_every_kind_of_table_is_drawn_with_hostile_names(tmp_path):
    paths = []
    for at, (name, rows) in enumerate(TABLES.items()):
        named = {"metric", "topic", "name", "assessor"} & rows.keys()
        names = dict.fromkeys(sorted(named), HOSTILE[at % len(HOSTILE)])
        kept = {key: rows[key] for key in names if isinstance(rows[key], list) and len(rows[key]) > 1}
        paths.append(written_by(name, tmp_path, f"t{at}.tsv", {**PLACE, **rows, **names, **kept}))
    check_is_safe(html(table_page(paths, notes=lambda *_: HOSTILE)))


@pytest.mark.slow
def test_misprints_stand_below_their_table(tmp_path):
    path = written_by("study ngram-hits", tmp_path, "t.tsv", TABLES["study ngram-hits"])
    [section] = table_page([path], notes=misprints).sections
    assert section.items[-1].result.notes == misprints("study ngram-hits")
    assert ".25 stands in the place of .025" in html(table_page([path], notes=misprints))


@pytest.mark.parametrize(
    ("rows", "more", "said"),
    [
        ({**TABLES["scores"], "score": ["1", "much"]}, {}, "t.tsv, line 3: score is 'much'; expected a number"),
        ({"one": [], "two": []}, {}, "t.tsv: no rows; expected a table that a command wrote"),
        ({name: [""] for name in load_answer("evaluate --ranking").required_names if name != "coefficient"},
         {"signature": "command:evaluate --ranking|x:1"}, "t.tsv: no column coefficient; expected a table that"),
    ],
)  # fmt: skip
def test_what_is_not_the_table_of_a_command_is_refused(rows, more, said, tmp_path):
    with pytest.raises(InputError, match=re.escape(said)):
        table_page([written(tmp_path, "t.tsv", rows, **more)])


@pytest.mark.slow
def test_a_folder_that_is_no_run_is_refused(tmp_path, run_folder):
    with pytest.raises(InputError, match=r"no run\.json; expected a folder"):
        run_page(tmp_path)
    shutil.copytree(run_folder, tmp_path / "copy")
    whole, spoiled = run_folder / "verdict.tsv", tmp_path / "copy" / "verdict.tsv"
    spoiled.write_text(whole.read_text(encoding="utf-8").replace("against", "older"), encoding="utf-8")
    with pytest.raises(InputError, match=r"verdict\.tsv: no column against; expected a table that"):
        run_page(tmp_path / "copy")
    shutil.copy(whole, spoiled)
    nameless = '{"signature": "s", "notes": [], "config": {"years": [{}, {"name": "2023"}]}}'
    for record in ("{}", nameless, "[" * 5_000, '{"signature": 1}'):
        (tmp_path / "copy" / "run.json").write_text(record)
        with pytest.raises(InputError, match="not a record that train wrote"):
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
    summary = folder / "summary.tsv"
    summary.write_text(summary.read_text(encoding="utf-8").split("\n")[0] + "\n")
    text = html(run_page(folder))
    assert "2023 has no human scores of responsiveness" in text
    assert "2023 has no judgments to compare with." in text
    check_is_safe(text)


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1280, 900), (360, 740)])
def test_a_browser_shows_it_whole_and_asks_for_nothing(page, scheme, size):
    playwright = pytest.importorskip("playwright.sync_api")
    names = ("chromium-headless-shell", "chromium", "google-chrome")
    found = next(filter(None, map(shutil.which, names)), None)
    with playwright.sync_playwright() as program:
        try:
            browser = program.chromium.launch(executable_path=found, args=["--no-sandbox"])
        except playwright.Error:
            pytest.skip("no browser: install chromium, or run playwright install chromium")
        viewport = dict(zip(("width", "height"), size, strict=True))
        shown, said, asked = browser.new_context(viewport=viewport, color_scheme=scheme).new_page(), [], []
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
        shown.locator("th button").first.focus()
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


def test_the_error_of_a_simulated_power_is_no_interval_of_topics():
    rows = pd.DataFrame({**TABLES["power"], "error": [0.02]}).drop(columns=["low", "high"])
    assert not shown("power", rows).collections
    ax = shown("power", pd.DataFrame(TABLES["power"]))
    assert ax.collections[0].get_segments()[0][:, 0].tolist() == [28, 32]


def test_titles_name_the_file_where_two_tables_are_alike(tmp_path):
    kind = "compare --pairs"
    paths = [written_by(kind, tmp_path, f"{name}.tsv", TABLES[kind]) for name in ("cmp", "again")]
    page = table_page(paths)
    title = "Differences of mean scores with their intervals"
    assert [section.title for section in page.sections] == [f"{title}: cmp", f"{title}: again"]
    assert page.foot == [(f"{name}.tsv", "command:compare --pairs|version:1") for name in ("cmp", "again")]
    assert table_page(paths[:1]).sections[0].title == title


def test_a_page_begins_with_the_answer_of_its_first_table(tmp_path):
    paths = {
        kind: written_by(kind, tmp_path, f"{kind}.tsv", TABLES[kind])
        for kind in ("compare", "compare --pairs")
    }
    best, pair = [read_result(path).sentence for path in paths.values()]
    assert best.startswith("a has the highest mean (2.000 [1.500, 2.500])")
    assert pair.startswith("<b> minus 2 is +1.000, which is significant")

    def page_of(*kinds):
        return table_page([paths[kind] for kind in kinds])

    page = page_of("compare", "compare --pairs")
    assert (page.title, page.lead[-1]) == ("Which systems are best?", best)
    assert [section.text for section in page.sections] == [[], [pair]]
    page = page_of("compare --pairs", "compare")
    assert (page.title, page.lead[-1]) == ("Which systems differ?", pair)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"best_rank": [1, 2, 3]}, "a did best of 3 in m; no other may be as good."),
        ({"best_rank": [1, 1, 3]}, "a did best of 3 in m; b may be as good."),
        ({"best_rank": [1, 1, 1]}, "a did best of 3 in m; b, c may be as good."),
        ({"rank": [1, 1, 3]}, ""),  # two did best
        ({"year": ["1", "1", "2"]}, ""),  # several rankings
    ],
)
def test_a_page_of_systems_begins_without_a_term_of_statistics(changed, said):
    rows = {"metric": "m", "summarizer": ["a", "b", "c"], "rank": [1, 2, 3], "best_rank": 1, "year": "1"}
    assert state_best_system(Result(pd.DataFrame(rows | changed), kind="compare")) == said
    assert state_best_system(Result(pd.DataFrame(rows | changed), kind="estimate")) == ""


def test_columns_that_matter_come_first_and_constant_ones_stand_above(tmp_path):
    rows = pd.DataFrame(
        {"year": "2023", "task": ["A", "B"], "n": [3, 4], "first": "a", "second": ["b", "c"], "difference": [1.0, 2],
         "significant": True}
    )  # fmt: skip
    text = html(
        Page("t", [], [Section("s", items=[PageTable("a", Result(rows, kind="compare --pairs"), "c")])])
    )
    names = re.findall(r'<button type="button">(\w+)', text)
    assert names == ["task", "second", "difference", "significant", "n"]
    assert "The same in every row: year 2023, first a." in text


@pytest.mark.filterwarnings("ignore::classy_aesop.errors.DataWarning")
def test_what_columns_mean_stands_below_their_table():
    scores = pd.DataFrame({"topic": list("12345") * 3, "system": list("aaaaabbbbbccccc")})
    scores["q"] = [5, 4, 5, 4, 5, 4, 4, 5, 4, 4, 1, 2, 1, 1, 2]
    table, _, meanings = arrange_table(compare(scores))
    assert [*meanings] == [*table] == ["rank", "summarizer", "mean"]
    assert meanings["mean"].endswith("; in brackets the 95 % interval of the mean for topics like these")
    assert meanings["rank"].endswith("; in brackets the ranks that the tests leave open")
    two, _, meanings = arrange_table(compare(scores[scores["system"] != "c"]))
    assert [*two][:4] == ["first", "mean", "second", "second mean"]
    assert "brackets" not in meanings["mean"]  # the interval is of the difference


def pairs_of(names, **columns):
    rows = [(first, second) for number, first in enumerate(names) for second in names[number + 1 :]]
    table = pd.DataFrame(rows, columns=["first", "second"])
    return table.assign(difference=0.5, low=0.1, high=0.9, significant=True, **columns)


@pytest.mark.parametrize(("n", "is_forest"), [(2, True), (5, True), (6, False)])
def test_pairs_of_few_are_a_forest_of_their_differences(n, is_forest):
    [picture] = drawn_of("compare --pairs", pairs_of("abcdef"[:n]))
    ax = picture.draw(ax=Figure().add_subplot())
    assert (ax.get_xlabel() == "difference") == is_forest
    assert ("; diamonds are significant" in picture.caption) == is_forest
