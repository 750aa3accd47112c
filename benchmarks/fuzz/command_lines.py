"""Hostile command lines, made from the options that the parser declares, on files of which one may be corrupted."""

import io
import os
import random
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from unittest import mock

from benchmarks.fuzz.mutations import corrupt_bytes, corrupt_text
from benchmarks.fuzz.readers import READERS, describe_error, json_lines, with_checksum
from benchmarks.made_up.years import Sizes, generate
from classy_aesop.cli import program
from classy_aesop.cli.parser import Parser
from classy_aesop.errors import InputError, UsageError
from classy_aesop.work.options import COUNT, REQUIRED, SIMULATED, Option

MAX_MESSAGE_LENGTH = 2200
INPUTS, CORRUPTED, OUTPUTS = "files", "corrupted", "out"
HOSTILE = (
    "", " ", "-", "--", "-1", "0", "1.5", "1e400", "nan", "inf", "1_0", "１２", "9" * 5000, "x", "x" * 5000, "é",
    "a\tb", "a\nb", "\x1b[31m", "\udcff", "=", "a=", "a=b=c", ",", "a,b", "..", "~", "*", "%s", "{x}", "@x",
    "'", '"', "none",
    "out/no/x", "out/older.tsv", "/dev/null", "files", "files/no",
)  # fmt: skip
_CORPORA = [f"{INPUTS}/{name}" for name in ("2021", "texts.jsonl", "x.csv", "x.parquet", "x.xlsx")]
_SCORES = [f"{INPUTS}/{name}" for name in ("scores.jsonl", "x.tsv", "x.csv")]
_JUDGMENTS = f"{INPUTS}/2021/judgments.jsonl"
_PREDICTOR = f"{INPUTS}/predictor.json"
_CONFIG = f"{INPUTS}/one.toml"

FITTING: dict[str, list[str]] = {
    "output": [f"{OUTPUTS}/{name}" for name in ("new.tsv", "older.tsv", "new.jsonl", "new.parquet", "new.xlsx")],
    "place": [f"{OUTPUTS}/new"], "folder": [f"{OUTPUTS}/new"], "sample": [f"{OUTPUTS}/new"],
    "input": [*_CORPORA, "-"], "IN": _CORPORA, "corpora": _CORPORA[:1], "inputs": _SCORES, "more": _CORPORA[1:2],
    "CONFIG": [_CONFIG], "experiment": [_CONFIG, _CORPORA[0]], "predictor": [_PREDICTOR], "predictors": [_PREDICTOR],
    "scores": _SCORES, "table": [*_SCORES, _JUDGMENTS], "judgments": [_JUDGMENTS], "ratings": [_JUDGMENTS],
    "target": ["responsiveness"], "targets": ["responsiveness"], "metric": ["m", "responsiveness"], "metrics": ["m"],
    "names": ["r2", "r2,coverage"], "columns": ["topic=doc_id,text=summary", "ratings=rating_*"],
    "systems": ["1", "2"], "humans": ["A", "B"], "only": ["1", "A"], "year": ["2021"], "task": ["A"],
    "labels": [f"{INPUTS}/topics.tsv"], "page": [f"{OUTPUTS}/new.html"], "files": [*_SCORES, _JUDGMENTS],
    "encoding": ["cp1252"], "equivalence": ["0.1"], "exclude": ["1"], "baseline": ["1"], "difference": ["0.5"],
    "n_jobs": ["1"], "topic": ["D2101"], "references": ["A"],
}  # fmt: skip
"""What fits an option, by its name in the program or else by how its help shows it."""

NEEDED = ("target", "metric", "ratings")
"""Options without which most commands refuse these files."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""What a terminal obeys; tabs and line breaks are for text to have."""


@dataclass(frozen=True)
class Ended:
    """How a command ended: its exit code, what it wrote, and the error that it reported."""

    code: int
    out: bytes
    err: str
    error: BaseException | None = None


def run_line(name: str, seed: str, folder: Path) -> str:
    """Run a command line in a folder: ``done``, ``refused``, or what is wrong with how it ended."""
    rng = random.Random(f"{name} {seed}")
    words = corrupt_input(make_line(name, rng), folder, rng)
    before = state(folder)
    try:
        ended = run_in_process(words, (folder / _CORPORA[1]).read_bytes())
    except Exception as error:
        return describe_error(error)
    problem = wrong_ending(words, ended) or wrong_files(ended.code, before, state(folder), words)
    return problem or ("refused" if ended.code else "done")


