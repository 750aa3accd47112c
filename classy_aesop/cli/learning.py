"""Commands that make predictors (init, train), look at corpora (validate, convert) and make pages (report)."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from classy_aesop.cli.commands import Command, CommandLine
from classy_aesop.cli.option_table import STANDARD, SUBSET_OPTIONS
from classy_aesop.cli.output import write_lines
from classy_aesop.cli.plugins import note_unused_features
from classy_aesop.errors import InputError, NoTextError, UsageError, escape_controls
from classy_aesop.tables.result import Result

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.cli.corpora_to_learn import Corpora
    from classy_aesop.cli.sources import CorpusSource, OptionalNames
    from classy_aesop.config import Config
    from classy_aesop.papers.judged import StudyData
    from classy_aesop.reading.corpus import Corpus


SAMPLE_CONFIG = "sample.toml"
"""The configuration that ``init --sample`` writes."""

CORPUS_OPTIONS = (*SUBSET_OPTIONS, "columns", "target", "layout", "encoding")
"""Options that go with corpora, and not with a configuration of them."""


def init(
    corpora_to_learn: Corpora,
    input: str | None = None,
    seed: int = 0,
    sample: str | None = None,
    output: str | None = None,
    *,
    command_line: CommandLine,
) -> None:
    """Write a commented configuration for a corpus, or a sample."""
    if sample is not None:
        if command_line.changed_flags("input", "output", "years", *CORPUS_OPTIONS):
            raise UsageError(
                "--sample DIR cannot be combined with a corpus, a selection or -o; it has its own"
            )
        _write_sample(sample, seed)
        return
    if output and Path(output).is_file():
        raise UsageError(f"{output}: already exists; expected another name")
    folder = Path(output).parent if output else Path()
    write_lines(
        [_commented_config(*corpora_to_learn.make_config(input, seed), folder, output or "FILE")], output
    )


def _write_sample(folder: str, seed: int) -> None:
    """Copy the sample of made-up years that ships with the package, and write its configuration; all or nothing."""
    from importlib.resources import as_file, files

    from classy_aesop.cli.corpora_to_learn import Corpora
    from classy_aesop.work.files import atomic_folder, check_folder

    check_folder(folder)
    config_path = Path(folder) / SAMPLE_CONFIG
    with atomic_folder(folder) as place:
        with as_file(files("classy_aesop") / "sample") as shipped:
            shutil.copytree(shipped, place, dirs_exist_ok=True)
        years = [(folder_of_year.name, str(folder_of_year)) for folder_of_year in sorted(place.glob("2*"))]
        make_config = Corpora(years=years, target=["responsiveness"]).make_config(None, seed)
        write_lines([_commented_config(*make_config, place, str(config_path))], str(place / SAMPLE_CONFIG))
    print(f"classy-aesop train {config_path} -o out")


def _commented_config(config: Config, corpora: Mapping[str, Corpus], folder: Path, path: str) -> str:
    """Write a configuration that explains itself, for a file that lies in a folder."""
    from classy_aesop.config import judgment_ranges, to_toml

    examples = {"ranges": judgment_ranges(corpora[config.years[0].name])}
    return f"""\
