"""NIST's files: the summaries and manual scores of the TAC releases of 2008 to 2011, ROUGE output, AESOP submissions.

Four humans wrote references for each document set; each of them is judged too, and compared with the other three.
The measures are:

- ``responsiveness`` and ``readability``: 1 to 5 (1 to 10 in 2009), unchanged from the files;
- ``pyramid``: the modified pyramid score against all four references; systems only;
- ``pyramid_jackknifed``: the same against three references; for systems, the mean over leaving out each of the
  four.

The releases' own read-me files describe the layout. A line break in a summary is a sentence break. A release is a
folder or a tar archive, which is read without unpacking it.
"""

from __future__ import annotations

import lzma
import math
import re
import tarfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from classy_aesop.data.cells import read_identifier, read_number
from classy_aesop.data.scores import Rating, format_range, make_score_table, mean_ratings, natural
from classy_aesop.data.summary_records import Record
from classy_aesop.data.where import Where
from classy_aesop.errors import InputError, join_names, warn
from classy_aesop.reading.byte_sources import (
    ReplacedBytes,
    Source,
    numbered_lines,
)
from classy_aesop.reading.corpus import Corpus, assemble_corpus
from classy_aesop.work.files import note_input

if TYPE_CHECKING:
    import pandas as pd


YEARS = ("2008", "2009", "2010", "2011")


def tac_year_of_name(name: str) -> str | None:
    """Read the year of TAC, 2008 to 2011 or ``08`` to ``11``, from a folder's name; None unless it names one."""
    years = re.findall(r"(?<![0-9])(?:20)?(08|09|10|11)(?![0-9])", name)
    return f"20{years[0]}" if len(set(years)) == 1 else None


def document_set(name: str) -> tuple[str, str] | None:
    """Split the name of a document set into topic and task: D1001A-B is D1001 and B."""
    match = re.fullmatch("(D[0-9]+)[A-Z]?-([AB])", name)
    return (match[1], match[2]) if match else None


def summary_name(name: str) -> tuple[str, str, str] | None:
    """Read topic, task and summarizer from the name of a file, such as D0845-A.M.100.H.E."""
    parts = name.split(".")
    key = document_set(parts[0]) if len(parts) == 5 and parts[4] else None
    return (*key, parts[4]) if key else None


def is_human_name(summarizer: str) -> bool:
    """Whether a summarizer is human by its name: NIST gives systems numbers and humans letters."""
    return not summarizer.isdigit()


ARCHIVE = re.compile(r".+\.(tar|tar\.\w+|tgz|tbz2?|txz)", re.IGNORECASE)
"""Names of archives; a file with another name is an archive if `tarfile` can read it."""

FILE_PATTERN = re.compile(r"(?P<root>(?:.*/)?)(?P<name>ROUGE/(?:models|peers)/[^/]+|manual/manual\.[^/]+)")

MAX_FILE_BYTES = 2**24
"""Maximum bytes of a summary or a table of manual scores in an archive: 16 MiB."""

MAX_ARCHIVE_BYTES = 2**31
"""Maximum bytes of an archive, unpacked: 2 GiB."""


def is_release(path: Path) -> bool:
    """Whether a folder or a tar archive looks like a release."""
    if path.is_dir():
        return (path / "ROUGE" / "peers").is_dir()
    if not path.is_file() or ARCHIVE.fullmatch(path.name):
        return path.is_file()
    try:
        return tarfile.is_tarfile(path)
    except _ARCHIVE_ERRORS:  # compressed, and cut or damaged before its first file
        return False


def _files_of_folder(folder: Path) -> Iterator[tuple[str, str, bytes]]:
    for file in chain(folder.glob("ROUGE/*/*"), folder.glob("manual/*")):
        name = file.relative_to(folder).as_posix()
        if file.is_file() and FILE_PATTERN.fullmatch(name):
            note_input(file)
            yield "", name, file.read_bytes()


