"""The command line: arguments in, one function of the package, output out. No arithmetic here.

Exit codes: 0 done, 1 something inside a file is wrong, 2 the command line or a path is wrong, 130 interrupted.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from classy_aesop import __version__
from classy_aesop.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd

PROGRAM = "classy-aesop"
LAYOUTS = ("auto", "jsonl", "nist")
PURPOSE = "Predict how people would score a summary, and test which systems and metrics really differ."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; give its exit code."""
    options = _parser().parse_args(arguments)
    try:
        with warnings.catch_warnings():
            _say_warnings(quiet=options.quiet)
            options.command(options)
            sys.stdout.flush()
    except KeyboardInterrupt:
        return _fail("interrupted; nothing was written", 130)
    except BrokenPipeError:
        # The reader has gone; without this Python complains once more when it closes standard output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _fail(_os_message(error), 2)
    except ValueError as error:
        return _fail(str(error), 2 if isinstance(error, UsageError) else 1)
    return 0


def _fail(message: str, code: int) -> int:
    print(f"{PROGRAM}: error: {' '.join(message.split())}", file=sys.stderr)
    return code


def _os_message(error: OSError) -> str:
    return f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error)


def _say_warnings(*, quiet: bool) -> None:
    """Print the warnings about data as one line each on standard error, or none with --quiet."""
    from classy_aesop.errors import DataWarning

    def show(message: Warning | str, *_: object, **__: object) -> None:
        print(f"{PROGRAM}: warning: {' '.join(str(message).split())}", file=sys.stderr)

    warnings.simplefilter("ignore")
    if not quiet:
        warnings.simplefilter("always", DataWarning)
    warnings.showwarning = show


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=PROGRAM, description=PURPOSE)
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for add in (_add_features, _add_train, _add_predict, _add_evaluate, _add_validate, _add_study):
        add(commands)
    return parser


Commands = "argparse._SubParsersAction[argparse.ArgumentParser]"


def _add(commands: Commands, name: str, text: str, command: object) -> argparse.ArgumentParser:  # type: ignore[valid-type]
    parser: argparse.ArgumentParser = commands.add_parser(name, help=text, description=text)  # type: ignore[attr-defined]
    parser.set_defaults(command=command)
    parser.add_argument("-q", "--quiet", action="store_true", help="no warnings and no progress bars")
    return parser


def _add_features(commands: Commands) -> None:  # type: ignore[valid-type]
    parser = _add(commands, "features", "compute the features of every summary of a corpus", _features)
    _add_input(parser)
    parser.add_argument(
        "--sentences", choices=("auto", "given", "split"), default="auto", help="default: %(default)s"
    )
    parser.add_argument(
        "--tokenizer", choices=("rouge", "unicode"), default="rouge", help="default: %(default)s"
    )
    parser.add_argument(
        "--references",
        choices=("unequal", "jackknife"),
        default="unequal",
        help="how systems meet the references where people lack their own (default: %(default)s)",
    )
    _add_jobs(parser)
    _add_output(parser)


def _add_train(commands: Commands) -> None:  # type: ignore[valid-type]
    parser = _add(commands, "train", "learn predictors from judged years and assess them on the last", _train)
    parser.add_argument("config", metavar="CONFIG", help="the experiment, a TOML file")
    parser.add_argument("-o", "--output", metavar="DIR", required=True, help="folder for the results")
    parser.add_argument(
        "--data", metavar="NAME=DIR", action="append", default=[], type=_pair, help="where the year NAME lies"
    )
    parser.add_argument("--seed", type=int, help="stands in for the seed of the file")
    parser.add_argument("--all-subsets", action="store_true", help="write every subset's score too")
    _add_jobs(parser)


def _add_predict(commands: Commands) -> None:  # type: ignore[valid-type]
    parser = _add(commands, "predict", "predict the human scores of new summaries", _predict)
    parser.add_argument("predictor", metavar="PREDICTOR", help="a file of train, or published/RUN-TASK-PEERS")
    _add_input(parser)
    _add_jobs(parser)
    _add_output(parser)


def _add_evaluate(commands: Commands) -> None:  # type: ignore[valid-type]
    parser = _add(commands, "evaluate", "correlate metric scores with human judgments", _evaluate)
    parser.add_argument("scores", metavar="SCORES", help="a score table, TSV or JSON lines")
    parser.add_argument("judgments", metavar="JUDGMENTS", help="a table of judgments, TSV or JSON lines")
    _add_output(parser, default="text")


def _add_validate(commands: Commands) -> None:  # type: ignore[valid-type]
    parser = _add(commands, "validate", "read a corpus and say what is in it and what looks wrong", _validate)
    _add_input(parser)
    _add_output(parser, default="text")


def _add_study(commands: Commands) -> None:  # type: ignore[valid-type]
    study = commands.add_parser("study", help="repeat an experiment and give mean and spread")  # type: ignore[attr-defined]
    studies = study.add_subparsers(title="studies", required=True, metavar="STUDY")
    repeats = _add(studies, "repeats", "train with the seeds 1 to N, at both fit levels", _repeats)
    repeats.add_argument("config", metavar="CONFIG", help="the experiment, a TOML file")
    samples = _add(studies, "samples", "run 25 of 2011 on N made-up samples (task A, all peers)", _samples)
    for parser, n_seeds in ((repeats, 10), (samples, 20)):
        parser.add_argument(
            "--seeds", type=_positive, default=n_seeds, metavar="N", help="default: %(default)s"
        )
        _add_jobs(parser)
        _add_output(parser, default="text")


