"""What the tutorial and the how-to pages show is what is printed."""

import contextlib
import io
import re
from pathlib import Path

import pytest

from classy_aesop.cli import main

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"```(sh|python)\n((?:(?!```).*\n)+)```\n(?:\n```text\n((?:.*\n)*?)```\n)?")
PAGES = {
    "howto-systems": 5,
    "howto-few-judgments": 3,
    "howto-metric": 6,
    "howto-judge": 4,
    "howto-tac2011": 2,
    "howto-no-references": 5,
    "tutorial": 8,
}
"""Pages, the quickest first, and how many blocks of commands each has."""


def page(name):
    return (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


def printed(commands):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        for command in commands.splitlines():
            assert main(command.split()[1:]) == 0, command
    return out.getvalue()


def executed(code, name):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(code, f"{name}.md", "exec"), {})
    return out.getvalue()


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("name", PAGES)
def test_every_command_prints_what_is_shown(name, tmp_path, monkeypatch):
    """A line with an ellipsis ends what is shown of a longer output."""
    for folder in ("configs", "data_samples"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    (tmp_path / "out").mkdir()
    for file, content in re.findall(r"`(\w+\.toml)`:\n\n```toml\n(.*?)```", page(name), flags=re.S):
        (tmp_path / file).write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    blocks = BLOCK.findall(page(name))
    n_commands = sum(language == "sh" for language, *_ in blocks)
    assert n_commands == PAGES[name] == page(name).count("```sh\n")
    assert len(blocks) - n_commands == page(name).count("```python\n")
    for language, code, shown in blocks:
        text = printed(code) if language == "sh" else executed(code, name)
        head, ellipsis, _ = shown.partition("\n...\n")
        assert text.startswith(f"{head}\n") if ellipsis else not shown or text == shown, code


def test_tables_are_shown_as_they_are():
    """Of the tables of summaries the texts are cut, so the first columns and the last two are compared."""
    tables = ROOT / "data_samples" / "tutorial"
    (shown,) = re.findall(r"```tsv\n(.*?)```", page("howto-judge"), flags=re.S)
    assert (tables / "autumn-judge.tsv").read_text(encoding="utf-8").startswith(shown)
    (shown,) = re.findall(r"```csv\n(.*?)```", page("tutorial"), flags=re.S)
    lines = (tables / "spring.csv").read_text(encoding="utf-8").splitlines()
    for line, cut in zip(lines, shown.splitlines(), strict=False):
        pattern = ".*".join(re.escape(part) for part in cut.split(" ..."))
        assert re.fullmatch(pattern, line)