def _files_of_archive(path: Path) -> Iterator[tuple[str, str, bytes]]:
    note_input(path)
    try:
        with tarfile.open(path) as archive:
            for member in archive:
                match = FILE_PATTERN.fullmatch(member.name)
                max_bytes = MAX_FILE_BYTES if match else MAX_ARCHIVE_BYTES  # a few bytes may unpack to many
                if not 0 <= member.size <= max_bytes or member.offset_data + member.size > MAX_ARCHIVE_BYTES:
                    size = f"{member.name[:80]} has {member.size} bytes"
                    message = f"{size}; expected at most {max_bytes}, and {MAX_ARCHIVE_BYTES} in all"
                    raise InputError(message, path=path)
                file = archive.extractfile(member) if match and member.isfile() else None
                if match and file:
                    yield match["root"], match["name"], file.read()
                archive.members.clear()  # type: ignore[attr-defined]  # they would grow with the archive
            _read_to_end(archive)
    except MemoryError:  # a header that is larger than the memory
        raise InputError("not a whole tar archive (a header is too large)", path=path) from None
    except _ARCHIVE_ERRORS as error:
        if isinstance(error, OSError) and error.errno is not None:  # the disk's, not the archive's
            raise
        reason = str(error).partition("\n")[0].rstrip(":") or type(error).__name__
        raise InputError(f"not a whole tar archive ({reason})", path=path) from error


_ARCHIVE_ERRORS = (tarfile.TarError, EOFError, OSError, zlib.error, lzma.LZMAError)
"""The errors of reading a damaged archive; gzip and bzip2 raise an `OSError` without a number."""


def _read_to_end(archive: tarfile.TarFile) -> None:
    """Check what `tarfile` does not: that the archive has its end marker and that its checksums are right."""
    stream = cast("BinaryIO", archive.fileobj)
    stream.seek(archive.offset)
    if stream.read(2 * tarfile.BLOCKSIZE) != bytes(2 * tarfile.BLOCKSIZE):
        raise tarfile.ReadError("it has no end marker: cut off or damaged")
    while stream.read(2**20):
        if stream.tell() > MAX_ARCHIVE_BYTES:
            raise tarfile.ReadError(f"it is larger than {MAX_ARCHIVE_BYTES} bytes")


COLUMNS_OF_PEERS_2008 = {"pyramid": 3, "pyramid_jackknifed": 7, "readability": 8, "responsiveness": 9}
COLUMNS_OF_MODELS_2008 = {"pyramid_jackknifed": 5, "readability": 6, "responsiveness": 7}
COLUMNS_OF_PEERS = {"pyramid": 3, "pyramid_jackknifed": 8, "readability": 9, "responsiveness": 10}
COLUMNS_OF_MODELS = {"pyramid_jackknifed": 6, "readability": 7, "responsiveness": 8}
"""The column of each measure in the manual files (2009 to 2011), counted from 1."""


def read_nist(path: str | Path, *, year: str | None = None) -> Corpus:
    """Read a release: its summaries, references and, where it has the folder ``manual``, its judgments.

    Parameters
    ----------
    path : path-like
        The release's folder, or a tar archive (compressed or not), which is read and never unpacked.
        Links and special files in an archive are ignored.
    year : str, optional
        ``2008`` to ``2011``; by default read from the name of the folder or archive (``UpdateSumm08_eval``).

    Raises
    ------
    InputError
        If there is no release, or more than one, the archive is broken, the year is unknown, or a manual score is not a
        number in its range (with file and line).

    Warns
    -----
    DataWarning
        If bytes are not UTF-8 (they are replaced and counted), file names do not name a summary (the files are
        left out), or a manual file is missing; and as in `Corpus.from_rows`.
    """
    path = Path(path)
    files_of_root: defaultdict[str, dict[str, bytes]] = defaultdict(dict)
    for root, name, content in _files_of_folder(path) if path.is_dir() else _files_of_archive(path):
        files_of_root[root][name] = content
    if not files_of_root:
        raise InputError("no summaries in ROUGE/peers; expected one TAC release", path=path)
    if len(files_of_root) > 1:
        roots = join_names(sorted(files_of_root))
        raise InputError(f"several releases ({roots}); expected one TAC release", path=path)
    [(root, files)] = files_of_root.items()
    names = root.strip("/").rpartition("/")[2], path.resolve().name
    year = year or next(filter(None, map(tac_year_of_name, names)), "")
    if year not in YEARS:
        raise InputError(
            f"year is {year!r}; expected 2008 to 2011: name the folder so, or pass the year", path=path
        )
    ratings = make_score_table(_read_nist_ratings(files, year, path, root))
    return assemble_corpus(_read_records(files, year, f"{path}/{root}"), ratings, path=path)


