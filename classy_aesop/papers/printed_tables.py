"""How the tables of the five papers are printed, declared once: their studies, rows, columns, numbers and digits.

From a declaration come the columns of printed numbers that stand beside ours, the table as it is printed
(``--as-printed``), the comparison of both (``study check``), and which tables a page of all studies shows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import pandas as pd

from classy_aesop.data.scores import add_stratum_columns
from classy_aesop.errors import UsageError
from classy_aesop.papers.printed import (
    DEUTSCH_2021,
    LIN_HOVY_2003,
    MULTI_DOCUMENT,
    RANKEL_2011,
    RANKEL_2013,
    RANKEL_2016,
    fields_of,
    find_printed_cells,
    key_as_printed,
    printed_cells,
    printed_name,
    remakes_table,
)
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result import Result
from classy_aesop.tables.result_columns import estimate, item, stratum

# --- what is declared ---


@dataclass(frozen=True)
class PrintedNumber:
    """A column of ours that a table prints.

    Its ``head`` may hold fields of a row: ``-{n_excluded} worst``. ``format`` is that of Python, where it may too; a
    name has ``s``. ``unit`` follows the number. The numbers are those of ``cell`` in ``printed.tsv``, by default the
    name of the column, in the row that ``row`` names, by default that of the table.
    """

    column: str
    head: str = ""
    format: str = "z.0f"
    unit: str = ""
    cell: str = ""
    row: str = ""

    @property
    def cell_name(self) -> str:
        """The name of its cells in ``printed.tsv``; empty for a name."""
        return "" if self.format == "s" else self.cell or self.column


def keep_rows(table: pd.DataFrame) -> pd.DataFrame:
    """Give a table as it is: its own columns name its rows."""
    return table


@dataclass(frozen=True, kw_only=True)
class PrintedTable:
    """A table of a paper, or the numbers of a figure or section, as the table of a study has them.

    Attributes
    ----------
    name : str
        As in ``printed.tsv``.
    study : str
        The study that gives it, with ``options`` of its function.
    numbers : sequence of PrintedNumber
        Those that are printed.
    takes_named_metrics : bool
        Whether it is compared with the study of the metrics that it names alone, since others take long.
    row : str
        The row of ``printed.tsv``, a text with fields of a row of ours; empty where the study adds printed numbers.
    prepare : callable
        Adds columns that name rows as the paper does.
    select : mapping
        The values of columns by which rows of ours belong to it.
    rows : mapping
        How its rows are named in print: heads, and texts with fields of a row of ours, or ``{number}``, the head of a
        number. `UNPRINTED_HEAD` is the head of one that is not in print. Empty for figures and sections.
    head : str
        How its columns are headed, as a text of this kind.
    words : mapping
        What the paper calls the values of columns of ours, in its order if ``row`` does not have the column.
    blank_rows : sequence of str
        Values of the first column that names its rows whose rows have no numbers in print: the heads of groups.
    repeated_in : str
        Where the dissertation prints it once more.
    """

    name: str
    study: str
    numbers: Sequence[PrintedNumber]
    row: str = ""
    options: Mapping[str, object] = field(default_factory=dict)
    takes_named_metrics: bool = False
    prepare: Callable[[pd.DataFrame], pd.DataFrame] = keep_rows
    select: Mapping[str, object] = field(default_factory=dict)
    rows: Mapping[str, str] = field(default_factory=dict)
    head: str = "{number}"
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    blank_rows: Sequence[str] = ()
    repeated_in: str = ""

    def rows_of(self, table: pd.DataFrame) -> pd.DataFrame:
        """Return the rows of a table of the study that belong to it, with the columns that name them."""
        prepared = self.prepare(table)
        keys = pd.Series(self.select, dtype=object).map(key_as_printed)
        return prepared[prepared[keys.index].map(key_as_printed).eq(keys).all(axis=1)]

    def find_cells(
        self, rows: pd.DataFrame, judgments: pd.DataFrame
    ) -> Iterator[tuple[PrintedNumber, pd.DataFrame]]:
        """Yield each number that is printed of some rows, with the cells of these rows."""
        for number in [number for number in self.numbers if self.row and number.cell_name]:
            place = {"item": self.name, "row": number.row or self.row, "cell": number.cell_name}
            cells = find_printed_cells(rows, judgments, **place).dropna(subset="value")
            if len(cells):
                yield number, cells


def tables_of_study(study: str) -> list[PrintedTable]:
    """Return the declared tables of a study."""
    return [printed for printed in PRINTED_TABLES if printed.study == study]


def printed_columns_of(study: str) -> dict[str, str]:
    """Name the columns of printed numbers in the table of a study, by their cells; a single one is ``printed``."""
    numbers = [number for table in tables_of_study(study) for number in table.numbers if number.cell_name]
    cells = dict.fromkeys(number.cell_name for number in numbers)
    return {cell: f"printed_{cell}" if len(cells) > 1 else "printed" for cell in cells}


def add_printed_numbers(table: pd.DataFrame, study: str, judgments: pd.DataFrame) -> pd.DataFrame:
    """Add the cell that a paper prints for each row of a study; no column is added if no cell is known."""
    columns = printed_columns_of(study)
    for printed in tables_of_study(study):
        rows = printed.rows_of(table)
        for number, cells in printed.find_cells(rows, judgments):
            column = columns[number.cell_name]
            values = cells["value"].reindex(table.index)
            table = table.assign(**{column: values.fillna(table[column]) if column in table else values})
    return table


# --- as printed ---


def arrange_as_printed(result: Result) -> Result:
    """Give the result of a study as its papers print it, ours first and the printed number in brackets.

    Its table has the rows of all its printed tables, and readers get these one below another.
    """
    answer = result.answer
    study = "" if answer is None else answer.name.removeprefix("study ")
    tables = [
        printed for printed in tables_of_study(study) if printed.rows and len(printed.rows_of(result.table))
    ]
    if not tables:
        raise UsageError(
            f"--as-printed: no paper prints a table of these rows of {study or 'a table of no study'}"
        )
    parts = tuple(lay_out_as_printed(printed, result) for printed in tables)
    whole = pd.concat(
        [part.table.assign(table=part.answer.caption) for part in parts if part.answer], ignore_index=True
    )

    def is_about_tables(note: str) -> bool:
        """Whether a note is about these tables, or about none."""
        places = note.partition(":")[0]
        return "), Table" not in places or any(
            remakes_table(items, printed.name) for items in places.split("; ") for printed in tables
        )

    notes = tuple(filter(is_about_tables, result.notes))
    return replace(
        result,
        table=whole[["table", *whole.columns.drop("table")]].astype(object).fillna(""),
        answer=None,
        parts=(*parts[:-1], replace(parts[-1], notes=notes)),
        notes=notes,
    )


def lay_out_as_printed(printed: PrintedTable, result: Result) -> Result:
    """Lay out the table of a study as the paper prints it.

    Strata that the print does not name stand in the caption, or where they vary before the rows. Among printed numbers,
    rows and columns without any are left out, as the paper does, and its blank rows stand.
    """
    assert result.answer is not None
    rows = add_stratum_columns(printed.rows_of(result.table))
    cells = pd.concat([write_cells(printed, number, rows) for number in printed.numbers], ignore_index=True)
    row_fields = fields_of("".join(printed.rows.values()))
    blank_cell = cells[cells["is_printed"]].head(1).assign(**dict.fromkeys(row_fields, ""), text="")
    blank_cells = [blank_cell.assign(**{row_fields[0]: name}) for name in printed.blank_rows]
    cells = pd.concat([cells, *blank_cells], ignore_index=True)
    head_fields = fields_of(printed.head)
    of_numbers = fields_of("".join(number.head for number in printed.numbers))
    fields = [name for name in (*row_fields, *head_fields, *of_numbers, *printed.select) if name in rows]
    strata = [name for name in result.answer.strata_in(rows, but=fields) if rows[name].ne("").any()]
    varying = [name for name in strata if rows.groupby(fields)[name].nunique().max() > 1]
    single = "".join(f", {name} {rows[name].iloc[0]}" for name in strata if rows[name].nunique() == 1)
    cells = cells.sort_values(
        [*varying, *row_fields, *head_fields], key=partial(rank_values, printed), kind="stable"
    )
    worded_cells = cells.replace({name: dict(words) for name, words in printed.words.items()})
    labels = {name: f"{{{name}}}" for name in varying} | dict(printed.rows)
    for name, text in (labels | {HEAD: printed.head}).items():
        filled = [text.format_map(cell) for cell in worded_cells.to_dict("records")]
        cells[name] = [" ".join(words.split()).strip(" :") for words in filled]
    n_cells = len(cells)
    if cells["is_printed"].any():
        for names in (row_fields, HEAD):
            cells = cells[cells.groupby(names)["is_printed"].transform("any")]
    left_out = "; rows and columns that it does not print are left out" if len(cells) < n_cells else ""
    heads = cells.sort_values(head_fields, key=partial(rank_values, printed), kind="stable")[HEAD].unique()

    def join_texts(texts: pd.Series) -> str:
        """Join the weights of both docsets of an update, even if they are equal; other texts of one place are equal."""
        written = [text for text in texts if text]
        return ", ".join(dict.fromkeys(written) if printed.row else written)

    places = [*dict.fromkeys([*labels, *row_fields])]
    items = [name for name in printed.rows if name != UNPRINTED_HEAD]
    table = cells.pivot_table("text", places, HEAD, join_texts, fill_value="", sort=False).reset_index()
    declared = (
        *(stratum(name, "") for name in varying),
        *(item(name, "of the row, as printed") for name in items),
        *(estimate(str(name), "ours, and in brackets the printed number", "text") for name in heads),
    )
    caption = " and ".join(filter(None, (printed.name, printed.repeated_in))) + single
    sentence = f"{caption}; printed numbers, where they are known, in brackets{left_out}."
    answer = Answer(f"{result.answer.name} --as-printed", caption, declared, sentence=lambda _: sentence)
    return Result(table[[*varying, *items, *heads]].rename_axis(columns=None), answer=answer)


HEAD = "head of a column"

UNPRINTED_HEAD = ""


def write_cells(printed: PrintedTable, number: PrintedNumber, rows: pd.DataFrame) -> pd.DataFrame:
    """Write a number of each row, with the printed one, and say whether any of the row is printed."""
    columns = printed_columns_of(printed.study)
    printed_rows = rows.reindex(columns=[*columns.values()])
    printed_values = printed_rows.get(columns.get(number.cell_name, ""), pd.Series(np.nan, rows.index))
    keyed: pd.DataFrame = rows.apply(lambda values: values.map(key_as_printed))
    records = keyed.to_dict("records")
    return keyed.assign(
        number=[number.head.format_map(row) for row in records],
        is_printed=printed_rows.notna().any(axis=1),
        text=[
            write_numbers(value, printed_value, number.format.format_map(row), number.unit)
            for value, printed_value, row in zip(rows[number.column], printed_values, records, strict=True)
        ],
    )


def write_numbers(value: float, printed: float, number_format: str, unit: str = "") -> str:
    """Write our number, and in brackets the printed one if it is known.

    Examples
    --------
    >>> write_numbers(0.344, 0.33, "z.2f"), write_numbers(48, float("nan"), ".1e")
    ('0.34 (0.33)', '4.8e+1')
    """
    own_text = "-" if pd.isna(value) else f"{value:{number_format}}{unit}"
    text = own_text if pd.isna(printed) else f"{own_text} ({printed:{number_format}}{unit})"
    return re.sub(r"(?<=e[+-])0", "", text) if number_format.endswith("e") else text


def rank_values(printed: PrintedTable, values: pd.Series) -> pd.Series:
    """Rank the values of a column as the paper orders them: by its cells, by its words, then as they come."""
    name = str(values.name)
    of_cells: list[str] = []
    parts = printed.row.split("/")
    if f"{{{name}}}" in parts:
        position = parts.index(f"{{{name}}}")
        cells = printed_cells()
        parts_of_cells = cells.loc[cells["item"] == printed.name, "row"].str.split("/")
        of_cells = [of_cell[position] for of_cell in parts_of_cells if len(of_cell) == len(parts)]
    order = dict.fromkeys([*of_cells, *printed.words.get(name, ()), *values])
    return values.map({value: rank for rank, value in enumerate(order)})


# --- names of the papers ---

CLASSY1 = "8"
"""The run of 2011 that is called CLASSY1 in Table 4 of 2013, as CLASSY1_Pyr in Rankel (2016), Table 6.5."""

OTHER_MEASURE = {"pyramid": "responsiveness", "responsiveness": "pyramid"}
"""Under which human measure the AESOP metrics of the other one are printed in Table 4 of 2013."""

AESOP_METRICS = (
    *("CLASSY1", "DemokritosGR1", "uOttawa3", "DemokritosGR2", "C-S-IIITH4", "C-S-IIITH1", "BEwT-E"),
)

CATEGORIES = {
    "1": "Accidents and Natural Disasters",
    "2": "Attacks",
    "3": "Health and Safety",
    "4": "Endangered Resources",
    "5": "Trials and Investigations",
}
"""The categories of TAC 2011 by their numbers."""


def name_as_printed(table: pd.DataFrame) -> pd.DataFrame:
    """Add the names of metrics in Tables 2 to 4 of 2013, and the human measure under which Table 4 prints them."""
    names = table["metric"].map(lambda name: "CLASSY1" if name == CLASSY1 else abbreviate_combination(name))
    targets = table["target"].map(printed_name)
    other_targets = targets.replace(OTHER_MEASURE)
    return table.assign(
        paper_name=names, printed_under=targets.mask(names.isin(AESOP_METRICS), other_targets)
    )


def abbreviate_combination(metric: str) -> str:
    """Name a metric or a combination as Table 3 of 2013 does: R1 for the recall of ROUGE-1, RBE for basic elements.

    Examples
    --------
    >>> abbreviate_combination("ROUGE-BE+ROUGE-4-R+ROUGE-1-R")
    'R1_R4_RBE'
    """
    return "_".join(sorted(map(_abbreviate_metric, metric.split("+"))))


def _abbreviate_metric(metric: str) -> str:
    if re.fullmatch(r"(rouge-)?be(-hm)?([-.]r(ecall)?)?", metric.lower()):
        return "RBE"
    rouge = re.fullmatch(r"ROUGE-(.+)-R", printed_name(metric))
    return f"R{rouge[1]}" if rouge else metric


def split_stop_words(table: pd.DataFrame) -> pd.DataFrame:
    """Add the metric of 2003 without the word that it has no stop words, and the letters for that."""
    ngram = table["metric"].str.removesuffix("-content")
    letters = table["metric"].str.endswith("-content").map({True: "SX", False: "S"})
    return table.assign(ngram=ngram, stop_words=letters)


def name_category(table: pd.DataFrame) -> pd.DataFrame:
    """Add the category of a topic by its name in Table 3.1."""
    return table.assign(paper_category=table["category"].replace(CATEGORIES))


def add_percent(table: pd.DataFrame) -> pd.DataFrame:
    """Add the shares in percent."""
    return table.assign(percent=100 * table["share"])


def name_topic(table: pd.DataFrame) -> pd.DataFrame:
    """Add the topic as Table 5.1 has it, whose last letter is the assessor's, and the digits of a human score."""
    digits = table["target"].map(printed_name).map({"pyramid": "z.3f"}).fillna(".3g")
    return table.assign(paper_topic=table["topic"].replace({"D1113": "D1113C"}), digits=digits)