# --- lines ---


@cache
def commands() -> dict[str, list[Option]]:
    """Give the options of every command and subcommand by name."""
    return dict(_options_of_commands(program.fill_parsers(program.parser())))


def _options_of_commands(parser: Parser) -> Iterator[tuple[str, list[Option]]]:
    if not parser.commands:
        yield parser.prog.partition(" ")[2], [one for section in parser.sections.values() for one in section]
    for command in parser.commands.values():
        yield from _options_of_commands(command)


def make_line(name: str, rng: random.Random) -> list[str]:
    """Give a command with what it needs and some options; in one of two lines something is hostile."""
    words = []
    for option in commands()[name]:
        values = _values(option, rng)
        is_needed = option.default is REQUIRED or option.limits in (COUNT, SIMULATED) or option.name in NEEDED
        if values is not None and (is_needed or rng.random() < 0.12):
            words += [*([rng.choice(option.option_strings)] if option.option_strings else []), *values]
    if rng.random() < 0.5:
        position = rng.randrange(len(words) + 1)
        replacement = rng.choice(([rng.choice(HOSTILE)], [rng.choice(HOSTILE)], [], words[position:][:1] * 2))
        words[position : position + rng.choice((0, 1, 1))] = replacement
    return [*name.split(), *words]


def _values(option: Option, rng: random.Random) -> list[str] | None:
    """Give values that fit an option; nothing for one whose values are unknown here, unless it is needed."""
    if option.is_flag:
        return []
    if option.limits is not None:
        return [str(rng.randint(2, 9)) if option.limits.is_whole else "0.5"]
    fitting = (
        list(map(str, option.choices or ())) or FITTING.get(option.name) or FITTING.get(option.value_name)
    )
    if not fitting:
        return ["x"] if option.default is REQUIRED or rng.random() < 0.1 else None
    return [rng.choice(fitting) for _ in range(rng.choice((1, 1, 2)) if option.takes_several else 1)]


# --- files ---


def make_folder(folder: Path) -> None:
    """Write the files that lines read, and an output that is there already; what other lines left goes."""
    summaries, judgments = _made_up()
    contents = {
        "2021/summaries.jsonl": summaries,
        "2021/judgments.jsonl": judgments,
        "texts.jsonl": summaries,
        "predictor.json": READERS["predictor"].content,
        "scores.jsonl": judgments.replace(b"responsiveness", b"m"),
        "topics.tsv": b"topic\tassessor\tcategory\nD2101\tP\tx\nD2102\tQ\ty\n",
        "one.toml": _CONFIG_TEXT,
        **{READERS[kind].file: READERS[kind].content for kind in _TABLES},
    }
    for path in folder.glob("*"):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    for name, content in contents.items():
        path = folder / INPUTS / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (folder / OUTPUTS).mkdir()
    (folder / OUTPUTS / "older.tsv").write_text("older\n")


_CONFIG_TEXT = b"""[[years]]
name = "2021"
path = "2021"
[search]
method = "classy2011"
names = ["r2", "coverage"]
[[runs]]
name = "6"
target = "responsiveness"
fitter = "nonnegative"
"""
_TABLES = ("corpus csv", "corpus parquet", "corpus xlsx", "scores wide")


@cache
def _made_up() -> tuple[bytes, bytes]:
    sizes: Sizes = {"n_topics": 3, "n_systems": 4, "n_humans": 4, "n_references": 2, "n_words": 30}
    made = generate(3, year="2021", **sizes)
    return json_lines(*made.summaries), json_lines(*made.judgments)


