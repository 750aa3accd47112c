"""Commands from summaries to predicted scores: features, predict, explain."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING, Any

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
    write,
)
from classy_aesop.cli.choices import FEATURES, REFERENCES, SENTENCES, TOKENIZERS, add_choice
from classy_aesop.cli.chosen import (
    NEED_ALL,
    PLACE,
    WHO,
    add_part,
    chosen_corpus,
    chosen_imports,
    part_of,
    signed_choices,
)
from classy_aesop.cli.streaming import add_streaming, is_streamed, stream
from classy_aesop.cli.values import share
from classy_aesop.errors import InputError, UsageError

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.cli.base import Commands
    from classy_aesop.corpus.corpus import Corpus
    from classy_aesop.features.options import FeatureOptions
    from classy_aesop.predictor import Predictor


def _add_features(commands: Commands) -> None:
    parser = add_command(commands, "features", "compute the features of every summary of a corpus", _features)
    add_input(parser)
    add_part(parser, *PLACE, *WHO)
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
        action="extend",
        text="groups of features and features, see docs/features.md",
        otherwise="those of the default method",
    )
    add_jobs(parser)
    add_streaming(parser)
    add_output(parser)


def _add_predict(commands: Commands) -> None:
    parser = add_command(commands, "predict", "predict the human scores of new summaries", _predict)
    _add_predictor(parser, unless="--scores")
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


def _add_predictor(parser: argparse.ArgumentParser, *, unless: str = "") -> None:
    """Add a predictor and what it is applied to; ``unless`` is the option that can stand for a corpus."""
    parser.add_argument("predictor", metavar="PREDICTOR", help="a file of train, or published/NAME")
    add_input(parser, unless=unless)
    add_part(parser, *PLACE, *WHO)
    add_imported(parser)
    add_copies(parser)
    add_jobs(parser)
    add_streaming(parser)


def _features(options: argparse.Namespace) -> None:
    from classy_aesop.features.columns import abridged
    from classy_aesop.features.options import FeatureOptions
    from classy_aesop.features.table import feature_table
    from classy_aesop.signature import signature

    how = FeatureOptions(
        sentences=options.sentences, tokenizer=options.tokenizer, references=options.references
    )
    names = _known_names(options.names)
    signed = signature(features=options.names or abridged(names), **how.to_dict(), **signed_choices(options))
    if is_streamed(options, **NEED_ALL):
        stream(options, partial(_features_of, how=how, names=names), signed)
        return
    corpus = chosen_corpus(options)
    table = feature_table(corpus, how, names=names, n_jobs=options.jobs, progress=progress(options))
    write(table, options, signed)


def _features_of(corpus: Corpus, *, how: FeatureOptions, names: list[str]) -> pd.DataFrame:
    from classy_aesop.features.table import feature_table

    return feature_table(corpus, how, names=names)


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
    if options.input is None:
        _check_without_corpus(options)
    predictor = Predictor.load(options.predictor)
    if is_streamed(options, means="--means", scores="--scores", **NEED_ALL):
        asked = {"copies": options.copies, "interval": options.interval}
        signed_parts = "scores:less_topic_mean|" if options.relative else ""
        done = partial(_predictions, predictor=predictor, is_relative=options.relative, asked=asked)
        stream(options, done, signed_parts + _signed(predictor, options, interval=options.interval))
        return
    table = _predicted(predictor, options)
    if options.relative:
        write(relative(table), options, "scores:less_topic_mean|" + _signed(predictor, options))
        return
    shown = predictor.means(table, interval=options.interval) if options.means else table
    write(shown, options, _signed(predictor, options, interval=options.interval))


def _check_without_corpus(options: argparse.Namespace) -> None:
    """Refuse options that are about a corpus where scores stand for one."""
    if not options.scores:
        raise UsageError("the following arguments are required: IN, or --scores alone")
    asked = {option: getattr(options, name) for name, option in NEED_ALL.items()}
    asked |= {"--columns": options.columns, "--format": options.layout != "auto"}
    asked |= {"--copies": options.copies != "keep"}
    for option, value in asked.items():
        if value:
            raise UsageError(f"{option} is about a corpus; expected IN beside --scores")


def _predicted(predictor: Predictor, options: argparse.Namespace) -> pd.DataFrame:
    """Predict for a corpus, or for the summaries of score tables alone."""
    if options.input is None:
        scores = imported(options, None)
        assert scores is not None
        return predictor.predict_from_scores(scores, interval=options.interval)
    whole = corpus_of(options)
    corpus = part_of(whole, options)
    return predictor.predict(
        corpus,
        scores=chosen_imports(options, whole, corpus),
        copies=options.copies,
        interval=options.interval,
        n_jobs=options.jobs,
        progress=progress(options),
    )


def _predictions(
    corpus: Corpus, *, predictor: Predictor, is_relative: bool, asked: dict[str, Any]
) -> pd.DataFrame:
    """Predict for a block; one that has only topics of other tasks gets no scores."""
    from classy_aesop.predictor.base import relative

    if not _is_for(predictor, corpus):
        table = _unscored(corpus, predictor, has_interval=asked["interval"] is not None)
    else:
        table = predictor.predict(corpus, **asked)
    return relative(table) if is_relative else table


def _unscored(corpus: Corpus, predictor: Predictor, *, has_interval: bool) -> pd.DataFrame:
    """Give the summaries of a block without scores."""
    from classy_aesop.cli.parts import NOTHING
    from classy_aesop.predictor.unscored import keys
    from classy_aesop.scores import key_table

    numbers = ["score", "low", "high"] if has_interval else ["score"]
    table = key_table(keys(corpus.topics)).assign(
        metric=predictor.name, **dict.fromkeys(numbers, float("nan"))
    )
    table = table.assign(outside="") if predictor.training_range is not None else table
    table.attrs[NOTHING] = True
    return table


def _contributions(
    corpus: Corpus, *, predictor: Predictor, copies: str, in_groups: bool
) -> pd.DataFrame | None:
    """Explain the predictions for a block; None if it has only topics of other tasks."""
    from classy_aesop.predictor.explanation import by_group

    if not _is_for(predictor, corpus):
        return None
    table = predictor.explain(corpus, copies=copies)
    return by_group(table) if in_groups else table


def _is_for(predictor: Predictor, corpus: Corpus) -> bool:
    """Whether a block has a topic of the predictor's task."""
    from classy_aesop.predictor.unscored import Division

    return bool(Division.of(corpus.topics, task=predictor.task, earlier=True).topics)


