"""Every option that commands share, or that a command has alone: what it is called, what it may be, what its help says.

Those of an option dataclass are declared by its fields.
"""

from __future__ import annotations

import math
import os
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Unpack

from classy_aesop.answers.answer_options import read_margin
from classy_aesop.errors import UsageError
from classy_aesop.outside import Choices
from classy_aesop.work.options import (
    COUNT,
    SEED,
    SHARE,
    SHARE_OR_0_OR_1,
    SIMULATED,
    TWO_OR_MORE,
    Limits,
    Option,
    OptionAttributes,
    quote_value,
    split_role,
)

STANDARD = "-"
"""Standard input, or standard output."""


def difference(text: str) -> float:
    """Read a number that is not 0."""
    with suppress(UsageError):
        number = Limits().read(text)
        if number and math.isfinite(number):
            return number
    raise UsageError(f"{quote_value(text)}; expected a number that is not 0")


def jobs(text: str) -> int:
    """Read a number of workers, at most that of the processors."""
    return min(int(COUNT.read(text)), os.cpu_count() or 1)


def named_path(text: str) -> tuple[str, str]:
    """Read ``NAME=PATH``."""
    name, separator, path = text.partition("=")
    if not (name and separator):
        raise UsageError(f"{quote_value(text)}; expected NAME=PATH")
    return name.strip(), path.strip()


def term(text: str) -> tuple[str, str]:
    """Read a word and the reader's word for it, as ``WORD=WORD``."""
    word, _, readers_word = map(str.strip, text.partition("="))
    if not (word and readers_word):
        raise UsageError(f"{quote_value(text)}; expected two words, e.g. system=version")
    return word, readers_word


def rouge_metric(text: str) -> str:
    """Read a metric of ROUGE, with or without ``ROUGE-``, or as the package rouge-score names it (``rouge1``)."""
    return text if text.startswith("rouge") else f"ROUGE-{text.removeprefix('ROUGE-')}"


def rating_scale(text: str) -> str:
    """Read the ends of a scale, words in order, or the name of a scale of ratings."""
    from classy_aesop.data.scales import parse_scale
    from classy_aesop.significance.raters.krippendorff import RATING_SCALES

    if text in RATING_SCALES or ("<" in text and all(word.strip() for word in text.split("<"))):
        return text
    with suppress(UsageError):
        parse_scale(text)
        return text
    names = ", ".join(RATING_SCALES)
    raise UsageError(
        f"{quote_value(text)}; expected two numbers, 1,5, words in order, 'Poor<Fair<Good', or {names}"
    )


def file(text: str) -> str:
    """Read the name of a file to read; standard input has one name."""
    return STANDARD if text in ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0") else text


def place(text: str) -> str | None:
    """Read where an output goes; ``-`` is standard output, as without the option."""
    return None if text == STANDARD else output_path(text)


def output_path(text: str) -> str:
    """Read where an output goes that has a name; without one it would be the working folder."""
    if not text:
        raise UsageError("''; expected a name")
    if text == STANDARD:
        raise UsageError("'-' is standard output; expected the name of a file or a folder")
    return text


# --- what there is ---


def _choice(
    help: str, *names: str, outside: str = "", checked: bool = True, **attributes: Unpack[OptionAttributes]
) -> Option:
    """Declare an option whose values are names of registries."""
    choices = Choices(*names, outside=outside, checked=checked)
    return replace(Option(help, **attributes), choices=choices)


_several_choices = partial(_choice, is_list=True, without="every one")
_names = partial(Option, is_list=True, without="every one")
_file = partial(Option, metavar="FILE", is_input=True, is_recorded=False, read=file)
_argument = partial(Option, is_input=True, is_recorded=False, is_argument=True, read=file)
_flag = partial(Option, default=False)
_output = partial(Option, flags=("-o", "--output"), read=output_path)

