"""What the program says of itself: the short guide without a command, and the help of a command with examples."""

from __future__ import annotations

import re
from textwrap import wrap

from classy_aesop.papers import STUDIES

PROGRAM = "classy-aesop"

PURPOSE = "Predict how humans would score a summary, and test which systems and metrics really differ."

FIRST_STEPS = (
    ("Which of my systems is better?", "compare SCORES"),
    ("Is my metric any good?", "evaluate SCORES JUDGMENTS"),
    ("How would people score these summaries?", "predict published/news-content SUMMARIES"),
    ("What does my file hold, and what can I ask?", "validate FILE"),
    ("Made-up data to try this on", "init --sample sample"),
)
"""The questions of the README and where to begin, each with its command."""


def guide(program: str) -> str:
    """Write the short guide."""
    width = max(len(question) for question, _ in FIRST_STEPS) + 2
    steps = "\n".join(f"  {question:<{width}}{program} {command}" for question, command in FIRST_STEPS)
    more = f"{program} --help lists all commands, {program} COMMAND --help explains one."
    return f"{PURPOSE}\n\n{steps}\n\n{more}"


def list_remade_tables() -> str:
    """List every table and figure of the papers that a command remakes: paper by paper, the item, command and needs."""
    rows = [(item, f"study {name}", study.needs) for name, study in STUDIES.items() for item in study.remakes]
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

_RATED_OUTPUTS = "sample/tutorial/spring.csv"
_RATERS = "sample/tutorial/raters.csv"
_WITH_METRICS = f"scores.tsv {_RATED_OUTPUTS} --target responsiveness"
_MEASURED = f"{_RATED_OUTPUTS} --metric responsiveness"
_SHIPPED = "published/news-content"

EXAMPLES: dict[str, tuple[str, str]] = {
    "init": ("--sample sample", f"{_RATED_OUTPUTS} --target responsiveness -o mine.toml"),
    "baselines": (f"{_RATED_OUTPUTS} -m rouge,js -o scores.tsv", f"{_RATED_OUTPUTS} -m rouge -f text"),
    "train": (
        f"{_RATED_OUTPUTS} --target responsiveness -o run",
        f"{_RATED_OUTPUTS} --target readability --report -o pages",
    ),
    "features": (
        f"{_RATED_OUTPUTS} --names r2,su4 -o features.tsv",
        f"{_RATED_OUTPUTS} --names classic -f text",
    ),
    "predict": (
        f"{_SHIPPED} {_RATED_OUTPUTS} -o predicted.tsv",
        f"run/predictors/responsiveness-no_models.json {_RATED_OUTPUTS} --means -f text",
    ),
    "validate": (_RATERS, "sample/tutorial/preferences.csv"),
    "convert": (f"{_RATED_OUTPUTS} -o converted", f"{_RATED_OUTPUTS} --only system-01,system-02 -o part"),
    "rouge": (
        f"{_RATED_OUTPUTS} --metric 2",
        f"{_RATED_OUTPUTS} --metric 2 --per-summary -o rouge.tsv -f tsv",
    ),
    "evaluate": (
        f"{_RATED_OUTPUTS} --target responsiveness -m rouge,js",
        f"{_WITH_METRICS} --pairs --n-resamples 999",
    ),
    "compare": (_RATERS, f"{_MEASURED} --baseline system-01 --test paired_t"),
    "estimate": (
        f"{_RATED_OUTPUTS} --scores scores.tsv --metric ROUGE-2 --target responsiveness",
        f"{_RATED_OUTPUTS} --target responsiveness --estimator plain --population like",
    ),
    "assessors": (_RATERS, f"{_RATERS} --reliability"),
    "power": (
        f"{_MEASURED} --systems system-01,system-02 --difference 0.5",
        f"{_RATED_OUTPUTS} --scores scores.tsv --metric ROUGE-2 --target responsiveness --width 0.1",
    ),
    "report": ("run -o run.html", "scores.tsv features.tsv -o tables.html"),
}
"""Two examples of each command; those of later commands read what those of earlier ones wrote."""
