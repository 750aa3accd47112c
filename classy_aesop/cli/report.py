"""The command report: a page of a run, or of tables that other commands wrote."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from classy_aesop.cli.commands import Asked, Command
from classy_aesop.errors import UsageError


def report(inputs: Sequence[str], page: str, n_jobs: int = 2, *, asked: Asked) -> None:
    """Make a page of a run, or of tables of other commands."""
    from classy_aesop.report.contents import run_page, table_page
    from classy_aesop.report.page import check_report, write_page
    from classy_aesop.studies.printed import misprints

    check_report()
    folders = [path for path in inputs if Path(path).is_dir()]
    if folders and len(inputs) > 1:
        raise UsageError(f"{folders[0]} is a folder; a page is of one run, or of one or more tables")
    shown = run_page(folders[0]) if folders else table_page(inputs, notes=misprints)
    write_page(shown, page, n_jobs=n_jobs, progress=asked.progress)


COMMANDS = (Command(report, defaults={"scheduler": False}, format=None),)
