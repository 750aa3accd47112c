"""Commands on what a test rests on: do assessors agree (assessors), are there enough topics (power)?"""

from __future__ import annotations

import argparse
import contextlib
import math
from typing import TYPE_CHECKING, Any

from classy_aesop.cli.base import (
    add_command,
    add_jobs,
    add_layout,
    add_output,
    add_pair_test,
    add_resampling,
    add_seed,
    progress,
    write,
)
from classy_aesop.cli.choices import SCALES, add_choice
from classy_aesop.cli.chosen import (
    PLACE,
    WHO,
    add_part,
    chosen_tables,
    named_corpus,
    selection,
    signed_choices,
)
from classy_aesop.cli.values import positive, share, simulated
from classy_aesop.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.cli.base import Commands
    from classy_aesop.corpus import Corpus


def _add_assessors(commands: Commands) -> None:
    text = "say how far assessors agree with each other, or with themselves (--corpus)"
    parser = add_command(commands, "assessors", text, _assessors)
    parser.add_argument(
        "ratings",
        metavar="RATINGS",
        nargs="?",
        help="a table of single ratings, TSV or JSON lines (default: the judgments of the corpus)",
    )
    parser.add_argument(
        "--corpus", metavar="IN", help="a corpus: compare the ratings of its identical summaries of a topic"
    )
    add_layout(parser, "of the corpus")
    parser.add_argument(
        "--topics", metavar="FILE", help="a table of topics and their assessors, if no rating names its own"
    )
    add_part(parser, "metrics", *PLACE, *WHO)
    add_choice(parser, "--scale", choices=SCALES, metavar="SCALE", default="interval", text="of the ratings")
    parser.add_argument(
        "--confidence", type=share, default=0.95, metavar="C", help="of the intervals (default: %(default)s)"
    )
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument(
        "--confusion", action="store_true", help="instead count which two ratings a unit got"
    )
    instead.add_argument(
        "--worst",
        type=positive,
        metavar="N",
        help="instead leave out up to N assessors, those with the lowest alpha first, and compare means",
    )
    parser.add_argument(
        "--scores", metavar="SCORES", help="with --worst: a score table to correlate before and after"
    )
    add_resampling(parser)
    add_jobs(parser)
    add_output(parser, default="text")


def _add_power(commands: Commands) -> None:
    text = "say how many topics show a difference between summarizers"
    parser = add_command(commands, "power", text, _power)
    parser.add_argument("scores", metavar="SCORES", help="a table of scores or judgments, TSV or JSON lines")
    add_part(parser, "metric", *PLACE, *WHO, corpus=True)
    parser.add_argument(
        "--difference", type=_difference, metavar="D", required=True, help="of two means, that should be seen"
    )
    parser.add_argument(
        "--systems", nargs="+", metavar="S", help="two summarizers or more (default: all, if few)"
    )
    parser.add_argument(
        "--power", type=share, default=0.8, metavar="P", help="wanted chance to see it (default: %(default)s)"
    )
    add_pair_test(parser, preset="standard")
    for name, what in (
        ("--max-topics", "largest number of topics"),
        ("--trials", "simulated evaluations for each number of topics"),
    ):
        parser.add_argument(
            name, type=simulated, default=2_000, metavar="N", help=f"{what} (default: %(default)s)"
        )
    add_seed(parser)
    add_jobs(parser)
    add_output(parser, default="text")


def _difference(text: str) -> float:
    with contextlib.suppress(ValueError):
        if math.isfinite(float(text)) and float(text) != 0:
            return float(text)
    raise argparse.ArgumentTypeError(f"{text!r}; expected a number that is not 0")


def _assessors(options: argparse.Namespace) -> None:
    from classy_aesop.report.wide import comparisons
    from classy_aesop.signature import signature
    from classy_aesop.studies.misprints import misprints

    if options.scores and not options.worst:
        raise UsageError("--scores goes with --worst; expected both or none")
    count = _confusion if options.confusion else _exclusion if options.worst else _agreement
    table, signed_parts = count(options, *_rated(options))
    signed = signature(
        assessors="identical-texts" if options.corpus else "summaries",
        **signed_choices(options),
        **signed_parts,
    )
    notes = misprints("assessors") if options.corpus else ()
    write(table, options, signed, wide=comparisons, notes=notes)


