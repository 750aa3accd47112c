"""Tables of Markdown, for a pull request or a page: the answer first, then what all rows share, then the rows."""

from __future__ import annotations

import re
from typing import TextIO

from classy_aesop.report.arrangement import cell, cells_of, is_number, without_constants
from classy_aesop.report.kinds import Kind, kind_of, readable
from classy_aesop.report.latex import is_best
from classy_aesop.report.result import Result


def write_markdown(result: Result, stream: TextIO) -> None:
    """A table of Markdown in the arrangement for readers, below the sentence that it answers with; the best in bold."""
    kind = kind_of(result)
    shown, shared = without_constants(readable(result))
    best, columns = kind.best(shown), []
    for (name, values), (head, *cells) in zip(shown.items(), cells_of(shown), strict=True):
        texts = list(map(in_markdown, cells))
        if name in best:
            marks = is_best(shown, str(name))
            texts = [f"**{text}**" if mark else text for text, mark in zip(texts, marks, strict=True)]
        columns.append([in_markdown(head), "---:" if is_number(values) else "---", *texts])
    said = [] if result.gate is None else [f"**{in_markdown(result.gate[1])}**"]
    if len(result.table) and kind.sentence is not Kind.sentence:
        said.append(in_markdown(kind.sentence(result.table)))
    said.append(
        ", ".join(f"{in_markdown(name)} {in_markdown(cell(value))}" for name, value in shared.items())
    )
    rows = "\n".join(f"| {' | '.join(cells)} |" for cells in zip(*columns, strict=True))
    notes = "\n".join(f"- {in_markdown(note)}" for note in result.notes)
    signed = f"<sub>{in_markdown(result.signature)}</sub>" if result.signature else ""
    stream.write("\n\n".join(filter(None, [*said, rows, notes, signed])) + "\n")


def in_markdown(text: object) -> str:
    """Write a text so that no sign of it is one of Markdown or HTML."""
    escaped = re.sub(r"([\\`*_\[\]|~#])", r"\\\1", " ".join(str(text).split()))
    return escaped.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
