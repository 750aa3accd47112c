"""What people type first in Python: DataFrames for both sides, columns by role, and words for what is no table."""

import importlib
import pkgutil
import warnings
from html import escape
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import classy_aesop
from classy_aesop import compare, evaluate, evaluate_pairs, predict, train
from classy_aesop.errors import DataWarning, UsageError
from classy_aesop.tables.result_columns import Purpose

TABLE = pd.DataFrame({"topic": [1, 2, 3] * 6, "system": sorted("abcdef" * 3)}).assign(
    bleu=[0.3, 0.25, 0.4, 0.2, 0.2, 0.3, 0.28, 0.16, 0.3, 0.1, 0.1, 0.2, 0.2, 0.3, 0.1, 0.5, 0.4, 0.6],
    quality=[5, 4, 5, 3, 3, 4, 4, 2, 4, 1, 1, 2, 2, 3, 2, 5, 5, 4],
)
pytestmark = pytest.mark.filterwarnings("ignore::classy_aesop.errors.DataWarning")

RENAMED = {"topic": "prompt", "system": "model"}
ROLES = {"topic": "prompt", "summarizer": "model"}
SAMPLE = Path(classy_aesop.__file__).parent / "sample" / "tutorial"


def test_completion_offers_public_names_alone():
    assert dir(classy_aesop) == sorted(classy_aesop.__all__)


def test_rooms_offer_public_names_alone():
    for room in pkgutil.walk_packages(classy_aesop.__path__, "classy_aesop."):
        if room.ispkg:
            package = importlib.import_module(room.name)
            modules = {module.name for module in pkgutil.iter_modules(package.__path__)}
            offered = {name for name in dir(package) if not name.startswith("_")}
            assert offered <= modules | {*getattr(package, "__all__", ())}, room.name


@pytest.mark.slow
def test_one_table_holds_both_sides():
    one = evaluate(TABLE, target="quality", level="system").table
    two = evaluate(TABLE.drop(columns="quality"), TABLE.drop(columns="bleu"), level="system").table
    assert one.equals(two)
    assert evaluate(TABLE, level="system").table.equals(two)
    with pytest.raises(UsageError, match="no target 'humans'; known: bleu, quality"):
        evaluate(TABLE, target="humans")
    three = TABLE.assign(length=[7 * number % 18 for number in range(18)], noise=[7, 1, 4] * 6)
    ranking = evaluate_pairs(three, target="quality", test="williams").first().table
    assert set(ranking["metric"]) == {"bleu", "length", "noise"}


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(
    "ask",
    [
        lambda table, **more: compare(table, "quality", **more).table,
        lambda table, **more: evaluate(table, target="quality", **more).table,
        lambda table, **more: classy_aesop.compare_pairs(table, "quality", **more).table,
        lambda table, **more: (
            classy_aesop.power(table, "quality", 1, systems=["a", "b"], n_trials=50, **more).table
        ),
        lambda table, **more: classy_aesop.estimate(table, target="quality", metric="bleu", **more).table,
    ],
)
def test_columns_say_what_a_table_holds(ask):
    renamed = TABLE.rename(columns=RENAMED)
    assert ask(renamed, columns=ROLES).equals(ask(TABLE))


def test_each_of_two_tables_takes_its_columns():
    scores, judgments = TABLE.drop(columns="quality").rename(columns=RENAMED), TABLE.drop(columns="bleu")
    known = evaluate(TABLE, target="quality").table
    assert evaluate(scores, judgments, columns=ROLES).table.equals(known)
    with pytest.raises(
        UsageError, match=r"no column prompts in any of scores, judgments \(named by columns\)"
    ):
        evaluate(scores, judgments, columns={"topic": "prompts"})


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        (TABLE["quality"], "a Series"),
        (5, "5"),
        (None, "None"),
        (np.zeros(3), "a ndarray"),
        ([], "an empty list"),
    ],
)
def test_what_is_no_table_is_answered_in_words(given, kind):
    for ask in (lambda: compare(given, "quality"), lambda: evaluate(given, target="quality")):
        with pytest.raises(UsageError, match=f"^scores is {kind}; expected "):
            ask()


@pytest.mark.parametrize(("given", "kind"), [(5, "5"), (TABLE["quality"], "a Series"), ({1, 2}, "a set")])
def test_what_is_no_corpus_is_answered_in_words(given, kind):
    for ask in (
        lambda: train(given, target="quality"),
        lambda: evaluate(given, target="quality", compute="rouge"),
        lambda: classy_aesop.feature_table(given),
    ):
        with pytest.raises(UsageError, match=f"^data is {kind}; expected a DataFrame with a row a summary"):
            ask()


