"""Every option of the program, declared once: what it is called, what it may be, and what its help says.

A command is a function. Its parameters are names of `OPTIONS`, or of the groups in `cli.option_groups`, so an option
has one meaning wherever it is taken; only its default is the function's. The parser is made of that (`cli.commands`).
"""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypedDict, Unpack

from classy_aesop.outside import Choices
from classy_aesop.significance.choices import ALPHA, N_RESAMPLES
from classy_aesop.work.option_fields import MAX_COUNT, MAX_SIMULATED, OptionField, option_fields
from classy_aesop.work.seeds import LARGEST_SEED

STANDARD = "-"
"""Standard input, or standard output."""


def make_whole_number_reader(minimum: int, maximum: int) -> Callable[[str], int]:
    """Make a reader of whole numbers from ``minimum`` to ``maximum``; one with more digits is not even converted."""

    def read(text: str) -> int:
        """Read the number."""
        if not (text.isascii() and text.isdigit() and len(text) < 20 and minimum <= int(text) <= maximum):
            raise argparse.ArgumentTypeError(
                f"{_shorten_value(text)}; expected a whole number from {minimum} to {maximum}"
            )
        return int(text)

    return read


def make_number_reader(expected: str, is_valid: Callable[[float], bool]) -> Callable[[str], float]:
    """Make a reader of numbers; ``expected`` says in words which numbers are valid."""

    def read(text: str) -> float:
        """Read the number."""
        with contextlib.suppress(ValueError):
            if is_valid(float(text)):
                return float(text)
        raise argparse.ArgumentTypeError(f"{_shorten_value(text)}; expected a number {expected}")

    return read


def _shorten_value(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:37]}...")


positive = make_whole_number_reader(1, MAX_COUNT)
simulated = make_whole_number_reader(1, MAX_SIMULATED)
two_or_more = make_whole_number_reader(2, MAX_SIMULATED)
seed = make_whole_number_reader(0, LARGEST_SEED)
share = make_number_reader("between 0 and 1", lambda value: 0 < value < 1)
share_or_0_or_1 = make_number_reader("from 0 to 1", lambda value: 0 <= value <= 1)
above_0 = make_number_reader("above 0", lambda value: 0 < value < math.inf)
difference = make_number_reader("that is not 0", lambda value: math.isfinite(value) and value != 0)


def jobs(text: str) -> int:
    """Read a number of workers, at most that of the processors."""
    return min(positive(text), os.cpu_count() or 1)


def split_names(text: str) -> list[str]:
    """Split names at commas, but for those in brackets or in quotation marks."""
    return [name.strip().strip('"') for name in _NAME.findall(text)]


_NAME = re.compile(r'(?:"[^"]*"|\([^()]*\)|[^,])+')


def make_pair_reader(expected: str) -> Callable[[str], tuple[str, str]]:
    """Make a reader of ``NAME=VALUE``."""

    def read(text: str) -> tuple[str, str]:
        """Read both sides."""
        name, separator, value = text.partition("=")
        if not (name and separator):
            raise argparse.ArgumentTypeError(f"{_shorten_value(text)}; expected {expected}")
        return name.strip(), value.strip()

    return read


def column(text: str) -> tuple[str, str]:
    """Read ``ROLE=NAME`` as role and column; a name alone, of the same role as the one before, has the role ``""``."""
    role, separator, name = text.partition("=")
    return (role.strip(), name.strip()) if separator else ("", text.strip())


def term(text: str) -> tuple[str, str]:
    """Read a word and the reader's word for it, as ``WORD=WORD``."""
    word, separator, readers_word = text.partition("=")
    if not (separator and word.strip() and readers_word.strip()):
        raise argparse.ArgumentTypeError(f"{_shorten_value(text)}; expected two words, e.g. system=version")
    return word.strip(), readers_word.strip()


def rouge_metric(text: str) -> str:
    """Read a metric of ROUGE, with or without ``ROUGE-``, or as the package rouge-score names it (``rouge1``)."""
    return text if text.startswith("rouge") else f"ROUGE-{text.removeprefix('ROUGE-')}"


