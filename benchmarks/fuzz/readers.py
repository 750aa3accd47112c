"""Every reader with a file that it reads: what a mutation starts from, and what must hold of what is read."""

import io
import json
import random
import re
import tarfile
import warnings
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.parquet
from openpyxl import Workbook, load_workbook

from benchmarks.fuzz.accounts import watch_accounts
from benchmarks.fuzz.mutations import TOKENS, VALUES, corrupt_bytes, corrupt_text
from classy_aesop import Predictor, read_config, read_corpus, read_humans, read_preferences, read_scores
from classy_aesop.baselines.elements import read_conllu
from classy_aesop.errors import InputError, UsageError
from classy_aesop.predictor.file import checksum
from classy_aesop.reading.byte_sources import compress

TESTS = Path(__file__).parents[2] / "tests"
FIXTURES, PREDICTORS = TESTS / "reading" / "fixtures", TESTS / "predictor" / "files"
MAX_MESSAGE_LENGTH = 2000


@dataclass(frozen=True)
class Reader:
    """A reader: the name of a file, its content, and what reads it and says whether what it gave is sound.

    ``corrupt`` changes the content; ``finish`` makes a file of that: with a right checksum, or compressed.
    """

    file: str
    content: bytes
    read: Callable[[Path], bool]
    corrupt: Callable[[bytes, random.Random], bytes] = corrupt_text
    finish: Callable[[bytes], bytes] = bytes


def read_corrupted(name: str, seed: str, folder: Path) -> str:
    """Read one corrupted file: ``done``, ``refused``, or what is wrong with how it ended."""
    reader = READERS[name]
    path = folder / reader.file
    path.write_bytes(reader.finish(reader.corrupt(reader.content, random.Random(seed))))
    try:
        return "done" if reader.read(path) else "unsound: what was read does not hold together"
    except (InputError, UsageError, FileNotFoundError) as error:
        is_placed = isinstance(error, UsageError) or path.name in str(error)
        is_short = len(str(error)) <= MAX_MESSAGE_LENGTH
        return "refused" if is_placed and is_short else f"no place, or long: {describe_error(error)}"
    except Exception as error:
        return describe_error(error)


def describe_error(error: BaseException) -> str:
    """Give the kind of an error, the last line of this package that it passed, and its message."""
    frame, place = error.__traceback__, ""
    while frame is not None:
        file = Path(frame.tb_frame.f_code.co_filename)
        place = f"{file.name}:{frame.tb_lineno}" if "classy_aesop" in file.parts or not place else place
        frame = frame.tb_next
    return f"{type(error).__name__} at {place}: {str(error)[:120]!r}"


# --- what must hold ---


def is_sound_score_table(path: Path) -> bool:
    """Whether a table of scores holds what it may."""
    with watch_accounts() as watched:
        frame = read_scores(path, year="1")
        read_humans(path, year="1")
    problem = watched.find_problem(path, int(frame["score"].notna().sum()))
    assert not problem, problem
    ids = frame[["year", "topic", "task", "summarizer", "metric"]]
    assert not frame.duplicated([*ids, *({"assessor"} & set(frame))]).any()
    "".join(ids.to_numpy().ravel()).encode()
    return bool((frame["score"].isna() | (frame["score"].abs() <= 1e100)).all())


def is_sound_preference_table(path: Path) -> bool:
    """Whether each row of a table of preferences is one, or is left out for a reason that is said."""
    with watch_accounts() as watched:
        preferences = read_preferences(path)
    problem = watched.find_problem(path, len(preferences))
    assert not problem, problem
    return bool(set(preferences.wins) <= {0.0, 0.5, 1.0})


def is_sound_corpus(path: Path, layout: str = "auto") -> bool:
    """Whether a corpus has topics, whose names can be written."""
    for name, text in TEXTS_OF_SETTINGS.items() if layout == "rouge" else ():
        (path.parent / name).write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        corpus = read_corpus(path, layout)
    "".join(
        "".join(topic.key) + summary.summarizer for topic in corpus for summary in topic.summaries
    ).encode()
    return bool(corpus.topics)


