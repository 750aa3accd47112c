"""The folder that command lines work in: right files, of which a line may get one spoiled, and a place for output."""

import json
import os
import random
import shutil
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from benchmarks.fuzz.mutations import spoiled
from benchmarks.fuzz.readers import LINEAR, MIXTURE, READERS, checked, json_lines, release, saved
from classy_aesop.cli import main
from classy_aesop.corpus.generator.years import Row, Sizes, generate, topic_labels

YEARS = ("2021", "2022")
SIZES: Sizes = {"n_topics": 3, "n_systems": 4, "n_humans": 4, "n_references": 2, "n_words": 30}
ORIGINALS, CHANGED, OUT = "files", "spoiled", "out"
_CORPORA = [f"{ORIGINALS}/{name}" for name in (*YEARS, "texts.jsonl", "x.csv", "UpdateSumm10_eval.tar")]
_SCORES = [f"{ORIGINALS}/{name}" for name in ("scores.tsv", "scores.jsonl")]
_JUDGMENTS = [f"{ORIGINALS}/2021/judgments.jsonl", f"{ORIGINALS}/ratings.tsv"]
_OUTPUTS = [f"{OUT}/new.tsv", f"{OUT}/older.tsv", f"{OUT}/new.jsonl"]

VALUES: dict[str, list[str]] = {
    "output": _OUTPUTS,
    "folder": [f"{OUT}/new"],
    "place": [f"{OUT}/new", f"{OUT}/new.jsonl"],
    "sample": [f"{OUT}/new"],
    "input": [*_CORPORA, "-"],
    "more": [f"{ORIGINALS}/texts.jsonl"],
    "inputs": [f"{ORIGINALS}/run", *_SCORES, f"{ORIGINALS}/table.json"],
    "corpora": _CORPORA[:1],
    "IN": _CORPORA,
    "CONFIG": [f"{ORIGINALS}/one.toml"],
    "predictor": [f"{ORIGINALS}/predictor.json", f"{ORIGINALS}/trees.json", "published/6-A-all_peers"],
    "predictors": [f"{ORIGINALS}/predictor.json", "published/6-A-all_peers"],
    "scores": _SCORES,
    "judgments": _JUDGMENTS,
    "ratings": _JUDGMENTS,
    "labels": [f"{ORIGINALS}/topics.tsv"],
    "years": [f"{year}={ORIGINALS}/{year}" for year in YEARS],
    "data": [f"2021={ORIGINALS}/2022"],
    "target": ["responsiveness", "pyramid"],
    "targets": ["responsiveness"],
    "metric": ["m", "n", "responsiveness"],
    "metrics": ["m", "n"],
    "names": ["r2", "classic", "r2,coverage", "all", "writing", "m"],
    "columns": ["topic=doc_id,text=summary", "text=summary"],
    "references": ["A", "B"],
    "systems": ["1", "2"],
    "humans": ["A", "B", "C"],
    "people": ["A", "B", "C"],
    "only": ["1", "2", "3", "A", "B"],
    "NAME": ["1", "A"],
    "year": ["2021"],
    "task": ["A"],
    "difference": ["0.5"],
    "D": ["0.1"],
    "MARGIN": ["0.1"],
    "A": ["0.05", "0.5"],
    "C": ["0.9", "0.5"],
    "P": ["0.8"],
    "jobs": ["1"],
    "seed": ["0", "7"],
    "seeds": ["1", "2"],
    "max_topics": ["5", "20"],
    "N": ["1", "2", "9", "20"],
}
"""What fits an option, by its name in the program or else by how its help shows it."""


