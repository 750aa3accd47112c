"""Commands that score summaries: features, predict; by other metrics rouge and baselines."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from classy_aesop.cli.commands import Command, CommandLine
from classy_aesop.cli.option_table import SUBSET_OPTIONS
from classy_aesop.cli.output import STREAMED_FORMATS, make_result
from classy_aesop.errors import NOTE, InputError, UsageError
from classy_aesop.tables.result import Result

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.baselines.rouge_metrics import Aggregate, RougeMetric
    from classy_aesop.cli.sources import (
        CorpusSource,
        OptionalCorpus,
        OptionalNames,
        Streamable,
    )
    from classy_aesop.data.leaks import Copies
    from classy_aesop.features.counts import References
    from classy_aesop.predictor import Predictor
    from classy_aesop.reading.corpus import Corpus
    from classy_aesop.reading.streaming import Stream, StreamedTable
    from classy_aesop.text.sentence_splitting import Sentences
    from classy_aesop.text.stems import Stemming
    from classy_aesop.text.tokens import Tokenizer


_LOG = logging.getLogger(__name__)


def features(
    streamable: Streamable,
    sentences: Sentences = "auto",
    tokenizer: Tokenizer = "rouge",
    meeting: References = "unequal",
    names: OptionalNames = None,
    *,
    command_line: CommandLine,
) -> Result | None:
    """Compute the features of every summary of a corpus.

    Parameters
    ----------
    streamable : Streamable
        The options of a corpus of any size.
    sentences, tokenizer, meeting, names
        Options, as declared in `OPTIONS`.
    command_line : CommandLine
        All options of the command.

    Returns
    -------
    Result or None
        A row a summary; None if the rows are written already, part by part.
    """
    from classy_aesop.features.counts import FeatureOptions
    from classy_aesop.features.registry import abridge_columns, sort_features
    from classy_aesop.features.table import adapt_options, feature_table
    from classy_aesop.reading.corpus import Corpus

    feature_options = FeatureOptions(sentences=sentences, tokenizer=tokenizer, references=meeting)
    with _blame_option("--names"):
        columns = sort_features(names)
    topics = streamable.topics()
    if isinstance(topics, Corpus):
        feature_options = adapt_options(topics.topics, feature_options, columns)
    table = feature_table(
        topics, feature_options, names=columns, n_jobs=streamable.n_jobs, progress=command_line.progress
    )
    recorded = {"names": names or abridge_columns(columns), **feature_options.to_dict()}
    return make_result(table, command_line, recorded)


@contextmanager
def _blame_option(option: str) -> Iterator[None]:
    """Turn errors about data in the block into a `UsageError` of an option."""
    try:
        yield
    except InputError as error:
        raise UsageError(f"{option}: {error}") from None


def predict(
    predictor: str,
    optional_source: OptionalCorpus,
    scores: OptionalNames = (),
    copies: Copies = "keep",
    confidence: float | None = None,
    means: bool = False,
    alone: bool = False,
    join: bool = False,
    explain: bool = False,
    groups: bool = False,
    *,
    command_line: CommandLine,
) -> Result | None:
    """Predict the human scores of new summaries, with intervals or with what each feature contributes.

    Parameters
    ----------
    predictor, scores, copies, confidence, means, alone, join, explain, groups
        Options, as declared in `OPTIONS`.
    optional_source : OptionalCorpus
        The options of a corpus, which scores may replace.
    command_line : CommandLine
        All options of the command.

    Returns
    -------
    Result or None
        A row a summary, or with ``means`` a row a summarizer; None if the rows are written already, part by part.
    """
    from classy_aesop.data.scores import add_stratum_columns
    from classy_aesop.predictor import Predictor
    from classy_aesop.predictor.within import sum_by_group

    if explain and (flags := command_line.changed_flags("means", "join", "confidence")):
        raise UsageError(f"{flags[0]} cannot be combined with --explain; expected one of them")
    if groups and not explain:
        raise UsageError("--groups needs --explain, whose parts it sums")
    if join and means:
        raise UsageError("--join cannot be combined with --means; expected one of them")
    if optional_source.input is None:
        if explain or not command_line.scores:
            raise UsageError(
                f"the following arguments are required: IN{'' if explain else ', or --scores alone'}"
            )
        for option in command_line.changed_flags(*SUBSET_OPTIONS, "columns", "layout", "encoding", "copies"):
            raise UsageError(f"{option} needs a corpus; expected IN with --scores")
    learned = Predictor.load(predictor)
    if alone:
        learned = learned.to_standalone()
    source: CorpusSource = optional_source.hold() if join else optional_source
    join_rows = _make_joiner(learned.name, source, command_line) if join else None
    corpus = None if source.input is None else source.topics()
    uses = {"copies": None if copies == "keep" else copies, **({"alone": "yes"} if alone else {})}
    recorded = {"predictor": learned.name, **learned.recorded_options, **uses}
    imported = _read_imported_scores(source, corpus, scores)
    n_jobs = optional_source.n_jobs
    progress = command_line.progress
    if explain and corpus is not None:
        parts = learned.explain(corpus, scores=imported, copies=copies, n_jobs=n_jobs, progress=progress)
        return make_result(parts.pipe(sum_by_group) if groups else parts, command_line, recorded)
    if command_line.is_for_reader and not (means or join):  # rows are for programs
        means = command_line.means = True
        if confidence is None and learned.calibration is not None:
            confidence = command_line.confidence = learned.calibration.levels[-1]
    table = learned.predict(
        corpus,
        scores=imported,
        copies=copies,
        confidence=confidence,
        n_jobs=n_jobs,
        progress=progress,
    ).pipe(add_stratum_columns)
    if means:
        table = learned.means(table, confidence=confidence).pipe(add_stratum_columns)
    _note_intervals_beyond_grades(table, learned)
    if join_rows is not None:
        table = join_rows(table)
    return make_result(table, command_line, recorded)


def _note_intervals_beyond_grades(table: pd.DataFrame | StreamedTable, learned: Predictor) -> None:
    """Log how many intervals end beyond the grades in training; nothing for a stream, which has a column of it."""
    from classy_aesop.reading.streaming import StreamedTable

    if isinstance(table, StreamedTable) or learned.grades is None or "beyond" not in table:
        return
    if n_beyond := int((table["beyond"].fillna("") != "").sum()):
        values = (n_beyond, len(table), *learned.grades)
        text = "%d of %d intervals end beyond the grades in training, %g to %g (column beyond)"
        _LOG.log(NOTE, text, *values)


def _make_joiner(metric: str, source: CorpusSource, command_line: CommandLine) -> Callable[[Any], Any]:
    """Make the function that joins predictions to the rows of the corpus, which are read here."""
    from classy_aesop.reading.originals import join_predictions, read_originals

    if source.input is None:
        raise UsageError("--join needs a corpus; expected IN")
    originals = read_originals(source.open(source.input), source.roles, format=command_line.format)
    return partial(join_predictions, *originals, metric=metric)


def _read_imported_scores(
    source: CorpusSource, corpus: Corpus | Stream | None, scores: OptionalNames
) -> pd.DataFrame | None:
    """Read imported metrics, if any: of the summaries of a corpus, or alone."""
    from classy_aesop.reading.corpus import Corpus

    if not isinstance(corpus, Corpus) or not scores:
        return source.read_imported(scores or (), None)
    return source.read_imported_of_subset(corpus, scores)


def rouge(
    streamable: Streamable,
    reference_texts: OptionalNames = None,
    rouge_metrics: Sequence[RougeMetric] | None = None,
    jackknife: bool = False,
    stemming: Stemming | None = None,
    tokenizer: Tokenizer = "rouge",
    stop_words: bool = False,
    aggregate: Aggregate = "average",
    limit_words: int | None = None,
    limit_bytes: int | None = None,
    recall_weight: float = 0.5,
    sentences: Sentences = "given",
    per_summary: bool = False,
    n_resamples: int = 1_000,
    confidence: float = 0.95,
    seed: int = 0,
    *,
    command_line: CommandLine,
) -> Result | None:
    """Score every summary of a corpus by ROUGE-1.5.5, and average over topics.

    Parameters
    ----------
    streamable : Streamable
        The options of a corpus of any size.
    reference_texts
        Files of references, where the corpus is a file of outputs.
    rouge_metrics, jackknife, stemming, tokenizer, stop_words, aggregate, limit_words, limit_bytes, recall_weight
        How summaries are scored: options, as declared in `OPTIONS`.
    sentences, per_summary, n_resamples, confidence, seed
        How texts are split and scores averaged: options, as declared in `OPTIONS`.
    command_line : CommandLine
        All options of the command.

    Returns
    -------
    Result or None
        The averages, or with ``per_summary`` a row a summary; None if the rows are written already, part by part.
    """
    import numpy as np

    from classy_aesop.baselines import Rouge
    from classy_aesop.baselines.rouge import METRICS
    from classy_aesop.baselines.rouge_metrics import ROUGE_STATISTICS
    from classy_aesop.baselines.topic_averages import average_groups, group_scores, join_groups
    from classy_aesop.pages.screen import rouge_lines
    from classy_aesop.reading.streaming import Stream

    if limit_words is not None and limit_bytes is not None:
        raise UsageError("--limit-words cannot be combined with --limit-bytes; expected one of them")
    scorer = Rouge(
        stemming=stemming,
        tokenizer=tokenizer,
        stop_words=stop_words,
        aggregate=aggregate,
        limit_words=limit_words,
        limit_bytes=limit_bytes,
        recall_weight=recall_weight,
        metrics=tuple(rouge_metrics or METRICS),
    )
    if n_resamples < 2:
        raise UsageError(f"--n-resamples is {n_resamples}; expected 2 or more")
    recorded = {"stemming": scorer.used_stemming, "tokenizer": recorded_tokenizer(tokenizer)}
    score = partial(scorer.table, statistics=ROUGE_STATISTICS, jackknife=jackknife, sentences=sentences)
    corpus = (
        _read_line_texts(streamable, reference_texts, command_line)
        if reference_texts
        else streamable.topics()
    )
    if isinstance(corpus, Stream):
        streamed = corpus.table(score, n_jobs=streamable.n_jobs)
        if per_summary and command_line.format in STREAMED_FORMATS:
            return make_result(streamed, command_line, recorded)
        single = streamed.whole() if per_summary else None
        groups = join_groups(streamed.parts(group_scores)) if single is None else group_scores(single)
    else:
        scores = score(corpus, progress=command_line.progress)
        single = scores if per_summary else None
        groups = group_scores(scores)
    averages = average_groups(
        groups,
        np.random.default_rng(seed),
        n_resamples=n_resamples,
        confidence=confidence,
    )
    lines = partial(rouge_lines, averages, single, confidence=confidence)
    return Result(averages if single is None else single, recorded, lines=lines)


def _read_line_texts(source: Streamable, references: Sequence[str], command_line: CommandLine) -> Corpus:
    """Read a file of outputs and files of references, a text a line."""
    from classy_aesop.reading.line_folders import read_line_files

    for flag in command_line.changed_flags("layout", "columns", "sheet", "encoding", *SUBSET_OPTIONS):
        raise UsageError(f"{flag} cannot be combined with --reference, whose files have a text a line")
    return read_line_files([source.input], references)


def recorded_tokenizer(tokenizer: Tokenizer) -> Tokenizer | None:
    """Give the tokenizer as a signature records it: None if it is ROUGE's own."""
    return None if tokenizer == "rouge" else tokenizer


