"""The folder that command lines work in: right files, of which a line may get one spoiled, and a place for output."""

import json
import random
import shutil
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from benchmarks.fuzz.left import ELSEWHERE, KEPT, OUT, State, state
from benchmarks.fuzz.mutations import damaged, spoiled
from benchmarks.fuzz.odd_names import with_odd_names
from benchmarks.fuzz.packed import PACKED, parquet
from benchmarks.fuzz.readers import LINEAR, MIXTURE, READERS, checked, json_lines, release, saved
from benchmarks.fuzz.sheets import SHEETS, semicolons, workbook
from benchmarks.made_up.years import Row, Sizes, generate, topic_labels
from classy_aesop.cli import main
from classy_aesop.reading.byte_sources import compress

YEARS = ("2021", "2022")
SIZES: Sizes = {"n_topics": 3, "n_systems": 4, "n_humans": 4, "n_references": 2, "n_words": 30}
ORIGINALS, CHANGED = "files", "spoiled"
ODD = "fi\x1b[31mles"
"""The same files, in a folder with an odd name, and with odd names in them."""

_CORPORA = [
    f"{ORIGINALS}/{name}"
    for name in (
        *YEARS,
        "texts.jsonl",
        "texts.jsonl.zst",
        "x.csv",
        "x.parquet",
        "raters.csv",
        "raters.xlsx",
        "UpdateSumm10_eval.tar",
    )
]
_SCORES = [
    f"{ORIGINALS}/{name}"
    for name in ("scores.tsv", "scores.jsonl", "scores.parquet", "semicolons.csv", "scores.xlsx")
]
_REPORTED = [
    f"{ORIGINALS}/tables/{name}"
    for name in ("evaluate.tsv", "clusters.json", "explained.jsonl", "evaluated.xlsx")
]
_JUDGMENTS = [f"{ORIGINALS}/2021/judgments.jsonl", f"{ORIGINALS}/ratings.tsv"]
_OUTPUTS = [
    f"{OUT}/{name}"
    for name in (
        "new.tsv",
        "older.tsv",
        "new.jsonl",
        "new.parquet",
        "new.tsv.zst",
        "new.csv",
        "new.xlsx",
        "new.json",
    )
]