def _add_input(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("input", metavar="IN", help="a corpus: a folder, a file or an archive")
    parser.add_argument(
        "--format", choices=LAYOUTS, default="auto", dest="layout", help="its layout (default: recognized)"
    )


def _add_jobs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-j", "--jobs", type=_positive, default=1, metavar="N", help="workers; results do not depend on it"
    )


def _add_output(parser: argparse.ArgumentParser, *, default: str = "tsv") -> None:
    formats = ("tsv", "jsonl", "json") if default == "tsv" else ("text", "tsv", "jsonl", "json")
    parser.add_argument("-o", "--output", metavar="FILE", help="write here (default: standard output)")
    parser.add_argument("-f", choices=formats, default=default, dest="format", help="default: %(default)s")


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r}; expected a whole number from 1")
    return int(text)


def _pair(text: str) -> tuple[str, str]:
    name, separator, folder = text.partition("=")
    if not (name and separator and folder):
        raise argparse.ArgumentTypeError(f"{text!r}; expected NAME=DIR")
    return name, folder


def _features(options: argparse.Namespace) -> None:
    from classy_aesop.corpus import read_corpus
    from classy_aesop.features.options import FeatureOptions
    from classy_aesop.features.table import feature_table
    from classy_aesop.signature import signature

    how = FeatureOptions(
        sentences=options.sentences, tokenizer=options.tokenizer, references=options.references
    )
    corpus = read_corpus(options.input, format=options.layout)
    table = feature_table(corpus, how, n_jobs=options.jobs, progress=_progress(options))
    _write(table, options, signature(features="all", **how.to_dict()))


def _train(options: argparse.Namespace) -> None:
    from classy_aesop.config import read_config
    from classy_aesop.pipeline.experiment import train
    from classy_aesop.report.experiment import refuse_foreign, save, summary

    refuse_foreign(Path(options.output))
    config = read_config(options.config, data=dict(options.data), seed=options.seed)
    experiment = train(config, n_jobs=options.jobs, progress=_progress(options))
    save(experiment, options.output, all_subsets=options.all_subsets)
    print(summary(experiment))


def _predict(options: argparse.Namespace) -> None:
    from classy_aesop.corpus import read_corpus
    from classy_aesop.predictor import Predictor

    predictor = Predictor.load(options.predictor)
    corpus = read_corpus(options.input, format=options.layout)
    scores = predictor.predict(corpus, n_jobs=options.jobs, progress=_progress(options))
    _write(scores, options, predictor.signature)


def _evaluate(options: argparse.Namespace) -> None:
    from classy_aesop.pipeline.evaluate import evaluate
    from classy_aesop.report.wide import evaluation
    from classy_aesop.scores import read_scores
    from classy_aesop.signature import signature

    table = evaluate(read_scores(options.scores), read_scores(options.judgments))
    shown = evaluation(table) if options.format == "text" else table
    _write(shown, options, signature(evaluate="levels+coefficients", kendall="tau-b"))


def _validate(options: argparse.Namespace) -> None:
    from classy_aesop.corpus import read_corpus
    from classy_aesop.corpus.validate import validate
    from classy_aesop.signature import signature

    report = validate(read_corpus(options.input, format=options.layout))
    _write(report.to_frame(), options, signature(validate="corpus"))


def _repeats(options: argparse.Namespace) -> None:
    from classy_aesop.config import read_config
    from classy_aesop.studies.repeats import over_seeds

    config, seeds = read_config(options.config), range(1, options.seeds + 1)
    found = over_seeds(config, seeds, n_jobs=options.jobs, progress=_progress(options))
    _write_study(found, options, study="repeats", config=Path(options.config).name)


def _samples(options: argparse.Namespace) -> None:
    from classy_aesop.studies.samples import over_samples

    seeds = range(1, options.seeds + 1)
    found = over_samples(seeds, n_jobs=options.jobs, progress=_progress(options))
    _write_study(found, options, study="samples")


def _write_study(found: pd.DataFrame, options: argparse.Namespace, **parts: str) -> None:
    from classy_aesop.report.wide import spread
    from classy_aesop.signature import signature
    from classy_aesop.studies.repeats import mean_and_spread

    table = mean_and_spread(found)
    shown = spread(table) if options.format == "text" else table
    _write(shown, options, signature(**parts, seeds=f"1-{options.seeds}"))


def _progress(options: argparse.Namespace) -> bool:
    return sys.stderr.isatty() and not options.quiet


def _write(table: pd.DataFrame, options: argparse.Namespace, signature: str) -> None:
    from classy_aesop.report.table import write_table

    with _output(options.output) as stream:
        write_table(table, stream, options.format, signature)


@contextlib.contextmanager
def _output(path: str | None) -> Iterator[TextIO]:
    if path is None:
        yield sys.stdout
        return
    from classy_aesop.files import whole_file

    with whole_file(path) as stream:
        yield stream
