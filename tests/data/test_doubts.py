"""What a careful statistician would ask: each doubt once, where there is reason, and none on honest tables."""

import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import classy_aesop
from classy_aesop.cli import main
from classy_aesop.data.doubts import find_doubts, is_aggregate_name
from classy_aesop.data.scales import find_missing_value_codes
from classy_aesop.data.scores import letters_of
from classy_aesop.reading import read_corpus, read_scores, tidy
from classy_aesop.reading.corpus import judged_tables

SAMPLE = Path(classy_aesop.__file__).parent / "sample"
SYSTEMS = ["lead", "bart", "t5", "pegasus"]


def graded(seed=0, n_topics=20, systems=SYSTEMS, raters=(), grades=5, slope=1.0):
    """Grades with effects of systems and topics, and rater noise."""
    rng = np.random.default_rng(seed)
    rows = []
    for topic in range(n_topics):
        hard = rng.normal(0, slope)
        for place, system in enumerate(systems):
            value = (1 + grades) / 2 + hard + 0.4 * place
            for rater in raters or ("",):
                grade = int(np.clip(np.rint(value + rng.normal(0, 0.7)), 1, grades))
                rows.append({"topic": f"t{topic}", "system": system, "rater": rater, "quality": float(grade)})
    table = pd.DataFrame(rows)
    return table if raters else table.drop(columns="rater")


def doubts_of(rows):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return find_doubts(tidy(rows))


@pytest.mark.slow(after=10)
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(
    "how", [{}, {"n_topics": 5}, {"raters": ("ann", "bob", "cy")}, {"grades": 3}, {"systems": SYSTEMS[:2]}]
)
def test_honest_tables_bring_no_doubt(seed, how):
    assert doubts_of(graded(seed, **how)) == []


@pytest.mark.slow(after=6)
@pytest.mark.parametrize("name", ["total", "Mean", "AVERAGE", "avg", "mean score", "Total (all systems)"])
@pytest.mark.parametrize("unit", ["topic", "system"])
def test_sums_and_means_are_no_topics_or_systems(name, unit):
    rows = graded()
    other = "system" if unit == "topic" else "topic"
    means = rows.groupby(other, sort=False)["quality"].sum().reset_index().assign(**{unit: name})
    [message] = doubts_of(pd.concat([rows, means]))
    assert message.startswith(
        f"{unit} {name!r} is taken as any other; if a sum or a mean of others: leave it"
    )
    assert ("--exclude" in message) == (unit == "system")


def test_vaguer_names_are_doubted_by_their_scores():
    rows = graded()
    own = rows[rows["topic"] == "t3"].assign(topic="overall")
    assert doubts_of(pd.concat([rows, own])) == []
    means = rows.groupby("system", sort=False)["quality"].mean().reset_index().assign(topic="overall")
    assert doubts_of(pd.concat([rows, means]))[0].startswith("topic 'overall' is taken")
    assert not any(map(is_aggregate_name, ("mean-shift", "totalsum v2", "averaging", "T5 mean pooling", "")))


@pytest.mark.slow(after=5)
@pytest.mark.parametrize("code", [-999, 99, 999, -99, -9, 9, -1, 88, 1e6])
def test_codes_of_missing_values_are_named_with_their_rows(code):
    rows = graded()
    rows.loc[[4, 13, 14], "quality"] = code
    [message] = doubts_of(rows)
    keys = ", ".join(f"{rows.topic[at]} {rows.system[at]}" for at in (4, 13, 14))
    assert message == (
        f"quality is {code:g} in 3 of 80 scores ({keys}) and 1 to 5 in the others; "
        "if they stand for missing values, leave these cells empty"
    )


def test_a_code_of_one_rater_is_named_with_the_rater():
    rows = graded(raters=("ann", "bob"))
    rows.loc[[1, 5], "quality"] = 99.0
    [message] = doubts_of(rows)
    assert "(t0 lead by bob, t0 t5 by bob)" in message


@pytest.mark.parametrize(
    ("largest", "n", "message"),
    [
        ((5, 10), 10, "use different scales (1 up to 5, 2 up to 10); convert them"),
        ((-6, -79), 10, "use different scales (1 up to 10, 2 up to 80); convert them"),
        ((5, 9), 10, ""),
        ((5, 10), 9, ""),
        ((5, 15), 9, "use different scales (1 up to 5, 2 up to 15); convert them"),
    ],
)
def test_raters_whose_largest_ratings_differ_use_different_scales(largest, n, message):
    rows = [
        {"doc": at, "system": "a", "rating_1": largest[0] - at % 5, "rating_2": largest[1] - at % 2}
        for at in range(n)
    ]
    [doubt] = doubts_of(pd.DataFrame(rows)) or [""]
    assert message in doubt
    assert bool(message) == bool(doubt)


