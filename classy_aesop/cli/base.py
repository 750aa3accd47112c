"""What the commands share: options that several of them take, and the way to their output."""

from __future__ import annotations

import argparse
import contextlib
import errno
import io
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from classy_aesop.cli.choices import (
    COPIES,
    FORMATS,
    LAYOUTS,
    PAIR_TESTS,
    PRESETS,
    PROGRAM_FORMATS,
    SCORE_FORMATS,
    add_choice,
)
from classy_aesop.cli.terminal import for_terminal
from classy_aesop.cli.values import jobs, place, positive, seed, share
from classy_aesop.errors import UsageError
from classy_aesop.significance.defaults import ALPHA, N_RESAMPLES

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.corpus.corpus import Corpus

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]


def add_command(
    commands: Commands, name: str, text: str, command: Callable[[argparse.Namespace], None]
) -> argparse.ArgumentParser:
    """Add a command with the option that all have."""
    parser = commands.add_parser(name, help=text, description=text)
    parser.set_defaults(command=command)
    parser.add_argument("-q", "--quiet", action="store_true", help="no warnings and no progress bars")
    add_verbose(parser, default=argparse.SUPPRESS)
    return parser


def add_verbose(parser: argparse.ArgumentParser, *, default: object) -> None:
    """Add the option that shows the log; a command leaves it as it was given before the command."""
    parser.add_argument(
        "-v", "--verbose", action="store_true", default=default, help="say what is decided, on standard error"
    )


def add_input(parser: argparse.ArgumentParser, *, unless: str = "") -> None:
    """Add the corpus and its layout; ``unless`` is the option that can stand for it."""
    parser.add_argument(
        "input",
        metavar="IN",
        nargs="?" if unless else None,
        help="a corpus: a folder, a table, a file or an archive; - is standard input"
        + (f"; none with {unless} alone" if unless else ""),
    )
    add_layout(parser, "its layout")


def add_layout(parser: argparse._ActionsContainer, text: str) -> None:
    """Add the layout of a corpus."""
    add_choice(
        parser,
        "--format",
        choices=LAYOUTS,
        metavar="LAYOUT",
        dest="layout",
        default="auto",
        text=text,
        otherwise="recognized",
    )
    parser.add_argument(
        "--columns",
        metavar="ROLE=NAME[,ROLE=NAME...]",
        type=_columns,
        action="extend",
        default=[],
        help="what the columns of a table are, e.g. topic=story,text=out (default: recognized by their names)",
    )


def _columns(text: str) -> list[tuple[str, str]]:
    pairs = [part.partition("=") for part in text.split(",")]
    if not all(role and separator for role, separator, _ in pairs):
        raise argparse.ArgumentTypeError(f"{text!r}; expected ROLE=NAME, e.g. topic=story,text=out")
    return [(role.strip(), name.strip()) for role, _, name in pairs]


def corpus_of(options: argparse.Namespace, path: str | None = None) -> Corpus:
    """Read the corpus that the options name, or one at another path."""
    from classy_aesop.corpus import read_corpus

    return read_corpus(
        options.input if path is None else path, format=options.layout, columns=columns_of(options)
    )


def columns_of(options: argparse.Namespace) -> dict[str, tuple[str, ...]]:
    """Give the columns that the options name, by role."""
    columns: dict[str, tuple[str, ...]] = {}
    for role, name in options.columns:
        columns[role] = (*columns.get(role, ()), *((name,) if name else ()))
    return columns


def add_imported(parser: argparse.ArgumentParser) -> None:
    """Add files of imported metrics and their format."""
    parser.add_argument(
        "--scores", metavar="FILE", nargs="+", action="extend", default=[], help="scores of imported metrics"
    )
    add_choice(
        parser,
        "--scores-format",
        choices=SCORE_FORMATS,
        metavar="FORMAT",
        default="auto",
        text="their format",
        otherwise="recognized",
    )


def imported(options: argparse.Namespace, corpus: Corpus | None) -> pd.DataFrame | None:
    """Read the files of imported metrics, if any; rows without a year are of the corpus' only one."""
    from classy_aesop.scores import read_metrics

    if not options.scores:
        return None
    year = corpus.years[0] if corpus is not None and len(corpus.years) == 1 else ""
    return read_metrics(options.scores, year=year, format=options.scores_format)


def add_copies(parser: argparse.ArgumentParser) -> None:
    """Add the treatment of summaries that repeat a reference."""
    add_choice(
        parser,
        "--copies",
        choices=COPIES,
        metavar="HOW",
        default="keep",
        text="keep summaries that repeat a reference, score them without it, or leave them out",
    )


def add_jobs(parser: argparse.ArgumentParser, *, elsewhere: bool = True, default: str = "1") -> None:
    """Add the number of workers, and unless they can only work here, a scheduler of others."""
    parser.add_argument(
        "-j",
        "--jobs",
        type=jobs,
        default=default,
        metavar="N",
        help=f"workers, at most one a processor (default: {default}); results do not depend on it",
    )
    if not elsewhere:
        return
    parser.add_argument(
        "--scheduler",
        metavar="HOST:PORT",
        help="workers of this dask scheduler, on any number of machines, instead of -j",
    )


def workers(options: argparse.Namespace) -> contextlib.AbstractContextManager[None]:
    """Lead the work of a command to the scheduler that its options name, if they do."""
    if getattr(options, "scheduler", None) is None:
        return contextlib.nullcontext()
    from classy_aesop.workers import cluster

    options.jobs = -1
    return cluster(options.scheduler)


