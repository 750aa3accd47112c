"""Commands on metrics that we are compared with: baselines, leaderboard."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from classy_aesop.cli.base import (
    add_command,
    add_imported,
    add_input,
    add_jobs,
    add_output,
    corpus_of,
    given,
    progress,
    write,
)
from classy_aesop.cli.choices import BASELINES, add_choice
from classy_aesop.cli.chosen import (
    NEED_ALL,
    PLACE,
    WHO,
    add_part,
    chosen_corpus,
    chosen_imports,
    part_of,
    selection,
    signed_choices,
)
from classy_aesop.cli.streaming import add_streaming, is_streamed, refuse_jobs, stream
from classy_aesop.cli.testing import (
    add_correlation,
    add_interval,
    interval_of,
    interval_parts,
)
from classy_aesop.errors import InputError, UsageError

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.cli.base import Commands
    from classy_aesop.corpus.corpus import Corpus


def _add_baselines(commands: Commands) -> None:
    parser = add_command(
        commands, "baselines", "score summaries by ROUGE and other known metrics", _baselines
    )
    _add_corpus(parser, "baselines, NAME=FOLDER for files of elements")
    parser.add_argument(
        "--jackknife", action="store_true", help="leave one reference out at a time, to compare with humans"
    )
    add_jobs(parser)
    add_streaming(parser)
    add_output(parser)


def _add_leaderboard(commands: Commands) -> None:
    text = "compare baselines, predictors and imported metrics by their correlation with humans"
    parser = add_command(commands, "leaderboard", text, _leaderboard)
    _add_corpus(parser, "baselines, NAME=FOLDER for files of elements, or none")
    add_part(parser, "target")
    parser.add_argument(
        "--predictor",
        metavar="FILE",
        nargs="+",
        action="extend",
        default=[],
        dest="predictors",
        help="files of train, or published/RUN-TASK-PEERS",
    )
    add_imported(parser)
    add_correlation(parser, "system and input", "pearson, spearman, kendall")
    add_interval(parser)
    add_jobs(parser)
    add_output(parser, default="text")


def _add_corpus(parser: argparse.ArgumentParser, text: str) -> None:
    """Add the corpus, the baselines, and whose references are met."""
    add_input(parser)
    add_choice(
        parser,
        "-m",
        "--baselines",
        choices=BASELINES,
        metavar="NAME[,NAME...]",
        type=_names,
        action="extend",
        text=text,
        otherwise="all that the corpus allows",
    )
    parser.add_argument(
        "--reference",
        metavar="NAME",
        action="append",
        dest="references",
        help="only the references of this summarizer; may be repeated (default: all)",
    )
    add_part(parser, *PLACE, *WHO, "metrics")


def _of_references(corpus: Corpus, options: argparse.Namespace) -> Corpus:
    try:
        return corpus if options.references is None else corpus.select(references=options.references)
    except InputError as error:
        raise UsageError(f"--reference: {error}") from None


def _names(text: str) -> list[str]:
    return [] if text == "none" else [name.strip() for name in text.split(",")]


def _baselines(options: argparse.Namespace) -> None:
    from classy_aesop.analysis.pairing import only
    from classy_aesop.baselines import BASELINES
    from classy_aesop.baselines.scoring import score_baselines
    from classy_aesop.signature import signature

    names = options.baselines or list(BASELINES)
    signed_parts = {"references": options.references or "all", "jackknife": options.jackknife}
    signed = signature(
        baselines=names, **selection(options).signed_parts | signed_choices(options), **signed_parts
    )
    if is_streamed(options, references="--reference", metrics="--metric", **NEED_ALL):
        if options.baselines is None:
            raise UsageError("--stream needs the baselines by name (-m)")
        stream(options, partial(_by_topic, names=options.baselines, jackknife=options.jackknife), signed)
        return
    refuse_jobs(options)
    corpus, shown = _of_references(chosen_corpus(options), options), progress(options)
    table = score_baselines(corpus, options.baselines, jackknife=options.jackknife, progress=shown)
    write(only(table, "metric", options.metrics), options, signed)


def _by_topic(corpus: Corpus, *, names: list[str], jackknife: bool) -> pd.DataFrame:
    """Score one topic after the other, so that the order does not depend on how many there are."""
    import pandas as pd

    from classy_aesop.baselines.scoring import score_baselines
    from classy_aesop.corpus.corpus import Corpus

    tables = [score_baselines(Corpus((topic,)), names, jackknife=jackknife) for topic in corpus]
    return pd.concat(tables, ignore_index=True)


def _leaderboard(options: argparse.Namespace) -> None:
    from classy_aesop.analysis.leaderboard import leaderboard
    from classy_aesop.predictor import Predictor
    from classy_aesop.report.wide import evaluation
    from classy_aesop.signature import signature

    interval = interval_of(options)
    predictors = [Predictor.load(path) for path in options.predictors]
    whole, who = corpus_of(options), selection(options)
    part = part_of(whole, options, who=False)
    table = leaderboard(
        _of_references(part, options),
        options.target,
        peers=who,
        metrics=options.baselines,
        shown=options.metrics,
        predictors=predictors,
        scores=chosen_imports(options, whole, part),
        interval=interval,
        n_jobs=options.jobs,
        progress=progress(options),
        **given(options, "levels", "coefficients"),
    )
    parts = who.signed_parts | signed_choices(options) | {"peers": list(table["peers"].unique())}
    parts |= {"baselines": "all" if options.baselines is None else options.baselines}
    signed_parts = {
        "references": options.references or "all",
        "predictors": [one.name for one in predictors],
        "scores": [*(Path(name).name for name in options.scores), *part.scores["metric"].unique()],
    }
    signed = signature(leaderboard=options.target, **parts, **signed_parts, **interval_parts(interval))
    write(table, options, signed, wide=evaluation)


COMMANDS = (_add_baselines, _add_leaderboard)
"""What adds each command to the parser."""