@pytest.mark.parametrize(
    "values",
    [[-1, 0, 1, -1, 0, 1, 1], [0, 0, 1, 2, 3, 10, 10], [1, 2, 3, 4, 5, 9], [0, 0, 0, 0, 1], [-25, -25, -1, 0, -12],
     [5, 5, 5, 5, 4], [9, 9, 8, 7, 10, 6], [0, 0, 1, 2, 3, 4, 5, 5]],
)  # fmt: skip
def test_what_may_be_a_grade_is_no_code(values):
    assert find_missing_value_codes(np.array(values, float)) == []


@pytest.mark.slow(after=2)
@pytest.mark.parametrize("factor", [100, 50, 0.01, 0.02])
@pytest.mark.parametrize(("unit", "name"), [("system", "bart"), ("topic", "t3")])
@pytest.mark.parametrize("systems", [SYSTEMS, SYSTEMS[:2]])
def test_other_scales_are_named(factor, unit, name, systems):
    rows = graded(systems=systems)
    rows["quality"] = rows["quality"] / 5 + np.random.default_rng(1).uniform(0, 0.05, len(rows))
    assert doubts_of(rows) == []
    rows.loc[rows[unit] == name, "quality"] *= factor
    [message] = doubts_of(rows)
    if unit == "system" and len(systems) == 2:
        assert message.startswith("system ")
    else:
        assert message.startswith(f"{unit} {name} has quality from ")
    assert message.endswith("put all on one scale, or leave out what is not comparable")


def test_a_hard_topic_and_a_bad_system_are_on_the_same_scale():
    rows = graded(n_topics=40)
    rows["quality"] = (rows["quality"] - 1) / 4 + np.random.default_rng(1).uniform(0, 0.05, len(rows))
    rows.loc[rows["topic"] == "t3", "quality"] = [0.0, 0.01, 0.0, 0.02]
    rows.loc[rows["system"] == "bart", "quality"] *= 0.04
    assert doubts_of(rows) == []


def test_a_reversed_rater_is_named():
    rows = graded(raters=("ann", "bob", "cy"))
    own = rows["rater"] == "bob"
    rows.loc[own, "quality"] = 6 - rows.loc[own, "quality"]
    [message] = doubts_of(rows)
    assert message.startswith("quality of rater bob falls where that of the others rises (r = -0.")
    assert message.endswith("; if its scale is reversed, convert it")
    [message] = doubts_of(rows[rows["rater"] != "cy"])
    assert message.startswith("raters ann and bob contradict each other in quality (r = -0.")


def test_scores_without_differences_have_no_direction():
    rows = graded(n_topics=10, raters=("ann", "bob"))
    for level in (0.11, 0.15, 0.3, 0.35):  # what a mean leaves of equal scores is rounding
        assert doubts_of(rows.assign(quality=np.where(rows["rater"] == "ann", level, 0.2))) == []


def test_a_rater_against_the_sum_of_those_who_do_not_agree_is_not_reversed():
    raters = [f"r{place}" for place in range(12)]
    rows = graded(n_topics=10, raters=raters)
    wave = np.abs(np.sin(rows["topic"].str[1:].astype(int) + rows["system"].map(SYSTEMS.index)))
    opposite = np.where(rows["rater"].map(raters.index) % 2, 1.0, -1.0)
    assert doubts_of(rows.assign(quality=np.round(wave * opposite, 3) + 5)) == []


@pytest.mark.slow
def test_raters_who_do_not_agree_are_not_reversed():
    rng = np.random.default_rng(0)
    for _ in range(10):
        rows = graded(raters=("ann", "bob", "cy"))
        assert doubts_of(rows.assign(quality=rng.integers(1, 6, len(rows)).astype(float))) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("GPT-4", "gpt-4"),
        ("GPT 4", "GPT-4"),
        ("gpt_4", "gpt4"),
        ("T5", "T5 "),
        ("\u0421at", "Cat"),
        ("B\u0391RT", "BART"),
    ],
)
def test_names_that_look_alike_are_named(first, second):
    rows = graded(systems=["lead", "bart", f"{first}x", f"{second}x"])
    [message] = doubts_of(rows)
    assert message.startswith("names look alike but differ: systems ")
    assert ascii(f"{first}x") in message
    assert ascii(f"{second}x") in message
    assert message.endswith("; if they are one, spell them in one way")


def test_names_with_other_digits_do_not_look_alike():
    names = ["1-11", "11-1", "111", "D1-1", "D11", "v1.5", "v15", "1_2", "12"]
    assert len({*map(letters_of, names)}) == len(names)
    assert letters_of("1_2") == letters_of("1 - 2") == "1-2"


def test_names_are_compared_over_both_tables():
    rows, scores = graded(), graded(seed=3).rename(columns={"quality": "rouge"})
    scores["system"] = scores["system"].str.upper()
    [message] = find_doubts(tidy(rows), tidy(scores))
    assert message.startswith("names look alike but differ: systems 'BART' and 'bart', 'LEAD' and 'lead'")


