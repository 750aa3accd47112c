"""What the program says of itself: the short guide without a command, and the help of a command with examples."""

from __future__ import annotations

import argparse
import re
from copy import copy
from textwrap import wrap

from classy_aesop.cli.argument_sections import SectionedParser
from classy_aesop.cli.commands import (
    OPTIONS_OF_EVERY_COMMAND,
    PART_OF_DATA,
    REPETITION_HINT,
    SELDOM_NEEDED,
)
from classy_aesop.papers import OTHERWISE, STUDIES

PURPOSE = "Predict how humans would score a summary, and test which systems and metrics really differ."

FIRST_STEPS = (
    ("What is in a corpus?", "validate IN"),
    ("How good are these summaries?", "predict published/news-content IN"),
    ("Learn from your own judgments", "train IN --target MEASURE -o DIR"),
    ("Which metric agrees with humans?", "leaderboard IN --target MEASURE"),
    ("Which systems differ?", "compare SCORES --metric NAME"),
    ("Made-up data to try this on", "init --sample DIR"),
)
"""What a new user may want to do, and the command for it."""


def guide(program: str) -> str:
    """Write the short guide."""
    steps = "\n".join(f"  {question:<34}{program} {command}" for question, command in FIRST_STEPS)
    more = f"{program} --help lists all commands, {program} COMMAND --help explains one."
    return f"{PURPOSE}\n\n{steps}\n\n{more}"


def list_remade_tables() -> str:
    """List every table and figure of the papers that a command remakes: paper by paper, the item, command and needs."""
    rows = [(item, f"study {name}", study.needs) for name, study in STUDIES.items() for item in study.remakes]
    rows += [(item, name, "a judged corpus") for name, items in OTHERWISE.items() for item in items]
    papers: dict[str, list[str]] = {}
    for whole, command, needs in rows:
        paper, _, item = whole.partition("), ")
        papers.setdefault(f"{paper})", []).append(f"  {item}\n    {command:<26}  needs {needs}")
    return "\n".join(line for paper in sorted(papers) for line in (paper, *sorted(papers[paper])))


MAX_NAMES_IN_SHORT_HELP = 6
"""Names of an option's values in the short help."""

USAGE_WIDTH = 72
"""Of a usage and of an example."""


def listed_arguments(command: SectionedParser) -> list[argparse.Action]:
    """Give the arguments that the help lists, but for those of every command."""
    return [
        action
        for action in command.arguments
        if action.help != argparse.SUPPRESS
        and action.dest not in ("help", *OPTIONS_OF_EVERY_COMMAND)
        and action.dest != argparse.SUPPRESS
    ]