def _read_records(files: Mapping[str, bytes], year: str, folder: str) -> Iterator[Record]:
    """Read the summaries among the files in natural order; ``folder`` is the prefix of their paths in messages."""
    unreadable_names: list[str] = []
    replaced = ReplacedBytes()
    for name in sorted(files, key=natural):
        text = replaced.decode(files[name], name)
        if not name.startswith("ROUGE/"):
            continue
        if (key := summary_name(name.rpartition("/")[2])) is None:
            unreadable_names.append(name)
            continue
        is_reference = name.startswith("ROUGE/models/")
        where = Where(f"{folder}{name}")
        yield Record(
            key=(year, key[0], key[1]),
            summarizer=read_identifier(key[2], "the summarizer in the name of the file", where),
            text=tuple(filter(None, map(str.strip, text.split("\n")))),
            human=is_reference or is_human_name(key[2]),
            is_reference=is_reference,
            where=where,
        )
    if unreadable_names:
        message = f"files left out, whose names are not those of summaries: {join_names(unreadable_names)}"
        warn(message)
    replaced.warn_of_them()


# --- manual scores ---


def _read_nist_ratings(
    files: Mapping[str, bytes], year: str, path: Path, root: str
) -> Iterator[tuple[Where, Rating]]:
    if year == "2008":
        columns_of_file = {
            "manual/manual.peer": COLUMNS_OF_PEERS_2008,
            "manual/manual.model": COLUMNS_OF_MODELS_2008,
        }
    else:
        columns_of_kind = {"peer": COLUMNS_OF_PEERS, "model": COLUMNS_OF_MODELS}
        columns_of_file = {
            f"manual/manual.{kind}.{task}": columns_of_kind[kind] for task in "AB" for kind in columns_of_kind
        }
    if lacking := [name for name in columns_of_file if name not in files]:
        warn(f"{path}: no {join_names(lacking)}: these summaries have no judgments")
    for name, columns in columns_of_file.items():
        lines = files.get(name, b"").decode("utf-8", errors="replace").split("\n")
        for line_number, line in enumerate(lines, 1):
            if line.strip():
                yield from _ratings_of_line(
                    line.split(), columns, year, Where(f"{path}/{root}{name}", line_number)
                )


def _ratings_of_line(
    fields: list[str], columns: dict[str, int], year: str, where: Where
) -> Iterator[tuple[Where, Rating]]:
    last = max(columns.values())
    if len(fields) < last:
        raise where.error(f"{len(fields)} columns; expected at least {last}")
    key = document_set(fields[0])
    if key is None:
        raise where.error(f"{fields[0]!r} is not a document set; expected one like D0845-A")
    for metric, position in columns.items():
        score = read_number(fields[position - 1], metric, where, may_be_text=True)
        low, high = (0, math.inf) if metric.startswith("pyramid") else (1, 10 if year == "2009" else 5)
        if score < low or score > high:
            raise where.error(f"{metric} is {score:g}; expected {format_range(low, high)}")
        yield where, (year, *key, fields[1], metric, "", score)


_OUTPUT_LINE = re.compile(r"(\S+)\s+(\S+)\s+Eval\s+(\S+)\s+R:(\S+)\s+P:(\S+)\s+F:(\S+)")
"""A line of a single summary: peer, metric, file, recall, precision and F1."""

_AESOP_LINE = re.compile(r"S(\S*)\s+T([0-9]{1,9})\s+(.+)")
"""A line of a table of AESOP: summarizer, number of the topic, scores."""


def read_nist_output(path: str | Path | Source) -> pd.DataFrame:
    """Read NIST's ROUGE or BE output, e.g. ``rouge_A.m.out``, as a tidy score table.

    Only the lines of single summaries are read; the averages are skipped. Metrics have names like
    ``rouge-2.recall``, and scores are fractions. A summary that appears several times, once for each reference
    left out (``rougejk_A.m.out``), gets the mean. The year comes from the topic's name (``D0845`` is of 2008).
    Where no file of a summary is named, as ``ROUGE -d`` writes it for other data (``1.A``: evaluation 1, peer A), the
    evaluation is the topic. In the output of our own command ``rouge`` year and task
    stand before the peer (``2023.A.7`` and ``D2301-A.7``).
    """
    frame = make_score_table(_rows_of_output(path))
    if frame.empty:
        raise InputError(
            "no lines of single summaries; expected lines 'peer metric Eval file R: P: F:'", path=str(path)
        )
    return mean_ratings(frame)


_RELEASE_NAME = re.compile(r"D[0-9]{4}")
"""How the names of summaries of a release begin."""


