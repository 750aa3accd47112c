"""The page of layouts and formats, from the readers and writers."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from classy_aesop.data.cells import MISSING
from classy_aesop.data.scores import MEANING_OF_COLUMN as SCORES_HOLD
from classy_aesop.formulas import FORMULAS
from classy_aesop.pages.formats import TABLE_FORMATS
from classy_aesop.predictor.base import Predictor
from classy_aesop.predictor.calibration import Calibration
from classy_aesop.predictor.file import FORMAT, FORMAT_VERSION
from classy_aesop.predictor.table_checks import TrainingRange
from classy_aesop.reading import READERS as LAYOUTS
from classy_aesop.reading import column_names, summary_rows
from classy_aesop.reading.score_files import SCORE_READERS as SCORE_FORMATS
from docs.reference.markdown import code, codes, described, first_line, paragraphs, plain, table

_HEAD = """# Files

What is in the files that are read and written. [Using classy_aesop](usage.md#a-corpus) says more about each, with
examples. Text is UTF-8; text files may end in `.gz`."""


def files_page() -> str:
    """Write the page."""
    sections = {
        "Layouts of a corpus": _documented(LAYOUTS),
        "A row of JSON lines": _holds(summary_rows.MEANING_OF_FIELD),
        "Columns of a table": _roles(),
        "Columns of a score table": _scores(),
        "Formats of scores": _documented(SCORE_FORMATS),
        "Formats of output": table(
            ["name", "is"], [[code(k), first_line(one.write)] for k, one in TABLE_FORMATS.items()]
        ),
        "The file of a predictor": _predictor(),
    }
    return "\n\n".join([_HEAD, *(f"## {title}\n\n{text}" for title, text in sections.items())]) + "\n"


def _documented(readers: Mapping[str, object]) -> str:
    return table(["name", "is"], [[code(name), paragraphs(reader)] for name, reader in readers.items()])


def _holds(meanings: Mapping[str, str]) -> str:
    return table(["name", "holds"], [[code(name), plain(meaning)] for name, meaning in meanings.items()])


def _roles() -> str:
    """List the roles of columns, with their common names."""
    rows = [
        [
            code(role),
            codes((*names, *column_names.FURTHER_NAMES.get(role, ()))),
            plain(column_names.MEANING_OF_ROLE[role]),
        ]
        for role, names in column_names.ROLES.items()
    ]
    text = (
        "In CSV, TSV, JSON, Parquet and DataFrames, in upper or lower case. Other names are told by `--columns` or "
        f"`columns`: [any table](usage.md#any-table). Several columns may be {codes(column_names.SEVERAL)}."
    )
    return f"{text}\n\n{table(['role', 'common names', 'holds'], rows)}"


def _scores() -> str:
    spellings = codes(sorted(MISSING - {""}))
    text = f"A missing number is empty or, in upper or lower case, one of {spellings}; in JSON it is `null`."
    return f"{text}\n\n{_holds(SCORES_HOLD)}"


def _predictor() -> str:
    """Describe the file that is written, part by part."""
    parts = {"": Predictor, "`calibration`": Calibration, "`training_range`": TrainingRange}
    text = (
        f'JSON with `format` = "{FORMAT}", `version` = {FORMAT_VERSION}, '
        "`signature` and `checksum`, by which a changed or cut file is refused. Reading it runs no code."
    )
    formulas = [f"The `formula` has a `kind`.\n\n{_formulas()}"]
    fields = [f"{name}\n\n{_fields(cls)}" if name else _fields(cls) for name, cls in parts.items()]
    return "\n\n".join([text, *fields, *formulas])


def _fields(cls: type) -> str:
    meanings = described(cls)
    return _holds({field.name: meanings[field.name] for field in dataclasses.fields(cls)})


def _formulas() -> str:
    rows = [
        [code(kind), first_line(cls), codes(field.name for field in dataclasses.fields(cls))]  # type: ignore[arg-type]
        for kind, cls in FORMULAS.items()
    ]
    return table(["kind", "is", "keys"], rows)
