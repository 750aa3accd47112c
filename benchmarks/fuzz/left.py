"""What a command may leave: only what was asked for is new or changed, and nothing after an error."""

import os
from pathlib import Path

from benchmarks.fuzz.endings import value_of

OUT = "out"
"""The folder for output."""

KEPT = f"{OUT}/older/notes.txt"
"""A file of somebody else."""

ELSEWHERE = ("/dev/null.data",)
"""What a command has made in other folders."""

_PLACES = ("-o", "--output", "--sample")
State = dict[str, tuple[int, int, int]]


def state(folder: Path) -> State:
    """Give the size, the time and the mode of every file below a folder, and of what must not be elsewhere."""
    paths = {
        os.path.relpath(os.path.join(place, name), folder): os.path.join(place, name)
        for place, _, names in os.walk(folder)
        for name in names
    }
    paths |= {name: name for name in ELSEWHERE if os.path.lexists(name)}
    found = {name: os.lstat(path) for name, path in paths.items()}
    return {name: (at.st_size, at.st_mtime_ns, at.st_mode) for name, at in found.items()}


def wrong_files(words: list[str], code: int, before: State, after: State) -> str:
    """Say what was written, changed or removed that should not be, if anything."""
    touched = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    lost = next(
        (name for name in touched if name == KEPT or (name in before and _is_read(name, words))), None
    )
    if lost:
        return f"changed what was there: {lost}"
    asked = _asked(words, is_error=code != 0)
    foreign = [name for name in touched if not name.startswith(asked) or ".classy-aesop-" in name]
    if foreign:
        return f"written: {', '.join(foreign)[:200]}"
    other = [
        name
        for name in touched
        if {name} <= before.keys() & after.keys() and before[name][2] != after[name][2]
    ]
    return f"another mode: {', '.join(other)[:200]}" if other else ""


def _asked(words: list[str], *, is_error: bool) -> tuple[str, ...]:
    """Give the beginnings of the names that a command may write."""
    places = [os.path.normpath(value_of(words, flag) or OUT) for flag in _PLACES]
    places = [os.path.relpath(os.path.realpath(name)) for name in places]
    if is_error:
        return ()
    names = [os.path.splitext(name)[0] for name in places]
    return (
        *places,
        *(f"{name}-" for name in names),
    )  # pictures


def _is_read(name: str, words: list[str]) -> bool:
    """Whether a command reads a file, or writes over one that a user wrote."""
    values = [word.rpartition("=")[2] for at, word in enumerate(words) if at and _is_used(words, at)]
    paths = [os.path.normpath(value) for value in values if value]
    is_own = words[0] == "init" and "--force" not in words
    return is_own or any(name == path or name.startswith(f"{path}/") for path in paths)


def _is_used(words: list[str], at: int) -> bool:
    """Whether a word is no output, nor the corpus of an option that is given once more."""
    flag = words[at - 1]
    return flag not in _PLACES and not (flag == "--corpus" and flag in words[at:])
