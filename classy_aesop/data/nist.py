"""The summaries and manual scores of NIST's TAC releases of 2008 to 2011.

Four humans wrote references for each document set; each of them is judged too, and compared with the other three.
The measures are:

- ``responsiveness`` and ``readability``: 1 to 5 (1 to 10 in 2009), unchanged from the files;
- ``pyramid``: the modified pyramid score against all four references; systems only;
- ``pyramid_jackknifed``: the same against three references; for systems, the mean over leaving out each of the
  four.

The releases' own read-me files describe the layout. A line break in a summary is a sentence break.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from pathlib import Path

from classy_aesop.data.corpus import Corpus, assemble
from classy_aesop.data.nist_names import YEARS, document_set, is_human_name, summary_name, year_of_name
from classy_aesop.data.opening import Where
from classy_aesop.data.records import Record
from classy_aesop.data.releases import Release, read_release
from classy_aesop.data.score_rows import identifier, number
from classy_aesop.data.scores import Rating, between, table
from classy_aesop.errors import DataWarning, InputError, listed

PEER_2008 = {"pyramid": 3, "pyramid_jackknifed": 7, "readability": 8, "responsiveness": 9}
MODEL_2008 = {"pyramid_jackknifed": 5, "readability": 6, "responsiveness": 7}
PEER = {"pyramid": 3, "pyramid_jackknifed": 8, "readability": 9, "responsiveness": 10}
MODEL = {"pyramid_jackknifed": 6, "readability": 7, "responsiveness": 8}
"""The column of each measure in the manual files (2009 to 2011), counted from 1."""


def read_nist(path: str | Path, *, year: str | None = None) -> Corpus:
    """Read a release: its summaries, references and, where it has the folder ``manual``, its judgments.

    Parameters
    ----------
    path : path-like
        The release's folder or tar archive, which is read and never unpacked.
    year : str, optional
        ``2008`` to ``2011``; by default read from the name of the folder or archive (``UpdateSumm08_eval``).

    Raises
    ------
    InputError
        If the year is unknown, or a manual score is not a number in its range (with file and line).
    FileNotFoundError
        If ``path`` does not exist.

    Warns
    -----
    DataWarning
        If bytes are not UTF-8 (they are replaced and counted), file names do not name a summary (the files are
        left out), or a manual file is missing; and as in `Corpus.from_records`.
    """
    release = read_release(path)
    year = year or next(filter(None, map(year_of_name, release.names)), "")
    if year not in YEARS:
        raise InputError(
            f"year is {year!r}; expected 2008 to 2011: name the folder so, or pass the year", path=path
        )
    ratings = list(_ratings(release, year))
    return assemble(_records(release, year), table(ratings), path=path)


def _records(release: Release, year: str) -> list[Record]:
    records, strange = [], []
    for name, content in release.files.items():
        if name.startswith("ROUGE/"):
            key = summary_name(name.rpartition("/")[2])
            if key is None:
                strange.append(name)
            else:
                records.append(_record(release, year, name, key, content))
    if strange:
        message = f"files left out, whose names are not those of summaries: {listed(strange)}"
        warnings.warn(message, DataWarning, stacklevel=3)
    _warn_of_replaced(release)
    return records


def _record(release: Release, year: str, name: str, key: tuple[str, str, str], content: bytes) -> Record:
    lines = content.decode("utf-8-sig", errors="replace").split("\n")
    is_reference = name.startswith("ROUGE/models/")
    where = Where(release.place(name))
    return Record(
        key=(year, key[0], key[1]),
        summarizer=identifier(key[2], "the summarizer in the name of the file", where),
        text=tuple(filter(None, (line.strip() for line in lines))),
        human=is_reference or is_human_name(key[2]),
        is_reference=is_reference,
        where=where,
    )


def _warn_of_replaced(release: Release) -> None:
    counts = {name: _replaced(content) for name, content in release.files.items()}
    found = {name: count for name, count in counts.items() if count}
    if found:
        replaced = f"{sum(found.values())} bytes that are not UTF-8 replaced"
        warnings.warn(f"{replaced} in {len(found)} files: {listed(found)}", DataWarning, stacklevel=4)


def _replaced(content: bytes) -> int:
    mark = "\ufffd"
    return content.decode("utf-8", errors="replace").count(mark) - content.count(mark.encode())


# --- manual scores ---


def _manual_files(year: str) -> Iterator[tuple[str, dict[str, int]]]:
    if year == "2008":
        yield from (("manual/manual.peer", PEER_2008), ("manual/manual.model", MODEL_2008))
    else:
        for task in "AB":
            yield from ((f"manual/manual.peer.{task}", PEER), (f"manual/manual.model.{task}", MODEL))


def _ratings(release: Release, year: str) -> Iterator[tuple[Where, Rating]]:
    files = dict(_manual_files(year))
    lacking = [name for name in files if name not in release.files]
    if lacking:
        message = f"{release.path}: no {listed(lacking)}: these summaries have no judgments"
        warnings.warn(message, DataWarning, stacklevel=3)
    for name, columns in files.items():
        lines = release.files.get(name, b"").decode("utf-8", errors="replace").split("\n")
        for at, line in enumerate(lines, 1):
            if line.strip():
                yield from _ratings_of_line(line.split(), columns, year, Where(release.place(name), at))


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
        score = number(fields[position - 1], metric, where, text=True)
        low, high = _range(metric, year)
        if score < low or score > high:
            raise where.error(f"{metric} is {score:g}; expected {between(low, high)}")
        yield where, (year, *key, fields[1], metric, "", score)


def _range(metric: str, year: str) -> tuple[float, float]:
    if metric.startswith("pyramid"):
        return 0, math.inf
    return 1, 10 if year == "2009" else 5