def baselines(
    streamable: Streamable,
    baselines: OptionalNames = None,
    references: OptionalNames = None,
    metric: OptionalNames = None,
    jackknife: bool = False,
    tokenizer: Tokenizer = "rouge",
    *,
    command_line: CommandLine,
) -> Result | None:
    """Score summaries by ROUGE and other known metrics.

    Parameters
    ----------
    streamable : Streamable
        The options of a corpus of any size.
    baselines, references, metric, jackknife, tokenizer
        Options, as declared in `OPTIONS`.
    command_line : CommandLine
        All options of the command.

    Returns
    -------
    Result or None
        A row a summary and metric; None if the rows are written already, part by part.
    """
    from classy_aesop.baselines import BASELINES, ONLY_BY_NAME
    from classy_aesop.reading.streaming import Stream

    recorded: dict[str, object] = {
        "baselines": baselines or [name for name in BASELINES if name not in ONLY_BY_NAME],
        "tokenizer": recorded_tokenizer(tokenizer),
    }
    corpus = streamable.topics()
    score = partial(
        _score_corpus,
        baselines=choose_known_metrics(baselines),
        references=references,
        metric=metric,
        jackknife=jackknife,
        tokenizer=tokenizer,
    )
    if isinstance(corpus, Stream):
        return make_result(corpus.table(score, n_jobs=streamable.n_jobs), command_line, recorded)
    return Result(score(corpus, progress=command_line.progress), recorded)


