"""Reading a corpus in any layout: the table of readers, and how a path's layout is recognized."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from classy_aesop.errors import InputError, UsageError, join_names
from classy_aesop.keywords import explain_keywords
from classy_aesop.outside import load_outside
from classy_aesop.reading.byte_sources import Source
from classy_aesop.reading.corpus import Corpus, corpus_of_table
from classy_aesop.reading.file_columns import columns_by_role
from classy_aesop.reading.jsonl import read_jsonl, summaries_in
from classy_aesop.reading.line_folders import is_line_folder, read_line_folder
from classy_aesop.reading.nist import is_release, read_nist
from classy_aesop.reading.rouge_settings import is_rouge_settings, read_rouge_settings
from classy_aesop.reading.summary_rows import is_row, json_lines
from classy_aesop.reading.table_files import SUFFIXES, form_of, read_table_file
from classy_aesop.reading.workbook_checks import refuse_other_spreadsheet
from classy_aesop.work.options import Fields, GivenColumns

_LOG = logging.getLogger(__name__)


def read_corpus_table(path: str | Path | Source, *, columns: Fields | None = None) -> Corpus:
    """Read a file of a table, one row a summary.

    Parameters
    ----------
    path, columns
        As for `read_corpus`, which names the errors too.
    """
    return corpus_of_table(read_table_file(Source.from_path(path)), columns)


READERS: dict[str, Callable[..., Corpus]] = {
    "jsonl": read_jsonl,
    "nist": read_nist,
    "table": read_corpus_table,
    "lines": read_line_folder,
    "rouge": read_rouge_settings,
}
"""The readers by layout; each takes a path, that of NIST the ``year``, that of tables ``columns``."""


@explain_keywords()
def read_corpus(
    path: str | Path | Source,
    layout: str = "auto",
    *,
    year: str | None = None,
    columns: GivenColumns | None = None,
    encoding: str | None = None,
) -> Corpus:
    """Read a corpus from a folder, a file of summaries, a table, or an archive.

    Parameters
    ----------
    path : path-like
        The folder, file or archive; ``-`` is standard input. A pipe is read once.
    layout : str
        A key of `READERS`, or ``auto``: a folder or tar archive with ``ROUGE/peers`` is ``nist``; a folder
        with ``summaries.jsonl`` is ``jsonl``, and so is a file of JSON lines (also compressed) with the fields of that
        format; other JSON, CSV, TSV, Excel and Parquet are a ``table``; a folder of text files, an output a line and a
        file a system, is ``lines``; a settings file of ROUGE-1.5.5 is ``rouge``.
    year : str, optional
        The year of a corpus without years; for ``nist`` the year of the release, if its name does not contain it.
    columns : mapping, optional
        What the columns of a table are, where their names do not say so, e.g. ``{"topic": "story"}``; see
        `Corpus.from_rows`.
    encoding : str, optional
        The encoding of a table of text that is not in UTF-8, such as ``cp1252``.

    Raises
    ------
    InputError
        If something in a file is wrong, or the layout is unknown.
    UsageError
        If ``columns`` does not fit the table.
    FileNotFoundError
        If ``path`` does not exist.

    Examples
    --------
    >>> read_corpus("data_samples/2021")
    Corpus(2021: 24 topics, 384 summaries by 20 summarizers, judged: pyramid, readability, responsiveness)
    """
    columns = columns_by_role(columns)
    source = Source.from_path(path).select_encoding(encoding)
    load_outside("readers")
    name = recognize_layout(source, is_table=bool(columns)) if layout == "auto" else layout
    if name not in READERS:
        raise UsageError(f"unknown layout {name!r}; expected auto or one of {join_names(READERS)}")
    if name != "table" and (columns or source.sheet is not None or source.encoding is not None):
        message = f"--columns, --sheet and --encoding are for tables; found a corpus of layout {name}"
        raise UsageError(f"{source}: {message}")
    if name == "nist" and source.content is not None:
        raise InputError("a release of NIST is a folder or an archive; found a pipe", path=source.name)
    options: dict[str, object] = {"columns": columns} if columns else {}
    options |= {"year": year} if name == "nist" else {}
    corpus = READERS[name](source.path if name in ("nist", "lines") else source, **options)
    if not isinstance(corpus, Corpus):
        raise TypeError(f"the reader of layout {name} gives {type(corpus).__name__}; expected a Corpus")
    if year and not any(corpus.years):
        corpus = corpus.assign_year(year)
    _LOG.info("read %s (layout %s): %r", source, name, corpus)
    return corpus


def recognize_layout(source: Source, *, is_table: bool = False) -> str:
    """Find the layout of a source; with ``is_table`` a file of JSON lines is a table, whatever its fields."""
    if source.content is None and source.path.is_dir():
        return _recognize_folder(source.path)
    is_of_table = source.content is not None or source.suffix in SUFFIXES
    if not is_of_table and is_release(source.path):
        return "nist"
    if is_table:
        return "table"
    if is_rouge_settings(source):
        return "rouge"
    if is_of_table and (form := form_of(source)) not in ("jsonl", "json"):
        return "table"
    if is_of_table:
        try:  # with our fields, or it seems meant so: its reader has the best error message
            return "jsonl" if is_row(next(json_lines(source), (None, {}))[1]) else "table"
        except InputError:
            return "table" if form == "json" or source.start().startswith(b"[") else "jsonl"
    refuse_other_spreadsheet(source.start(), source.name)
    raise InputError(
        "neither a table nor JSON lines nor a TAC release (ROUGE/peers) found; "
        f"expected a name that ends with {', '.join(SUFFIXES)}, or --layout table",
        path=source.name,
    )


def _recognize_folder(folder: Path) -> str:
    """Find the layout of a folder."""
    if summaries_in(folder):
        return "jsonl"
    if is_release(folder):
        return "nist"
    if is_line_folder(folder):
        return "lines"
    names = join_names(sorted(path.name for path in folder.iterdir())) or "no files"
    expected = "expected a file, or a folder of summaries.jsonl or of a TAC release (ROUGE/peers)"
    advice = "validate prints the commands for tables with the same columns; join others into one table"
    raise InputError(f"a folder of {names}; {expected}; {advice}", path=folder)