class Formatter(argparse.HelpFormatter):
    """Lays out a help; no name is divided at a hyphen."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrap(text, width, break_on_hyphens=False)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(self._split_lines(text, width))


def shorten_action(action: argparse.Action) -> argparse.Action:
    """Shorten an option for the short help: without the hint how lists are typed, and with the first of many names."""
    shortened = copy(action)
    shortened.help = action.help and action.help.replace(REPETITION_HINT, "")
    names = list(action.choices or ())
    if len(names) > MAX_NAMES_IN_SHORT_HELP:
        shortened.choices = [*names[: MAX_NAMES_IN_SHORT_HELP - 1], "..."]
    return shortened


def list_columns(command: str) -> str:
    """List the columns of the tables that a command gives, each with its meaning."""
    from classy_aesop.answers.declared import load_answer, names_of_command

    blocks = []
    for name in names_of_command(command):
        lines = []
        for column, purpose, meaning in load_answer(name).describe_columns():
            text = f"{meaning} ({purpose})" if purpose in ("setting", "count") else meaning
            indent = " " * COLUMN_WIDTH
            head = f"  {column:<{COLUMN_WIDTH - 3}} "
            joined = head + f" {text}" if len(head) > COLUMN_WIDTH else head + text
            lines += wrap(joined, HELP_WIDTH, subsequent_indent=indent, break_on_hyphens=False)
        blocks.append("\n".join([f"columns of {name}:", *lines]))
    return "\n\n".join(blocks)


COLUMN_WIDTH = 28
HELP_WIDTH = 78


def describe_hidden_options(command: SectionedParser) -> str:
    """Write which options choose a part of the data, and how many more the short help leaves out."""
    subset = [action.option_strings[-1] for action in command.sections.get(PART_OF_DATA, [])]
    seldom = command.sections.get(SELDOM_NEEDED, [])
    sentence = f"{', '.join(subset[:-1])} and {subset[-1]} choose a part of the data. " if subset else ""
    return f"{sentence}--help-all lists all options, {len(seldom)} of them seldom needed."


def usage(command: SectionedParser) -> str:
    """Write the usage of a command: its arguments and required options; the others are ``[options]``."""
    arguments = listed_arguments(command)
    options = [argument for argument in arguments if argument.option_strings and argument.required]
    values = [_usage_of_value(argument) for argument in arguments if not argument.option_strings]
    optional = ["[options]"] if len(options) + len(values) < len(arguments) else []
    required = [usage_of_option(option, form=0) for option in options]
    return " ".join([command.prog, *values, *required, *optional])


def usage_of_option(action: argparse.Action, *, form: int = -1) -> str:
    """Write an option with its value, in one of its forms."""
    return f"{action.option_strings[form]} {_usage_of_value(action)}".strip()


def _usage_of_value(action: argparse.Action) -> str:
    """Write the value of an argument as a usage does."""
    name = str(action.metavar or action.dest.upper())
    if "..." in name:
        return name
    forms = {0: "", "?": f"[{name}]", "*": f"[{name} ...]", "+": f"{name} [{name} ...]"}
    return name if action.nargs is None else forms[action.nargs]


def examples(program: str, command: str) -> str:
    """Write the examples of a command; nothing for one that has none."""
    names = {f"study {name}": study.examples for name, study in STUDIES.items()}
    arguments = (EXAMPLES | names).get(command, ())
    typed = [wrap_usage(f"{program} {command} {example}".rstrip(), end=" \\") for example in arguments]
    lines = "".join(f"  {line}\n" for line in typed)
    text = " ".join(arguments)
    read = {word.split("/")[0] for word in text.split()} - set(re.findall("-o (\\S+)", text))
    where = "; ".join(source for name, source in SOURCE_OF_FILE.items() if name in read)
    about = wrap(f"examples ({where}):" if where else "examples:", USAGE_WIDTH, break_on_hyphens=False)
    return "\n".join(["", *about, lines]) if lines else ""


def wrap_usage(line: str, end: str = "") -> str:
    """Break a line that is wider than a terminal; an option and its value stay together."""
    joined = re.sub(r" (-\S+) (?!-)", " \\1\0", line)
    lines = wrap(joined, USAGE_WIDTH, break_long_words=False, break_on_hyphens=False)
    return f"{end}\n      ".join(lines).replace("\0", " ")


SOURCE_OF_FILE = {
    "sample": "classy-aesop init --sample sample makes the data",
    "data_samples": "data_samples come with the source",
    "configs": "configs come with the source",
    "scores.tsv": "the examples of baselines make scores.tsv",
    "features.tsv": "the examples of features make features.tsv",
    "run": "the examples of train make run",
}
"""Where the files come from that examples read."""

_JUDGED = "sample/2023/judgments.jsonl"
_WITH_METRICS = "scores.tsv sample/2023/judgments.jsonl --target responsiveness"
_ESTIMATED = f"{_JUDGED} --target pyramid --task A --peers no_models --estimator plain --population like"
_SHIPPED = "published/news-content"

EXAMPLES: dict[str, tuple[str, str]] = {
    "init": ("--sample sample", "sample/2021 --target responsiveness -o mine.toml"),
    "baselines": ("sample/2023 -m rouge,js -o scores.tsv", "sample/2023 -m rouge -f text"),
    "train": (
        "sample/2022 --target responsiveness --task A -o run",
        "sample/2022 --target pyramid --task A --report -o pages",
    ),
    "features": ("sample/2023 --names r2,su4 -o features.tsv", "sample/2023 --names classic -f text"),
    "predict": (
        f"{_SHIPPED} sample/2023 -o predicted.tsv",
        "run/predictors/responsiveness-A-no_models.json sample/2023 --task A --means -f text",
    ),
    "validate": ("sample/2023", "sample/2023 --peers no_models"),
    "convert": ("sample/2023 -o converted", "sample/2023 --only 1,2 -o part"),
    "rouge": ("sample/2023 --metric 2", "sample/2023 --metric 2 --per-summary -o rouge.tsv -f tsv"),
    "leaderboard": (
        "sample/2023 --target responsiveness",
        f"sample/2023 --target pyramid --peers no_models -m rouge --predictor {_SHIPPED}",
    ),
    "evaluate": (_WITH_METRICS, f"{_WITH_METRICS} --interval boot-both --n-resamples 199"),
    "compare": (
        f"{_JUDGED} --metric responsiveness --task A --peers no_models",
        f"{_JUDGED} --metric responsiveness --peers no_models --baseline 8 --test paired_t",
    ),
    "compare-metrics": (
        f"{_WITH_METRICS} --peers no_models --n-resamples 999",
        f"{_WITH_METRICS} --level input --metric ROUGE-2,JS-1 --n-resamples 999",
    ),
    "agreement": (f"{_WITH_METRICS} --peers no_models", f"{_WITH_METRICS} --combine 2 --peers no_models"),
    "estimate": (
        f"{_JUDGED} --scores scores.tsv --metric ROUGE-2 --target pyramid --peers no_models",
        f"{_ESTIMATED} --plan --width 0.1",
    ),
    "assessors": ("sample/tutorial/raters.csv", "sample/tutorial/raters.csv --confusion"),
    "power": (
        f"{_JUDGED} --metric pyramid --task A --systems 1,2 --difference 0.1 --n-trials 200",
        f"{_JUDGED} --metric pyramid --task A --systems 1,2 --difference 0.1 --test paired_t --n-trials 200",
    ),
    "report": ("run -o run.html", "scores.tsv features.tsv -o tables.html"),
}
"""Two examples of each command; those of later commands read what those of earlier ones wrote."""