def margin(text: str) -> float | tuple[float, float]:
    """Read a margin around 0: a number above 0, or two ends, one of which may be infinite."""
    if "," not in text:
        return above_0(text)
    with contextlib.suppress(ValueError):
        low, high = map(float, text.split(","))
        if low < 0 < high and not low == -high == -float("inf"):
            return low, high
    raise argparse.ArgumentTypeError(f"{text!r}; expected two numbers around 0, such as -0.5,inf")


def rating_scale(text: str) -> str:
    """Read words in order, or the name of a scale of ratings."""
    if "<" in text and all(word.strip() for word in text.split("<")):
        return text
    from classy_aesop.significance.raters.krippendorff import RATING_SCALES

    if text not in RATING_SCALES:
        names = ", ".join(RATING_SCALES)
        raise argparse.ArgumentTypeError(
            f"{_shorten_value(text)}; expected words in order, 'Poor<Fair<Good', or {names}"
        )
    return text


def four_numbers(text: str) -> tuple[float, ...]:
    """Read four numbers, separated by commas."""
    with contextlib.suppress(ValueError):
        numbers = tuple(map(float, text.split(",")))
        if len(numbers) == 4 and all(map(math.isfinite, numbers)):
            return numbers
    raise argparse.ArgumentTypeError(f"{_shorten_value(text)}; expected four numbers, such as 1,-1,-1,1")


def file(text: str) -> str:
    """Read the name of a file to read; standard input has one name."""
    return STANDARD if text in ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0") else text


def place(text: str) -> str | None:
    """Read where an output goes; ``-`` is standard output, as without the option."""
    return None if text == STANDARD else output_path(text)


def output_path(text: str) -> str:
    """Read where an output goes that has a name; without one it would be the working folder."""
    if not text:
        raise argparse.ArgumentTypeError("''; expected a name")
    if text == STANDARD:
        raise argparse.ArgumentTypeError("'-' is standard output; expected the name of a file or a folder")
    return text


# --- what there is ---


@dataclass(frozen=True)
class Option:
    """An option, or a positional argument; by default it is typed as the parameter's name after two hyphens."""

    help: str
    metavar: str | None = None  # how the help names its value; by default as it is typed
    flags: tuple[str, ...] = ()
    read: Callable[[str], Any] = str  # from text to a checked value, or an ArgumentTypeError
    choices: Choices | None = None
    default: Any = None  # of an option dataclass, for its help
    otherwise: str = ""  # what happens without it, where its default does not say so
    many: bool = False  # may be repeated; each value is then a list, separated by commas
    several: bool = False  # several values may follow it, as a shell writes ``*.json``
    positional: bool = False
    is_input: bool = False  # names files to read
    load: str = ""  # ``module:function`` that reads the file, where the function takes what is in it
    is_recorded: bool = True  # whether the numbers depend on it, so that a signature names it
    unset: str | None = None  # what a signature says where it is not given and has no default
    is_seldom: bool = False  # whether the short help leaves it out


def option_of_field(default: Any, declared: OptionField) -> Option:
    """Make the `Option` that a field of an option dataclass declares."""
    read: Callable[[str], Any] = str
    limits = declared.limits
    if limits is not None and limits.is_whole:
        read = make_whole_number_reader(int(limits.low), int(limits.high))
    elif limits is not None:
        read = make_number_reader(str(limits).removeprefix("a number "), limits.allow)
    elif declared.metavar == "MARGIN":
        read = margin
    return Option(
        declared.help,
        declared.metavar,
        declared.flags,
        read,
        declared.choices,
        default,
        declared.without,
        many=declared.is_list,
        is_recorded=declared.is_recorded,
        unset=declared.unset,
        is_seldom=declared.is_seldom,
    )


