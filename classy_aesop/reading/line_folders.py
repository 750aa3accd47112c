"""Text files whose lines belong together: an output a line, beside references and sources a line.

Every file has as many lines; the number of a line is its topic. Of a folder the ``.txt`` files are read: those called
references (``ref.txt``, ``references_2.txt``) or sources (``source.txt``, ``documents.txt``) are so; every other file
is a system, named by its file.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from classy_aesop.data.where import Where
from classy_aesop.errors import InputError
from classy_aesop.reading.byte_sources import Source
from classy_aesop.reading.column_names import words_of
from classy_aesop.reading.corpus import Corpus, assemble_corpus
from classy_aesop.reading.summary_rows import parse_row

SUFFIX = ".txt"

REFERENCE_WORDS = frozenset({"ref", "refs", "reference", "references", "gold", "target", "targets", "human"})
"""Words in the names of files of references."""

SOURCE_WORDS = frozenset({"src", "source", "sources", "input", "inputs", "document", "documents"})
"""Words in the names of files of what is summarized."""


def is_line_folder(folder: Path) -> bool:
    """Whether a folder holds text files of outputs, a file a system, and no other files of data."""
    roles = {_role_of(path.stem) for path in folder.glob(f"*{SUFFIX}")}
    return "text" in roles and len(roles) > 1


def read_line_folder(path: str | Path | Source) -> Corpus:
    """Read a folder of texts, an output a line and a file a system, beside references or sources a line.

    Parameters
    ----------
    path : path-like
        The folder.

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
    files_of_role: dict[str, list[Path]] = {"text": [], "reference": [], "document": []}
    for file in sorted(Path(str(path)).glob(f"*{SUFFIX}")):
        files_of_role[_role_of(file.stem)].append(file)
    if not files_of_role["text"]:
        raise InputError("no text file of a system; expected one or more beside references", path=str(path))
    return read_line_files(*files_of_role.values(), path=str(path))


def read_line_files(
    systems: Sequence[str | Path],
    references: Sequence[str | Path],
    documents: Sequence[str | Path] = (),
    *,
    path: str | None = None,
) -> Corpus:
    """Read text files whose lines belong together: outputs, a file a system, and references and sources beside them.

    A line without text is an output without text; ``path`` is what messages about all of them name.
    """
    lines = {
        file: [line.strip() for _, line in Source.from_path(file).texts()]
        for file in (*systems, *references, *documents)
    }
    first_file, first_lines = next(iter(lines.items()))
    for file, texts in lines.items():
        if len(texts) != len(first_lines):
            message = f"{len(texts)} lines, and {len(first_lines)} in {Path(first_file).name}; expected equally many"
            raise InputError(message, path=str(file))
    records = (
        parse_row(
            {
                "topic": str(number + 1),
                "summarizer": Path(system).stem,
                "text": text,
                "references": {
                    f"reference_{position}": lines[file][number]
                    for position, file in enumerate(references, 1)
                    if lines[file][number]
                },
                "documents": [*filter(None, (lines[file][number] for file in documents))] or None,
            },
            Where(str(system), number + 1),
        )
        for system in systems
        for number, text in enumerate(lines[system])
    )
    return assemble_corpus(records, path=path or str(systems[0]))


def _role_of(stem: str) -> str:
    words = {word.rstrip("0123456789") for word in words_of(stem)}
    return "reference" if words & REFERENCE_WORDS else "document" if words & SOURCE_WORDS else "text"
