"""The command report: a page of a run, or of tables that other commands wrote."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from classy_aesop.cli.base import add_command, add_jobs, progress
from classy_aesop.cli.values import on_disk
from classy_aesop.errors import UsageError

if TYPE_CHECKING:
    from classy_aesop.cli.base import Commands


def _add_report(commands: Commands) -> None:
    parser = add_command(commands, "report", "make a page of a run, or of tables of other commands", _report)
    parser.add_argument(
        "inputs",
        metavar="RUN_DIR|TABLE",
        nargs="+",
        help="a folder of train, or tables (TSV, JSON, JSON lines)",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        required=True,
        type=on_disk,
        help="the page, an HTML file; a folder of its numbers is made beside it",
    )
    add_jobs(parser, elsewhere=False, default="2")


def _report(options: argparse.Namespace) -> None:
    from classy_aesop.report.html import check_report, write_page
    from classy_aesop.report.run_page import is_run, run_page

    check_report()
    how = {"n_jobs": options.jobs, "progress": progress(options)}
    folders = [path for path in options.inputs if is_run(path)]
    if folders and len(options.inputs) > 1:
        raise UsageError(f"{folders[0]} is a folder; a page is of one run, or of one or more tables")
    if folders:
        write_page(run_page(folders[0]), options.output, **how)
        return
    from classy_aesop.report.table_page import table_page
    from classy_aesop.studies.misprints import misprints

    write_page(table_page(options.inputs, notes=misprints), options.output, **how)


COMMANDS = (_add_report,)
"""What adds each command to the parser."""
