"""What README and the pages show is what is printed."""

import contextlib
import io
import re
from pathlib import Path

import pytest

from classy_aesop.cli import main
from classy_aesop.features.registry import sort_row_features
from classy_aesop.papers import STUDIES

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"```(sh|python)\n((?:(?!```).*\n)+)```\n(?:\n```text\n((?:.*\n)*?)```\n)?")
PAGES = [*sorted(path.stem for path in (ROOT / "docs").glob("howto-*.md")), "studies", "tutorial"]
"""Pages whose commands are run."""


def page(name, folder="docs"):
    return (ROOT / folder / f"{name}.md").read_text(encoding="utf-8")


README, USAGE = page("README", "."), page("usage")


def clone(place):
    """Give a folder that sees what commands of the pages read, and has one to write into."""
    for name in ("configs", "data_samples", "classy_aesop", "classy_aesop/sample"):
        (place / Path(name).name).symlink_to(ROOT / name)
    (place / "out").mkdir()
    return place


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(clone(tmp_path))
    return tmp_path


def printed(commands):
    """Run lines of arguments; give what they print."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        for arguments in commands:
            assert main(arguments.split()) == 0, arguments
    return out.getvalue()


def executed(code, found=None):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(code, "page.md", "exec"), {} if found is None else found)
    return out.getvalue()


@pytest.mark.filterwarnings("ignore:judged summaries are not a random part")  # the page tells of it
@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_every_command_prints_what_is_shown(name, place):
    """A line with an ellipsis ends what is shown of a longer output."""
    for file, content in re.findall(r"`(\w+\.toml)`:\n\n```toml\n(.*?)```", page(name), flags=re.S):
        (place / file).write_text(content, encoding="utf-8")
    blocks = BLOCK.findall(page(name))
    assert len(blocks) == page(name).count("```sh\n") + page(name).count("```python\n") > 1
    for language, code, shown in blocks:
        lines = (line.partition(" ")[2] for line in code.splitlines())
        text = printed(lines) if language == "sh" else executed(code)
        head, ellipsis, _ = shown.partition("\n...\n")
        assert text.startswith(f"{head}\n") if ellipsis else not shown or text == shown, code


@pytest.mark.slow
def test_the_page_shows_what_a_gate_says(place, capsys):
    text = page("howto-systems")
    (gate,) = re.findall(r"^classy-aesop (.* --fail-if .*)$", text, flags=re.M)[:1]
    assert main(gate.split()) == 0
    assert f"`{capsys.readouterr().err.splitlines()[-1].removeprefix('classy-aesop: ')}`" in text


def test_tables_are_shown_as_they_are():
    """Of the tables of summaries the texts are cut, so the first columns and the last two are compared."""
    tables = ROOT / "classy_aesop/sample/tutorial"
    (shown,) = re.findall(r"```tsv\n(.*?)```", page("howto-judge"), flags=re.S)
    assert (tables / "autumn-judge.tsv").read_text(encoding="utf-8").startswith(shown)
    (shown,) = re.findall(r"```csv\n(.*?)```", page("tutorial"), flags=re.S)
    lines = (tables / "spring.csv").read_text(encoding="utf-8").splitlines()
    for line, cut in zip(lines, shown.splitlines(), strict=False):
        assert re.fullmatch(".*".join(re.escape(part) for part in cut.split(" ...")), line)


def commands_of_the_readme():
    """Give the arguments of every classy-aesop command in the README's shell blocks, in order."""
    blocks = re.findall(r"```sh\n(.*?)```", README, flags=re.S)
    lines = [line.partition("#")[0] for block in blocks for line in block.splitlines()]
    parts = [part.strip() for line in lines for part in line.split("&&")]
    return [part.partition(" ")[2] for part in parts if part.split(" ")[0].endswith("/classy-aesop")]


@pytest.fixture(scope="module")
def of_the_readme(tmp_path_factory):
    """Run the README's commands, in whose folder its Python works; give the lines that they print."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(clone(tmp_path_factory.mktemp("clone")))
        yield printed(commands_of_the_readme()).splitlines()


@pytest.mark.slow
def test_every_line_of_the_readme_is_printed_and_its_python_runs(of_the_readme):
    """An ellipsis stands for lines left out; the Python loads what the commands made."""
    [block] = re.findall(r"```text\n(.*?)```", README, flags=re.S)
    place = -1
    for line in block.splitlines():
        if line and line != "...":
            assert line in of_the_readme[place + 1 :], f"not printed: {line}"
            place = of_the_readme.index(line, place + 1)
    [block] = re.findall(r"```python\n(.*?)```", README, flags=re.S)
    found = {}
    executed(block, found)
    assert found["scores"]["score"].notna().all()
    for path in re.findall(r"!\[[^]]+\]\(([^)]+)\)", README):
        assert (ROOT / path).exists()


@pytest.mark.slow
def test_examples_of_usage_print_what_is_shown(place):
    examples = re.findall(r"```sh\nclassy-aesop (.*)\n```\n(?:\n```text\n((?:.*\n)*?)```\n)?", USAGE)
    assert len(examples) == 3
    for command, shown in examples:
        head, _, _ = shown.partition("\n...\n")
        assert printed([command]).startswith(head)
    executed(python_of_usage("from classy_aesop import Selection"))


def python_of_usage(start):
    (found,) = re.findall(rf"```python\n({start}.*?)```", USAGE, flags=re.S)
    return found


def test_lists_in_python():
    found = {}
    assert float(executed(python_of_usage("from classy_aesop import Rouge, score"), found)) > 0.5
    assert found["scores"].notna().all()
    assert list(found["features"].columns) == sort_row_features()


@pytest.mark.slow
def test_training_and_scikit_learn_in_python(place):
    executed(python_of_usage("from classy_aesop import Config"))
    assert (place / "out" / "mine.json").exists()
    assert float(executed(python_of_usage("import pandas as pd\nfrom sklearn"))) > 0


@pytest.mark.slow
def test_the_examples_of_studies_run_on_the_sample(tmp_path, monkeypatch, capsys):
    """As their help gives them, after the commands that make their data."""
    (tmp_path / "data_samples").symlink_to(ROOT / "data_samples")
    (tmp_path / "configs").symlink_to(ROOT / "configs")
    monkeypatch.chdir(tmp_path)
    printed(["init --sample sample -q", "baselines sample/2023 -m rouge -o scores.tsv -q"])
    for name in STUDIES.keys() - {"coefficients", "retraining"}:  # they train: tests/papers/test_registry.py
        for example in STUDIES[name].examples:
            assert main(["study", name, *example.split()]) == 0, name
            told = capsys.readouterr()
            assert "error" not in told.err
            assert told.out.count("\n") > 3, name