def name_feature(table: pd.DataFrame) -> pd.DataFrame:
    """Add the feature of a weight, which may be of either docset of an update, and the submission of a run."""
    submission = table["target"] + " " + table["run"]
    return table.assign(feature=table["column"].str.partition("@")[0], submission=submission)


def mark_pyramid(table: pd.DataFrame) -> pd.DataFrame:
    """Add the letter of the runs that learn pyramids, of which Table 6.5 has two."""
    return table.assign(mark=table["target"].map({"pyramid": "(a)"}).fillna(""))


def rank_assessors(table: pd.DataFrame) -> pd.DataFrame:
    """Add the rank of an assessor by alpha, 1 for the highest; the row of all has none."""
    of_each = add_stratum_columns(table)[table["assessor"] != ""]
    return of_each.assign(
        rank=of_each.groupby(["year", "metric"])["value"].rank(method="first", ascending=False)
    )


def name_data(table: pd.DataFrame) -> pd.DataFrame:
    """Add the year and task, or if there are none what the paper calls its data, by the human measure."""
    strata = add_stratum_columns(table)
    names = (strata["year"] + " " + strata["task"]).str.strip()
    has_printed = strata.filter(regex="^printed").notna().any(axis=None)
    measures = strata["target" if "target" in strata else "metric"].astype(str).unique()
    known_names = [DATA_OF_2021[measure] for measure in measures if measure in DATA_OF_2021 and has_printed]
    return table.assign(paper_data=names.mask(names == "", " ".join(known_names)))


