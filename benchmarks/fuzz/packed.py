"""Compressed files, archives and Parquet: damaged on their way, or whole and strange inside."""

import gzip
import io
import lzma
import random
import tarfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

import pyarrow
import pyarrow.parquet

from benchmarks.fuzz.mutations import VALUES, damaged, spoiled
from benchmarks.fuzz.readers import (
    METRICS,
    SUMMARIES,
    Reader,
    json_lines,
    release,
    sound_corpus,
    sound_scores,
)
from classy_aesop import read_corpus, read_scores
from classy_aesop.errors import DataWarning
from classy_aesop.reading.byte_sources import compress

_LONG = json_lines(*METRICS)
_TEXTS = json_lines(*SUMMARIES)


def _same(file: str, content: bytes, read: Callable[[Path], str]) -> Callable[[Path], bool]:
    """Make what says whether a damaged file gives what the whole one gives, or else another warning."""

    @cache
    def expected(folder: Path) -> tuple[str, set[str]]:
        whole = folder / "whole" / file
        whole.parent.mkdir(exist_ok=True)
        whole.write_bytes(content)
        found, warned = _with_warnings(read, whole)
        return found, {text.replace(str(whole), str(folder / file)) for text in warned}

    def is_same(path: Path) -> bool:
        found, warned = _with_warnings(read, path)
        right, usual = expected(path.parent)
        return found == right or not warned <= usual

    return is_same


def _with_warnings(read: Callable[[Path], str], path: Path) -> tuple[str, set[str]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DataWarning)
        found = read(path)
    return found, {str(one.message) for one in caught if issubclass(one.category, DataWarning)}


def scores_of(path: Path) -> str:
    """Give a table of scores as text."""
    return read_scores(path, year="1").to_json()


def _corpus(path: Path) -> str:
    corpus = read_corpus(path)
    return str(list(corpus)) + corpus.judgments.to_json()


def checksummed(file: str, content: bytes, read: Callable[[Path], str]) -> Reader:
    """Give a reader of a file that has a checksum: damage is refused, or said, or changes nothing."""
    return Reader(file, content, _same(file, content, read), spoil=damaged)


# --- Parquet ---


def parquet(rows: Sequence[Mapping[str, object]]) -> bytes:
    """Give rows as a Parquet file."""
    return _written(pyarrow.Table.from_pylist(list(rows)))


def _written(table: pyarrow.Table, **options: object) -> bytes:
    stream = io.BytesIO()
    pyarrow.parquet.write_table(table, stream, **options)
    return stream.getvalue()


def _strange(content: bytes, rng: random.Random) -> bytes:
    """Give a whole file, of which a column has another type, strange values, or another column's name."""
    table = pyarrow.parquet.read_table(io.BytesIO(content))
    at = rng.randrange(table.num_columns)
    name = rng.choice((table.column_names[at], rng.choice(table.column_names), "", "x\x1b[31m", "a\tb"))
    column = _column(table.column(at).to_pylist(), rng)
    changed = table.set_column(at, name, column) if rng.random() < 0.9 else table.append_column(name, column)
    n_rows = rng.choice((0, 1, len(table), len(table)))
    options = {
        "compression": rng.choice(("none", "snappy", "zstd", "gzip")),
        "use_dictionary": rng.random() < 0.5,
    }
    return _written(changed.slice(0, n_rows), **options)


def _column(values: list[object], rng: random.Random) -> pyarrow.Array:
    """Give a column of one type; the values as they are if they do not fit it."""
    types = (
        pyarrow.int8(), pyarrow.uint64(), pyarrow.float16(), pyarrow.float32(), pyarrow.bool_(), pyarrow.binary(),
        pyarrow.large_string(), pyarrow.date32(), pyarrow.timestamp("ns"), pyarrow.time64("us"), pyarrow.duration("s"),
        pyarrow.decimal128(38, 3), pyarrow.list_(pyarrow.string()), pyarrow.struct([("a", pyarrow.int64())]),
        pyarrow.map_(pyarrow.string(), pyarrow.int8()), pyarrow.null(),
        pyarrow.dictionary(pyarrow.int8(), pyarrow.string()),
    )  # fmt: skip
    kind = rng.choice(types)
    odd = [rng.choice((*VALUES, b"\xff", 10**20, 7)) for _ in values]
    for tried in (odd, [None if rng.random() < 0.3 else 7 for _ in values], ["7" for _ in values], values):
        try:
            return pyarrow.array(tried, kind)
        except (pyarrow.ArrowException, TypeError, ValueError, OverflowError):
            continue
    return pyarrow.nulls(len(values), kind)