def test_a_file_is_read_and_one_that_is_not_there_is_named(tmp_path):
    TABLE.to_csv(tmp_path / "scores.csv", index=False)
    assert compare(tmp_path / "scores.csv", "quality").table.equals(compare(TABLE, "quality").table)
    with pytest.raises(FileNotFoundError, match=r"nope\.csv"):
        compare(Path("nope.csv"), "quality")


def test_a_warning_names_the_line_of_the_caller():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        compare(TABLE.assign(note="kept"), "quality")
    assert "ignored columns: note" in str(caught[0].message)
    assert {warning.category for warning in caught} == {DataWarning}
    assert {Path(warning.filename).name for warning in caught} == {Path(__file__).name}
    assert len({str(warning.message) for warning in caught}) == len(caught)


PAIR_OF_METRICS = TABLE.assign(length=[7 * number % 18 for number in range(18)])
THREE_METRICS = PAIR_OF_METRICS.assign(noise=[7, 1, 4] * 6)


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(
    "ask",
    [
        lambda: compare(TABLE[TABLE["system"].isin(["a", "b"])], "quality"),
        lambda: compare(SAMPLE / "preferences.csv"),
        lambda: classy_aesop.compare_pairs(SAMPLE / "preferences.csv"),
        lambda: classy_aesop.compare_pairs(TABLE, "quality", equivalence=1.0),
        lambda: evaluate_pairs(THREE_METRICS, target="quality", test="williams").first(),
        lambda: classy_aesop.evaluate_pairs(PAIR_OF_METRICS, target="quality", test="williams"),
        lambda: evaluate(TABLE, target="quality"),
    ],
)
def test_every_result_shows_its_sentence_first_and_every_p(ask):
    result = ask()
    html = result._repr_html_()
    assert html.startswith(f"<p>{escape(result.sentence)}")
    shown_p = [name for name, column in result.columns.items() if column.purpose is Purpose.P_VALUE]
    for name in shown_p:
        assert name in html
    assert ask().table.equals(result.table)


def test_results_are_written_as_pandas_does(tmp_path):
    result = compare(TABLE, "quality")
    text = result.to_csv()
    assert "summarizer" in text
    assert result.to_csv(tmp_path / "a.csv") is None
    assert (tmp_path / "a.csv").read_text(encoding="utf-8") == text
    assert "\\begin{tabular}" in result.to_latex()


def test_a_search_says_what_it_found(capsys):
    X = [[1, 7], [2, 1], [3, 4], [4, 2], [5, 5], [6, 3]]
    classy_aesop.SubsetSearchRegressor(cv=3, verbose=1).fit(X, [1, 2, 3, 4, 5, 6])
    assert capsys.readouterr().out.startswith("SubsetSearchRegressor: best of 3 subsets: 0 (pearson ")
    classy_aesop.SubsetSearchRegressor(cv=3).fit(X, [1, 2, 3, 4, 5, 6])
    assert capsys.readouterr().out == ""


@pytest.mark.slow
def test_a_table_of_texts_is_learned_from_and_scored(tmp_path, capfd):
    judged = pd.read_csv(SAMPLE / "spring.csv").drop(columns="readability").head(48)  # four topics of twelve
    new = pd.read_csv(SAMPLE / "autumn.csv").drop(columns=["responsiveness", "readability"])
    model = train(judged)
    scores = model.predict(new)
    assert len(scores) == len(new)
    assert predict(model, new).equals(scores)
    model.save(tmp_path / "model.json")
    renamed = new.rename(columns={"doc_id": "prompt", "summary": "answer"})
    columns = {"topic": "prompt", "text": "answer"}
    assert predict(tmp_path / "model.json", renamed, columns=columns).equals(scores)
    assert train(judged, target="responsiveness").predict(new).equals(scores)
    with pytest.raises(UsageError, match="no predictor of 'style'; expected one of responsiveness"):
        model.predict(new, target="style")
    assert capfd.readouterr().err == ""


def test_a_transformer_finds_texts_by_their_names():
    rows = pd.read_csv(SAMPLE / "spring.csv").head(4)
    features = classy_aesop.SummaryFeatures(names=["r1"])
    assert np.array_equal(
        features.fit_transform(rows), features.fit_transform(rows[["summary", "reference"]])
    )