def _rows_of_output(path: str | Path | Source) -> Iterator[tuple[Where, Rating]]:
    n_times: Counter[tuple[str, ...]] = Counter()
    for where, line in numbered_lines(path):
        if "Eval" not in line.split()[2:]:
            continue
        match = _OUTPUT_LINE.fullmatch(line.strip())
        if match is None:
            raise where.error(f"found {line[:60]!r}; expected seven words, 'peer metric Eval file R: P: F:'")
        peer, metric, file, *scores = match.groups()
        instance = summary_name(file)
        of_release = instance and (f"20{instance[0][1:3]}", *instance)
        key = of_release or _split_instance(peer, file, where)
        metric = metric.lower()
        n_times[*key, metric] += 1
        for name, score in zip(("recall", "precision", "f1"), scores, strict=True):
            number = read_number(score, f"{metric}.{name}", where, may_be_text=True)
            yield where, (*key, f"{metric}.{name}", str(n_times[*key, metric]), number)


def _split_instance(peer: str, instance: str, where: Where) -> tuple[str, str, str, str]:
    """Split the names in a line into year, topic, task and summarizer; the summarizer ends both names.

    Examples
    --------
    >>> _split_instance("A", "1.A", Where())
    ('', '1', '', 'A')
    >>> _split_instance("2023.A.7", "D2301-A.7", Where())
    ('2023', 'D2301', 'A', '7')
    """
    parts = peer.split(".")
    suffixes = (".".join(parts[start:]) for start in range(len(parts)))
    summarizer = next((suffix for suffix in suffixes if instance.endswith(f".{suffix}")), "")
    topic = instance.removesuffix(f".{summarizer}")
    if not summarizer or not topic or (_RELEASE_NAME.match(topic) and "." in topic):
        raise where.error(
            f"{instance!r} is not the file name of a summary; expected one like D0845-A.M.100.H.E, or an "
            "evaluation and its peer, like 1.A"
        )
    year_and_task = peer.removesuffix(summarizer).removesuffix(".")
    year_of_peer, _, task = year_and_task.rpartition(".")
    if not task or not topic.endswith(f"-{task}"):
        return year_and_task, topic, "", summarizer
    return year_of_peer, topic.removesuffix(f"-{task}"), task, summarizer


def read_aesop(path: str | Path | Source, *, year: str = "") -> pd.DataFrame:
    """Read a table of AESOP submissions, e.g. ``AESOP09_eval/data/aesop_allpeers_A``.

    Parameters
    ----------
    path : path-like
        A header line, then lines ``S<summarizer> T<n> v1 v2 ...``; ``NaN`` marks a missing score. Metrics are
        named by the header if it names every column, else by their numbers ``1``, ``2``, ...
    year : str, optional
        By default read from the names of the folders; the task is the ending ``_A`` or ``_B`` of the file's name.

    Notes
    -----
    ``T7`` is topic D0907 in 2009, D1007 in 2010, D1107 in 2011.
    """
    place = Path(str(path))
    if year not in YEARS:
        year = next(filter(None, map(tac_year_of_name, reversed(place.resolve().parts))), "")
    task = place.name[-1]
    if year not in YEARS[1:] or task not in ("A", "B"):
        raise InputError(
            f"year is {year!r} and task is {task!r}; expected 2009 to 2011, and A or B: "
            "name the file and its folder so, or pass the year",
            path=place,
        )
    return make_score_table(_rows_of_aesop(path, year, task))


def _rows_of_aesop(path: str | Path | Source, year: str, task: str) -> Iterator[tuple[Where, Rating]]:
    lines = numbered_lines(path)
    header = next(lines)[1].split()[2:]
    names: list[str] = []
    for where, line in lines:
        match = _AESOP_LINE.fullmatch(line.strip())
        if match is None:
            raise where.error(f"found {line[:40]!r}; expected S<summarizer> T<number> and scores")
        summarizer, topic, scores = match.groups()
        values = scores.split()
        if not names:
            is_named = len(header) == len({*header}) == len(values)
            names = header if is_named else [str(column) for column in range(1, len(values) + 1)]
        if len(values) != len(names):
            raise where.error(f"{len(values)} scores; expected {len(names)} as in the lines above")
        key = year, f"D{year[2:]}{int(topic):02d}", task, summarizer
        for name, value in zip(names, values, strict=True):
            yield where, (*key, name, "", read_number(value, f"metric {name}", where, may_be_text=True))