def is_sound_predictor(path: Path) -> bool:
    """Whether a predictor predicts finite numbers."""
    predictor = Predictor.load(path)
    X = np.zeros((2, len(predictor.columns)))
    return bool(np.isfinite(predictor.formula.predict(X)).all())


def _is_sound_config(path: Path) -> bool:
    json.dumps(asdict(read_config(path))).encode()
    return True


def with_checksum(content: bytes) -> bytes:
    """Make the checksum of a predictor right, where there is an object."""
    try:
        body = json.loads(content)
        body.pop("checksum", None)
        return json.dumps({**body, "checksum": checksum(body)}).encode()
    except (ValueError, AttributeError, TypeError, RecursionError):
        return content


def _checksummed(file: str, content: bytes, read: Callable[[Path], object]) -> Reader:
    """Give a reader of a compressed file: damage is refused, or changes nothing."""

    def is_same(path: Path) -> bool:
        whole = path.with_name(f"whole-{file}")
        whole.write_bytes(compress(content, file))
        return read(path) == read(whole)

    return Reader(file, compress(content, file), is_same, corrupt_bytes)


# --- Parquet and workbooks ---


def parquet(table: pyarrow.Table) -> bytes:
    """Give a table as a Parquet file."""
    stream = io.BytesIO()
    pyarrow.parquet.write_table(table, stream)
    return stream.getvalue()


def _replace_column(content: bytes, rng: random.Random) -> bytes:
    """Give a whole Parquet file of which a column has another type, other values, or another column's name."""
    table = pyarrow.parquet.read_table(io.BytesIO(content))
    position = rng.randrange(table.num_columns)
    name = rng.choice((table.column_names[position], rng.choice(table.column_names), "", "x\x1b[31m"))
    kind = rng.choice(
        (pyarrow.int8(), pyarrow.uint64(), pyarrow.float16(), pyarrow.bool_(), pyarrow.binary(), pyarrow.date32(),
         pyarrow.duration("s"), pyarrow.decimal128(38, 3), pyarrow.list_(pyarrow.string()), pyarrow.null())
    )  # fmt: skip
    values = [rng.choice((*VALUES, None, b"\xff", 7)) for _ in range(len(table))]
    try:
        column = pyarrow.array(rng.choice((values, [7] * len(table))), kind)
    except (pyarrow.ArrowException, TypeError, ValueError, OverflowError):
        column = pyarrow.nulls(len(table), kind)
    return parquet(table.set_column(position, name, column))


def workbook(rows: Sequence[Sequence[object]]) -> bytes:
    """Write rows as a workbook."""
    book = Workbook()
    for row in rows:
        book.active.append(row)
    return _saved(book)


def _saved(book: Workbook) -> bytes:
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _change_workbook(content: bytes, rng: random.Random) -> bytes:
    """Give a workbook with odd and merged cells, or a whole archive with one corrupted part."""
    if rng.random() < 0.5:
        return _change_part(content, rng)
    book = load_workbook(io.BytesIO(content))
    sheet = book.active
    for _ in range(rng.choice((1, 1, 2, 4))):
        row, column = rng.randint(1, sheet.max_row + 1), rng.randint(1, sheet.max_column + 1)
        token = rng.choice((*TOKENS, b"=1/0", b"#DIV/0!", b"3.5*")).decode(errors="replace")
        sheet.cell(row, column).value = re.sub(r"[\x00-\x08\x0b-\x1f]", "", token)
    if rng.random() < 0.2:
        sheet.merge_cells(start_row=row, start_column=column, end_row=row + 1, end_column=column + 1)
    return _saved(book)


def _change_part(content: bytes, rng: random.Random) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(packed, "w") as new:
        names = old.namelist()
        chosen = rng.choice((*names, *[name for name in names if "sheet" in name] * 3))
        for name in names:
            part = old.read(name)
            new.writestr(name, corrupt_text(part, rng) if name == chosen else part)
    return packed.getvalue()


# --- what mutations start from ---


