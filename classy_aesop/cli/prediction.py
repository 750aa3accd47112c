"""Commands from summaries to predicted scores: features, predict, explain."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from classy_aesop.cli.commands import Asked, Command
from classy_aesop.cli.sources import imported
from classy_aesop.cli.streaming import is_streamed, write_stream
from classy_aesop.errors import InputError, UsageError
from classy_aesop.report.result import Result

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.cli.sources import CorpusSource, Names, OptionalCorpus
    from classy_aesop.corpus.corpus import Corpus
    from classy_aesop.features.options import FeatureOptions
    from classy_aesop.predictor import Predictor


def features(
    source: CorpusSource,
    more: Names = (),
    sentences: str = "auto",
    tokenizer: str = "rouge",
    meeting: str = "unequal",
    names: Names = None,
    stream: bool = False,
    resume: bool = False,
    n_jobs: int = 1,
    *,
    asked: Asked,
) -> Result | None:
    """Compute the features of every summary of a corpus."""
    from classy_aesop.features.basis import options_for
    from classy_aesop.features.columns import abridged
    from classy_aesop.features.options import FeatureOptions
    from classy_aesop.features.table import feature_table

    how = FeatureOptions(sentences=sentences, tokenizer=tokenizer, references=meeting)
    known = _known_names(names)
    signed: dict[str, Any] = {"names": names or abridged(known)}
    if is_streamed(asked, source.given()):
        signature = asked.signature(**signed, **how.to_dict())
        write_stream(asked, partial(_features_of, how=how, names=known), signature)
        return None
    corpus = source.read()
    how = options_for(corpus.topics, how, known)
    table = feature_table(corpus, how, names=known, n_jobs=n_jobs, progress=asked.progress)
    return Result(table, signed | how.to_dict())


def _features_of(corpus: Corpus, *, how: FeatureOptions, names: list[str]) -> pd.DataFrame:
    from classy_aesop.features.table import feature_table

    return feature_table(corpus, how, names=names)


def _known_names(names: Names) -> list[str]:
    from classy_aesop.features.columns import ordered

    try:
        return ordered(names)
    except InputError as error:
        raise UsageError(f"--names: {error}") from None


def predict(
    predictor: str,
    optional_source: OptionalCorpus,
    more: Names = (),
    scores: Names = (),
    scores_layout: str = "auto",
    copies: str = "keep",
    confidence: float | None = None,
    means: bool = False,
    relative: bool = False,
    alone: bool = False,
    stream: bool = False,
    resume: bool = False,
    n_jobs: int = 1,
    *,
    asked: Asked,
) -> Result | None:
    """Predict the human scores of new summaries; with --confidence also an interval, as low and high."""
    from classy_aesop.predictor.base import relative as less_topic_mean

    if relative and (means or confidence):
        raise UsageError(
            "--relative goes with neither --confidence nor --means, which are about the scores themselves"
        )
    if optional_source.input is None:
        _check_without_corpus(asked, optional_source)
    learned = _loaded(predictor, alone)
    signed = _signed(learned, copies, alone)
    if is_streamed(asked, [*optional_source.given(), *(["--means"] if means else ())], scores=scores):
        asks = {"copies": copies, "interval": confidence}
        work = partial(_predictions, predictor=learned, is_relative=relative, asked=asks)
        write_stream(asked, work, asked.signature(**signed))
        return None
    how: dict[str, Any] = {"interval": confidence, "n_jobs": n_jobs, "progress": asked.progress}
    table = _predicted(learned, optional_source, scores, scores_layout, copies, how)
    if relative:
        table = less_topic_mean(table)
    elif means:
        table = learned.means(table, interval=confidence)
    return Result(table, signed)


def _loaded(path: str, alone: bool) -> Predictor:
    """Read a predictor, or the part of it that scores every summary by itself."""
    from classy_aesop.predictor import Predictor

    learned = Predictor.load(path)
    return learned.alone() if alone else learned


def _signed(predictor: Predictor, copies: str, alone: bool) -> dict[str, Any]:
    """Say in a signature what a predictor is, how it was used, and how copies of references were treated."""
    how = {"copies": None if copies == "keep" else copies, **({"alone": "yes"} if alone else {})}
    return {"predictor": predictor.name, **predictor.signed_parts, **how}


def _check_without_corpus(asked: Asked, source: OptionalCorpus) -> None:
    """Refuse options that are about a corpus where scores stand for one."""
    if not asked.scores:
        raise UsageError("the following arguments are required: IN, or --scores alone")
    about = {"--columns": source.columns, "--layout": source.layout != "auto"}
    about |= {"--copies": asked.copies != "keep"}
    for option in (*source.given(), *(name for name, value in about.items() if value)):
        raise UsageError(f"{option} is about a corpus; expected IN beside --scores")


def _predicted(
    predictor: Predictor,
    source: OptionalCorpus,
    scores: Names,
    layout: str,
    copies: str,
    how: dict[str, Any],
) -> pd.DataFrame:
    """Predict for a corpus, or for the summaries of score tables alone."""
    if source.input is None:
        found = imported(scores or (), layout, None)
        assert found is not None
        return predictor.predict_from_scores(found, interval=how["interval"])
    corpus = source.read()
    return predictor.predict(
        corpus, scores=source.imported(corpus, scores or (), layout), copies=copies, **how
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

    none = float("nan")
    table = key_table(keys(corpus.topics)).assign(metric=predictor.name, score=none)
    table = table if predictor.within is None else table.assign(form="")
    table = table.assign(low=none, high=none) if has_interval else table
    table = table.assign(outside="") if predictor.training_range is not None else table
    table.attrs[NOTHING] = True
    return table


def explain(
    predictor: str,
    source: CorpusSource,
    more: Names = (),
    scores: Names = (),
    scores_layout: str = "auto",
    copies: str = "keep",
    groups: bool = False,
    alone: bool = False,
    stream: bool = False,
    resume: bool = False,
    n_jobs: int = 1,
    *,
    asked: Asked,
) -> Result | None:
    """Say what each feature contributes to each predicted score."""
    from classy_aesop.predictor.explanation import by_group

    learned = _loaded(predictor, alone)
    signed = _signed(learned, copies, alone)
    if is_streamed(asked, source.given(), scores=scores):
        work = partial(_contributions, predictor=learned, copies=copies, in_groups=groups)
        write_stream(asked, work, asked.signature(**signed))
        return None
    corpus = source.read()
    table = learned.explain(
        corpus,
        scores=source.imported(corpus, scores or (), scores_layout),
        copies=copies,
        n_jobs=n_jobs,
        progress=asked.progress,
    )
    return Result(by_group(table) if groups else table, signed)


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


COMMANDS = (
    Command(features, format="tsv"),
    Command(predict, format="tsv", tables=("means",)),
    Command(explain),
)