def options_of(group: type[Any]) -> dict[str, Option]:
    """Give the options that an option dataclass declares itself, which are not among `OPTIONS`, by their names."""
    return {
        field.name: option_of_field(field.default, declared)
        for field, declared in option_fields(group)
        if declared.in_command_line
    }


class _OptionSettings(TypedDict, total=False):
    """Fields of an `Option` that may be declared beside its choices."""

    metavar: str
    flags: tuple[str, ...]
    read: Callable[[str], object]
    default: object
    otherwise: str
    many: bool
    is_recorded: bool
    unset: str


def _choice(
    help: str, *names: str, outside: str = "", checked: bool = True, **settings: Unpack[_OptionSettings]
) -> Option:
    """Declare an option whose values are names of registries."""
    return Option(help, choices=Choices(*names, outside=outside, checked=checked), **settings)


_choices = partial(_choice, many=True, otherwise="every one")
_list = partial(Option, many=True, otherwise="every one")
_file = partial(Option, metavar="FILE", is_input=True, is_recorded=False, read=file)
_argument = partial(Option, is_input=True, is_recorded=False, positional=True, read=file)
_flag = partial(Option, default=False)
_output = partial(Option, flags=("-o", "--output"), read=output_path)

OPTIONS: dict[str, Option] = {
    # what is read
    "input": _argument("a corpus: a folder, a table, a file or an archive; - is standard input", "IN"),
    "experiment": _argument("a configuration (a TOML file); or a judged corpus, with --target", "CONFIG|IN"),
    "corpora": _argument("judged corpora: folders, files or archives, one or more", "IN", several=True),
    "inputs": _argument(
        "a folder that train wrote, or tables (TSV, JSON, JSON lines)", "RUN_DIR|TABLE", several=True
    ),
    "table": _argument(
        "tables of scores or judgments: TSV, CSV, Excel, JSON lines", "SCORES ...", several=True
    ),
    "files": _argument(
        "tables of scores; the last of several, or a single one, holds the judgments",
        "SCORES ... [JUDGMENTS]",
        several=True,
    ),
    "judgments": _argument("tables of judgments: TSV, CSV, Excel, JSON lines", "JUDGMENTS ...", several=True),
    "ratings": _argument(
        "tables of single ratings, with a row or a column for each rater (default: those of the corpus)",
        "RATINGS ...",
        several=True,
    ),
    "predictor": _argument("a predictor that train wrote, or published/NAME"),
    "config": _argument(
        "a configuration (a TOML file)", load="config:read_config", is_recorded=True, unset="made"
    ),
    "marked": _argument(
        "a table: topic, summarizer, marked, units, completeness, brevity",
        load="papers.lin_hovy_2003:read_marked_units",
    ),
    "corpus_path": _file(
        "the corpus of the tables, for its texts and who is human", metavar="IN", flags=("--corpus",)
    ),
    "scores": _file("scores of imported metrics", many=True, several=True),
    "predictors": _file(
        "predictors that train wrote, or published/RUN-TASK-PEERS",
        flags=("--predictor",),
        many=True,
        several=True,
    ),
    "years": _file(
        "the corpus of the year NAME; may be repeated, the predicted year last",
        metavar="NAME=PATH",
        flags=("--data",),
        read=make_pair_reader("NAME=PATH"),
        many=True,
    ),
    "labels": _file(
        "a table of topics: topic, assessor, category",
        flags=("--topic-labels",),
        load="papers.judged:read_topic_labels",
    ),
    "units": _file(
        "a table of content units: topic, unit, summarizer, text",
        load="papers.rankel_2016_assessors:read_units",
    ),
    # what part of it
    "year": Option("only this year", "YEAR", otherwise="every one"),
    "task": Option("only this task", "TASK", otherwise="every one"),
    "topic": Option("only this topic", "TOPIC", otherwise="every one"),
    "peers": _choice(
        "systems, all or humans", "answers.score_matrices:PEER_SETS", otherwise="all", unset="all_peers"
    ),
    "exclude": _list("without these summarizers", "NAME", several=True, otherwise=""),
    "only": _list("these summarizers alone", "NAME", several=True, otherwise=""),
    "metric": _list("only these metrics", "M"),
    "metrics": _list("only these metrics", "M", ("--metric",)),
    "lower_is_better": _list(
        "lower values of these are better; none: of no measure", "M", otherwise="higher ones"
    ),
    "target": _list("these human measures", "T"),
    "targets": _list("these human measures", "T", ("--target",)),
    "references": _list("only the references of these summarizers", "NAME", ("--reference",)),
    "systems": _list(
        "two summarizers or more",
        "S",
        several=True,
        otherwise="all, if they are few",
    ),
    "humans": Option("the summarizers who are human", "S", many=True, several=True),
    "assessors": _list("leave out the topics of these", "A", ("--assessor",), otherwise="the worst"),
    "pairs": _flag("show each pair once instead, with its difference, interval and p"),
    "mixed": _flag("only the pairs of a human and a system"),
    # how summaries are scored
    "names": _choices(
        "groups of features and features, see docs/features.md",
        "features:GROUPS",
        "features:FEATURES",
        metavar="NAME",
        outside="features",
        checked=False,
        otherwise="those of the default method",
    ),
    "sentences": _choice("how sentences are found", "text.sentence_splitting:SENTENCES"),
    "tokenizer": _choice("how tokens are found", "text.tokens:TOKENIZERS"),
    "meeting": _choice(
        "which references systems are compared with, so that humans, who lack their own, can be compared; none: none",
        "features.counts:REFERENCES",
        flags=("--references",),
    ),
    "copies": _choice(
        "keep summaries that repeat a reference, score them without it, or leave them out", "data:COPIES"
    ),
    "baselines": _choices(
        "baselines; NAME=FOLDER for files of elements; or none",
        "baselines:BASELINES",
        metavar="NAME",
        outside="baselines",
        checked=False,
        flags=("-m", "--baselines"),
        otherwise="all that the corpus allows",
    ),
    "jackknife": _flag("average over leaving out one reference at a time, to compare with humans"),
    "means": _flag("give the mean of each summarizer instead"),
    "join": _flag("add the predictions to the rows that were read, with all their columns"),
    "clip": _flag("cut scores and ends of intervals to the lowest and highest grade in training"),
    "alone": _flag("score every summary by itself, not beside the others of its topic"),
    "explain": _flag("say what each feature contributes to each predicted score instead"),
    "groups": _flag("sum up the columns of each group of features (--explain)"),
    # ROUGE-1.5.5, by its letters
    "rouge_metrics": _choices(
        "only these, with or without ROUGE-",
        "baselines.rouge:METRICS",
        "baselines.rouge_metrics:MATCHES_BY_PACKAGE_NAME",
        flags=("--metric",),
        read=rouge_metric,
    ),
    "stemming": _choice(
        "-m",
        "baselines.rouge:STEMMERS",
        otherwise="exceptions; none with --tokenizer unicode",
        unset="exceptions",
    ),
    "stop_words": _flag("-s: take stop words out"),
    "aggregate": _choice("-f, over references", "baselines.rouge_metrics:AGGREGATES"),
    "limit_words": Option("-l: cut all texts to N words", "N", read=positive),
    "limit_bytes": Option("-b: cut all texts to N bytes", "N", read=positive),
    "recall_weight": Option("weight of recall in F, 1 - -p", "W", read=share_or_0_or_1),
    # how numbers are tested
    "coefficient": _choice("of correlation", "data.scores:DEFAULT_COEFFICIENTS"),
    "interval": _choice(
        "by which method confidence intervals are made", "answers.metrics:INTERVALS", otherwise="none"
    ),
    "interval_kind": _choice(
        "what is made of the resamples of an interval",
        "significance.correlations.correlation_intervals:INTERVAL_KINDS",
    ),
    "confidence": Option("of intervals", "C", ("-c", "--confidence"), read=share),
    "bias": _flag("say which system each metric picks, which the people pick, and to whom it is too kind"),
    "correction": _choice(
        "of p-values for many tests", "significance.multiplicity.corrections:CORRECTIONS", default="holm"
    ),
    "alpha": Option("significant if p is at most this", "A", read=share, default=ALPHA),
    "with_resampling": _flag("also count by random exchanges (MC) and on resampled topics (HB)"),
    "n_resamples": Option(
        "number of resamples", "N", ("-r", "--n-resamples"), read=positive, default=N_RESAMPLES
    ),
    "seed": Option("of the random numbers", "N", read=seed, default=0),
    "equivalence": Option(
        "also test whether summarizers differ by less than MARGIN; =-0.5,inf: whether the first is not worse by 0.5",
        "MARGIN",
        read=margin,
    ),
    "baseline": Option("compare all with this summarizer only", "NAME"),
    "fail_if": _choice(
        "exit code 3 if a summarizer is significantly worse than the baseline, none is better, one is not shown to "
        "be as good (with --equivalence=-MARGIN,inf), or it is undecided",
        "answers.pair_test_options:GATES",
        metavar="GATE",
        otherwise="never",
        is_recorded=False,
    ),
    "plan": _flag("say instead how many judged topics make estimates precise enough"),
    "differences": _flag("compare summarizers instead; all intervals hold together"),
    "top": Option("how many of the best summarizers", "N", read=simulated, default=30),
    "combine": Option("also combine up to N metrics, joined by 'and'", "N", read=simulated, default=1),
    "scale": Option(
        "words of ratings in order, 'Poor<Fair<Good'; of assessors also how differences count: "
        "interval, ordinal or nominal",
        "SCALE",
        read=rating_scale,
        otherwise="numbers, or words of a known scale",
    ),
    "reliability": _flag("split the variance of the ratings instead, and say how reliable means are"),
    "confusion": _flag("count instead which two ratings a unit got"),
    "identical_texts": _flag(
        "ask instead whether assessors rate the same text alike when they meet it twice (with --corpus)"
    ),
    "worst": Option("leave out up to N assessors, those with the lowest alpha first", "N", read=simulated),
    "difference": Option(
        "the difference of two means to be detected",
        "D",
        read=difference,
        otherwise="a curve of several, or none",
    ),
    "n_topics": Option("of an evaluation", "N", ("--topics",), read=two_or_more),
    "n_trials": Option("simulated evaluations", "N", read=simulated, default=2_000),
    "n_null": Option("simulations without humans, for the cutoffs", "N", ("--null",), read=simulated),
    # studies
    "variant": _choice(
        "of ROUGE-1",
        "papers.deutsch_2021:VARIANTS",
        otherwise="f1 for SummEval, as in the paper, else recall",
    ),
    "shares": Option("shares that are simulated", "S", ("--share",), read=share_or_0_or_1, many=True),
    "composite": _flag("also by a composite of all scores, their first principal component"),
    "order": _choice(
        "of topics, and of systems before humans: by name or by mean", "papers.rankel_2011:MAP_ORDERS"
    ),
    "utility": Option(
        "the mean worth of a pair, if a hit, a miss, a false alarm and a correct rejection are worth these",
        "A,B,C,D",
        read=four_numbers,
    ),
    "shifted_mean": Option("move the correlations with humans to this mean", "R", ("--mean",), read=share),
    "topic_effects": _flag("topics have their own distributions of scores"),
    "weight": Option("of coverage beside brevity", "A", read=share_or_0_or_1),
}
"""The options by the names of the parameters that take them."""

