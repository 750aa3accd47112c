"""A part is added by one line, where docs/architecture.md says, and found wherever it can be chosen.

Every row of the page's table has a part here that is added as the row says. It is then looked for in the help of the
commands, in the check of a configuration, in the check of the pages and in a run.
"""

import re
from importlib import import_module
from pathlib import Path

import pytest

from classy_aesop.baselines import jensen_shannon
from classy_aesop.cli import main, program
from classy_aesop.config import Run, SearchOptions, read_config
from classy_aesop.errors import InputError
from classy_aesop.features import feature
from classy_aesop.fitters import RidgeRegression
from classy_aesop.formulas import Linear
from classy_aesop.outside import Choices
from classy_aesop.pages.formats import Format
from classy_aesop.papers import Study
from classy_aesop.reading import read_jsonl
from classy_aesop.search.kernels.ridge_kernel import RidgeKernel
from classy_aesop.work.options import REQUIRED, Option

DOCS = Path(__file__).parent.parent / "docs"
# formats of scores are tested with their readers
ROW = re.compile(
    r"\| (an? .+?) \| .* \| `((?!SCORE_)[A-Z_]+)` of `([\w/]+)\.py`[^|]*\| (?:\[([\w.]+)\][^|]*)?\|"
)
ROWS = {row[1]: row for row in map(ROW.fullmatch, (DOCS / "architecture.md").read_text().splitlines()) if row}


def registry_of(row):
    module = row[3].replace("/", ".").removesuffix(".__init__")
    return getattr(import_module(f"classy_aesop.{module}"), row[2])


class ProbeFitter(RidgeRegression):
    """A fitter with a kernel of its own."""


class ProbeKernel(RidgeKernel):
    """A kernel that counts its calls."""

    n_calls = 0

    def solve(self, masks):
        type(self).n_calls += 1
        return super().solve(masks)


def probe_feature(topic):
    """Number of tokens."""
    return topic.summaries.n_tokens.astype(float)


def probe_member(topic):
    """The same in a group of its own."""
    return 2 * probe_feature(topic)


def probe_baseline(corpus, *, jackknife):
    scores = jensen_shannon(corpus, jackknife=jackknife)
    return scores.assign(metric="probe-" + scores["metric"])


def in_group(group):
    return feature(kind="linguistic", group=group, source="this test")


METHOD = SearchOptions.from_method("classy2011", names=("probe_feature", "probe_group", "r2"))
RUN = Run("probe", "responsiveness", "A", "no_models", "probe_fitter")

PARTS = {
    "a feature": lambda _: in_group("classic")(probe_feature),
    "a group of features": lambda table: table.update(probe_group="no more than this test"),
    "a fitter": lambda table: table.update(probe_fitter=ProbeFitter),
    "a batched search": lambda table: table.update({ProbeFitter: ProbeKernel}),
    "a kind of formula": lambda table: table.update(probe_formula=Linear),
    "a baseline metric": lambda table: table.update(probe_baseline=probe_baseline),
    "a corpus reader": lambda table: table.update(probe_layout=read_jsonl),
    "a preset": lambda table: table.update(probe_preset=(RUN,)),
    "a method of learning": lambda table: table.update(probe_method=METHOD),
    "a test of two summarizers": lambda table: table.update(probe_pairs=table["paired_t"]),
    "a test of two metrics": lambda table: table.update(probe_metrics=table["perm-both"]),
    "a study": lambda table: table.update(probe_study=Study("this test", "score_maps:score_map", ())),
    "a column of the report of `train`": lambda table: table.update(probe_column=("input", "pearson")),
    "an output format": lambda table: table.update(probe_format=Format(lambda result, out: out.write("it"))),
    "an option": lambda table: table.update(probe_option=Option("this test")),
}

COMMANDS = {
    "a feature": "features",
    "a group of features": "features",
    "a baseline metric": "evaluate",
    "a corpus reader": "validate",
    "a test of two summarizers": "power",
    "a test of two metrics": "evaluate",
    "a study": "study",
    "an output format": "baselines",
}
"""A command that offers the part."""

KEYS = {
    "a feature": '[search]\nnames = ["probe_feature"]',
    "a group of features": '[search]\nnames = ["r2", "probe_group"]',
    "a fitter": "[[runs]]\nname = 'x'\ntarget = 'y'\nfitter = 'probe_fitter'",
    "a corpus reader": "[[years]]\nname = '2'\nlayout = 'probe_layout'",
    "a preset": "preset = 'probe_preset'",
    "a method of learning": "[search]\nmethod = 'probe_method'",
}
"""Where a configuration names the part."""


@pytest.fixture
def tables():
    """Every table of names that the page tells of, as it was before and after a test."""
    found = {name: registry_of(row) for name, row in ROWS.items()}
    before = {name: table.copy() for name, table in found.items() if isinstance(table, dict)}
    yield found
    for name, parts in before.items():
        found[name].clear()
        found[name].update(parts)


