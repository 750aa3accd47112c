"""The page of all studies that data allow, paper by paper, with what could not be run and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pandas as pd

from classy_aesop.errors import UsageError
from classy_aesop.pages.contents import MAX_PICTURES
from classy_aesop.pages.figure import pictures
from classy_aesop.pages.formats import save_result
from classy_aesop.pages.page import Page, PageTable, Section, check_report, write_page
from classy_aesop.papers import STUDIES
from classy_aesop.papers.judged import StudyData
from classy_aesop.papers.printed_tables import arrange_as_printed
from classy_aesop.papers.study_runs import StudyRun, choose_target, run_studies
from classy_aesop.plots.captioned import Picture


def write_all_studies(
    data: StudyData,
    folder: str | Path,
    known_arguments: Mapping[str, object],
    sign: Callable[..., str],
) -> None:
    """Run all studies and write their tables, and a page of them, ``index.html``, to a folder.

    ``sign`` writes the signature of a study.
    """
    check_report()
    judgments = pd.concat([corpus.judgments for corpus in data.corpora], ignore_index=True)
    target = known_arguments.get("target") or choose_target(judgments)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    runs = []
    for run in run_studies(data, {**known_arguments, "target": target, "metric": target}):
        if run.result is not None:
            peers = data.peers or STUDIES[run.study].peers or "all_peers"
            signature = sign(command=f"study {run.command}", target=target, peers=peers)
            result = replace(run.result, signature=signature)
            run = replace(run, result=result)
            save_result(result, folder / f"{file_stem(run)}.tsv", "tsv")
        runs.append(run)
    write_page(page_of_runs(runs), folder / "index.html")


MAX_ROWS_OF_PAGE = 30
"""Rows of a table that the page shows, more than any paper prints; its file has all."""


def file_stem(run: StudyRun) -> str:
    """Name the file of a study."""
    return run.command.replace(" --", "-")


def page_of_runs(runs: Sequence[StudyRun]) -> Page:
    """Build the page: a section a study, paper by paper, and what could not be run."""
    finished = sorted((run for run in runs if run.result is not None), key=lambda run: run.paper)
    failed = [run for run in runs if run.result is None]
    sections = [section_of_run(run) for run in finished]
    if failed:
        points = [f"{run.command}: {run.failure}" for run in failed]
        sections.append(Section("What could not be run", points=points))
    lead = f"{len(finished)} of {len(runs)} studies could be run on these data. Printed numbers, where they are known, "
    lead += "stand in brackets behind ours."
    foot = [(f"{file_stem(run)}.tsv", run.result.signature) for run in finished if run.result is not None]
    return Page("The tables and figures of the papers", [lead], sections, foot)


def section_of_run(run: StudyRun) -> Section:
    """Show a study: its sentence, its pictures, its tables as printed, or its own where no paper prints one."""
    result = run.result
    assert result is not None
    try:
        tables = arrange_as_printed(result).parts
    except UsageError:
        tables = (result,)
    items: list[Picture | PageTable] = [*islice(pictures(result), MAX_PICTURES)]
    for table in tables:
        if table.answer is not None:
            caption = table.answer.caption if len(tables) > 1 else ""
            short = replace(table, answer=replace(table.answer, max_rows=MAX_ROWS_OF_PAGE))
            items.append(PageTable(file_stem(run), short, caption))
    help_text = STUDIES[run.study].help
    texts = [help_text[0].upper() + help_text[1:] + ".", result.sentence]
    first_item, *other_items = run.items
    texts += [f"Also {', '.join(other_items)}."] if other_items else []
    return Section(f"{first_item} ({run.command})", [text for text in texts if text], items)