# --- the tables ---

MEASURES = {"readability": "Linguistic", "responsiveness": "Overall", "pyramid": "Pyramid"}
CORE = {"readability": "Readability", "responsiveness": "Responsiveness", "pyramid": "Pyramid"}
PAIR_WORDS = {
    "metric": {**MEASURES, "ROUGE-2-R": "ROUGE-2", "ROUGE-SU4-R": "ROUGE-SU4"},
    "test": {"unpaired_t": "Unpair-T", "paired_t": "Pair-T", "wilcoxon": "Wilc."},
}
WORDS_OF_WEIGHTS = {
    "submission": {
        "pyramid 8": "Pyramid(8)",
        "responsiveness 25": "Responsiveness (25)",
        "readability 23": "Readability(23)",
        "responsiveness 6": "Responsiveness(6)",
    },
    "fitter": {"robust": "robust", "canonical": "canon", "nonnegative": "nonneg"},
    "feature": {
        "r2": "R2",
        "su4": "SU4",
        "coverage": "Coverage",
        "bigrams": "Bigrams",
        "bigrams_p2p": "Bigrams P2P",
        "coverage_p2p": "Coverage P2P",
        "log_term_overlap": "log2(1+Term Overlap)",
        "norm_term_overlap": "Norm Term Overlap",
        "redundancy1": "Redundant 1",
        "redundancy2": "Redundant 2",
        "term_entropy": "Term Entropy",
        "neg_log2_sentences": "-log2(sent length)",
        "neg_sentence_entropy": "Neg Sent Entropy",
    },
}
TASKS_OF_2003 = {"SD-100": "SD-100", "all": "MD-All"} | {task: task for task in MULTI_DOCUMENT}
WORDS_OF_2003 = {
    "task": {
        task: name.replace("SD-", "Single Doc ").replace("MD-", "Multi-Doc ")
        for task, name in TASKS_OF_2003.items()
    },
    "ngram": {f"Ngram({sizes})": f"Ngram({sizes})" for sizes in ("1,4", "1,1", "2,2", "3,3", "4,4")},
}
DATA_OF_2021 = {"relevance": "Fabbri et al.", "litepyramid_recall": "Bhandari et al."}
"""What Deutsch et al. (2021) call data without a year, by the human measure."""

