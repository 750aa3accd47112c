"""What people guess before they read a signature: it works, or one line says what to write instead."""

import re
from pathlib import Path

import pandas as pd
import pytest

import classy_aesop
from classy_aesop import compare, compare_pairs, evaluate, evaluate_pairs, feature_table, power
from classy_aesop.cli import main
from classy_aesop.config import Year
from classy_aesop.errors import InputError, UsageError
from classy_aesop.features import feature
from classy_aesop.predictor import Predictor

TABLE = pd.DataFrame({"topic": [1, 2, 3] * 6, "system": sorted("abcdef" * 3)}).assign(
    bleu=[0.3, 0.25, 0.4, 0.2, 0.2, 0.3, 0.28, 0.16, 0.3, 0.1, 0.1, 0.2, 0.2, 0.3, 0.1, 0.5, 0.4, 0.6],
    quality=[5, 4, 5, 3, 3, 4, 4, 2, 4, 1, 1, 2, 2, 3, 2, 5, 5, 4],
)
SAMPLE = Path(classy_aesop.__file__).parent / "sample" / "tutorial"
pytestmark = pytest.mark.filterwarnings("ignore::classy_aesop.errors.DataWarning")


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (
            lambda: compare(TABLE, "quality", baseline="a"),
            "write compare_pairs(scores, metric, baseline=...)",
        ),
        (lambda: compare(TABLE, "quality", pairs=True), "write compare_pairs(scores, metric)"),
        (lambda: compare(TABLE, "quality", confidence=0.9), "write alpha=1 - confidence"),
        (
            lambda: compare(TABLE, system="system"),
            'write columns={"system": NAME}, or topic, rater, measures',
        ),
        (lambda: compare(TABLE, group="system"), 'write columns={"system": NAME}'),
        (lambda: compare(TABLE, measure="quality"), "no keyword 'measure'; write metric="),
        (lambda: compare_pairs(TABLE, column="quality"), "no keyword 'column'; write metric="),
        (lambda: compare(TABLE, method="holm"), "write test= or correction="),
        (lambda: compare(TABLE, "quality", alternative="less"), "since tests are two-sided"),
        (lambda: compare(TABLE, "quality", resampling="mc"), "write test='wilcoxon' for exact p of ranks"),
        (
            lambda: compare(TABLE, "quality", random_state=1),
            "compare() has no keyword 'random_state'; write seed=",
        ),
        (lambda: evaluate(TABLE, metrics=["bleu"], target="quality"), "write metric="),
        (
            lambda: evaluate(TABLE, judgements=TABLE),
            "evaluate() has no keyword 'judgements'; write judgments=",
        ),
        (
            lambda: evaluate_pairs(TABLE, "bleu", "bleu", target="quality").first(),
            "takes scores, judgments, target by place",
        ),
        (lambda: feature("shouting", meaning="loud"), "feature() has no keyword 'meaning'; write why="),
        (
            lambda: feature_table([], features=["r2"]),
            "feature_table() has no keyword 'features'; write names=",
        ),
        (lambda: feature("shouting"), "feature() takes nothing by place; name the others, such as kind="),
        (
            lambda: power(TABLE, "quality", zzz=1),
            "no keyword 'zzz'; expected judgments, metric, difference, scores,",
        ),
    ],
)
def test_a_keyword_that_is_not_there_is_answered_with_what_to_write(ask, message):
    with pytest.raises(TypeError, match=re.escape(message)) as raised:
        ask()
    assert "\n" not in str(raised.value)


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("to_pandas", "result.table"),
        ("df", "result.table"),
        ("head", "result.table.head"),
        ("sort_values", "result.table.sort_values"),
        ("to_dict", "result.table.to_dict"),
        ("iloc", "result.table.iloc"),
        ("wins", "result['wins']"),
        ("summary", "print(result)"),
        ("show", "print(result)"),
        ("p_value", "result.table"),
        ("conf_int", "result[['low', 'high']]"),
        ("savefig", "result.plot().figure.savefig(path)"),
    ],
)
def test_a_result_taken_for_its_table_says_where_that_is(name, advice):
    result = compare(TABLE, "quality")
    with pytest.raises(AttributeError, match=re.escape(f"Result has no attribute {name!r}; write {advice}")):
        getattr(result, name)
    assert not hasattr(result, "zzz")


