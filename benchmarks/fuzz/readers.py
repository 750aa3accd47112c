"""Every reader with files that it reads: what a mutation starts from, and what must hold of what is read."""

import io
import json
import math
import random
import tarfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.fuzz.mutations import spoiled
from classy_aesop import Predictor, read_config, read_corpus, read_humans, read_scores
from classy_aesop.baselines.elements import read_conllu
from classy_aesop.formulas import Mixture
from classy_aesop.predictor.file import checksum

TESTS = Path(__file__).parents[2] / "tests"
FIXTURES, PREDICTORS = TESTS / "reading" / "fixtures", TESTS / "predictor" / "files"


@dataclass(frozen=True)
class Reader:
    """A reader: the name of a file, its content, what reads it and says whether what it gave is sound.

    ``spoil`` changes the content; ``finished`` makes a file of what was spoiled: a checksum that is right, a compressed
    archive.
    """

    file: str
    content: bytes
    read: Callable[[Path], bool]
    finished: Callable[[bytes], bytes] = bytes
    spoil: Callable[[bytes, random.Random], bytes] = spoiled


def sound_scores(path: Path) -> bool:
    """Whether a table of scores holds what it may."""
    frame = read_scores(path, year="1")
    read_humans(path, year="1")
    ids = frame[["year", "topic", "task", "summarizer", "metric"]]
    assert not frame.duplicated([*ids, *({"assessor"} & set(frame))]).any()
    "".join(ids.to_numpy().ravel()).encode()
    return bool((frame["score"].isna() | (frame["score"].abs() <= 1e100)).all())


def sound_corpus(path: Path, layout: str = "auto") -> bool:
    """Whether a corpus has topics, whose names can be written."""
    corpus = read_corpus(path, layout)
    "".join("".join(topic.key) + one.summarizer for topic in corpus for one in topic.summaries).encode()
    return bool(corpus.topics)


def sound_settings(path: Path) -> bool:
    """Whether settings of ROUGE, whose texts stand beside them, are a corpus."""
    for name, text in TEXTS_OF_SETTINGS.items():
        (path.parent / name).write_text(text)
    return sound_corpus(path, layout="rouge")


def _predictor(path: Path) -> bool:
    predictor = Predictor.load(path)
    assert Predictor.load(path) == predictor or any(map(_has_nan, predictor.training.values()))
    X = np.zeros((2, len(predictor.columns)))
    return bool(np.isfinite(predictor.formula.predict(X)).all())


def _has_nan(value: object) -> bool:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return value != value or any(map(_has_nan, parts))


def _config(path: Path) -> bool:
    json.dumps(asdict(read_config(path))).encode()
    return True


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


def checked(content: bytes) -> bytes:
    """Make the checksum of a predictor right, where there is an object."""
    try:
        body = json.loads(content)
        body.pop("checksum", None)
        return json.dumps({**body, "checksum": checksum(body)}).encode()
    except (ValueError, AttributeError, TypeError, RecursionError):
        return content


LINEAR, TREES = (Predictor.load(PREDICTORS / f"{name}.json") for name in ("linear", "trees"))
MIXTURE = replace(LINEAR, formula=Mixture(("a", "b"), (0.25, 0.75), (LINEAR.formula, TREES.formula)))


def saved(predictor: Predictor) -> bytes:
    """Give the bytes of a predictor's file."""
    return json.dumps(predictor.to_dict()).encode()


_ROW = {"instance_id": "D1-A", "summarizer_id": "1", "summarizer_type": "peer"}
SUMMARIES = [
    {
        **_ROW,
        "summary": {"text": ["One two.", "Three."]},
        "references": [{"summarizer_id": "A", "text": "One."}],
    },
    {**_ROW, "summarizer_id": "2", "summary": "One.", "documents": ["x y"], "earlier_references": {"B": "z"}},
    {"topic": "D2", "year": "1", "task": "B", "summarizer": "3", "text": ["a"], "human": True},
]
METRICS = [
    {**_ROW, "metrics": {"m": 0.5, "n": {"p": 1, "q": None}, "r": [1, 2.5]}},
    {"topic": "D1", "summarizer": "2", "metric": "m", "score": 0.25, "assessor": "x", "human": False},
    {"topic": "D1", "summarizer": "3", "m": 0.25, "n": 3},
]
_LONG = b'year\ttopic\ttask\tsummarizer\thuman\tmetric\tscore\n1\tD1\tA\t1\tfalse\tm\t0.5\n1\tD1\tA\t"B"\ttrue\tm\tNA\n'
WIDE = b"topic\tsummarizer\tassessor\tm\tn\nD1\t1\tx\t0.5\t1e-3\nD1\t2\ty\t.5\t-1\n"
_TABLE = b'doc_id,system,summary,reference,human_score\nD1,1,"One, ""two"".",One.,3\nD2,1,,"a\nb",\n'
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
_LIST = b"# a list\nx.lst.xml.1 x.lst.xml.1 x.lst.xml.2\nx.lst.xml.2 x.lst.xml.1\n"
_PARSE = b"# x\n1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_\n2\told\told\tADJ\tJJ\t_\t0\troot\t_\t_\n\n"

READERS = {
    "scores jsonl": Reader("x.jsonl", json_lines(*METRICS), sound_scores),
    "scores json": Reader("x.json", json.dumps({"rows": METRICS}).encode(), sound_scores),
    "scores tsv": Reader("x.tsv", _LONG, sound_scores),
    "scores wide": Reader("x.tsv", WIDE, sound_scores),
    "scores nist": Reader(
        "x.out", (FIXTURES / "GuidedSumm2010_eval/ROUGE/rouge_A.m.out").read_bytes()[:4000], sound_scores
    ),
    "scores aesop": Reader(
        "AESOP09_A", (FIXTURES / "AESOP09_eval/data/aesop_allpeers_A").read_bytes()[:2000], sound_scores
    ),
    "scores mt": Reader("m.seg.score", b"a\t1\na\t2\nb\t.5\nb\tNone\n", sound_scores),
    "corpus jsonl": Reader("x.jsonl", json_lines(*SUMMARIES), sound_corpus),
    "corpus json": Reader("x.json", json.dumps(SUMMARIES[:2]).encode(), sound_corpus),
    "corpus csv": Reader("x.csv", _TABLE, sound_corpus),
    "corpus nist": Reader("UpdateSumm10_eval.tar", release(), lambda path: sound_corpus(path, layout="nist")),
    "corpus rouge": Reader("x.xml", _SETTINGS, sound_settings),
    "corpus rouge list": Reader("x.lst", _LIST, sound_settings),
    "config": Reader("x.toml", _CONFIG, _config),
    "predictor": Reader("x.json", saved(LINEAR), _predictor, checked),
    "predictor trees": Reader("x.json", saved(MIXTURE), _predictor, checked),
    "predictor unchecked": Reader("x.json", checked(saved(LINEAR)), _predictor),
    "conllu": Reader("x.conllu", _PARSE, lambda path: not math.isnan(len(read_conllu(path)))),
}