_SCORE_ROWS = [
    {"topic": f"D{topic}", "summarizer": str(one), "m": topic / 3, "n": float(one)}
    for topic in range(2)
    for one in range(3)
]
_TEXT_ROWS = [
    {
        "topic": f"D{topic}",
        "system": str(one),
        "summary": "One two.",
        "reference": "One.",
        "human_score": float(one),
    }
    for topic in range(2)
    for one in range(3)
]


# --- archives ---


def _members(content: bytes, rng: random.Random) -> bytes:
    """Give a whole archive with one or two strange members."""
    packed = io.BytesIO()
    encoding = rng.choice(("utf-8", "utf-8", "latin-1"))
    with tarfile.open(fileobj=io.BytesIO(content)) as old, tarfile.open(
        fileobj=packed, mode="w", format=rng.choice((tarfile.PAX_FORMAT, tarfile.GNU_FORMAT)), encoding=encoding,
        errors="surrogateescape",
    ) as new:  # fmt: skip
        members = old.getmembers()
        chosen = set(rng.sample(range(len(members)), rng.choice((1, 1, 2))))
        for at, member in enumerate(members):
            stream = old.extractfile(member)
            data = stream.read() if stream else b""
            for _ in range(rng.choice((1, 1, 2)) if at in chosen else 1):
                one, own = _changed(member, data, rng) if at in chosen else (member, data)
                new.addfile(one, io.BytesIO(own))
    return packed.getvalue()


def _changed(member: tarfile.TarInfo, data: bytes, rng: random.Random) -> tuple[tarfile.TarInfo, bytes]:
    """Give a member another name, another kind, or spoiled content."""
    one = tarfile.TarInfo(member.name)
    folder, _, last = member.name.rpartition("/")
    what = rng.randrange(4)
    if what == 0:
        one.name = rng.choice(
            (f"/{member.name}", f"../{member.name}", f"x/{member.name}", f"{folder}/{last}\udce9", f"{folder}/é{last}",
             f"{folder}/{last}\x1b[31m", f"{folder}/a\nb", f"{folder}/{'x' * 300}", "", f"{folder}/{last.upper()}",
             last, f"{folder}/D1001-A.M.100.A.\udce9", f"{folder}/D1001-A.M.100.A.\x1b[31m"))  # fmt: skip
    elif what == 1:
        one.type = rng.choice((tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE, b"Z"))
        one.linkname = rng.choice((last, "/etc/hostname", one.name, ""))
        data = b""
    elif what == 2:
        data = spoiled(data, rng) if data else b"x"
    else:
        data = rng.choice((b"", b"\x00" * 100, data * 50, b"\xff\xfe" + data))
    one.size = len(data)
    return one, data


_RELEASE = release()

PACKED = {
    "scores parquet": Reader("x.parquet", parquet(_SCORE_ROWS), sound_scores, spoil=damaged),
    "scores parquet strange": Reader("x.parquet", parquet(_SCORE_ROWS), sound_scores, spoil=_strange),
    "corpus parquet": Reader("x.parquet", parquet(_TEXT_ROWS), sound_corpus, spoil=damaged),
    "corpus parquet strange": Reader("x.parquet", parquet(_TEXT_ROWS), sound_corpus, spoil=_strange),
    "scores gz": checksummed("x.jsonl.gz", compress(_LONG, "x.gz"), scores_of),
    "scores zst": checksummed("x.jsonl.zst", compress(_LONG, "x.zst"), scores_of),
    "corpus zst": checksummed("x.jsonl.zst", compress(_TEXTS, "x.zst"), _corpus),
    "corpus zst spoiled": Reader(
        "x.jsonl.zst", _TEXTS, sound_corpus, lambda content: compress(content, "x.zst")
    ),
    "corpus tar.gz": checksummed("UpdateSumm10_eval.tar.gz", gzip.compress(_RELEASE, mtime=0), _corpus),
    "corpus tar.xz": checksummed("UpdateSumm10_eval.tar.xz", lzma.compress(_RELEASE), _corpus),
    "corpus tar members": Reader("UpdateSumm10_eval.tar", _RELEASE, sound_corpus, spoil=_members),
}
"""Readers of files that are not text."""