def test_of_p_values_the_corrected_ones_are_named():
    with pytest.raises(AttributeError, match=re.escape("write result['p_adjusted']")):
        compare_pairs(TABLE, "quality").pvalue  # noqa: B018


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(
    ("ask", "value"),
    [
        (lambda result: len(result), 6),
        (lambda result: result["summarizer"].iloc[0], "a"),
        (lambda result: list(result["mean"]), [14 / 3, 14 / 3, 10 / 3, 10 / 3, 7 / 3, 4 / 3]),
        (lambda result: result[["summarizer", "mean"]].shape, (6, 2)),
        (lambda result: result[result["mean"] > 3]["summarizer"].tolist(), ["a", "f", "b", "c"]),
        (lambda result: [row["summarizer"] for row in result], ["a", "f", "b", "c", "e", "d"]),
        (lambda result: next(iter(result))["rank"], 1),
        (lambda result: pd.DataFrame(result)["mean"].equals(result.table["mean"]), True),
        (lambda result: ("mean" in result, "score" in result), (True, False)),
        (lambda result: list(result.columns)[:3], ["metric", "summarizer", "mean"]),
        (lambda result: bool(result), True),
        (lambda result: f"{result}" == str(result) == repr(result), True),
    ],
)
def test_a_result_is_used_as_its_table(ask, value):
    found = ask(compare(TABLE, "quality"))
    assert found == (
        pytest.approx(value) if isinstance(value, list) and isinstance(value[0], float) else value
    )


@pytest.mark.parametrize(
    ("name", "advice"),
    [("pvalue", "result['p_adjusted']"), ("ci", "result[['low', 'high']]"), ("shape", "result.table.shape")],
)
def test_a_column_that_is_called_otherwise_is_named(name, advice):
    with pytest.raises(KeyError, match=re.escape(f"; write {advice}")):
        compare_pairs(TABLE, "quality")[name]


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("rank", "compare"),
        ("krippendorff_alpha", "assessors"),
        ("read_csv", "read_scores"),
        ("ttest", "compare"),
        ("ttest_rel", "compare"),
        ("pearsonr", "evaluate"),
        ("cohen_kappa_score", "assessors"),
        ("power_analysis", "power"),
    ],
)
def test_a_function_that_is_called_otherwise_is_named(name, advice):
    with pytest.raises(AttributeError, match=f"no attribute {name!r}; write {advice}"):
        getattr(classy_aesop, name)


def test_scores_that_are_named_leave_the_other_columns_human():
    """It said: no target 'quality'; known: mine."""
    table = TABLE.rename(columns={"bleu": "mine"})
    result = evaluate(table, target="quality", columns={"scores": "mine"}, n_resamples=99)
    assert result["metric"].unique().tolist() == ["mine"]


@pytest.mark.parametrize(
    "names", [("v1", "v2"), ("prompt_v1", "prompt_v2"), ("prompt 1", "prompt 2"), ("system_1", "system_2")]
)
@pytest.mark.parametrize("has_index", [True, False])
def test_columns_of_versions_are_systems(names, has_index):
    """They were taken as raters, and what to write was advised for raters."""
    wide = TABLE.pivot(index="topic", columns="system", values="quality")[["a", "b"]].set_axis(names, axis=1)
    result = compare(wide if has_index else wide.reset_index())
    assert result["summarizer"].tolist() == [*names]
    assert list(result["mean"]) == pytest.approx([14 / 3, 10 / 3])