def add_output(parser: argparse.ArgumentParser, *, default: str = "tsv") -> None:
    """Add the place and the format of the output; output for programs has no text format."""
    add_place(parser)
    add_choice(
        parser,
        "-f",
        choices=FORMATS if default == "text" else PROGRAM_FORMATS,
        metavar="FORMAT",
        dest="format",
        default=default,
        text="format of the output",
    )


def add_place(parser: argparse.ArgumentParser) -> None:
    """Add the place of the output."""
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=place, help="write here (default: -, standard output)"
    )


def add_tables(parser: argparse.ArgumentParser) -> None:
    """Add scores and judgments."""
    parser.add_argument("scores", metavar="SCORES", help="a score table, TSV or JSON lines")
    parser.add_argument("judgments", metavar="JUDGMENTS", help="a table of judgments, TSV or JSON lines")


def add_pair_test(parser: argparse.ArgumentParser, *, preset: str) -> None:
    """Add how two summarizers are tested."""
    add_choice(
        parser,
        "--test",
        choices=PAIR_TESTS,
        metavar="TEST",
        default="wilcoxon",
        text="test of two summarizers",
    )
    add_choice(
        parser, "--preset", choices=PRESETS, metavar="PRESET", default=preset, text="how the test is computed"
    )
    parser.add_argument(
        "--alpha",
        type=share,
        default=ALPHA,
        metavar="A",
        help="significant if p is at most this (default: %(default)s)",
    )


def add_resampling(parser: argparse.ArgumentParser) -> None:
    """Add the number of resamples and their seed."""
    add_resamples(parser, default=N_RESAMPLES, text="number of resamples")
    add_seed(parser)


def add_resamples(parser: argparse.ArgumentParser, *short: str, default: int, text: str) -> None:
    """Add the number of resamples; its older name, ``--draws``, works but is not shown."""
    parser.add_argument(
        *short,
        "--resamples",
        dest="n_resamples",
        type=positive,
        default=default,
        metavar="N",
        help=f"{text} (default: %(default)s)",
    )
    parser.add_argument(
        "--draws", dest="n_resamples", type=positive, default=argparse.SUPPRESS, help=argparse.SUPPRESS
    )


def add_seed(parser: argparse.ArgumentParser) -> None:
    """Add the seed of whatever is random in a command."""
    parser.add_argument(
        "--seed",
        type=seed,
        default=0,
        metavar="N",
        help="of the random numbers (default: %(default)s)",
    )


def progress(options: argparse.Namespace) -> bool:
    """Whether to show progress bars: on a terminal, without ``--quiet``."""
    return sys.stderr.isatty() and not options.quiet


def given(options: argparse.Namespace, *names: str) -> dict[str, Any]:
    """Give the named options that were set; the functions have defaults for the others."""
    return {name: value for name in names if (value := getattr(options, name)) is not None}


def write(
    table: pd.DataFrame,
    options: argparse.Namespace,
    signature: str,
    *,
    wide: Callable[[pd.DataFrame], pd.DataFrame] | None = None,
    notes: Sequence[str] = (),
) -> None:
    """Write the table of a command as its options ask; readers get it rearranged by ``wide``, with notes below."""
    from classy_aesop.report.table import FORMATS, write_table

    if FORMATS[options.format].wide:
        table = table if wide is None else wide(table)
        signature = "\n".join((*notes, signature))
    with _text_output(options.output) as stream:
        write_table(table, stream, options.format, signature)


def write_lines(lines: Iterable[str], path: str | None) -> None:
    """Write lines to a file, or to standard output if it is None."""
    with _text_output(path) as stream:
        stream.writelines(f"{line}\n" for line in lines)


def check_output(options: argparse.Namespace) -> None:
    """Check before the work whether the output of a command can be written."""
    path, format = getattr(options, "output", None), getattr(options, "format", None)
    if path is not None:
        from classy_aesop.files import check_file

        check_file(path)
    if format == "parquet":
        _check_parquet(path)


def _check_parquet(path: str | None) -> None:
    from classy_aesop.report.parquet import check_parquet
    from classy_aesop.scores.opening import plain_name

    check_parquet()
    if path is None and sys.stdout is not None and sys.stdout.isatty():
        raise UsageError("-f parquet does not go to a terminal; expected -o FILE, or a pipe")
    if path is not None and plain_name(path) != path:
        raise UsageError(f"{path}: Parquet is compressed by itself; expected another name")


@contextlib.contextmanager
def _text_output(path: str | None) -> Iterator[TextIO]:
    """Open the output of a command for text, which is compressed if the name of the file says so."""
    from classy_aesop.scores.opening import compress, plain_name

    with output(path) as stream:
        if path is None or plain_name(path) == path:
            yield stream
            return
        held = io.BytesIO()
        with io.TextIOWrapper(held, encoding="utf-8", newline="\n", write_through=True) as text:
            yield text
            stream.buffer.write(compress(held.getvalue(), path))


@contextlib.contextmanager
def output(path: str | None) -> Iterator[TextIO]:
    """Open the output of a command; a file is there when it is whole."""
    if path is None:
        if sys.stdout is None:
            raise OSError(errno.EBADF, "it is closed; expected an open one, or -o FILE", "standard output")
        yield for_terminal(sys.stdout)
        return
    from classy_aesop.files import whole_file

    with whole_file(path) as stream:
        yield stream
