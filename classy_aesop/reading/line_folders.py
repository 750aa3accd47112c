"""Text files whose lines belong together: an output a line, beside references and sources a line.

Every file has as many lines; the number of a line is its topic. Of a folder the ``.txt`` files are read: those called
references (``ref.txt``, ``references_2.txt``) or sources (``source.txt``, ``documents.txt``) are so; every other file
is a system, named by its file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from classy_aesop.errors import InputError
from classy_aesop.reading.byte_sources import Source
from classy_aesop.reading.column_names import words_of
from classy_aesop.reading.corpus import Corpus, make_corpus
from classy_aesop.reading.summary_tables import read_rows
from classy_aesop.reading.table_files import TableFile

SUFFIX = ".txt"

REFERENCE_WORDS = frozenset({"ref", "refs", "reference", "references", "gold", "target", "targets", "human"})
"""Words in the names of files of references."""

SOURCE_WORDS = frozenset({"src", "source", "sources", "input", "inputs", "document", "documents"})
"""Words in the names of files of what is summarized."""


def is_line_folder(folder: Path) -> bool:
    """Whether a folder holds text files of outputs, a file a system, and no other files of data."""
    if not folder.is_dir():
        return False
    names = [path.stem for path in folder.glob(f"*{SUFFIX}")]
    return any(_role_of(name) == "text" for name in names) and any(_role_of(name) != "text" for name in names)


def read_line_folder(path: str | Path | Source, *, year: str = "") -> Corpus:
    """Read a folder of texts, an output a line and a file a system, beside references or sources a line.

    Parameters
    ----------
    path : path-like
        The folder.
    year : str
        The year of its topics.

    Raises
    ------
    InputError
        If files have different numbers of lines, or there is no file of outputs.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> folder = Path(mkdtemp())
    >>> for name, text in (("alpha", "One."), ("beta", "Two."), ("ref", "Three.")):
    ...     _ = (folder / f"{name}.txt").write_text(f"{text}\\n{text}\\n")
    >>> corpus = read_line_folder(folder)
    >>> [(topic.topic, len(topic.summaries), len(topic.references)) for topic in corpus]
    [('1', 2, 1), ('2', 2, 1)]
    """
    folder = Path(str(path))
    files = sorted(folder.glob(f"*{SUFFIX}"))
    roles = {file: _role_of(file.stem) for file in files}
    by_role = {
        role: [file for file in files if roles[file] == role] for role in ("text", "reference", "document")
    }
    if not by_role["text"]:
        raise InputError("no text file of a system; expected one or more beside references", path=str(path))
    return read_line_files(
        by_role["text"], by_role["reference"], by_role["document"], year=year, path=str(path)
    )


def read_line_files(
    systems: Sequence[str | Path],
    references: Sequence[str | Path],
    documents: Sequence[str | Path] = (),
    *,
    year: str = "",
    path: str | None = None,
) -> Corpus:
    """Read text files whose lines belong together: outputs, a file a system, and references and sources beside them.

    A line without text is an output without text; ``path`` is what messages about all of them name.
    """
    lines = {str(file): list(_lines_of(file)) for file in (*systems, *references, *documents)}
    first_name, first_lines = next(iter(lines.items()))
    for name, texts in lines.items():
        if len(texts) != len(first_lines):
            raise InputError(
                f"{len(texts)} lines, and {len(first_lines)} in {Path(first_name).name}; expected equally many",
                path=name,
            )
    shared = {"reference": references, "document": documents}
    rows: list[dict[str, object]] = []
    for system in systems:
        for number, text in enumerate(lines[str(system)]):
            row: dict[str, object] = {"topic": str(number + 1), "summarizer": Path(system).stem, "text": text}
            for role, files in shared.items():
                row |= {
                    f"{role}_{position}": lines[str(file)][number] for position, file in enumerate(files, 1)
                }
            rows.append(row)
    table = read_rows(TableFile.from_memory(rows), None, year=year)
    return make_corpus(table, table.judgments, path=path or str(systems[0]))


def _lines_of(file: str | Path) -> Iterator[str]:
    for _, line in Source.from_path(file).texts():
        yield line.strip()


def _role_of(stem: str) -> str:
    words = {word.rstrip("0123456789") for word in words_of(stem)}
    return "reference" if words & REFERENCE_WORDS else "document" if words & SOURCE_WORDS else "text"