def corrupt_input(words: list[str], folder: Path, rng: random.Random) -> list[str]:
    """Make all files anew; in half of the lines corrupt a file that is read, or lead the output to it."""
    make_folder(folder)
    positions = [
        position
        for position, word in enumerate(words)
        if word.startswith(f"{INPUTS}/") and (folder / word[:200]).is_file()
    ]
    if not positions or rng.random() < 0.5:
        return words
    position = rng.choice(positions)
    if rng.random() < 0.2:
        return [*words, "-o", words[position]]
    path = folder / words[position]
    corrupt = corrupt_bytes if path.suffix in (".parquet", ".xlsx") else corrupt_text
    content = corrupt(path.read_bytes(), rng)
    target = folder / CORRUPTED / path.name
    target.parent.mkdir()
    target.write_bytes(with_checksum(content) if path.name == "predictor.json" else content)
    return [*words[:position], f"{CORRUPTED}/{path.name}", *words[position + 1 :]]


def state(folder: Path) -> dict[str, tuple[int, int]]:
    """Give the size and the time of every file below a folder."""
    paths = {str(path.relative_to(folder)): path.lstat() for path in folder.rglob("*") if path.is_file()}
    return {name: (stat.st_size, stat.st_mtime_ns) for name, stat in paths.items()}


# --- how a line ends ---


def run_in_process(words: list[str], piped: bytes) -> Ended:
    """Run a line in this process, with streams as a shell gives them."""
    streams = [io.BytesIO(piped), io.BytesIO(), io.BytesIO()]
    with (
        mock.patch.object(program, "_report_error", wraps=program._report_error) as report,
        mock.patch("os.cpu_count", return_value=1),
        _standard_streams(streams),
    ):
        try:
            code = program.main(words)
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
    _, out, err = streams
    return Ended(
        code, out.getvalue(), err.getvalue().decode(), report.call_args.args[0] if report.called else None
    )


@contextmanager
def _standard_streams(streams: list[io.BytesIO]) -> Iterator[None]:
    texts = [
        io.TextIOWrapper(stream, encoding="utf-8", errors=errors, newline="\n")
        for stream, errors in zip(streams, ("strict", "strict", "backslashreplace"), strict=True)
    ]
    with mock.patch.multiple(sys, stdin=texts[0], stdout=texts[1], stderr=texts[2]):
        yield
    for text in texts:
        text.flush()
        text.detach()


def wrong_ending(words: list[str], ended: Ended) -> str:
    """Say what is wrong with what a command said and wrote, if anything."""
    lines = ended.err.split("\n")[:-1]
    errors = [text for text in lines if ": error: " in text]
    if control := _CONTROL.search(ended.err):
        return f"control characters on standard error: {ended.err[max(control.start() - 80, 0) :][:160]!r}"
    is_gate = ended.code == program.GATE_EXIT_CODE and any(word.startswith("--fail-if") for word in words)
    if not ended.code or is_gate:
        return f"an error, exit code {ended.code}: {ended.err[-300:]!r}" if errors else ""
    if ended.code not in (1, 2):
        return f"exit code {ended.code}: {describe_error(ended.error) if ended.error else ended.err[-300:]!r}"
    if len(errors) != 1 or errors[0] != lines[-1] or len(errors[0]) > MAX_MESSAGE_LENGTH:
        return f"not one line: {ended.err[-300:]!r}"
    if ended.out:
        return f"output beside an error: {ended.err[-300:]!r}"
    if ended.error is None or _is_clear(ended.error, words, lines[-1].partition(": error: ")[2]):
        return ""
    return f"no place: {describe_error(ended.error)}"


def _is_clear(error: BaseException, words: list[str], message: str) -> bool:
    """Whether an error is of an option or of the system, or is ours and names what it is about."""
    if isinstance(error, UsageError | OSError):
        return True
    names = {" ".join(os.path.basename(word.rpartition("=")[2]).split())[:20] or "' '" for word in words[1:]}
    is_placed = "standard input" in message or any(name in message for name in names)
    return isinstance(error, InputError | ValueError) and is_placed


def wrong_files(
    code: int,
    before: dict[str, tuple[int, int]],
    after: dict[str, tuple[int, int]],
    words: Sequence[str] = (),
) -> str:
    """Say what was written or changed that should not be: inputs, hidden files, and anything after an error.

    A new file, or folder, by a name among the words of the command was asked for.
    """
    touched = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    asked = {*words} - before.keys()
    wrong = [
        name
        for name in touched
        if code or not (name.startswith(OUTPUTS) or name.split("/")[0] in asked) or ".classy-aesop-" in name
    ]
    return f"written: {', '.join(wrong)[:200]}" if wrong else ""