@dataclass(frozen=True)
class Surroundings:
    """A folder of files, in which command lines run, and a copy of them, as some write over their input."""

    folder: Path
    kept: Path
    right: dict[str, tuple[int, int]]

    @classmethod
    def make(cls, folder: Path) -> "Surroundings":
        """Write all files, and the results of an experiment, into a folder that is there and empty."""
        kept, place = folder / "kept", folder / "here" / ORIGINALS
        kept.mkdir()
        for name, content in _contents().items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_bytes(content)
        with redirect_stdout(StringIO()):
            if main(["train", str(place / "one.toml"), "-o", str(place / "run"), "-q"]) != 0:
                raise RuntimeError("no experiment")
        shutil.copytree(place, kept / ORIGINALS)
        return cls(place.parent, kept, state(place.parent))

    def clear(self) -> None:
        """Remove what command lines wrote, and bring back what they wrote over."""
        for path in self.folder.iterdir():
            if path.is_dir() and not path.is_symlink() and path.name != ORIGINALS:
                shutil.rmtree(path)
            elif path.name != ORIGINALS:
                path.unlink()
        if state(self.folder) != self.right:
            shutil.rmtree(self.folder / ORIGINALS)
            shutil.copytree(self.kept / ORIGINALS, self.folder / ORIGINALS)
            self.right.clear()
            self.right.update(state(self.folder))

    def prepare(self, words: list[str], rng: random.Random) -> tuple[list[str], bytes]:
        """Make all files anew, and spoil in half of all cases one file of a line.

        Returns
        -------
        list of str, bytes
            The line with the names of the spoiled files, and what comes from standard input.
        """
        self.clear()
        (self.folder / OUT / "older").mkdir(parents=True)
        for name in ("older.tsv", "older/notes.txt"):
            (self.folder / OUT / name).write_text("older\n")
        piped = self._content(f"{ORIGINALS}/texts.jsonl")
        if rng.random() < 0.5:
            return words, piped
        files = {word: word.rpartition("=")[2] for word in words if f"{ORIGINALS}/" in word}
        word = rng.choice([*files, "-"])
        if word == "-":
            return words, spoiled(piped, rng)
        name = files[word]
        new = self._spoil(name, rng)
        return [one.replace(name, new) if one == word else one for one in words], piped

    def _content(self, name: str) -> bytes:
        path = self.folder / name
        return path.read_bytes() if path.is_file() else b""

    def _spoil(self, name: str, rng: random.Random) -> str:
        """Write a file, or a folder with a file, that is spoiled; give its name."""
        path, new = self.folder / name, f"{CHANGED}/{name.removeprefix(f'{ORIGINALS}/')}"
        (self.folder / new).parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            return name
        if path.is_dir():
            shutil.copytree(path, self.folder / new)
            chosen = rng.choice(sorted(one for one in path.rglob("*") if one.is_file()))
            target = self.folder / new / chosen.relative_to(path)
        else:
            chosen = path
            target = self.folder / new
        content = spoiled(chosen.read_bytes(), rng)
        target.write_bytes(checked(content) if chosen.name in _CHECKED else content)
        return new


def state(folder: Path) -> dict[str, tuple[int, int]]:
    """Give the size and the time of every file below a folder."""
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            at = os.stat(path)
            found[os.path.relpath(path, folder)] = at.st_size, at.st_mtime_ns
    return found


_CHECKED = ("predictor.json", "trees.json")
_CONFIG = """seed = 3
[[years]]
name = "2021"
path = "2021"
[[years]]
name = "2022"
path = "2022"
[search]
method = "classy2011"
names = ["r2", "coverage", "redundancy1"]
[[runs]]
name = "6"
target = "responsiveness"
fitter = "nonnegative"
tasks = ["A"]
peers = ["all_peers"]
"""


def _contents() -> dict[str, bytes]:
    """Give all files by name."""
    contents = {
        "one.toml": _CONFIG.encode(),
        "x.csv": READERS["corpus csv"].content,
        "UpdateSumm10_eval.tar": release(),
        "predictor.json": checked(saved(LINEAR)),
        "trees.json": checked(saved(MIXTURE)),
        "topics.tsv": _tsv(topic_labels(3, year=YEARS[0], n_topics=SIZES["n_topics"])),
    }
    for year in YEARS:
        made = generate(3, year=year, **SIZES)
        contents[f"{year}/summaries.jsonl"] = json_lines(*made.summaries)
        contents[f"{year}/judgments.jsonl"] = json_lines(*made.judgments)
        if year == YEARS[0]:
            contents |= {"texts.jsonl": json_lines(*made.summaries)} | _tables(made.summaries)
    return contents


def _tables(summaries: list[Row]) -> dict[str, bytes]:
    """Make up scores and ratings of summaries: two metrics, and two assessors."""
    rng = random.Random(1)
    scores, ratings = [], []
    for one in summaries:
        topic, _, task = one["instance_id"].rpartition("-")
        key = {"year": one["year"], "topic": topic, "task": task, "summarizer": one["summarizer_id"]}
        scores += [{**key, "metric": metric, "score": rng.randrange(100) / 100} for metric in "mn"]
        ratings += [
            {**key, "metric": "responsiveness", "score": rng.randint(1, 5), "assessor": name} for name in "PQ"
        ]
    return {
        "scores.tsv": _tsv(scores),
        "scores.jsonl": json_lines(*scores),
        "ratings.tsv": _tsv(ratings),
        "table.json": json.dumps(scores[:9]).encode(),
    }


def _tsv(rows: list[Row]) -> bytes:
    lines = ["\t".join(rows[0]), *("\t".join(map(str, row.values())) for row in rows)]
    return "".join(f"{line}\n" for line in lines).encode()