NAMES_OF_DATA = {"2008 A": "TAC'08"} | {name: name for name in DATA_OF_2021.values()}
LEVELS_OF_2021 = {
    "paper_data": NAMES_OF_DATA,
    "level": {"system": "rSYS", "input": "rSUM"},
    "method": {
        "fisher": "Fisher",
        "systems": "Boot-Systems",
        "inputs": "Boot-Inputs",
        "both": "Boot-Both",
    },
}
METRICS_OF_2021 = {
    **dict.fromkeys(("responsiveness", *DATA_OF_2021), "Resp/Rel/Pyr"),
    "bertscore.recall": "BERTScore",
    **dict.fromkeys(("BEwTE.f1", "BEwTE.recall"), "BEwTE"),
    "qa-eval.f1": "QAEval-F1",
    **{
        name: f"ROUGE-{variant}"
        for variant in ("1", "2", "L", "SU4")
        for name in (f"ROUGE-{variant}-R", f"rouge-{variant.lower()}.f1")
    },
    "s3.resp": "S3",
}
AGREEMENT_NUMBERS = (
    PrintedNumber("accuracy", "Acc", "z.2f"),
    PrintedNumber("precision", "P", "z.2f"),
    PrintedNumber("recall", "R", "z.2f"),
)
BALANCED_ACCURACY = PrintedNumber("ba_pv", "BA", "z.2f", cell="ba")