def json_lines(*rows: object) -> bytes:
    """Give rows as JSON lines."""
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def release() -> bytes:
    """Give a small release of NIST as an archive."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for part in ("ROUGE/models", "ROUGE/peers", "manual"):
            folder = FIXTURES / "GuidedSumm2010_eval" / part
            for file in sorted(folder.iterdir()):
                archive.add(file, f"GuidedSumm2010_eval/{part}/{file.name}")
    return packed.getvalue()


_ROW = {"instance_id": "D1-A", "summarizer_id": "1", "summarizer_type": "peer"}
_TEXTS = [
    {**_ROW, "summary": {"text": ["One two."]}, "references": [{"summarizer_id": "A", "text": "One."}]},
    {**_ROW, "summarizer_id": "2", "summary": "One.", "documents": ["x y"], "earlier_references": {"B": "z"}},
    {"topic": "D2", "year": "1", "task": "B", "summarizer": "3", "text": ["a"], "human": True},
]
_METRICS = [
    {**_ROW, "metrics": {"m": 0.5, "n": {"p": 1, "q": None}, "r": [1, 2.5]}},
    {"topic": "D1", "summarizer": "2", "metrics": {"m": 0.25}, "assessor": "x", "human": False},
    {"topic": "D1", "summarizer": "3", "metrics": {"m": 0.25, "n": 3}},
]
_PLAIN_RECORDS = [{"topic": "D1", "summarizer": str(number), "m": number / 4, "n": 3} for number in range(3)]
_LONG = b'year\ttopic\ttask\tsummarizer\thuman\tmetric\tscore\n1\tD1\tA\t1\tfalse\tm\t0.5\n1\tD1\tA\t"B"\ttrue\tm\tNA\n'
_WIDE = b"topic\tsummarizer\tassessor\tm\tn\nD1\t1\tx\t0.5\t1e-3\nD1\t2\ty\t.5\t-1\n"
_TABLE = b'doc_id,system,summary,reference,human_score\nD1,1,"One, ""two"".",One.,3\nD2,1,,"a\nb",\n'
_RATERS = [
    ("doc_id", "system", "summary", "rating_1", "rating_2"),
    *((f"D{row % 3}", f"s{row // 3}", "Zürich lag still.", row % 5 + 1, row % 4 + 0.5) for row in range(9)),
]
_VOTES = [
    ("item_id", "model_a", "model_b", "winner", "judge"),
    *(
        (f"q{row}", *(("x", "y") if row % 2 else ("y", "x")), ("A", "B", "tie", "")[row % 4], f"j{row % 3}")
        for row in range(12)
    ),
]
_NESTED = [
    {
        "id": f"q{item}",
        "outputs": [{"model": name, "scores": {"fluency": item % 5, "rel": 2}} for name in "ab"],
    }
    for item in range(5)
]
_CONFIG = b"""seed = 3
tasks = ["A"]
about = { source = "made up" }
[[years]]
name = "1"
path = "."
ranges = { responsiveness = [1.0, 5.0] }
scale = { responsiveness = "bins" }
cut = { part = 1, parts = 3 }
[[runs]]
name = "x"
target = "responsiveness"
fitter = "ridge"
calibrate = false
[search]
method = "topicwise"
names = ["r2", ["su4", "coverage"]]
scale = "none"
[features]
tokenizer = "unicode"
"""
TEXTS_OF_SETTINGS = {
    "x.lst.xml.1": "Rain fell.\nIt stopped.\n",
    "x.lst.xml.2": '<html>\n<a name="1">[1]</a> <a href="#1" id=1>It rained.</a>\n</html>\n',
}
"""Texts by their names, which have those of the settings in them, so that a message has a place."""

_SETTINGS = b"""<ROUGE_EVAL version="1.55">
<EVAL ID="t1"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT> . </MODEL-ROOT><INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT>
<PEERS><P ID="1">x.lst.xml.1</P><P ID="B">x.lst.xml.1</P></PEERS><MODELS><M ID="A">x.lst.xml.1</M></MODELS></EVAL>
<EVAL ID="t2"><INPUT-FORMAT TYPE="SEE" /><PEERS><P ID="1">x.lst.xml.2</P></PEERS>
<MODELS><M ID="A">x.lst.xml.2</M><M ID="B">x.lst.xml.2</M></MODELS></EVAL>
</ROUGE_EVAL>
"""
_PARSE = b"# x\n1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_\n2\told\told\tADJ\tJJ\t_\t0\troot\t_\t_\n\n"
_SEMICOLONS = "\r\n".join(";".join(str(cell).replace(".", ",") for cell in row) for row in _RATERS).encode()
_COLUMNS = pyarrow.Table.from_pylist([dict(zip(_RATERS[0], row, strict=True)) for row in _RATERS[1:]])
_LINEAR, _TREES = ((PREDICTORS / f"{name}.json").read_bytes() for name in ("linear", "trees"))
_NIST = (FIXTURES / "GuidedSumm2010_eval/ROUGE/rouge_A.m.out").read_bytes()[:4000]
_AESOP = (FIXTURES / "AESOP09_eval/data/aesop_allpeers_A").read_bytes()[:2000]


def _table_text(path: Path) -> str:
    return str(read_scores(path, year="1").to_json())


READERS = {
    "scores jsonl": Reader("x.jsonl", json_lines(*_METRICS), is_sound_score_table),
    "scores plain jsonl": Reader("x.jsonl", json_lines(*_PLAIN_RECORDS), is_sound_score_table),
    "scores json": Reader("x.json", json.dumps({"rows": _METRICS}).encode(), is_sound_score_table),
    "scores tsv": Reader("x.tsv", _LONG, is_sound_score_table),
    "scores wide": Reader("x.tsv", _WIDE, is_sound_score_table),
    "scores semicolons": Reader("x.csv", _SEMICOLONS, is_sound_score_table),
    "scores nist": Reader("x.out", _NIST, is_sound_score_table),
    "scores aesop": Reader("AESOP09_A", _AESOP, is_sound_score_table),
    "scores mt": Reader("m.seg.score", b"a\t1\na\t2\nb\t.5\nb\tNone\n", is_sound_score_table),
    "scores gz": _checksummed("x.jsonl.gz", json_lines(*_METRICS), _table_text),
    "scores parquet": Reader("x.parquet", parquet(_COLUMNS), is_sound_score_table, corrupt_bytes),
    "scores xlsx": Reader("x.xlsx", workbook(_RATERS), is_sound_score_table, _change_workbook),
    "scores nested": Reader("x.json", json.dumps(_NESTED).encode(), is_sound_score_table),
    "votes csv": Reader("x.csv", "\n".join(map(",".join, _VOTES)).encode(), is_sound_preference_table),
    "votes jsonl": Reader(
        "x.jsonl",
        json_lines(*(dict(zip(_VOTES[0], row, strict=True)) for row in _VOTES[1:])),
        is_sound_preference_table,
    ),
    "corpus jsonl": Reader("x.jsonl", json_lines(*_TEXTS), is_sound_corpus),
    "corpus json": Reader("x.json", json.dumps(_TEXTS[:2]).encode(), is_sound_corpus),
    "corpus csv": Reader("x.csv", _TABLE, is_sound_corpus),
    "corpus raters": Reader("x.csv", _SEMICOLONS, is_sound_corpus),
    "corpus zst": _checksummed("x.jsonl.zst", json_lines(*_TEXTS), lambda path: str(list(read_corpus(path)))),
    "corpus parquet": Reader("x.parquet", parquet(_COLUMNS), is_sound_corpus, _replace_column),
    "corpus xlsx": Reader("x.xlsx", workbook(_RATERS), is_sound_corpus, _change_workbook),
    "corpus nist": Reader("UpdateSumm10_eval.tar", release(), lambda path: is_sound_corpus(path, "nist")),
    "corpus rouge": Reader("x.xml", _SETTINGS, lambda path: is_sound_corpus(path, "rouge")),
    "config": Reader("x.toml", _CONFIG, _is_sound_config),
    "predictor": Reader("x.json", with_checksum(_LINEAR), is_sound_predictor, finish=with_checksum),
    "predictor trees": Reader("x.json", with_checksum(_TREES), is_sound_predictor, finish=with_checksum),
    "predictor unchecked": Reader("x.json", with_checksum(_LINEAR), is_sound_predictor),
    "conllu": Reader("x.conllu", _PARSE, lambda path: len(read_conllu(path)) >= 0),
}
"""Readers by the kind of their input."""