Said = dict[str, Any]


def _agreement(
    options: argparse.Namespace, ratings: pd.DataFrame, corpus: Corpus | None
) -> tuple[pd.DataFrame, Said]:
    from classy_aesop.analysis.assessors import assessor_agreement

    how = {"scale": options.scale, "confidence": options.confidence}
    table = assessor_agreement(
        ratings,
        corpus=corpus,
        n_resamples=options.n_resamples,
        seed=options.seed,
        n_jobs=options.jobs,
        progress=progress(options),
        **how,
        **_chosen(options),
    )
    return table, {**how, "resamples": options.n_resamples, "seed": options.seed}


def _confusion(
    options: argparse.Namespace, ratings: pd.DataFrame, corpus: Corpus | None
) -> tuple[pd.DataFrame, Said]:
    from classy_aesop.analysis.assessors import assessor_confusion

    return assessor_confusion(ratings, corpus=corpus, **_chosen(options)), {"count": "confusion"}


def _exclusion(
    options: argparse.Namespace, ratings: pd.DataFrame, corpus: Corpus | None
) -> tuple[pd.DataFrame, Said]:
    from classy_aesop.analysis.exclusion import assessor_exclusion
    from classy_aesop.scores import read_scores

    if corpus is None:
        raise UsageError("--worst needs --corpus: who agrees least is found on identical texts")
    scores = None if options.scores is None else read_scores(options.scores)
    how = {"scale": options.scale, "worst": options.worst}
    table = assessor_exclusion(ratings, corpus, scores=scores, **how, **_chosen(options))
    return table, {"scale": options.scale, "worst": options.worst}


def _chosen(options: argparse.Namespace) -> Said:
    return {name: getattr(options, name) for name in ("metrics", "year", "task")}


def _rated(options: argparse.Namespace) -> tuple[pd.DataFrame, Corpus | None]:
    """Read the ratings of those who take part, with the assessors of a table of topics, and where asked the texts."""
    from classy_aesop.scores import joined_humans, read_humans, read_scores
    from classy_aesop.studies.topic_labels import read_topic_labels, with_labels

    corpus = named_corpus(options)
    humans = {} if corpus is None else corpus.humans()
    if options.ratings is not None:
        ratings = read_scores(options.ratings)
        humans = joined_humans(read_humans(options.ratings), humans)
    elif corpus is not None:
        ratings = corpus.judgments if corpus.ratings.empty else corpus.ratings
    else:
        raise UsageError("nothing to read; expected RATINGS, --corpus IN or both")
    if options.topics is not None:
        ratings = with_labels(ratings, read_topic_labels(options.topics), "assessor")
    if any(getattr(options, name) for name in WHO):
        ratings = selection(options).of(ratings, humans=humans)
    return ratings, corpus


def _power(options: argparse.Namespace) -> None:
    from classy_aesop.analysis.power import plan_topics
    from classy_aesop.report.wide import comparisons
    from classy_aesop.signature import signature

    who = chosen_tables(options)
    (scores,) = who.tables
    signed_parts = {
        name: getattr(options, name) for name in ("power", "test", "preset", "alpha", "max_topics")
    }
    drawn = {"systems": options.systems, "n_trials": options.trials, "seed": options.seed}
    how = {"n_jobs": options.jobs, "progress": progress(options)}
    table = plan_topics(scores, options.metric, options.difference, **signed_parts, **drawn, **how)
    head = {"plan": options.metric, "difference": options.difference, **who.signed_parts}
    signed = signature(**head, **signed_parts, trials=options.trials, seed=options.seed)
    write(table, options, signed, wide=comparisons)


COMMANDS = (_add_assessors, _add_power)
"""What adds each command to the parser."""
