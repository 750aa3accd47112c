"""What the program says of itself: the short guide without a command, and the help of a command with examples."""

from __future__ import annotations

import re
from textwrap import wrap

from classy_aesop.papers import OTHERWISE, STUDIES

PROGRAM = "classy-aesop"

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


USAGE_WIDTH = 72
"""Of a usage and of an example."""


def columns_of_tables(command: str) -> dict[str, list[tuple[str, str]]]:
    """Give the columns of each table of a command, each with its meaning."""
    from classy_aesop.answers.declared import load_answer, names_of_command

    return {
        name: [
            (column, f"{meaning} ({purpose})" if purpose in ("setting", "count") else meaning)
            for column, purpose, meaning in load_answer(name).describe_columns()
        ]
        for name in names_of_command(command)
    }


def examples(program: str, command: str) -> str:
    """Write the examples of a command; nothing for one that has none."""
    names = {f"study {name}": study.examples for name, study in STUDIES.items()}
    arguments = (EXAMPLES | names).get(command, ())
    examples_of_command = [
        wrap_usage(f"{program} {command} {example}".rstrip(), end=" \\") for example in arguments
    ]
    lines = "".join(f"  {line}\n" for line in examples_of_command)
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