PRINTED_TABLES = (
    *(
        PrintedTable(
            name=f"{RANKEL_2011}, Table {number}",
            study="pair-counts",
            numbers=[PrintedNumber("n_significant")],
            row="{metric}/{test}",
            options={"mixed": True} if pair_kind == "mixed" else {},
            select={"pairs": pair_kind},
            rows={"Metric": "{metric}"},
            head="{year}: {n_pairs} pairs {test}",
            words=PAIR_WORDS,
            repeated_in=f"{RANKEL_2016}, Table 4.{number}",
        )
        for number, pair_kind in ((1, "all"), (2, "mixed"))
    ),
    PrintedTable(
        name=f"{RANKEL_2011}, Figure 1",
        study="topic-ranks",
        numbers=[PrintedNumber("n_different")],
        row="{metric}/{topic}",
        repeated_in=f"{RANKEL_2016}, Figure 4.1",
    ),
    PrintedTable(
        name=f"{RANKEL_2013}, Table 1",
        study="best-pairs",
        numbers=[PrintedNumber("n_significant")],
        row="{metric}",
        rows={"Year": "{year}"},
        head="{metric} {task}",
        words={"metric": {"pyramid": "Pyr", "responsiveness": "Resp"}},
        repeated_in=f"{RANKEL_2016}, Table 7.1",
    ),
    PrintedTable(
        name=f"{RANKEL_2013}, Table 2",
        study="label-agreement",
        numbers=[
            AGREEMENT_NUMBERS[0],
            PrintedNumber("order_agreement", "(Acc)", "z.2f"),
            *AGREEMENT_NUMBERS[1:],
            PrintedNumber("ba", "BA", "z.2f"),
        ],
        row="{target}/{paper_name}/{over}",
        takes_named_metrics=True,
        options={"combine": 4},
        prepare=name_as_printed,
        select={"over": "mean", "n_metrics": 1},
        rows={"Metric": "{paper_name}"},
        head="{target} {number}",
        words={
            "target": {"responsiveness": "Responsiveness", "pyramid": "Pyramid"},
            "paper_name": {"RSU4": "R-SU4", "RW-1.2": "R-W-1.2", "RBE": "R-BE-HM"},
        },
        repeated_in=f"{RANKEL_2016}, Table 7.3",
    ),
    PrintedTable(
        name=f"{RANKEL_2013}, Table 3",
        study="label-agreement",
        numbers=[
            AGREEMENT_NUMBERS[0],
            PrintedNumber("precision", "Prec", "z.2f"),
            PrintedNumber("recall", "Rec", "z.2f"),
            BALANCED_ACCURACY,
        ],
        row="{target}/{paper_name}/{over}",
        takes_named_metrics=True,
        options={"combine": 4},
        prepare=name_as_printed,
        select={"over": "pooled"},
        rows={"ROUGE Combination": "{paper_name}"},
        repeated_in=f"{RANKEL_2016}, Table 7.4",
    ),
    PrintedTable(
        name=f"{RANKEL_2013}, Table 4",
        study="best-metrics",
        numbers=[*AGREEMENT_NUMBERS, BALANCED_ACCURACY],
        row="{printed_under}/{paper_name}",
        prepare=name_as_printed,
        rows={"Evaluation Metric": "{paper_name}"},
        head="{printed_under} {task} {number}",
        words={
            "printed_under": {"pyramid": "Pyramid", "responsiveness": "Responsiveness"},
            "paper_name": {name: name.replace("_", "-") for name in ("R1_R2_R4_RBE", "R1_R4_RBE")},
        },
        repeated_in=f"{RANKEL_2016}, Table 7.5",
    ),
    PrintedTable(
        name=f"{RANKEL_2016}, Table 2.1",
        study="year-counts",
        numbers=[
            PrintedNumber("n_topics", "Document Sets"),
            PrintedNumber("n_systems", "Automatic Summarizers"),
            PrintedNumber("n_humans", "Human Summarizers"),
        ],
        row="all",
        rows={"Year": "{year}"},
    ),
    PrintedTable(
        name=f"{RANKEL_2016}, Table 3.1",
        study="topic-counts",
        numbers=[PrintedNumber("n_topics")],
        row="{assessor}/{paper_category}",
        prepare=name_category,
        rows={"Category": "{paper_category}"},
        head="{assessor}",
    ),
    PrintedTable(
        name=f"{RANKEL_2016}, Table 3.2",
        study="score-ranks",
        numbers=[
            PrintedNumber("mid_rank", "Tied Rank", "z.1f"),
            PrintedNumber("count", "Count"),
            PrintedNumber("percent", "Percent", "z.2f", "%"),
        ],
        row="{metric}/{score}",
        prepare=add_percent,
        rows={"Value": "{score}"},
    ),
    PrintedTable(
        name=f"{RANKEL_2016}, Table 5.1",
        study="best-on-topic",
        numbers=[
            PrintedNumber("human_score", "{target}", "{digits}", row="{paper_topic}/{summarizer}/{target}"),
            PrintedNumber("score", "{metric}", "z.4f"),
        ],
        row="{paper_topic}/{summarizer}/{metric}",
        prepare=name_topic,
        rows={"Summary ID": "{human} {summarizer}"},
        words={
            "human": {"True": "human", "False": "system"},
            "number": {
                "pyramid": "Pyramid Score",
                "responsiveness": "Overall Responsiveness",
                "readability": "Linguistic Quality",
                "ROUGE-2-R": "ROUGE-2",
            },
        },
    ),
    *(
        PrintedTable(
            name=f"{RANKEL_2016}, Table 5.{number}",
            study="coefficients",
            numbers=[PrintedNumber("weight", "", ".1e")],
            prepare=name_feature,
            select={"peers": peers},
            rows={"Feature": "{feature}"},
            head="{submission} {fitter} {task}",
            words=WORDS_OF_WEIGHTS,
            blank_rows=blank_rows,
        )
        for number, peers, blank_rows in ((2, "all_peers", ()), (3, "no_models", ("coverage",)))
    ),
    PrintedTable(
        name=f"{RANKEL_2016}, Table 6.1",
        study="consistency",
        numbers=[PrintedNumber("assessor", "ID", "s"), PrintedNumber("value", "", "z.3f")],
        row="{metric}/{assessor}",
        prepare=rank_assessors,
        rows={UNPRINTED_HEAD: "{rank}"},
        head="{metric} {number}",
        words={"metric": {"readability": "Read", "responsiveness": "Resp", "pyramid": "Pyr"}},
    ),
    *(
        table
        for study, order, words in (
            ("agreement-exclusion", "{target}", CORE),
            ("gap-exclusion", "mP-aP", {"pyramid": "mP-aP"}),
        )
        for table in (
            PrintedTable(
                name=f"{RANKEL_2016}, Table 6.2",
                study=study,
                numbers=[
                    PrintedNumber("pearson", "Pearson's r -{n_excluded} worst", "z.3f"),
                    PrintedNumber("spearman", "Spearman's rho -{n_excluded} worst", "z.3f"),
                ],
                row=f"{order}/{{n_excluded}}",
                rows={"Measure": "{target}"},
                words={"target": words},
            ),
            *(
                PrintedTable(
                    name=f"{RANKEL_2016}, Table 6.{number}",
                    study=study,
                    numbers=[
                        PrintedNumber(f"{column}_before", "before", "z.3f", row=f"{order}/{{metric}}/0"),
                        PrintedNumber(f"{column}_after", "-{n_excluded} worst", "z.3f"),
                    ],
                    row=f"{order}/{{metric}}/{{n_excluded}}",
                    select={"metric": "ROUGE-2-R"},
                    rows={"Excluded": "{number}"},
                    head="{target}",
                    words={"target": words},
                )
                for number, column in ((3, "r"), (4, "by_assessor"))
            ),
        )
    ),
    *(
        PrintedTable(
            name=f"{RANKEL_2016}, Table 6.5",
            study="retraining",
            numbers=[
                PrintedNumber("before", "", "z.3f"),
                PrintedNumber("after", f"_new {run_mark}", "z.3f", cell=cell),
            ],
            row="{metric}/{target}/{level}",
            select={"excluded_by": excluded_by, "level": "system"},
            prepare=mark_pyramid,
            rows={"Run": "{run}{number}"},
            head="{peers} {task}",
            words={
                "run": {
                    "pyramid": "Pyramid",
                    "8": "CLASSY1_Pyr",
                    "responsiveness": "Responsiveness",
                    "25": "CLASSY2_Resp",
                    "6": "CLASSY4_Resp",
                    "readability": "Readability",
                    "23": "CLASSY3_Read",
                },
                "peers": {"no_models": "NoModels", "all_peers": "AllPeers"},
                "task": {"A": "main", "B": "update"},
            },
            blank_rows=groups,
        )
        for excluded_by, run_mark, cell, groups in (
            ("alpha", "{mark}", "after", ("pyramid", "responsiveness", "readability")),
            ("gap", "(b)", "after_by_gap", ("pyramid",)),
        )
    ),
    PrintedTable(
        name=f"{DEUTSCH_2021}, Table 1",
        study="coverage",
        numbers=[PrintedNumber("coverage", "", "z.2f")],
        row="{metric}/{target}/pearson/{method}/{level}",
        takes_named_metrics=True,
        prepare=name_data,
        rows={"CI Method": "{method}"},
        head="{paper_data} {level}",
        words=LEVELS_OF_2021,
    ),
    PrintedTable(
        name=f"{DEUTSCH_2021}, Table 2",
        study="normality",
        numbers=[
            PrintedNumber("percent_rejected", "rSUM", "z.1f"),
            PrintedNumber("p_means", "rSYS", "z.2f"),
        ],
        row="{metric}",
        prepare=name_data,
        rows={"Metric": "{metric}"},
        head="{paper_data} {number}",
        words={"paper_data": NAMES_OF_DATA, "metric": METRICS_OF_2021},
    ),
    PrintedTable(
        name=f"{DEUTSCH_2021}, Figure 4",
        study="metric-intervals",
        numbers=[PrintedNumber("low", format="z.2f"), PrintedNumber("high", format="z.2f")],
        row="{metric}/{target}/{level}/{coefficient}/{interval}",
    ),
    PrintedTable(
        name=f"{DEUTSCH_2021}, section 6.1",
        study="metric-intervals",
        numbers=[PrintedNumber("least_percent_misranked"), PrintedNumber("most_percent_misranked")],
        row="{metric}/{level}/{coefficient}",
    ),
    PrintedTable(
        name=f"{LIN_HOVY_2003}, Table 1",
        study="ngram-correlations",
        numbers=[PrintedNumber("spearman", "", "z.3f")],
        row="{metric}",
        prepare=split_stop_words,
        select={"ngram": "Ngram(1,4)"},
        rows={"Stop words": "{stop_words}"},
        head="{task}",
        words={"stop_words": {"SX": "SX", "S": "S"}, "task": TASKS_OF_2003},
    ),
    *(
        PrintedTable(
            name=f"{LIN_HOVY_2003}, Table {number}",
            study="ngram-correlations",
            numbers=[
                PrintedNumber("spearman", "Spearman rho", "z.3f"),
                PrintedNumber("regression_t", "LR_t", "z.3f"),
                PrintedNumber("pearson", "Pearson rho", "z.3f"),
                PrintedNumber("determination", "CD", "z.3f"),
            ],
            row="{metric}",
            prepare=split_stop_words,
            select={"stop_words": letters},
            rows={"Task": "{task}", "Statistic": "{number}"},
            head="{ngram}",
            words=WORDS_OF_2003,
        )
        for number, letters in ((2, "SX"), (3, "S"))
    ),
    PrintedTable(
        name=f"{LIN_HOVY_2003}, section 3",
        study="bleu-correlations",
        numbers=[PrintedNumber("spearman", format="z.2f")],
        row="{metric}/{n_references} references",
    ),
)
"""What the papers print and studies give, paper by paper."""

PRINTED_TWICE = {printed.repeated_in: printed.name for printed in PRINTED_TABLES if printed.repeated_in} | {
    f"{RANKEL_2016}, Figure 4.5": f"{RANKEL_2011}, Figure 5",
    f"{RANKEL_2016}, section 4.1": f"{RANKEL_2011}, section 1",
}
"""What the dissertation prints repeated_in, and where it was printed first."""