def _score_corpus(
    corpus: Corpus,
    *,
    baselines: OptionalNames,
    references: OptionalNames,
    metric: OptionalNames,
    jackknife: bool,
    tokenizer: Tokenizer,
    progress: bool = False,
) -> pd.DataFrame:
    """Score a corpus, or a block of one, and keep the metrics that are asked for."""
    from classy_aesop.answers.score_matrices import select_rows
    from classy_aesop.baselines.baseline_scores import score_baselines
    from classy_aesop.baselines.rouge_metrics import select_known_names

    chosen = select_named_references(corpus, references)
    table = score_baselines(chosen, baselines, jackknife=jackknife, tokenizer=tokenizer, progress=progress)
    metric_names = set(table["metric"])
    return select_rows(table, "metric", None if metric is None else select_known_names(metric, metric_names))


def choose_known_metrics(baselines: OptionalNames) -> list[str] | None:
    """Give the baselines that are named; ``none`` is no baseline, and None is all."""
    if baselines is not None and "none" in baselines and len(baselines) > 1:
        raise UsageError(
            f"-m {','.join(baselines)}: none cannot be combined with names; expected none or names"
        )
    return [] if baselines == ["none"] else baselines if baselines is None else list(baselines)


def select_named_references(corpus: Corpus, references: OptionalNames) -> Corpus:
    """Keep the references of some summarizers only, if some are named."""
    with _blame_option("--reference"):
        return corpus if references is None else corpus.select(references=references)


SCORING_COMMANDS = (
    Command(features, format="tsv"),
    Command(
        predict,
        format="tsv",
        tables=("means", "explain", "join"),
        daily="confidence",
        places=False,
    ),
    Command(rouge, tables=("per_summary",)),
    Command(baselines, format="tsv"),
)
