"""Finding the file of each text in a folder with one file per summary or reference, named in NIST's way.

``D0845-A.M.100.H.E`` is the text of summarizer E for document set D0845-A. A name has five parts separated by dots, of
which the first and the last are used; a suffix ``.be`` or ``.conllu`` may follow. The extra letter of 2010 and 2011
(``D1001A-B``) is ignored. Other topics keep their names, followed by the task if there is one
(``storm-A.M.100.T.7``). Files are in the folder itself or in its subfolders ``models`` and ``peers``. A human has one
file, which is both reference and summary.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from classy_aesop.data.nist import document_set
from classy_aesop.data.topics import Topic
from classy_aesop.errors import InputError, listed

SUFFIXES = (".be", ".conllu")
PARTS = ("", "models", "peers")

Name = tuple[str, str]
"""Document set and summarizer."""


def text_files(folder: str | Path, topics: Sequence[Topic]) -> dict[Name, Path]:
    """Find the file of every summary and reference; files of other document sets and summarizers are ignored.

    Parameters
    ----------
    folder : path-like
        The folder of the files; names that begin with a dot are ignored.
    topics : sequence of Topic
        The topics whose texts to find.

    Raises
    ------
    InputError
        If a text has no file or several, or a file's name is not as described (one message for all); or if two
        topics differ only by their year, which is not part of the names.
    FileNotFoundError
        If the folder does not exist.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder}: no such folder")
    named: dict[Name | None, list[Path]] = {}
    for path in _files(folder):
        named.setdefault(_name(path.name), []).append(path)
    strange = named.pop(None, [])
    wanted = list(_wanted(topics))
    _check(folder, strange, wanted, named)
    return {name: named[name][0] for name in wanted}


def set_of(topic: Topic) -> str:
    """Name a topic's document set as in file names."""
    return f"{topic.topic}-{topic.task}" if topic.task else topic.topic


def _files(folder: Path) -> Iterator[Path]:
    for part in PARTS:
        for path in sorted((folder / part).iterdir()) if (folder / part).is_dir() else ():
            if path.is_file() and not path.name.startswith("."):
                yield path


def _name(file: str) -> Name | None:
    suffix = next(filter(file.endswith, SUFFIXES), "")
    parts = file.removesuffix(suffix).split(".")
    if len(parts) != 5 or not parts[0] or not parts[4]:
        return None
    return "-".join(document_set(parts[0]) or (parts[0],)), parts[4]


def _wanted(topics: Sequence[Topic]) -> Iterable[Name]:
    sets = [set_of(topic) for topic in topics]
    again = sorted({name for name in sets if sets.count(name) > 1})
    if again:
        raise InputError(f"topics of several years have the same name ({listed(again)}); select a year")
    return dict.fromkeys(
        (name, writer) for name, topic in zip(sets, topics, strict=True) for writer in writers(topic)
    )


def writers(topic: Topic) -> Iterator[str]:
    """Give the summarizers of a topic's texts, references first."""
    yield from (reference.summarizer for reference in topic.references)
    yield from (summary.summarizer for summary in topic.summaries)


def _check(
    folder: Path, strange: Sequence[Path], wanted: Iterable[Name], named: Mapping[Name | None, Sequence[Path]]
) -> None:
    lacking = [" ".join(name) for name in wanted if name not in named]
    twice = [f"{' '.join(name)} ({listed(named[name])})" for name in wanted if len(named.get(name, ())) > 1]
    found = {
        "no file for": lacking,
        "several files for": twice,
        "names that are not those of texts:": [path.name for path in strange],
    }
    problems = [f"{what} {listed(names)}" for what, names in found.items() if names]
    if problems:
        raise InputError(
            f"{'; '.join(problems)}; expected one file per text, named like D0845-A.M.100.H.E", path=folder
        )
