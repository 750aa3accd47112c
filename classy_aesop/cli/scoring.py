"""Commands that score summaries by metrics we are compared with: rouge."""

from __future__ import annotations

import argparse
import contextlib
from functools import partial
from typing import TYPE_CHECKING, Any

from classy_aesop.cli.base import (
    add_command,
    add_input,
    add_jobs,
    add_output,
    add_resamples,
    add_seed,
    progress,
    write,
    write_lines,
)
from classy_aesop.cli.choices import ROUGE_AGGREGATES, ROUGE_METRICS, ROUGE_STEMMERS, SENTENCES, add_choice
from classy_aesop.cli.chosen import NEED_ALL, PLACE, WHO, add_part, chosen_corpus, signed_choices
from classy_aesop.cli.streaming import add_streaming, is_streamed, refuse_jobs, stream
from classy_aesop.cli.values import positive, share
from classy_aesop.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.baselines import Rouge
    from classy_aesop.cli.base import Commands
    from classy_aesop.corpus.corpus import Corpus


def _add_rouge(commands: Commands) -> None:
    text = "score every summary of a corpus by ROUGE-1.5.5, and average over topics"
    parser = add_command(commands, "rouge", text, _rouge)
    add_input(parser)
    add_part(parser, *PLACE, *WHO)
    add_choice(
        parser,
        "--metric",
        choices=ROUGE_METRICS,
        metavar="M",
        type=_rouge_name,
        action="append",
        dest="metrics",
        text="one of these, with or without ROUGE-; may be repeated",
        otherwise="all",
    )
    _add_settings(parser)
    parser.add_argument("-d", "--per-summary", action="store_true", help="every summary's scores")
    add_resamples(parser, "-r", default=1_000, text="number of resamples of topics")
    parser.add_argument(
        "-c",
        "--confidence",
        type=share,
        default=0.95,
        metavar="C",
        help="of intervals (default: %(default)s)",
    )
    add_seed(parser)
    add_jobs(parser)
    add_streaming(parser)
    add_output(parser, default="text")


def _add_settings(parser: argparse.ArgumentParser) -> None:
    """Add what a score depends on, by the letters of ROUGE-1.5.5."""
    parser.add_argument(
        "--jackknife", action="store_true", help="systems: the mean over leaving one reference out"
    )
    add_choice(parser, "--stemming", choices=ROUGE_STEMMERS, metavar="HOW", default="exceptions", text="-m")
    parser.add_argument("--stop-words", action="store_true", help="-s: take stop words out")
    add_choice(
        parser,
        "--aggregate",
        choices=ROUGE_AGGREGATES,
        metavar="HOW",
        default="average",
        text="-f, over references",
    )
    parser.add_argument("--limit-words", type=positive, metavar="N", help="-l: cut all texts to N words")
    parser.add_argument(
        "--recall-weight", type=_weight, default=0.5, metavar="A", help="-p, in F (default: %(default)s)"
    )
    add_choice(
        parser,
        "--sentences",
        choices=SENTENCES,
        metavar="HOW",
        default="given",
        text="how sentences are found, for L and W",
    )


def _rouge_name(text: str) -> str:
    return f"ROUGE-{text.removeprefix('ROUGE-')}"


def _weight(text: str) -> float:
    with contextlib.suppress(ValueError):
        if 0 <= float(text) <= 1:
            return float(text)
    raise argparse.ArgumentTypeError(f"{text!r}; expected a number from 0 to 1")


def _rouge(options: argparse.Namespace) -> None:
    import numpy as np

    from classy_aesop.baselines import rouge_averages
    from classy_aesop.report.rouge import rouge_lines
    from classy_aesop.signature import signature

    scorer = _scorer(options)
    if options.n_resamples < 2:
        raise UsageError(f"--resamples is {options.n_resamples}; expected 2 or more")
    names = ("jackknife", "stemming", "stop_words", "aggregate", "limit_words", "recall_weight", "sentences")
    settings = {name: getattr(options, name) for name in names}
    resampling = {"confidence": options.confidence, "resamples": options.n_resamples, "seed": options.seed}
    signed = signature(rouge="1.5.5", **signed_choices(options), **settings, **resampling)
    if is_streamed(options, **NEED_ALL):
        if not options.per_summary:
            raise UsageError("averages over topics need the whole corpus; --stream writes scores alone (-d)")
        stream(options, partial(_scores, scorer=scorer, **{name: settings[name] for name in _ASKED}), signed)
        return
    refuse_jobs(options)
    asked = {name: settings[name] for name in _ASKED}
    scores = _scores(chosen_corpus(options), scorer=scorer, shown=progress(options), **asked)
    rng = np.random.default_rng(options.seed)
    averages = rouge_averages(scores, rng, n_resamples=options.n_resamples, confidence=options.confidence)
    if options.format == "text":
        shown = {"confidence": options.confidence, "per_summary": options.per_summary}
        write_lines([*rouge_lines(averages, scores, **shown), "", signed], options.output)
    else:
        write(scores if options.per_summary else averages, options, signed)


_ASKED = ("jackknife", "sentences")


def _scores(
    corpus: Corpus, *, scorer: Rouge, jackknife: bool, sentences: str, shown: bool = False
) -> pd.DataFrame:
    how: dict[str, Any] = {"jackknife": jackknife, "sentences": sentences, "progress": shown}
    return scorer.table(corpus, statistics="RPF", **how)


def _scorer(options: argparse.Namespace) -> Rouge:
    from classy_aesop.baselines import Rouge

    return Rouge(
        stemming=options.stemming,
        stop_words=options.stop_words,
        aggregate=options.aggregate,
        limit_words=options.limit_words,
        alpha=options.recall_weight,
        metrics=tuple(options.metrics or ROUGE_METRICS),
    )


COMMANDS = (_add_rouge,)
"""What adds each command to the parser."""
