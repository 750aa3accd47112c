"""Commands from summaries to predicted scores: features, predict, explain."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from classy_aesop.cli.base import (
    add_command,
    add_copies,
    add_imported,
    add_input,
    add_jobs,
    add_output,
    corpus_of,
    imported,
    progress,
    share,
    write,
)
from classy_aesop.cli.choices import FEATURES, REFERENCES, SENTENCES, TOKENIZERS, add_choice
from classy_aesop.errors import InputError, UsageError

if TYPE_CHECKING:
    from classy_aesop.cli.base import Commands
    from classy_aesop.predictor import Predictor


def _add_features(commands: Commands) -> None:
    parser = add_command(commands, "features", "compute the features of every summary of a corpus", _features)
    add_input(parser)
    for name, choices, default, text in (
        ("sentences", SENTENCES, "auto", "how sentences are found"),
        ("tokenizer", TOKENIZERS, "rouge", "how tokens are found"),
        ("references", REFERENCES, "unequal", "how systems meet the references where humans lack their own"),
    ):
        add_choice(parser, f"--{name}", choices=choices, metavar="HOW", default=default, text=text)
    add_choice(
        parser,
        "--names",
        choices=FEATURES,
        metavar="NAME,...",
        type=lambda text: text.split(","),
        text="groups of features and features, see docs/features.md",
        otherwise="those of the default method",
    )
    add_jobs(parser)
    add_output(parser)


def _add_predict(commands: Commands) -> None:
    parser = add_command(commands, "predict", "predict the human scores of new summaries", _predict)
    _add_predictor(parser)
    parser.add_argument(
        "--interval",
        type=share,
        metavar="C",
        help="add an interval of this confidence, e.g. 0.9, as low and high",
    )
    parser.add_argument("--means", action="store_true", help="give the mean of each summarizer instead")
    parser.add_argument(
        "--relative", action="store_true", help="scores less the mean of their topic's predictions"
    )
    add_output(parser)


def _add_explain(commands: Commands) -> None:
    parser = add_command(
        commands, "explain", "say what each feature contributes to each predicted score", _explain
    )
    _add_predictor(parser)
    parser.add_argument("--groups", action="store_true", help="sum up the columns of each group of features")
    add_output(parser, default="text")


def _add_predictor(parser: argparse.ArgumentParser) -> None:
    """Add a predictor and what it is applied to."""
    parser.add_argument("predictor", metavar="PREDICTOR", help="a file of train, or published/NAME")
    add_input(parser)
    add_imported(parser)
    add_copies(parser)
    add_jobs(parser)


def _features(options: argparse.Namespace) -> None:
    from classy_aesop.features.columns import abridged
    from classy_aesop.features.options import FeatureOptions
    from classy_aesop.features.table import feature_table
    from classy_aesop.signature import signature

    how = FeatureOptions(
        sentences=options.sentences, tokenizer=options.tokenizer, references=options.references
    )
    names = _known_names(options.names)
    corpus = corpus_of(options)
    table = feature_table(corpus, how, names=names, n_jobs=options.jobs, progress=progress(options))
    write(table, options, signature(features=options.names or abridged(names), **how.to_dict()))


def _known_names(names: list[str] | None) -> list[str]:
    from classy_aesop.features.columns import ordered

    try:
        return ordered(names)
    except InputError as error:
        raise UsageError(f"--names: {error}") from None


def _predict(options: argparse.Namespace) -> None:
    from classy_aesop.predictor.base import Predictor, relative

    if options.relative and (options.means or options.interval):
        raise UsageError(
            "--relative goes with neither --interval nor --means, which are about the scores themselves"
        )
    predictor = Predictor.load(options.predictor)
    corpus = corpus_of(options)
    table = predictor.predict(
        corpus,
        scores=imported(options, corpus),
        copies=options.copies,
        interval=options.interval,
        n_jobs=options.jobs,
        progress=progress(options),
    )
    if options.relative:
        write(relative(table), options, "scores:less_topic_mean|" + _signed(predictor, options))
        return
    shown = predictor.means(table, interval=options.interval) if options.means else table
    write(shown, options, _signed(predictor, options, interval=options.interval))


def _explain(options: argparse.Namespace) -> None:
    from classy_aesop.predictor import Predictor
    from classy_aesop.predictor.explanation import by_group
    from classy_aesop.report.wide import contributions

    predictor = Predictor.load(options.predictor)
    corpus = corpus_of(options)
    table = predictor.explain(
        corpus,
        scores=imported(options, corpus),
        copies=options.copies,
        n_jobs=options.jobs,
        progress=progress(options),
    )
    table = by_group(table) if options.groups else table
    write(table, options, _signed(predictor, options), wide=contributions)


def _signed(predictor: Predictor, options: argparse.Namespace, *, interval: float | None = None) -> str:
    """Say in the signature of a predictor what was asked for beside it."""
    parts = {"interval": interval, "copies": None if options.copies == "keep" else options.copies}
    said = "".join(f"{name}:{value}|" for name, value in parts.items() if value is not None)
    return said + predictor.signature


COMMANDS = (_add_features, _add_predict, _add_explain)
"""What adds each command to the parser."""
