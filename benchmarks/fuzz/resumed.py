"""Work with --resume that finds files beside the output: its own, damaged or tampered with, or somebody else's.

It must end with the bytes of a run without interruption, or be refused and change nothing.
"""

import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from unittest import mock

from benchmarks.fuzz.commands import in_process, judged
from benchmarks.fuzz.left import OUT
from benchmarks.fuzz.mutations import VALUES, damaged, spoiled
from benchmarks.fuzz.surroundings import ORIGINALS, Surroundings
from classy_aesop.work.unfinished import Unfinished

N_PARTS = 3
_INPUTS = [f"{ORIGINALS}/part{at}.jsonl" for at in range(N_PARTS)]
_COMMANDS = (
    ["features", *_INPUTS, "--names", "r2,coverage"],
    ["predict", f"{ORIGINALS}/predictor.json", *_INPUTS],
    ["baselines", *_INPUTS, "-m", "rouge"],
)
_ENDINGS = ("tsv", "jsonl", "parquet", "tsv.gz", "tsv.zst")
_COPY = b"my only copy\n"
_made: dict[tuple[Path, str, int], tuple[bytes, bytes]] = {}


def resumed(seed: str, place: Surroundings) -> str:
    """Continue work whose files are not as they were left."""
    rng = random.Random(f"resume {seed}")
    ending, n_parts = rng.choice(_ENDINGS), rng.randrange(1, N_PARTS)
    output = f"{OUT}/new.{ending}"
    words = [*rng.choice(_COMMANDS), "-f", ending.split(".")[0], "--resume", "-q", "-o", output]
    place.clear()
    whole, partial = _expected(words, n_parts, output, place)
    place.begin()
    Path(f"{output}.partial").write_bytes(partial)
    if rng.random() < 0.3:
        Path(output).write_bytes(_COPY)
        Path(output).chmod(0o640)
    foreign = rng.choice(_CHANGES)(Path(f"{output}.partial"), rng)
    before = _contents()
    ended, wrong = judged(words, b"", place)
    if wrong or ended is None:
        return wrong
    if ended.code:
        return "refused" if _contents() == before else "refused, but files were changed"
    if Path(output).read_bytes() != whole:
        return "other bytes than without interruption"
    lost = [name for name in foreign if _content(name) != before.get(str(name))]
    if lost:
        return f"changed what another wrote: {lost[0].name}"
    left = [name for name in Path(OUT).glob("new.*.partial*") if name not in foreign]
    return f"left over: {left[0].name}" if left else "done"


def _expected(words: list[str], n_parts: int, output: str, place: Surroundings) -> tuple[bytes, bytes]:
    """Give the whole output, and the parts of a run that was interrupted after some; each made once."""
    key = place.folder, " ".join(words), n_parts
    if key not in _made:
        Path(OUT).mkdir()
        if in_process(words, b"").code != 0:
            raise RuntimeError(f"not done: {words}")
        whole = Path(output).read_bytes()
        with mock.patch.object(Unfinished, "write", _interrupting(Unfinished.write, n_parts)):
            in_process(words, b"")
        _made[key] = whole, Path(f"{output}.partial").read_bytes()
    return _made[key]


def _interrupting(write: Callable[..., None], n_parts: int) -> Callable[..., None]:
    """Make what writes some parts and is then interrupted."""

    def interrupted(file: Unfinished, *args: object) -> None:
        if file.n_parts == n_parts:
            raise KeyboardInterrupt
        write(file, *args)

    return interrupted


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _contents() -> dict[str, bytes | str]:
    """Give what is in the folder for output: the bytes of files, and where links lead."""
    paths = [path for path in Path(OUT).rglob("*") if not path.is_dir() or path.is_symlink()]
    return {
        str(path): os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else ""
        for path in paths
    }


# --- what may be found ---

Change = Callable[[Path, random.Random], list[Path]]
"""Changes the file of the parts; gives the files that are now somebody else's."""


def _as_it_was(partial: Path, rng: random.Random) -> list[Path]:
    return []


def _torn(partial: Path, rng: random.Random) -> list[Path]:
    """Put bytes behind the parts, as a killed process leaves them; or cut some off."""
    content = partial.read_bytes()
    partial.write_bytes(
        content + rng.randbytes(9) if rng.random() < 0.5 else content[: rng.randrange(len(content))]
    )
    return []


def _damaged(partial: Path, rng: random.Random) -> list[Path]:
    partial.write_bytes(damaged(partial.read_bytes(), rng))
    return []


def _spoiled(partial: Path, rng: random.Random) -> list[Path]:
    partial.write_bytes(spoiled(partial.read_bytes(), rng))
    return []


def _tampered(partial: Path, rng: random.Random) -> list[Path]:
    """Change one value of a line, most often a count, or which parts there are."""
    lines = _lines(partial.read_bytes())
    at = rng.randrange(len(lines))
    if rng.random() < 0.3:
        lines = rng.choice((lines[:at] + lines[at + 1 :], lines[: at + 1] + lines[at:], lines[::-1]))
    else:
        line, data = lines[at]
        found = json.loads(line)
        name = rng.choice(list(found))
        value = found[name]
        near = (
            [value + 1, value - 1, -value, float(value), str(value), [value]]
            if isinstance(value, int)
            else [""]
        )
        found[name] = rng.choice([*near, *near, rng.choice(VALUES)])
        lines[at] = json.dumps(found, separators=(",", ":")).encode() + b"\n", data
    partial.write_bytes(b"".join(line + data for line, data in lines))
    return []


def _lines(content: bytes) -> list[tuple[bytes, bytes]]:
    """Give the lines of a file of parts, each with its part."""
    found = []
    while content:
        line, _, content = content.partition(b"\n")
        size = json.loads(line).get("n_bytes", 0)
        found.append((line + b"\n", content[:size]))
        content = content[size:]
    return found


def _foreign(partial: Path, rng: random.Random) -> list[Path]:
    """Put somebody's own file there."""
    partial.write_bytes(rng.choice((_COPY, _COPY * 999)))
    return [partial]


def _link(partial: Path, rng: random.Random) -> list[Path]:
    """Lead the name to somebody's file, which may hold the parts, or to none."""
    target = Path(OUT, "mine").absolute()
    content = rng.choice((None, _COPY, _COPY, partial.read_bytes()))
    if content is not None:
        target.write_bytes(content)
    partial.unlink()
    if content == _COPY and rng.random() < 0.3:
        partial.hardlink_to(target)
    else:
        partial.symlink_to(target)
    return [target]


def _no_file(partial: Path, rng: random.Random) -> list[Path]:
    """Put a folder or a pipe there, or nothing."""
    partial.unlink()
    rng.choice((os.mkdir, os.mkfifo, lambda _: None))(partial)
    return []


_CHANGES: tuple[Change, ...] = (
    _as_it_was, _torn, _damaged, _damaged, _spoiled, _tampered, _tampered, _foreign, _link, _no_file,
)  # fmt: skip