def test_versions_in_a_column_are_systems():
    """Of question and prompt both were taken as the topic."""
    long = TABLE[TABLE["system"].isin(["a", "b"])]
    table = pd.DataFrame(
        {
            "question": long["topic"].map("q{}".format),
            "prompt": long["system"].map({"a": "prompt_v1", "b": "prompt_v2"}),
            "score": long["quality"],
        }
    )
    assert compare(table)["summarizer"].tolist() == ["prompt_v1", "prompt_v2"]


@pytest.mark.parametrize(
    ("names", "advice"),
    [
        (("A", "B"), "columns='systems=A,B', if these are the systems"),
        (
            ("gpt4", "llama3"),
            "columns='topic=topic,systems=gpt4,llama3'",
        ),
        (("s1", "s2"), "columns='topic=topic,ratings=s1,s2' or columns='topic=topic,systems=s1,s2'"),
    ],
)
def test_a_frame_with_a_column_a_system_is_explained_in_words_of_python(names, advice):
    wide = TABLE.pivot(index="topic", columns="system", values="quality")[["a", "b"]].set_axis(names, axis=1)
    with pytest.raises(InputError, match=re.escape(f"expected {advice}")) as raised:
        compare(wide)
    assert "--" not in str(raised.value)
    columns = re.findall("columns='([^']+)'", advice)[-1]
    assert compare(wide, columns=columns)["summarizer"].tolist() == [*names]


def test_what_is_no_frame_is_explained_in_words_of_python():
    with pytest.raises(UsageError, match="expected a DataFrame with a column of topics and one of systems"):
        compare(TABLE["quality"], TABLE["bleu"])


def test_a_row_that_is_asked_for_by_its_number_is_explained():
    with pytest.raises(
        KeyError, match=re.escape("no column 0; expected one of metric, summarizer")
    ) as raised:
        compare(TABLE, "quality")[0]
    assert "of a row write list(result)[NUMBER]" in str(raised.value)


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (
            lambda result: result.to_csv("x.csv", index=False),
            "to_csv() has no keyword 'index'; write result.table.to_csv(path, index=...)",
        ),
        (
            lambda result: result.to_latex(columns=["mean"]),
            "to_latex() has no keyword 'columns'; write columns_shown=",
        ),
        (lambda result: result.plot(kind="bar"), "write result.table.plot(kind=...)"),
        (lambda result: result.to_csv("x.csv", ";"), "to_csv() takes path by place"),
    ],
)
def test_keywords_of_pandas_say_where_they_are(ask, message):
    with pytest.raises(TypeError, match=re.escape(message)):
        ask(compare(TABLE, "quality"))


@pytest.mark.slow
def test_a_result_is_printed_as_a_screen_shows_it(capsys):
    """Its representation was 10,318 characters of internals."""
    path = SAMPLE / "autumn.csv"
    assert main(["compare", str(path), "--metric", "responsiveness"]) == 0
    *screen, _ = capsys.readouterr().out.splitlines()  # the signature of a command names its options
    assert repr(compare(path, "responsiveness")).splitlines()[:-1] == screen
    pairs = repr(compare_pairs(path, "responsiveness"))
    assert sum(line.startswith("system-") for line in pairs.splitlines()) == 40
    assert ".table has all" in pairs
    assert "-o FILE" not in pairs