@pytest.fixture
def added(tables):
    """Add every part; give their names."""
    before = {name: set(tables[name]) for name in PARTS}
    for name, add in PARTS.items():
        add(tables[name])
    in_group("probe_group")(probe_member)
    return {name: next(one for one in tables[name] if one not in before[name]) for name in PARTS}


def test_every_table_of_names_has_a_part_here(tables):
    assert [name for name, table in tables.items() if isinstance(table, dict)] == list(PARTS)
    # What nobody chooses; the latter two are tried in tests/predictor/test_file.py and tests/cli/test_commands.py.
    others = {"a batched search", "a column of the report of `train`", "a kind of formula", "an option"}
    assert set(COMMANDS) | set(KEYS) | others == set(PARTS)


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row[4]])
def test_every_name_is_explained(name):
    row = ROWS[name]
    page = (DOCS / row[4]).read_text()
    unexplained = [one for one in registry_of(row) if not re.search(rf'[`"]{re.escape(one)}["`]', page)]
    assert unexplained == [], f"say what they are in docs/{row[4]}"


def help_of(command, capsys):
    with pytest.raises(SystemExit, match="0"):
        main([*command.split(), "--help-all"])
    return capsys.readouterr().out


@pytest.mark.parametrize("name", COMMANDS)
def test_help_lists_it(name, added, capsys):
    assert re.search(rf"\b{added[name]}\b", help_of(COMMANDS[name], capsys))


@pytest.mark.parametrize("name", KEYS)
def test_a_configuration_takes_it(name, added, tables, tmp_path):
    runs = "" if "fitter" in KEYS[name] else "[[runs]]\nname = 'x'\ntarget = 'y'\n"
    path = tmp_path / "experiment.toml"
    path.write_text(f"{KEYS[name]}\n{runs}[[years]]\nname = '1'\n")
    assert read_config(path).years
    del tables[name][added[name]]
    if name == "a group of features":
        del tables["a feature"]["probe_member"]
    with pytest.raises(InputError, match=rf"{added[name]}.* expected"):
        read_config(path)


def options_of(parser):
    for options in parser.sections.values():
        yield from options
    for command in parser.commands.values():
        yield from options_of(command)


def test_every_default_is_one_of_the_choices():
    options = options_of(program.fill_parsers(program.parser()))
    choosing = [option for option in options if isinstance(option.choices, Choices)]
    assert len(choosing) > 50
    for option in choosing:
        assert list(option.choices), option
        names = option.default if isinstance(option.default, tuple) else (option.default,)
        assert option.default in (None, REQUIRED) or all(one in option.choices for one in names)


@pytest.mark.slow
@pytest.mark.usefixtures("added")
def test_an_experiment_is_made_of_them(folder):
    years = "".join(
        f'[[years]]\nname = "{name}"\npath = "{name}"\nlayout = "probe_layout"\n'
        for name in ("2021", "2022", "2023")
    )
    (folder / "probe.toml").write_text(f'preset = "probe_preset"\n{years}[search]\nmethod = "probe_method"\n')
    assert main(["train", str(folder / "probe.toml"), "-o", str(folder / "out"), "-q"]) == 0
    assert ProbeKernel.n_calls > 0
    assert "probe_column" in (folder / "out" / "summary.txt").read_text()
    inclusion = (folder / "out" / "search" / "probe-A-no_models.probe_fitter.inclusion.tsv").read_text()
    assert {"probe_feature", "probe_member", "r2"} <= set(re.split(r"\s", inclusion))


@pytest.mark.slow
@pytest.mark.usefixtures("added")
def test_commands_run_with_them(folder, capsys):
    corpus, judgments, scores = folder / "2021", folder / "2021" / "judgments.jsonl", folder / "scores.tsv"

    def printed(command):
        assert main([*command.format(corpus=corpus, judgments=judgments, scores=scores).split(), "-q"]) == 0
        return capsys.readouterr().out

    printed("baselines {corpus} -m probe_baseline,rouge -o {scores}")
    assert "\tprobe-JS-1\t" in scores.read_text()
    judged = "{scores} {judgments} --target responsiveness"
    tested = printed(f"evaluate {judged} --pairs --test probe_metrics --n-resamples 99 -f tsv")
    assert "\tprobe_metrics\t" in tested
    assert printed("compare {scores} --metric probe-JS-1 --test probe_pairs -f tsv").count("\n") > 1
    ranked = "evaluate {scores} {corpus} --target responsiveness -m none"
    assert "probe-JS-1" in printed(ranked)
    assert "\tprobe_feature\tprobe_member\t" in printed(
        "features {corpus} --layout probe_layout --names probe_group,probe_feature"
    )
    assert printed("validate {corpus} -f probe_format") == "it"