@pytest.mark.slow
def test_identical_systems_are_named_unless_chance_gives_them():
    rows = graded()
    copy = rows[rows["system"] == "bart"].assign(system="bart-2")
    assert doubts_of(pd.concat([rows, copy])) == [
        "systems bart, bart-2 have the same quality on every topic; if one is a copy, "
        "leave it out with --exclude bart-2"
    ]
    few = pd.concat([rows, copy])
    assert doubts_of(few[few["topic"].isin(["t0", "t1", "t2"])]) == []
    constant = rows.assign(quality=np.where(rows["system"].isin(["bart", "t5"]), 5.0, rows["quality"]))
    assert doubts_of(constant) == []
    raters = graded(raters=("ann", "bob"))
    same = raters[raters["system"] == "t5"].assign(system="t5b")
    assert doubts_of(pd.concat([raters, same]))[0].startswith("systems t5, t5b have the same quality")


@pytest.mark.slow
def test_a_message_a_doubt_whatever_the_number_of_metrics():
    rows = graded()
    for place in range(8):
        rows[f"metric {'abcdefgh'[place] * 2}"] = rows["quality"]
        rows.loc[[2, 9], f"metric {'abcdefgh'[place] * 2}"] = -999
    assert len(doubts_of(rows)) == 1
    table = tidy(rows)
    assert find_doubts(table, table) == find_doubts(table)
    assert "and 5 more" in find_doubts(table)[0]


def test_years_and_tasks_have_their_own_scales():
    rows = pd.concat([graded().assign(year=year) for year in (2020, 2021)])
    rows.loc[rows["year"] == 2021, "quality"] *= 25
    assert doubts_of(rows) == []
    assert find_doubts() == find_doubts(tidy(graded()).iloc[:0]) == []


COMMANDS = {
    "compare": "{file} --metric quality",
    "power": "{file} --metric quality --systems lead,bart --difference 2000",
    "evaluate": "{file} --target quality",
    "assessors": "{file}",
    "estimate": "{file} --target quality",
    "validate": "{file}",
}


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("command", COMMANDS)
def test_commands_that_judge_warn_once(command, tmp_path, capsys):
    rows = graded(raters=("ann", "bob") if command == "assessors" else ())
    rows = rows.assign(
        rouge=np.random.default_rng(0).random(len(rows)), rouge2=np.random.default_rng(1).random(len(rows))
    )
    rows = rows.drop(columns=["rouge", "rouge2"]) if command in ("assessors", "estimate") else rows
    if command == "validate":
        rows = rows.assign(summary="Rain fell.", reference="Rain fell all day.")
    rows.loc[[2, 9], "quality"] = -999
    path = tmp_path / "x.csv"
    rows.to_csv(path, index=False)
    main([command, *COMMANDS[command].format(file=path).split()])
    printed = capsys.readouterr()
    said = f"{printed.out.partition('what  ')[0]}{printed.err}"  # and not the report of a corpus
    assert " ".join(said.split()).count("-999 in 2 of") == 1, said


@pytest.mark.slow
def test_who_is_left_out_brings_no_doubt(tmp_path, capsys):
    rows = graded()
    total = rows.groupby("topic", sort=False)["quality"].sum().reset_index().assign(system="total")
    pd.concat([rows, total]).to_csv(tmp_path / "x.csv", index=False)
    main(["compare", f"{tmp_path / 'x.csv'}", "--metric", "quality"])
    assert "warning: system 'total' is taken as any other" in capsys.readouterr().err
    main(["compare", f"{tmp_path / 'x.csv'}", "--metric", "quality", "--exclude", "total"])
    assert "total" not in capsys.readouterr().err


@pytest.mark.parametrize("year", ["2021", "2022", "2023"])
def test_the_sample_is_honest(year):
    assert find_doubts(*judged_tables(read_corpus(SAMPLE / year))) == []


@pytest.mark.slow(after=2)
@pytest.mark.parametrize(
    "name", ["raters.csv", "spring.csv", "autumn.csv", "campaign.csv", "autumn-judge.tsv"]
)
def test_the_tutorial_is_honest(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert find_doubts(read_scores(SAMPLE / "tutorial" / name)) == []


@pytest.mark.slow
def test_public_evaluations_are_honest(shared):
    paths = [path for path in sorted(shared.glob("data/*/*.jsonl")) if path.name != "summaries.jsonl"]
    assert len(paths) > 15
    for path in paths:
        assert find_doubts(read_scores(path)) == [], path


@pytest.mark.slow
def test_doubts_take_little_time():
    rng = np.random.default_rng(0)
    table = tidy(graded(systems=[f"s{at}" for at in range(10)], n_topics=10))
    rows = [(f"t{topic}", f"s{system}") for topic in range(10_000) for system in range(10)]
    table = pd.DataFrame(rows, columns=["topic", "summarizer"]).assign(year="", task="", metric="m")
    table["score"] = rng.integers(1, 6, len(table)).astype(float)
    start = time.process_time()
    assert find_doubts(table) == []
    assert time.process_time() - start < 1.0