VALUES: dict[str, list[str]] = {
    "output": _OUTPUTS,
    "figure": [f"{OUT}/{name}" for name in ("new.pdf", "new.svg", "new.png")],
    "encoding": ["cp1252", "utf-16", "latin-1"],
    "folder": [f"{OUT}/new"],
    "place": [f"{OUT}/new", f"{OUT}/new.jsonl"],
    "page": [f"{OUT}/new.html"],
    "experiment": [f"{ORIGINALS}/one.toml", f"{ORIGINALS}/2021"],
    "sample": [f"{OUT}/new"],
    "input": [*_CORPORA, "-"],
    "more": [f"{ORIGINALS}/texts.jsonl"],
    "inputs": [f"{ORIGINALS}/run", *_SCORES, f"{ORIGINALS}/table.json", *_REPORTED],
    "corpora": _CORPORA[:1],
    "IN": _CORPORA,
    "CONFIG": [f"{ORIGINALS}/one.toml"],
    "predictor": [f"{ORIGINALS}/predictor.json", f"{ORIGINALS}/trees.json", "published/6-A-all_peers"],
    "predictors": [f"{ORIGINALS}/predictor.json", "published/6-A-all_peers"],
    "scores": _SCORES,
    "table": [*_SCORES, _JUDGMENTS[0]],
    "judgments": _JUDGMENTS,
    "marked": [f"{ORIGINALS}/marked.tsv"],
    "units": [f"{ORIGINALS}/units.tsv"],
    "ratings": _JUDGMENTS,
    "labels": [f"{ORIGINALS}/topics.tsv"],
    "years": [f"{year}={ORIGINALS}/{year}" for year in YEARS],
    "target": ["responsiveness", "pyramid"],
    "targets": ["responsiveness"],
    "metric": ["m", "n", "responsiveness"],
    "metrics": ["m", "n"],
    "names": ["r2", "classic", "r2,coverage", "all", "writing", "m"],
    "columns": ["topic=doc_id,text=summary", "text=summary", "ratings=rating_*", "scores=m"],
    "references": ["A", "B"],
    "systems": ["1", "2"],
    "humans": ["A", "B", "C"],
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
    "n_jobs": ["1"],
    "shares": ["0.5", "1"],
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
    right: State

    @classmethod
    def make(cls, folder: Path) -> "Surroundings":
        """Write all files, and the results of an experiment, into a folder that is there and empty."""
        kept, place = folder / "kept", folder / "here"
        for name, content in _contents().items():
            for path, own in (
                (place / ORIGINALS / name, content),
                (place / ODD / name, with_odd_names(name, content)),
            ):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(own)
        for files in (ORIGINALS, ODD):
            _run("train", place / files / "one.toml", "-o", place / files / "run")
            _make_tables(place / files)
        shutil.copytree(place, kept)
        return cls(place, kept, state(place))

    def clear(self) -> None:
        """Remove what command lines wrote, and bring back what they wrote over."""
        for path in (*self.folder.iterdir(), *filter(Path.exists, map(Path, ELSEWHERE))):
            if path.is_dir() and not path.is_symlink() and path.name not in (ORIGINALS, ODD):
                shutil.rmtree(path)
            elif path.name not in (ORIGINALS, ODD):
                path.unlink()
        if state(self.folder) != self.right:
            for name in (ORIGINALS, ODD):
                shutil.rmtree(self.folder / name)
                shutil.copytree(self.kept / name, self.folder / name)
            self.right.clear()
            self.right.update(state(self.folder))

    def prepare(self, words: list[str], rng: random.Random) -> tuple[list[str], bytes]:
        """Make all files anew, and make in two of three lines one of them, or where the output goes, hostile.

        Returns
        -------
        list of str, bytes
            The line with the names of other files, and what comes from standard input.
        """
        self.begin()
        piped = self._content(f"{ORIGINALS}/texts.jsonl")
        how = rng.random()
        if how < 0.35:
            return words, piped
        if how < 0.45:
            return [word.replace(f"{ORIGINALS}/", f"{ODD}/") for word in words], self._content(
                f"{ODD}/texts.jsonl"
            )
        files = {word: word.rpartition("=")[2] for word in words if f"{ORIGINALS}/" in word}
        if how < 0.55:
            return self._over_input(words, list(files.values()), rng), piped
        word = rng.choice([*files, "-"])
        if word == "-":
            return words, spoiled(piped, rng)
        name = files[word]
        new = self.spoil(name, rng)
        return [one.replace(name, new) if one == word else one for one in words], piped

    def begin(self) -> None:
        """Make all files anew, and those of an older output."""
        self.clear()
        (self.folder / KEPT).parent.mkdir(parents=True)
        for name in (f"{OUT}/older.tsv", KEPT):
            (self.folder / name).write_text("older\n")
            (self.folder / name).chmod(0o600)

    def _over_input(self, words: list[str], names: list[str], rng: random.Random) -> list[str]:
        """Lead the output to a file that is read, by its name or by a link."""
        at = next((at for at, word in enumerate(words) if word in ("-o", "--output")), len(words))
        files = [name for name in names if (self.folder / name).is_file()]
        if not files:
            return words
        name, link = rng.choice(files), self.folder / OUT / "link.tsv"
        if rng.random() < 0.5:
            link.symlink_to(self.folder / name)
            name = f"{OUT}/link.tsv"
        return [*words[:at], "-o", name, *words[at + 2 :]]

    def _content(self, name: str) -> bytes:
        path = self.folder / name
        return path.read_bytes() if path.is_file() else b""

    def spoil(self, name: str, rng: random.Random) -> str:
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
        spoil = damaged if chosen.suffix in (".parquet", ".zst", ".gz", ".xlsx") else spoiled
        content = spoil(chosen.read_bytes(), rng)
        is_checked = chosen.name in _CHECKED or chosen.parent.name == "predictors"
        target.write_bytes(checked(content) if is_checked and rng.random() < 0.9 else content)
        return new


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


_TABLES = {
    "evaluate.tsv": "evaluate scores.tsv 2021/judgments.jsonl --target responsiveness",
    "compare.tsv": "compare 2021/judgments.jsonl --metric responsiveness --pairs",
    "clusters.json": "compare 2021/judgments.jsonl --metric responsiveness",
    "metrics.tsv": "compare-metrics scores.tsv 2021/judgments.jsonl --target responsiveness --n-resamples 20",
    "agreement.tsv": "agreement scores.tsv 2021/judgments.jsonl --target responsiveness",
    "assessors.tsv": "assessors ratings.tsv",
    "explained.jsonl": "predict predictor.json texts.jsonl --explain",
    "predicted.parquet": "predict predictor.json texts.jsonl",
    "evaluated.xlsx": "evaluate scores.tsv 2021/judgments.jsonl --target responsiveness",
    "features.tsv.zst": "features texts.jsonl --names r2,coverage",
}
"""Tables that commands write, which others read."""


def _make_tables(folder: Path) -> None:
    (folder / "tables").mkdir()
    with chdir(folder):
        for name, command in _TABLES.items():
            format = name.split(".")[1]
            _run(*command.split(), "-f", format, "-o", f"tables/{name}")


def _run(*words: object) -> None:
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()) as said:
        if main([*map(str, words), "-q"]) != 0:
            raise RuntimeError(said.getvalue())


def _contents() -> dict[str, bytes]:
    """Give all files by name."""
    contents = {
        "one.toml": _CONFIG.encode(),
        "x.csv": READERS["corpus csv"].content,
        "x.parquet": PACKED["corpus parquet"].content,
        "raters.csv": SHEETS["corpus raters"].content,
        "raters.xlsx": SHEETS["corpus xlsx strange"].content,
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
            texts = json_lines(*made.summaries)
            contents |= _parts(made.summaries)
            contents |= {"texts.jsonl": texts, "texts.jsonl.zst": compress(texts, "x.zst")} | _tables(
                made.summaries
            )
    return contents


def _parts(summaries: list[Row]) -> dict[str, bytes]:
    """Give a file for each topic."""
    parts: dict[str, list[Row]] = {}
    for one in summaries:
        parts.setdefault(one["instance_id"].rpartition("-")[0], []).append(one)
    return {f"part{at}.jsonl": json_lines(*rows) for at, rows in enumerate(parts.values())}


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
        "scores.parquet": parquet(scores),
        "semicolons.csv": semicolons([list(scores[0]), *(list(row.values()) for row in scores)]),
        "scores.xlsx": workbook([list(scores[0]), *(list(row.values()) for row in scores)]),
        "ratings.tsv": _tsv(ratings),
        "table.json": json.dumps(scores[:9]).encode(),
    }


def _tsv(rows: list[Row]) -> bytes:
    lines = ["\t".join(rows[0]), *("\t".join(map(str, row.values())) for row in rows)]
    return "".join(f"{line}\n" for line in lines).encode()