@pytest.mark.slow
def test_columns_are_named_as_on_the_command_line():
    own = TABLE.rename(columns={"topic": "prompt no", "system": "who"})
    text = "topic=prompt no, summarizer=who"
    columns = {"topic": "prompt no", "summarizer": "who"}
    for ask in (
        lambda columns: compare(own, "quality", columns=columns),
        lambda columns: compare_pairs(own, "quality", columns=columns),
        lambda columns: evaluate(own, target="quality", columns=columns),
        lambda columns: evaluate(own[["prompt no", "who", "bleu"]], TABLE, columns=columns),
        lambda columns: compare(
            [own.drop(columns="bleu"), TABLE[["topic", "system", "bleu"]]], "quality", columns=columns
        ),
    ):
        assert ask(text).table.equals(ask(columns).table)
    texts = pd.read_csv(SAMPLE / "autumn.csv").rename(columns={"doc_id": "prompt no"})
    corpus = classy_aesop.Corpus.from_rows(texts, columns="topic=prompt no,measures=responsiveness")
    assert len(corpus) == 12
    with pytest.raises(ValueError, match="columns: 'who'; expected ROLE=NAME"):
        compare(own, "quality", columns="who")


def test_predictors_and_configurations_are_printed_in_a_line():
    predictor = Predictor.load("published/news-content")
    assert len(repr(predictor)) < 250
    assert repr(predictor).startswith(f"Predictor({predictor.name}: {predictor.target} from ")
    years = tuple(Year(name) for name in ("2021", "2022"))
    assert repr(classy_aesop.Config(years, preset="classy2011")) == (
        "Config(2021, 2022; classy2011; all measures; seed 0)"
    )


def test_a_name_that_the_package_has_not_is_answered_with_the_nearest():
    for name, advice in (("report", r"RESULT.to_html(PATH)"), ("leaderboard", "evaluate")):
        with pytest.raises(AttributeError, match=re.escape(f"no attribute {name!r}; write {advice}")):
            getattr(classy_aesop, name)


def test_a_predictor_that_ships_is_named_where_its_folder_is_missing():
    with pytest.raises(
        FileNotFoundError, match="news-content: no such predictor file; published/news-content comes"
    ):
        Predictor.load("news-content")


def test_a_metric_in_the_place_of_judgments_is_answered():
    with pytest.raises(
        ValueError, match="judgments is 'bleu', a column of scores; write metric='bleu' or target="
    ):
        evaluate_pairs(TABLE, "bleu", target="quality").first()


def test_of_many_systems_those_to_plan_for_are_asked_for():
    with pytest.raises(
        ValueError, match=r"6 summarizers make 15 pairs; name two or more to plan for: --systems"
    ):
        power(TABLE, "quality", 1, n_trials=50)
    with pytest.raises(ValueError, match="1 summarizer; expected two or more"):
        power(TABLE[TABLE["system"] == "a"], "quality", 1)


@pytest.mark.slow
def test_a_result_writes_its_page(tmp_path):
    pytest.importorskip("jinja2")
    result = compare(TABLE, "quality")
    page = result.to_html()
    assert result.sentence.split()[0] in page
    assert page.startswith("<!DOCTYPE html>")
    result.to_html(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page
    with pytest.raises(ValueError, match="answers no question has no page"):
        classy_aesop.Result(pd.DataFrame({"a": [1]})).to_html()


@pytest.mark.slow
def test_the_estimators_go_together_and_a_model_remembers_its_columns():
    from sklearn.pipeline import make_pipeline

    judged = pd.read_csv(SAMPLE / "spring.csv").drop(columns="readability").head(48)  # four topics of twelve
    new = pd.read_csv(SAMPLE / "autumn.csv").drop(columns=["responsiveness", "readability"])
    pipeline = make_pipeline(classy_aesop.SummaryFeatures(), classy_aesop.SubsetSearchRegressor())
    assert len(pipeline.fit(judged, judged["responsiveness"]).predict(new)) == len(new)
    names = {"doc_id": "prompt", "system": "model", "summary": "answer", "responsiveness": "score"}
    columns = {"topic": "prompt", "summarizer": "model", "text": "answer"}
    model = classy_aesop.train(judged.rename(columns=names), target="score", columns=columns)
    scores = model.predict(new.rename(columns=names))
    assert scores.equals(model.predict(new.rename(columns=names), columns=columns))
    assert scores["score"].equals(model.predict(new)["score"])