# classy-aesop train {path if path.isprintable() else "FILE"} -o DIR
# One file is one experiment. Keys in comments show defaults or examples; an unknown key is an error.
# The years stand in order and the last one is predicted; a single one is predicted by folds of its topics.
{to_toml(config, folder, commented=True, examples=examples).rstrip()}"""


def train(
    corpora_to_learn: Corpora,
    experiment: str | None = None,
    folder: str | None = None,
    seed: int | None = None,
    report: bool = False,
    n_jobs: int = 1,
    *,
    command_line: CommandLine,
) -> None:
    """Learn predictors from judged years and assess them on the last.

    Parameters
    ----------
    corpora_to_learn : Corpora
        The options of judged corpora, and of the part of them to learn from.
    experiment, folder, seed, report, n_jobs
        Options, as declared in `OPTIONS`.
    command_line : CommandLine
        All options of the command.
    """
    from classy_aesop.config import read_config
    from classy_aesop.pages.experiment import file_names_pattern, summary, write
    from classy_aesop.training.experiment import train
    from classy_aesop.work.files import atomic_folder, refuse_input

    if report:
        from classy_aesop.pages.page import check_report

        check_report()
    is_config = bool(experiment) and Path(str(experiment)).suffix.lower() == ".toml"
    corpora: dict[str, Corpus] | None = None
    if not is_config:
        config, corpora = corpora_to_learn.make_config(experiment, seed, needs_target=True)
    elif flags := command_line.changed_flags(*CORPUS_OPTIONS):
        raise UsageError(f"{flags[0]} is for a corpus; {experiment} is a configuration, which has its own")
    if folder is None:
        raise UsageError("-o is missing; expected a folder for the results")
    with atomic_folder(folder, written=file_names_pattern(report=report)) as place:
        if is_config:
            config = read_config(str(experiment), data=dict(corpora_to_learn.years), seed=seed)
        note_unused_features(config)
        refuse_input(folder)  # it holds nothing of what the configuration names
        run = train(config, corpora, n_jobs=n_jobs, progress=command_line.progress)
        write(run, place, folder, report=report)
    print(summary(run, path_of_whole=str(Path(folder) / "summary.txt")))


def validate(
    source: CorpusSource, target: OptionalNames = None, scale: str | None = None, *, command_line: CommandLine
) -> Result | None:
    """Say what is in a file or a corpus, what is doubtful, and which commands answer questions about it."""
    from classy_aesop.reading.file_report import inspect_scores

    is_text = command_line.format == "text" and command_line.output is None
    is_as_found = source.layout == "auto" and not source.columns and not source.sheet
    scores = inspect_scores(source.input) if is_as_found else None
    if scores is not None:
        if not is_text:
            return Result(scores.to_frame())
        print(escape_controls(str(scores), keep="\n"))
        return None
    layout = _layout_of_corpus(source) if source.layout == "auto" else source.layout
    if layout != "table":
        return _validate_corpus(source, target, layout, command_line.progress)
    from classy_aesop.data.scales import words_as_role
    from classy_aesop.reading.file_report import inspect_file

    roles = {
        **source.roles,
        **words_as_role(scale),
        **({} if source.sheet is None else {"sheet": (source.sheet,)}),
    }
    report = inspect_file(source.input, columns=roles, encoding=source.encoding)
    of_corpus = None
    try:
        if report.may_hold_texts or "text" in roles or not report.is_judged:
            of_corpus = _validate_corpus(source, target, layout, command_line.progress)
    except NoTextError:
        pass
    except (InputError, UsageError):
        if "text" in roles or (report.may_hold_texts and not report.is_judged):
            raise
    if of_corpus is not None and not (is_text and report.is_judged):
        return of_corpus
    if not is_text:
        return Result(report.to_frame())
    print(escape_controls(str(report), keep="\n"), end="\n\n" if of_corpus is not None else "\n")
    if report.is_judged and scale is not None:
        _check_scale(source, roles, scale, target)
    return of_corpus


def _check_scale(
    source: CorpusSource, roles: Mapping[str, Sequence[str]], scale: str, target: OptionalNames
) -> None:
    """Refuse scores of the human measures, or of all, that lie outside a scale of numbers."""
    from classy_aesop.data.scales import set_scale, words_as_role
    from classy_aesop.reading import read_scores
    from classy_aesop.reading.file_columns import drop_text_roles

    if words_as_role(scale):
        return
    columns = drop_text_roles(roles)
    table = read_scores(source.input, columns=columns, encoding=source.encoding)
    set_scale(table, scale, target)


def _layout_of_corpus(source: CorpusSource) -> str:
    """Recognize the layout of a corpus; a file that is none, but holds scores, is a table."""
    from classy_aesop.reading.byte_sources import Source
    from classy_aesop.reading.corpora import recognize_layout
    from classy_aesop.reading.file_report import inspect_file

    try:
        return recognize_layout(Source.from_path(source.input), is_table=bool(source.columns))
    except InputError:
        if not Path(source.input).is_file() or not inspect_file(source.input).is_judged:
            raise
        return "table"


def _validate_corpus(source: CorpusSource, target: OptionalNames, layout: str, progress: bool) -> Result:
    """Count what is in a corpus of texts, and say what looks wrong."""
    from classy_aesop.features.table import describe_missing_references
    from classy_aesop.predictor.published import WITH_REFERENCES, WITHOUT_REFERENCES
    from classy_aesop.reading.corpus_report import report_corpus

    corpus = source.read(target)
    report = report_corpus(corpus, progress=progress)
    for message in describe_missing_references(corpus):
        report.loc[len(report)] = ["features without basis", message]
    name = "IN" if source.input == STANDARD else quote(source.input)
    measures = corpus.judgments["metric"]
    if layout == "rouge":
        advice = f"rouge {name}"
    elif measures.empty:
        has_references = any(topic.references for topic in corpus)
        advice = f"predict {WITH_REFERENCES if has_references else WITHOUT_REFERENCES} {name}"
    else:
        flag = f"--target {quote(str(measures.iloc[0]))}"
        advice = f"train {name} {flag} -o run" if corpus.scores.empty else f"evaluate {name} {flag}"
    return Result(report, notes=[f"next: classy-aesop {advice}"])


def convert(source: CorpusSource, place: str | None, target: OptionalNames = None) -> None:
    """Write any corpus as JSON lines: a folder with summaries.jsonl and judgments.jsonl."""
    from classy_aesop.reading import write_jsonl
    from classy_aesop.reading.byte_sources import plain_name
    from classy_aesop.reading.jsonl import summary_lines
    from classy_aesop.work.files import atomic_folder, check_file, check_folder

    is_file = place is None or Path(plain_name(place)).suffix.lower() == ".jsonl"
    if place is not None:
        (check_file if is_file else check_folder)(place)
    corpus = source.read(target)
    if not is_file:
        assert place is not None
        with atomic_folder(place) as folder:
            write_jsonl(corpus, folder)
    elif len(corpus.judgments) or len(corpus.scores):
        raise UsageError(
            f"{place or 'standard output'}: one file cannot hold the judgments and scores of this corpus; "
            "expected a folder"
        )
    else:
        write_lines(summary_lines(corpus), place)


def report(
    inputs: Sequence[str],
    page: str,
    title: str | None = None,
    columns_shown: Sequence[str] | None = None,
    rename: Sequence[tuple[str, str]] | None = None,
    label: str | None = None,
    *,
    command_line: CommandLine,
) -> None:
    """Make a page of a run, or of tables of other commands; or of tables one for a paper, side by side."""
    if Path(page).suffix.lower() == ".tex":
        _write_paper_table(inputs, page, command_line)
        return
    if flags := command_line.changed_flags("columns_shown", "rename", "label"):
        raise UsageError(f"{flags[0]} is for tables of papers; expected -o FILE.tex, found -o {page}")
    from classy_aesop.pages.contents import run_page, table_page
    from classy_aesop.pages.page import check_report, write_page
    from classy_aesop.papers.printed import misprints

    check_report()
    folders = [path for path in inputs if Path(path).is_dir()]
    if folders and len(inputs) > 1:
        raise UsageError(f"{folders[0]} is a folder; a page is of one run, or of one or more tables")
    shown = run_page(folders[0]) if folders else table_page(inputs, notes=misprints)
    write_page(shown if title is None else replace(shown, title=title), page, progress=command_line.progress)


def study_all(
    data: StudyData,
    folder: str,
    target: str = "",
    labels: pd.DataFrame | None = None,
    units: pd.DataFrame | None = None,
    n_trials: int = 100,
    n_resamples: int = 1_000,
    seed: int = 0,
    *,
    command_line: CommandLine,
) -> None:
    """Run every study that the data allow, and write one page of all tables and figures."""
    from classy_aesop.cli.study_pages import write_all_studies

    study_options = {
        "target": target,
        "labels": labels,
        "units": units,
        "n_trials": n_trials,
        "n_resamples": n_resamples,
        "seed": seed,
        "progress": command_line.progress,
    }
    write_all_studies(data, folder, study_options, command_line.signature)


def _write_paper_table(inputs: Sequence[str], page: str, command_line: CommandLine) -> None:
    """Write tables side by side as one of LaTeX; each has the name of its file as title, or what that is renamed to."""
    from classy_aesop.cli.output import presentation_of
    from classy_aesop.pages.formats import latex_of, read_result
    from classy_aesop.work.files import atomic_file, check_file

    if command_line.changed_flags("title"):
        raise UsageError(f"--title is for pages; expected -o FILE.html, found -o {page}")
    check_file(page)
    presentation = presentation_of(command_line)
    results = {}
    for path in inputs:
        stem = Path(path).stem
        title = presentation.rename.get(stem, stem)
        if title in results:
            raise UsageError(f"{path}: a second table called {title}; expected files of different names")
        results[title] = read_result(path)
    text = latex_of(results, presentation)
    with atomic_file(page) as stream:
        stream.write(text)


LEARNING_COMMANDS = (
    Command(init, format=None),
    Command(train, format=None),
    Command(validate, places=False),
    Command(convert, format=None),
    Command(report, format=None),
)
