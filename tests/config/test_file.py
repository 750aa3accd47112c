"""A configuration is read whole or refused with the key that is wrong."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from classy_aesop.config import (
    LEARNING_METHODS,
    RUN_PRESETS,
    Config,
    RunTable,
    SearchOptions,
    Year,
    read_config,
)
from classy_aesop.config.keys import DEFAULT_METHOD
from classy_aesop.errors import InputError
from classy_aesop.features import FEATURES, GROUPS
from classy_aesop.features.registry import units_by_name

CONFIGS = Path(__file__).parents[2] / "configs"

YEAR = '[[years]]\nname = "1"\npath = "."\n'
RUN = '[[runs]]\nname = "x"\ntarget = "y"\n'
BOTH = YEAR + RUN


def written(tmp_path, text):
    (path := tmp_path / "experiment.toml").write_text(text)
    return path


def test_the_sample_config_is_read():
    config = read_config(CONFIGS / "sample.toml")
    assert [year.name for year in config.years] == ["2021", "2022", "2023"]
    assert Path(config.years[0].path).resolve() == CONFIGS.parent / "data_samples" / "2021"
    assert config.years[0].ranges["responsiveness"] == (1.0, 5.0)
    assert (config.preset, config.search.level, config.search.fit_level) == (
        "classy2011",
        "system",
        "summary",
    )


def test_keys_in_comments_are_keys(tmp_path):
    """Each commented key of the sample config is accepted when the comment sign goes."""
    lines = (CONFIGS / "sample.toml").read_text().splitlines()
    exclusive = ("# cut", "# path", "# scores = ")
    kept = [
        line[2:]
        if line.startswith("# ") and " = " in line.split("#")[1] and not line.startswith(exclusive)
        else line
        for line in lines
    ]
    text = (
        "\n".join(kept)
        .replace("# [[runs]]", "[[runs]]")
        .replace("../data_samples", str(CONFIGS.parent / "data_samples"))
    )
    config = read_config(written(tmp_path, text))
    assert config.runs[0].name == "mine"
    assert config.years[0].topics == ("D2101", "D2102")


@pytest.mark.parametrize(
    ("head", "search", "method"),
    [
        ("", "", DEFAULT_METHOD),
        ("", "[search]\nmethod = 'classy2011'", "classy2011"),
        ("preset = 'classy2011'\n", "", "classy2011"),
        ("preset = 'classy2011'\n", "[search]\nfolds = 3", "classy2011"),
        ("preset = 'classy2011-printed'\n", "[search]\nfolds = 3", "classy2011-printed"),
        ("preset = 'classy2011'\n", "[search]\nmethod = 'topicwise'", "topicwise"),
    ],
)
def test_the_preset_learns_as_in_2011_and_all_else_by_the_default(tmp_path, head, search, method):
    config = read_config(written(tmp_path, head + YEAR + RUN + search))
    folds = {"folds": 3} if "folds" in search else {}
    assert config.search == SearchOptions.from_method(method, **folds)


def test_a_method_names_every_feature_itself(monkeypatch):
    """A feature that joins a group later changes no method: groups by name are in none of them."""
    for method in LEARNING_METHODS.values():
        parts = [part for item in method.names for part in ([item] if isinstance(item, str) else item)]
        assert set(parts) <= set(FEATURES)
    before = units_by_name(LEARNING_METHODS[DEFAULT_METHOD].names, "groups")
    assert list(before) == [group for group in GROUPS if group not in ("rouge", "graph", "sources")]
    assert sum(map(len, before.values())) == 51
    monkeypatch.setitem(FEATURES, "late", FEATURES["r1"]._replace(name="late"))
    assert "late" in units_by_name(["rouge"], "groups")["rouge"]
    assert units_by_name(LEARNING_METHODS[DEFAULT_METHOD].names, "groups") == before


def test_lists_inside_names_are_units(tmp_path):
    text = YEAR + RUN + "[search]\nnames = ['r2', ['r1', 'digits'], ['su4', 'bigrams']]"
    names = read_config(written(tmp_path, text)).search.names
    assert names == ("r2", ("r1", "digits"), ("su4", "bigrams"))
    assert units_by_name(names, "groups") == {
        "r2": ("r2",),
        "classic": ("su4", "bigrams"),
        "r1+digits": ("r1", "digits"),
    }
    assert list(units_by_name(names, "features")) == ["r2", "su4", "bigrams", "r1", "digits"]
    assert list(units_by_name([["r2"], ["su4"]], "groups")) == ["r2", "su4"]


def test_the_default_in_a_file_is_that_in_python():
    assert SearchOptions() == SearchOptions.from_method(DEFAULT_METHOD)
    years, runs = (Year("1"),), (RunTable("x", "pyramid"),)
    assert Config(years, runs=runs).search == SearchOptions.from_method(DEFAULT_METHOD)
    assert Config(years, preset="classy2011").search == SearchOptions.from_method("classy2011")
    own = SearchOptions(level="input")
    assert Config(years, preset="classy2011", search=own).search == own


def test_a_byte_order_mark_is_no_key(tmp_path):
    assert read_config(written(tmp_path, "\ufeffseed = 3\n" + YEAR + RUN)).seed == 3


def test_data_and_seed_stand_in(tmp_path):
    config = read_config(written(tmp_path, YEAR + RUN), data={"1": "elsewhere"}, seed=9)
    assert (config.years[0].path, config.seed) == ("elsewhere", 9)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sed = 1\n" + BOTH, "unknown key 'sed'; known keys here: years, seed,"),
        (
            BOTH + "[search]\nlevle = 'input'",
            "unknown key 'search.levle'; known keys here: level, coefficient, fit_level",
        ),
        (YEAR + "scael = {}\n" + RUN, r"unknown key 'years\[1\].scael'"),
        ("seed = -1\n" + BOTH, "seed: -1; expected a whole number from 0 to"),
        (f"seed = {2**63}\n" + BOTH, f"seed: {2**63}; expected a whole number from 0 to {2**63 - 1}"),
        (f"seed = {'1' * 5000}\n" + BOTH, r"experiment.toml: not valid TOML: Exceeds the limit"),
        ("x = " + "[" * 9999, "experiment.toml: not valid TOML: it is nested too deeply"),
        (YEAR + "ranges = { m = [5.0, 1.0] }\n" + RUN, "years.1.ranges.m: 5 to 1; expected the lower first"),
        (BOTH + "[search]\nfolds = 0", "search.folds: 0; expected a whole number from 2 to 10000"),
        (BOTH + "[search]\nmethod = [1]", r"search.method: \[1\]; expected one of"),
        (BOTH + "[search]\nmethod = 'honest'", "search.method: 'honest'; expected one of"),
        (YEAR.replace('"."', f'"{"9" * 5000}"') + RUN, r"years.1.path: .*9 \.\.\. 9.* does not exist"),
        ("seed = true\n" + BOTH, "seed: Expected `int`, got `bool`"),
        ("years = [3]\n" + RUN, r"years\[1\]: Expected `object`, got `int`"),
        (YEAR, "runs: none"),
        (BOTH + 'fitter = "lasso"', r"runs\.x\.fitter: 'lasso'; expected one of robust, .*, mixture"),
        (
            BOTH + 'fitter = "mixture"\nwhole = true',
            r"runs\.x\.whole: true; a mixture is the mean of several learners; expected false",
        ),
        (BOTH + "[search]\nlearners = []", r"search\.learners: none; a mixture needs one or more"),
        ("", r"years: found 0 tables \[\[years\]\]; expected 1 or more"),
        (
            "preset = 'classy2012'\n" + YEAR,
            r"preset: 'classy2012'; expected one of classy2011, classy2011-printed",
        ),
        ("peers = ['humans']\n" + BOTH, r"peers: 'humans'; expected one of no_models, all_peers"),
        (BOTH + "[search]\nlevel = 'topic'", "search.level: 'topic'; expected one of"),
        (BOTH + "[search]\neffects = 'year'", r"effects: 'year'; expected one of none, topic"),
        (
            BOTH + "[search]\ncoefficient = 'kendall'",
            r"search.coefficient: 'kendall'; expected one of pearson, combination",
        ),
        (
            BOTH + "[search]\nprotocol = 'rolling'",
            r"search.protocol: 'rolling'; expected one of latest, leave-one-year-out",
        ),
        (BOTH + "[search]\nchoose = 'best'", "unknown key 'search.choose'; known keys here: level"),
        (BOTH + "[search]\nnames = ['r2', 'r9']", "search.names: no feature or group is named r9; expected"),
        (BOTH + "[search]\nnames = ['classic', 'r2']", "search.names: r2 named twice in classic, r2"),
        (BOTH + "[search]\nnames = []", "search.names: no names to choose from; expected 1 to 20"),
        (
            BOTH + "[search]\nunits = 'features'\nnames = ['classic', 'form', 'repetition']",
            "search.names: 23 names have 2.23 subsets; an exhaustive search takes at most 20",
        ),
        (YEAR + BOTH, "years: the names .* repeat"),
        (YEAR.replace('"."', '"nowhere"') + RUN, "years.1.path: .*nowhere does not exist"),
        (YEAR + "scale = { a = 'x' }\n" + RUN, "years.1.scale: 'x'; expected one of"),
        (
            YEAR + "ranges = { a = [1] }\n" + RUN,
            r"years\[1\].ranges\[...\]: Expected `array` of length 2, got 1",
        ),
        (
            YEAR + "columns = { tpoic = 'x' }\n" + RUN,
            "years.1.columns: no column is a 'tpoic'; expected one of",
        ),
        (YEAR + "cut = { part = 4 }\n" + RUN, "years.1.cut.part: 4; expected 1 to 3"),
        (YEAR + "cut = { parts = 4 }\n" + RUN, r"years\[1\].cut: Object missing required field `part`"),
        (YEAR + "cut = { part = 1 }\ntopics = ['D1']\n" + RUN, "years.1: both topics and cut"),
        ("seed = \n" + BOTH, r"not valid TOML: .*line 1"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, text, message):
    path = written(tmp_path, text)
    with pytest.raises(InputError, match=message) as caught:
        read_config(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "name", ["../../evil", "/evil", "a/b", "a\\b", "..", ".hidden", "", "a\nb", "a\0b", "x" * 81, "é" * 41]
)
def test_a_name_that_cannot_name_a_file_is_refused(tmp_path, name):
    for text, where in (
        (YEAR + f"[[runs]]\nname = {json.dumps(name)}\ntarget = 'y'\n", "runs.name"),
        (YEAR + RUN + f"tasks = ['A', {json.dumps(name)}]\n", "runs.x.tasks"),
        (f"tasks = [{json.dumps(name)}]\n" + YEAR + RUN, "tasks"),
    ):
        if name or where == "runs.name":  # a corpus without tasks has the task ""
            with pytest.raises(InputError) as caught:
                read_config(written(tmp_path, text))
            assert f"experiment.toml: {where}: {name!r} becomes part of a file name" in str(caught.value)


def test_the_printed_preset_is_fitted_to_means_and_else_as_in_2011():
    years = (Year("1"),)
    in_2011 = Config(years, preset="classy2011")
    printed = Config(years, preset="classy2011-printed")
    assert (in_2011.search.fit_level, printed.search.fit_level) == ("summary", "system")
    assert replace(printed.search, fit_level="summary") == in_2011.search
    assert RUN_PRESETS["classy2011-printed"] == RUN_PRESETS["classy2011"]


def test_the_preset_is_the_16_submissions():
    runs = RUN_PRESETS["classy2011"]
    assert len({run.label for run in runs}) == len(runs) == 16
    methods = {run.label: run.fitter for run in runs}
    # Rankel (2016), Tables 5.2 and 5.3: the methods as printed.
    assert methods["8-A-all_peers"] == methods["25-B-no_models"] == "canonical"
    assert methods["8-A-no_models"] == methods["23-B-all_peers"] == "robust"
    assert {run.fitter for run in runs if run.name == "6"} == {"nonnegative"}
