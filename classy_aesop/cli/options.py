"""Every option of the program, declared once: what it is called, what it may be, and what its help says.

A command is a function. Its parameters are names of `OPTIONS`, or of the groups in `cli.sources`, so an option has one
meaning wherever it is taken; only its default is the function's. The parser is made of that (`cli.commands`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from classy_aesop.cli.choices import Choices
from classy_aesop.cli.values import (
    difference,
    jobs,
    margin,
    name_and_path,
    on_disk,
    place,
    positive,
    roles,
    rouge_metric,
    seed,
    share,
    share_or_0_or_1,
    simulated,
    two_or_more,
)

DATA = "what part of the data"
"""The title of the options that choose a part of the data, in the help of a command."""


@dataclass(frozen=True)
class Option:
    """An option, or an argument that is told by its place.

    Parameters
    ----------
    help : str
        What it is, in one line.
    metavar : str, optional
        How the help names its value.
    flags : tuple of str
        How it is typed; by default the parameter's name after two hyphens. An argument told by its place has none.
    read : callable
        From text to a checked value; it raises `argparse.ArgumentTypeError`.
    choices : Choices, optional
        The names that it may be.
    otherwise : str
        What happens without it, where its default does not say so.
    many : bool
        Whether it may be repeated; each value is then a list, separated by commas.
    several : bool
        Whether several values may follow it, as a shell writes ``*.json``.
    placed : bool
        Whether it is told by its place.
    is_input : bool
        Whether it names files that are read.
    load : str
        ``module:function`` that reads the file it names, where the function takes what is in the file.
    signed : bool
        Whether the numbers depend on it, so that a signature names it.
    unset : str, optional
        What a signature says where it is not given and has no default.
    group : str
        The title that it stands under in the help.
    """

    help: str
    metavar: str | None = None
    flags: tuple[str, ...] = ()
    read: Callable[[str], Any] = str
    choices: Choices | None = None
    otherwise: str = ""
    many: bool = False
    several: bool = False
    placed: bool = False
    is_input: bool = False
    load: str = ""
    signed: bool = True
    unset: str | None = None
    group: str = ""


def _choice(help: str, *names: str, metavar: str = "NAME", **more: Any) -> Option:
    how = {name: more.pop(name) for name in ("outside", "checked") if name in more}
    return Option(help, metavar, choices=Choices(*names, **how), **more)


def _file(help: str, metavar: str, **more: Any) -> Option:
    return Option(help, metavar, is_input=True, **{"placed": True, "signed": False, **more})


def _flag(help: str, **more: Any) -> Option:
    return Option(help, **more)


_COUNT: dict[str, Any] = {"metavar": "N", "read": simulated}
_SEVERAL: dict[str, Any] = {"metavar": "NAME", "many": True, "several": True}

OPTIONS: dict[str, Option] = {
    # what is read
    "input": _file("a corpus: a folder, a table, a file or an archive; - is standard input", "IN"),
    "experiment": _file("the experiment, a TOML file; or a judged corpus, with --target", "CONFIG|IN"),
    "more": _file("further files, read as with --stream", "IN", several=True),
    "corpora": _file("judged corpora: folders, files or archives, one or more", "IN", several=True),
    "inputs": _file("a folder of train, or tables (TSV, JSON, JSON lines)", "RUN_DIR|TABLE", several=True),
    "table": _file("a table of scores or judgments, TSV or JSON lines", "SCORES"),
    "judgments": _file("a table of judgments, TSV or JSON lines", "JUDGMENTS"),
    "ratings": _file("a table of single ratings (default: the judgments of the corpus)", "RATINGS"),
    "predictor": _file("a file of train, or published/NAME", "PREDICTOR"),
    "config": _file(
        "the experiment, a TOML file", "CONFIG", load="config:read_config", signed=True, unset="made"
    ),
    "marked": _file(
        "a table: topic, summarizer, marked, units, completeness, brevity",
        "MARKED",
        load="studies.marked_units:read_marked",
    ),
    "layout": _choice(
        "layout of the corpus", "auto", "corpus:READERS", outside="readers", metavar="LAYOUT", signed=False
    ),
    "columns": Option(
        "what the columns of a table are, e.g. topic=story,text=out",
        "ROLE=NAME",
        read=roles,
        many=True,
        otherwise="recognized by their names",
        signed=False,
    ),
    "corpus_path": _file(
        "a corpus of the tables: its summaries, and who is human", "IN", flags=("--corpus",), placed=False
    ),
    "scores": _file("scores of imported metrics", "FILE", placed=False, many=True, several=True),
    "scores_layout": _choice(
        "their layout", "auto", "scores:READERS", outside="readers", metavar="LAYOUT", signed=False
    ),
    "predictors": _file(
        "files of train, or published/RUN-TASK-PEERS",
        "FILE",
        flags=("--predictor",),
        placed=False,
        many=True,
        several=True,
    ),
    "years": _file(
        "where the corpus of the year NAME lies; may be repeated, the predicted year last",
        "NAME=PATH",
        flags=("--data",),
        placed=False,
        read=name_and_path,
        many=True,
    ),
    "labels": _file(
        "a table of topics: topic, assessor, category",
        "FILE",
        flags=("--topic-labels",),
        placed=False,
        load="studies.topic_labels:read_topic_labels",
    ),
    "units": _file(
        "a table of content units: topic, unit, summarizer, text",
        "FILE",
        placed=False,
        load="studies.pyramid_gap:read_units",
    ),
    # what part of it
    "year": Option("only this year", "YEAR", group=DATA, otherwise="every one"),
    "task": Option("only this task", "TASK", group=DATA, otherwise="every one"),
    "peers": _choice(
        "systems, all or humans",
        "analysis.peers:PEERS",
        metavar="PEERS",
        otherwise="all",
        unset="all_peers",
        group=DATA,
    ),
    "exclude": Option("without these summarizers", group=DATA, **_SEVERAL),
    "only": Option("these summarizers alone", group=DATA, **_SEVERAL),
    "metric": Option("the metric or human measure", "M"),
    "metrics": Option("only these metrics", "M", ("--metric",), many=True, otherwise="every one"),
    "target": Option("the human measure", "T"),
    "targets": Option("these human measures", "T", ("--target",), many=True, otherwise="every one"),
    "references": Option(
        "only the references of these summarizers", "NAME", ("--reference",), many=True, otherwise="all"
    ),
    "systems": Option(
        "two summarizers or more", "S", many=True, several=True, otherwise="all, if they are few"
    ),
    "humans": Option("the summarizers who are human", "S", many=True, several=True),
    "assessors": Option(
        "leave out the topics of these", "A", ("--assessor",), many=True, otherwise="the worst"
    ),
    "pairs": _choice(
        "all pairs, or mixed ones of a human and a system", "analysis.peers:PAIRS", metavar="PAIRS"
    ),
    # how summaries are scored
    "names": _choice(
        "groups of features and features, see docs/features.md",
        "features:GROUPS",
        "features:FEATURES",
        outside="features",
        checked=False,
        many=True,
        otherwise="those of the default method",
    ),
    "sentences": _choice("how sentences are found", "text.sentences:SENTENCES", metavar="HOW"),
    "tokenizer": _choice("how tokens are found", "text.tokens:TOKENIZERS", metavar="HOW"),
    "meeting": _choice(
        "how systems meet the references where humans lack their own; none: they meet none",
        "features.options:REFERENCES",
        metavar="HOW",
        flags=("--references",),
    ),
    "copies": _choice(
        "keep summaries that repeat a reference, score them without it, or leave them out",
        "corpus.copies:COPIES",
        metavar="HOW",
    ),
    "baselines": _choice(
        "baselines, NAME=FOLDER for files of elements, or none",
        "baselines:BASELINES",
        outside="baselines",
        checked=False,
        flags=("-m", "--baselines"),
        many=True,
        otherwise="all that the corpus allows",
    ),
    "jackknife": _flag("the mean over leaving one reference out at a time, to compare with humans"),
    "means": _flag("give the mean of each summarizer instead"),
    "alone": _flag("score every summary by itself, whoever else is in its topic"),
    "relative": _flag("scores less the mean of their topic's predictions"),
    "groups": _flag("sum up the columns of each group of features"),
    # ROUGE-1.5.5, by its letters
    "rouge_metrics": _choice(
        "only these, with or without ROUGE-",
        "baselines.rouge:METRICS",
        metavar="M",
        flags=("--metric",),
        read=rouge_metric,
        many=True,
        otherwise="all",
    ),
    "stemming": _choice("-m", "baselines.rouge:STEMMERS", metavar="HOW"),
    "stop_words": _flag("-s: take stop words out"),
    "aggregate": _choice("-f, over references", "baselines.rouge_metrics:AGGREGATES", metavar="HOW"),
    "limit_words": Option("-l: cut all texts to N words", "N", read=positive),
    "recall_weight": Option("-p, in F", "A", read=share_or_0_or_1),
    "per_summary": _flag("every summary's scores", flags=("-d", "--per-summary"), signed=False),
    # how numbers are tested
    "levels": _choice(
        "only these levels",
        "significance.levels:LEVELS",
        metavar="LEVEL",
        flags=("--level",),
        many=True,
        otherwise="every one",
    ),
    "coefficient": _choice("of correlation", "scores.correlations:COEFFICIENTS", metavar="COEFFICIENT"),
    "coefficients": _choice(
        "only these coefficients",
        "significance.coefficients:COEFFICIENTS",
        metavar="COEFFICIENT",
        flags=("--coefficient",),
        many=True,
        otherwise="every one",
    ),
    "interval": _choice(
        "how confidence intervals are made",
        "analysis.evaluate:INTERVALS",
        metavar="INTERVAL",
        otherwise="none",
    ),
    "interval_kind": _choice(
        "what a bootstrap interval is made of",
        "significance.bootstrap:KINDS",
        metavar="KIND",
        otherwise="percentile",
    ),
    "confidence": Option("of intervals", "C", ("-c", "--confidence"), read=share),
    "test": _choice("test of two summarizers", "significance.pairs:TESTS", metavar="TEST"),
    "preset": _choice("how the test is computed", "significance.recipes:PRESETS", metavar="PRESET"),
    "metric_test": _choice("test of two metrics", "significance.metric_tests:TESTS", metavar="TEST"),
    "correction": _choice(
        "of p-values for many tests", "significance.multiplicity:CORRECTIONS", metavar="CORRECTION"
    ),
    "alpha": Option("significant if p is at most this", "A", read=share),
    "alphas": Option("levels of significance", "A", ("--alpha",), read=share, many=True),
    "resample": _choice(
        "p-values by random exchanges (mc) or on resampled topics (hb)",
        "significance.pair_resampling:METHODS",
        metavar="HOW",
        flags=("--resampling",),
        otherwise="by the test itself",
    ),
    "with_resampling": _flag("also count by random exchanges (MC) and on resampled topics (HB)"),
    "n_resamples": Option("number of resamples", "N", ("-r", "--resamples"), read=positive),
    "seed": Option("of the random numbers", "N", read=seed),
    "margin": Option(
        "also test whether summarizers differ by less than MARGIN; LOW,HIGH, one of them inf, asks whether the first "
        "is not worse, or not better: --equivalence=-0.5,inf",
        "MARGIN",
        ("--equivalence",),
        read=margin,
    ),
    "clusters": _flag("instead rank summarizers in significantly different clusters"),
    "top": Option("best summarizers by human scores", "N", read=simulated),
    "three_way": _flag("opposite directions count as wrong"),
    "combine": Option("also combine up to N metrics, joined by 'and'", "N", read=simulated),
    "same_direction": _flag("combined metrics must agree who is better"),
    "scale": _choice("of the ratings", "significance.alpha:SCALES", metavar="SCALE"),
    "confusion": _flag("instead count which two ratings a unit got"),
    "worst": Option("leave out up to N assessors, those with the lowest alpha first", "N", read=simulated),
    "difference": Option("of two means, that should be seen", "D", read=difference),
    "power": Option("wanted chance to see it", "P", read=share),
    "max_topics": Option("largest number of topics", "N", read=two_or_more),
    "n_topics": Option("of an evaluation", "N", ("--topics",), read=two_or_more),
    "n_trials": Option("simulated evaluations", flags=("--trials",), **_COUNT),
    "n_null": Option("simulated without humans, for the cutoffs", flags=("--null",), **_COUNT),
    # studies
    "method": _choice(
        "learn by it, whatever CONFIG says", "config:METHODS", metavar="METHOD", otherwise="as it says"
    ),
    "seeds": Option("number of seeds, 1 to N", "N", read=positive),
    "other_systems": _flag("deal the systems: the predicted year has none of those learned from"),
    "tac_size": _flag("made-up years of TAC's size, in which humans reach the top"),
    "learners": _flag("only the learners of the default method, and 2011's protocol"),
    "variant": _choice("of ROUGE-1", "studies.metric_power:VARIANTS", metavar="VARIANT"),
    "shares": Option("shares that are simulated", "S", ("--share",), read=share_or_0_or_1, many=True),
    "topic_effects": _flag("topics have their own distributions of scores"),
    "weight": Option("of coverage beside brevity", "A", read=share_or_0_or_1),
    # how it is done, and where it goes
    "n_jobs": Option(
        "workers, at most one a processor; results do not depend on it",
        "N",
        ("-j", "--jobs"),
        read=jobs,
        signed=False,
    ),
    "scheduler": Option(
        "workers of this dask scheduler, on any number of machines, instead of -j", "HOST:PORT", signed=False
    ),
    "stream": _flag(
        "read JSON lines topic by topic, in bounded memory, and write as it goes; "
        "all rows of a topic must be together; - is standard input",
        signed=False,
    ),
    "resume": _flag(
        "as --stream, with -o: keep what is done in FILE.partial when interrupted, and continue it",
        signed=False,
    ),
    "output": Option(
        "write here", "FILE", ("-o", "--output"), read=place, otherwise="-, standard output", signed=False
    ),
    "format": _choice("format of the output", "report.table:FORMATS", flags=("-f", "--format"), signed=False),
    "folder": Option("folder for the results", "DIR", ("-o", "--output"), read=on_disk, signed=False),
    "place": Option(
        "the folder; or, for a corpus without judgments, a file of summaries (.jsonl), or -, standard output",
        "OUT",
        ("-o", "--output"),
        read=place,
        signed=False,
    ),
    "page": Option(
        "the page, an HTML file; a folder of its numbers is made beside it",
        "FILE",
        ("-o", "--output"),
        read=on_disk,
        signed=False,
    ),
    "force": _flag("replace a configuration that is there", signed=False),
    "sample": Option(
        "instead write three made-up years and their configuration to a folder",
        "DIR",
        read=on_disk,
        signed=False,
    ),
    "all_subsets": _flag("write every subset's score too", signed=False),
    "report": _flag("make a page of the results too, report.html", signed=False),
    "quiet": _flag("no warnings and no progress bars", flags=("-q", "--quiet"), signed=False),
    "verbose": _flag("say what is decided, on standard error", flags=("-v", "--verbose"), signed=False),
}
"""The options by the names of the parameters that take them."""