def _explain(options: argparse.Namespace) -> None:
    from classy_aesop.predictor import Predictor
    from classy_aesop.predictor.explanation import by_group
    from classy_aesop.report.wide import contributions

    predictor = Predictor.load(options.predictor)
    if is_streamed(options, scores="--scores", **NEED_ALL):
        done = partial(_contributions, predictor=predictor, copies=options.copies, in_groups=options.groups)
        stream(options, done, _signed(predictor, options))
        return
    whole = corpus_of(options)
    corpus = part_of(whole, options)
    table = predictor.explain(
        corpus,
        scores=chosen_imports(options, whole, corpus),
        copies=options.copies,
        n_jobs=options.jobs,
        progress=progress(options),
    )
    table = by_group(table) if options.groups else table
    write(table, options, _signed(predictor, options), wide=contributions)


def _signed(predictor: Predictor, options: argparse.Namespace, *, interval: float | None = None) -> str:
    """Say in the signature of a predictor what was asked for beside it."""
    from classy_aesop.signature import joined

    parts = {"interval": interval, "copies": None if options.copies == "keep" else options.copies}
    asked = {name: value for name, value in parts.items() if value is not None} | signed_choices(options)
    return "|".join([*([joined(**asked)] if asked else []), predictor.signature])


COMMANDS = (_add_features, _add_predict, _add_explain)
"""What adds each command to the parser."""