RECORDED_OPTIONS: dict[str, Option] = {
    # what is read
    "input": _argument("a corpus: a folder, a table, a file or an archive; - is standard input", "IN"),
    "experiment": _argument("a configuration (a TOML file); or a judged corpus, with --target", "CONFIG|IN"),
    "corpora": _argument("judged corpora: folders, files or archives, one or more", "IN", takes_several=True),
    "inputs": _argument(
        "a folder that train wrote, or tables (TSV, JSON, JSON lines)", "RUN_DIR|TABLE", takes_several=True
    ),
    "table": _argument(
        "tables of scores or judgments: TSV, CSV, Excel, JSON lines", "SCORES ...", takes_several=True
    ),
    "files": _argument(
        "tables of scores; the last, or a single one, holds the judgments, and may be a corpus of texts",
        "SCORES ... [JUDGMENTS]",
        takes_several=True,
    ),
    "judgments": _argument(
        "tables of judgments: TSV, CSV, Excel, JSON lines", "JUDGMENTS ...", takes_several=True
    ),
    "ratings": _argument(
        "tables of single ratings, with a row or a column for each rater (default: those of the corpus)",
        "RATINGS ...",
        takes_several=True,
    ),
    "predictor": _argument("a predictor that train wrote, or published/NAME"),
    "config": _argument(
        "a configuration (a TOML file)", load="config:read_config", is_recorded=True, unset="made"
    ),
    "marked": _argument(
        "a table: topic, summarizer, marked, units, completeness",
        load="papers.lin_hovy_2003:read_marked_units",
    ),
    "corpus_path": _file(
        "the corpus of the tables, for its texts and who is human", metavar="IN", flags=("--corpus",)
    ),
    "reference_texts": _file(
        "files of references, a text a line; IN is then a file of outputs, a text a line",
        flags=("--reference",),
        is_list=True,
    ),
    "scores": _file("scores of imported metrics", is_list=True, takes_several=True),
    "predictors": _file(
        "predictors that train wrote, or published/RUN-TASK-PEERS",
        flags=("--predictor",),
        is_list=True,
        takes_several=True,
    ),
    "years": _file(
        "the corpus of the year NAME; may be repeated, the predicted year last",
        metavar="NAME=PATH",
        flags=("--data",),
        read=named_path,
        is_list=True,
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
    "year": Option("only this year", "YEAR", without="every one"),
    "task": Option("only this task", "TASK", without="every one"),
    "topic": Option("only this topic", "TOPIC", without="every one"),
    "peers": _choice(
        "systems, all or humans", "answers.selection:PEER_SETS", without="all", unset="all_peers"
    ),
    "exclude": _names("without these summarizers", "NAME", takes_several=True, without=""),
    "only": _names("these summarizers alone", "NAME", takes_several=True, without=""),
    "metric": _names("only these metrics", "M"),
    "metrics": _names("only these metrics", "M", ("--metric",)),
    "lower_is_better": _names(
        "lower values of these are better; none: of no measure", "M", without="higher ones"
    ),
    "target": _names("these human measures", "T"),
    "targets": _names("these human measures", "T", ("--target",)),
    "references": _names("only the references of these summarizers", "NAME", ("--reference",)),
    "systems": _names(
        "two summarizers or more",
        "S",
        takes_several=True,
        without="all, if they are few",
    ),
    "pairs": _flag("show each pair once instead, with its difference, interval and p"),
    "ranking": _flag("rank the metrics, in clusters by tests of all pairs"),
    "mixed": _flag("only the pairs of a human and a system"),
    # how summaries are scored
    "names": _several_choices(
        "groups of features and features, see docs/features.md",
        "features:GROUPS",
        "features:FEATURES",
        metavar="NAME",
        outside="features",
        checked=False,
        without="those of the default method",
    ),
    "sentences": _choice("how sentences are found", "text.sentence_splitting:SENTENCES"),
    "tokenizer": _choice("how tokens are found", "text.tokens:TOKENIZERS"),
    "meeting": _choice(
        "which references systems are compared with, so that humans, who lack their own, can be compared; none: none",
        "features.counts:REFERENCE_CHOICES",
        flags=("--references",),
    ),
    "copies": _choice(
        "keep summaries that repeat a reference, score them without it, or leave them out", "data:COPIES"
    ),
    "baselines": _several_choices(
        "known metrics, basic_elements=FOLDER with their parses; or none",
        "baselines:BASELINES",
        metavar="NAME",
        outside="baselines",
        checked=False,
        flags=("-m", "--baselines"),
        without="all that the corpus allows",
    ),
    "compute": _several_choices(
        "score texts by these, or none",
        "baselines:BASELINES",
        metavar="NAME",
        outside="baselines",
        checked=False,
        flags=("-m", "--compute"),
        without="all of a corpus",
    ),
    "jackknife": _flag("average over leaving out one reference at a time, to compare with humans"),
    "means": _flag("give the mean of each summarizer instead"),
    "join": _flag("add the predictions to the rows that were read, with all their columns"),
    "alone": _flag("score every summary by itself, not beside the others of its topic"),
    "explain": _flag("say what each feature contributes to each predicted score instead"),
    "groups": _flag("sum up the columns of each group of features (--explain)"),
    # ROUGE-1.5.5, by its letters
    "rouge_metrics": _several_choices(
        "only these, with or without ROUGE-",
        "baselines.rouge:METRICS",
        "baselines.rouge_metrics:MATCHES_BY_PACKAGE_NAME",
        flags=("--metric",),
        read=rouge_metric,
    ),
    "stemming": _choice(
        "how words are stemmed (-m of ROUGE-1.5.5)",
        "baselines.rouge:STEMMERS",
        without="exceptions; none with --tokenizer unicode",
        unset="exceptions",
    ),
    "stop_words": _flag("take stop words out (-s of ROUGE-1.5.5)"),
    "aggregate": _choice(
        "of several references the average or the best (-f of ROUGE-1.5.5)",
        "baselines.rouge_metrics:AGGREGATES",
    ),
    "limit_words": Option("cut all texts to N words (-l of ROUGE-1.5.5)", "N", limits=COUNT),
    "limit_bytes": Option("cut all texts to N bytes (-b of ROUGE-1.5.5)", "N", limits=COUNT),
    "recall_weight": Option(
        "weight of recall in F, one less the p of ROUGE-1.5.5", "W", limits=SHARE_OR_0_OR_1
    ),
    # how numbers are tested
    "coefficient": _choice("of correlation", "data.scores:DEFAULT_COEFFICIENTS"),
    "interval": _choice(
        "by which method confidence intervals are made",
        "answers.answer_options:INTERVALS",
        without="none",
    ),
    "confidence": Option("of intervals", "C", ("-c", "--confidence"), limits=SHARE),
    "bias": _flag("say whom each metric picks, and to whom it is kind"),
    "correction": _choice(
        "of p-values for many tests", "significance.multiplicity.corrections:CORRECTIONS_OF_STUDIES"
    ),
    "alpha": Option("significant if p is at most this", "A", limits=SHARE),
    "with_resampling": _flag(
        "also count differences whose p is from random exchanges (MC) or resampled topics (HB)"
    ),
    "n_resamples": Option("number of resamples", "N", ("-r", "--n-resamples"), limits=COUNT),
    "seed": Option("of the random numbers", "N", limits=SEED),
    "equivalence": Option(
        "also test whether summarizers differ by less than MARGIN; =-0.5,inf: whether the first is not worse by 0.5",
        "MARGIN",
        read=read_margin,
    ),
    "baseline": _names("compare all others with these only", "NAME", without=""),
    "fail_if": _choice(
        "exit code 3 if a summarizer is significantly worse than the baseline, none is better, one is not shown to "
        "be as good (with --equivalence=-MARGIN,inf), or it is undecided",
        "answers.answer_options:GATES",
        metavar="GATE",
        without="never",
        is_recorded=False,
    ),
    "differences": _flag("compare summarizers instead; all intervals hold together"),
    "top": Option("how many of the best summarizers", "N", limits=SIMULATED),
    "combine": Option("also combine up to N metrics, joined by 'and'", "N", limits=SIMULATED),
    "scale": Option(
        "the least and the greatest score, 1,5, or words of ratings in order, 'Poor<Fair<Good'; of assessors also how "
        "differences count: interval, ordinal or nominal",
        "SCALE",
        read=rating_scale,
        without="numbers, or words of a known scale",
    ),
    "reliability": _flag("split the variance of the ratings instead, and say how reliable means are"),
    "worst": Option("leave out up to N assessors, those with the lowest alpha first", "N", limits=SIMULATED),
    "difference": Option(
        "the difference of two means to be detected",
        "D",
        read=difference,
        without="a curve of several, or none",
    ),
    "n_topics": Option("of an evaluation", "N", ("--topics",), limits=TWO_OR_MORE),
    "n_trials": Option("simulated evaluations", "N", limits=SIMULATED),
    "n_null": Option("simulations without humans, for the cutoffs", "N", ("--null",), limits=SIMULATED),
    # studies
    "shares": Option("shares that are simulated", "S", ("--share",), limits=SHARE_OR_0_OR_1, is_list=True),
    "topic_effects": _flag("topics have their own distributions of scores"),
}
"""The options that the numbers depend on, or that name what is read, by the names of the parameters that take them."""

SUBSET_OPTIONS = ("year", "task", "peers", "exclude", "only")
"""Options that name a part of a corpus."""

OPTIONS_FOR_ONE_NAME: dict[str, Option] = {
    "metric": Option("the metric or human measure", "M", without="the only one"),
    "target": Option("the human measure", "T", without="the only one"),
}
"""Those of `OPTIONS` of which a command takes one, and must be told which unless there is only one."""

UNRECORDED_OPTIONS: dict[str, Option] = {
    "layout": _choice("layout of the corpus", "auto", "reading:READERS", outside="readers", checked=False),
    "columns": Option(
        "what columns are: topic=story,rater=who; see validate",
        "ROLE=NAME",
        read=split_role,
        is_list=True,
    ),
    "plugin": _file(
        "a Python file that adds features, fitters, metrics or readers, see docs/extending.md",
        metavar="FILE.py",
        is_list=True,
    ),
    "sheet": Option("the sheet of a workbook that is read", "NAME", without="the first one"),
    "encoding": Option("of a text table, such as cp1252", "NAME", without="UTF-8"),
    "per_summary": _flag("every summary's scores", flags=("-d", "--per-summary")),
    "n_jobs": Option(
        "number of workers, at most one a processor; results do not depend on it",
        "N",
        ("-j", "--n-jobs"),
        read=jobs,
        without="one a processor",
    ),
    "scheduler": Option(
        "use the workers of this dask scheduler, on any number of machines, instead of -j", "HOST:PORT"
    ),
    "output": _output(
        "write here; .html makes a page, .pdf, .svg and .png a picture",
        "FILE",
        read=place,
        without="-, standard output",
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
        is_list=True,
        without="all that readers get",
    ),
    "rename": Option(
        "other names of metrics, systems and columns in a table to be read: rouge-2=ROUGE-2",
        "NAME=NAME",
        read=term,
        is_list=True,
        without="as they are",
    ),
    "as_printed": _flag("lay out the table as the paper prints it, with the printed numbers in brackets"),
    "label": Option("of the LaTeX table, for references to it", "LABEL", without="tab:COMMAND"),
    "folder": _output("folder for the results", "DIR"),
    "place": _output(
        "the folder; or, for a corpus without judgments, a file of summaries (.jsonl), or -, standard output",
        "OUT",
        read=place,
    ),
    "title": Option("of the page", "TITLE", without="what its tables show"),
    "page": _output("the page, an HTML file with its numbers inside", "FILE"),
    "sample": Option(
        "write made-up data instead: three years and their configuration, and tables", "DIR", read=output_path
    ),
    "report": _flag("also make a page of the results, report.html"),
    "quiet": _flag("no warnings and no progress bars", flags=("-q", "--quiet")),
    "verbose": _flag("report decisions on standard error", flags=("-v", "--verbose")),
}
"""Options that the numbers do not depend on: how a corpus is laid out, how the work is done and where it goes."""

SELDOM_NEEDED_OPTIONS = {
    "equivalence",
    "layout", "plugin", "sheet", "encoding", "corpus_path", "references", "sentences", "tokenizer", "meeting", "copies",
    "alone", "jackknife", "n_resamples", "seed", "correction", "aggregate", "recall_weight",
    "alpha", "lower_is_better", "predictors",
    "combine", "top", "mixed", "scale", "confidence",
    "n_trials", "labels", "n_jobs", "scheduler", "worst", "limit_words",
    "limit_bytes",
    "stemming", "stop_words", "safe_csv", "columns_shown", "rename", "label", "quiet", "verbose",
}  # fmt: skip
"""Options that the short help leaves out."""

OPTIONS: dict[str, Option] = {
    name: replace(
        declared,
        name=name,
        is_recorded=declared.is_recorded and name in RECORDED_OPTIONS,
        is_seldom=name in SELDOM_NEEDED_OPTIONS,
    )
    for name, declared in (RECORDED_OPTIONS | UNRECORDED_OPTIONS).items()
}
"""The options by the names of the parameters that take them."""

REMOVED_COMMANDS = {
    "compare-metrics": "evaluate FILE --pairs",
    "leaderboard": "evaluate CORPUS -m rouge",
    "agreement": "study label-agreement JUDGMENTS --scores SCORES",
}
"""What to write instead of commands that there were."""

REMOVED_OPTIONS = {
    "--interval-kind": "--interval METHOD",
    "--combine": "study label-agreement --combine N",
    "--identical-texts": "study consistency IN",
    "--ceiling": "assessors RATINGS --reliability",
    "--raters": "--means plain to average raters; else they have effects",
    "--wide": "no option: a LaTeX table is as wide as it has to be",
    "--plan": "power JUDGMENTS --scores SCORES --target T",
    "--preset": "--test wilcoxon; the studies of the papers test as they do",
    "--worst": "study agreement-exclusion IN",
    "--resampling": "study pair-counts --with-resampling, or no option: the tests need no resamples",
}
"""What to write instead of options that commands had."""