SUBSET_OPTIONS = ("year", "task", "peers", "exclude", "only")
"""Options that name a part of a corpus."""

OPTIONS_FOR_ONE_NAME: dict[str, Option] = {
    "metric": Option("the metric or human measure", "M", otherwise="the only one"),
    "target": Option("the human measure", "T", otherwise="the only one"),
}
"""Those of `OPTIONS` of which a command takes one, and must be told which unless there is only one."""

UNRECORDED_OPTIONS: dict[str, Option] = {
    "layout": _choice("layout of the corpus", "auto", "reading:READERS", outside="readers"),
    "columns": Option(
        "what columns are: topic=story,rater=who; see validate",
        "ROLE=NAME",
        read=column,
        many=True,
    ),
    "sheet": Option("the sheet of a workbook that is read", "NAME", otherwise="the first one"),
    "encoding": Option("of a text table, such as cp1252", "NAME", otherwise="UTF-8"),
    "per_summary": _flag("every summary's scores", flags=("-d", "--per-summary")),
    "n_jobs": Option(
        "number of workers, at most one a processor; results do not depend on it",
        "N",
        ("-j", "--n-jobs"),
        read=jobs,
        default=1,
        otherwise="one a processor",
    ),
    "scheduler": Option(
        "use the workers of this dask scheduler, on any number of machines, instead of -j", "HOST:PORT"
    ),
    "output": _output(
        "write here, or draw a picture (.pdf, .svg, .png)", "FILE", read=place, otherwise="-, standard output"
    ),
    "format": _choice(
        "of the output, if its name does not say it", "pages.formats:TABLE_FORMATS", flags=("-f", "--format")
    ),
    "safe_csv": _flag(
        "put an apostrophe before text that begins with =, +, - or @, which a spreadsheet program would run as a "
        "formula (CSV and TSV)"
    ),
    "columns_shown": Option(
        "the columns of a table to be read (text, LaTeX, Markdown), in this order",
        "NAME",
        many=True,
        otherwise="all that readers get",
    ),
    "rename": Option(
        "other names of metrics, systems and columns in a table to be read: rouge-2=ROUGE-2",
        "NAME=NAME",
        read=term,
        many=True,
        otherwise="as they are",
    ),
    "label": Option("of the LaTeX table, for references to it", "LABEL", otherwise="none"),
    "wide": _flag("make the LaTeX table as wide as a page of two columns (table*)"),
    "folder": _output("folder for the results", "DIR"),
    "place": _output(
        "the folder; or, for a corpus without judgments, a file of summaries (.jsonl), or -, standard output",
        "OUT",
        read=place,
    ),
    "title": Option("of the page", "TITLE", otherwise="what its tables show"),
    "page": _output("the page, an HTML file with its numbers inside", "FILE"),
    "terms": Option(
        "the reader's words on the page: system=version,topic=input,judged=rated",
        "WORD=WORD",
        read=term,
        many=True,
        otherwise="ours",
    ),
    "sample": Option(
        "write made-up data instead: three years and their configuration, and tables", "DIR", read=output_path
    ),
    "report": _flag("also make a page of the results, report.html"),
    "quiet": _flag("no warnings and no progress bars", flags=("-q", "--quiet")),
    "verbose": _flag("report decisions on standard error", flags=("-v", "--verbose")),
}
"""Options that the numbers do not depend on: how a corpus is laid out, how the work is done and where it goes."""

OPTIONS |= {name: replace(option, is_recorded=False) for name, option in UNRECORDED_OPTIONS.items()}

SELDOM_NEEDED_OPTIONS = {
    "equivalence",
    "layout", "sheet", "encoding", "corpus_path", "references", "sentences", "tokenizer", "meeting", "copies",
    "alone", "clip", "interval_kind", "jackknife", "n_resamples", "seed", "correction", "aggregate", "recall_weight",
    "alpha", "lower_is_better",
    "combine", "top", "mixed", "scale", "confidence",
    "n_trials", "labels", "n_jobs", "scheduler", "worst", "limit_words",
    "limit_bytes",
    "stemming", "stop_words", "safe_csv", "columns_shown", "rename", "label", "wide", "quiet", "verbose",
}  # fmt: skip
"""Options that the short help leaves out."""

OPTIONS |= {name: replace(OPTIONS[name], is_seldom=True) for name in SELDOM_NEEDED_OPTIONS}
