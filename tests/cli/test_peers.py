"""Every command on score tables: with each choice of summarizers it prints what it prints of a table cut by hand."""

import io
import json

import numpy as np
import pandas as pd
import pytest

SYSTEMS, HUMANS = ["1", "2", "3", "4", "5"], ["A", "B", "C"]
EVERYONE = SYSTEMS + HUMANS

COMMANDS = {
    "evaluate": (
        "scores",
        "judgments",
        "--interval",
        "boot-both",
        "--n-resamples",
        "599",
        "--level",
        "system",
    ),
    "compare --pairs": ("scores", "--metric", "m1"),
    "compare": ("scores", "--metric", "m1", "--alpha", "0.4"),
    "evaluate --pairs": (
        "scores",
        "judgments",
        "--target",
        "overall",
        "--test",
        "perm-both",
        "-r",
        "599",
    ),
    "power": ("judgments", "--metric", "overall", "--difference", "2", "--n-trials", "20"),
}

CHOICES = [
    (("--only", *SYSTEMS), SYSTEMS, "peers:all_peers|only:1+2+3+4+5"),
    (("--peers", "no_models", "--exclude", "4"), ["1", "2", "3", "5"], "peers:no_models|exclude:4"),
]


def write(folder, names, *, human):
    """Write both tables, of two tasks, with the rows of some names."""
    rng = np.random.default_rng(3)
    tables = {"scores": ["m1", "m2"], "judgments": ["overall"]}
    for table, columns in tables.items():
        lines = ["\t".join(["topic", "task", "summarizer", *(["human"] if human else []), *columns])]
        for at, name in enumerate(EVERYONE):
            for topic in range(16):
                values = [f"{value:.3f}" for value in rng.normal(size=len(columns)) + at / 2]
                said = [str(name in HUMANS)] if human else []
                if name in names:
                    lines.append("\t".join([f"t{topic % 8}", "AB"[topic // 8], name, *said, *values]))
        (folder / f"{table}.tsv").write_text("\n".join(lines) + "\n")
    return folder


@pytest.fixture
def run(without_note):
    return without_note


@pytest.fixture
def tables(tmp_path):
    return write(tmp_path, EVERYONE, human=True)


def command(name, folder, *more):
    files = [folder / f"{part}.tsv" if part in ("scores", "judgments") else part for part in COMMANDS[name]]
    return [*name.split(), *files, "-f", "tsv", *more]


def read(text):
    """Give a printed table without its signatures, and the one that all rows have."""
    table = pd.read_csv(io.StringIO(text), sep="\t", dtype=str, keep_default_na=False)
    (signature,) = set(filter(None, table.pop("signature")))
    return table, signature


@pytest.mark.slow
@pytest.mark.parametrize(("choice", "names", "said"), CHOICES)
@pytest.mark.parametrize("name", COMMANDS)
def test_a_choice_is_the_table_cut_by_hand(printed, tables, tmp_path, name, choice, names, said):
    table, signature = read(printed(*command(name, tables, "-q", *choice)))
    assert f"{said}|" in signature
    (tmp_path / "cut").mkdir()
    by_hand, plain = read(printed(*command(name, write(tmp_path / "cut", names, human=False), "-q")))
    pd.testing.assert_frame_equal(table, by_hand)
    assert "|peers:all_peers|" in plain


@pytest.fixture
def corpus(tmp_path):
    """A folder whose summaries say who is human; of one year, which the tables do not name."""
    (tmp_path / "corpus").mkdir()
    with (tmp_path / "corpus" / "summaries.jsonl").open("w") as stream:
        for topic in range(8):
            for task in "AB":
                for name in EVERYONE:
                    kind = "reference" if name in HUMANS else "peer"
                    row = {"instance_id": f"t{topic}-{task}", "year": "2021", "summarizer_id": name}
                    row |= {"summarizer_type": kind, "summary": {"text": "It rained."}}
                    stream.write(json.dumps(row) + "\n")
    return tmp_path / "corpus"


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_the_corpus_says_who_is_human(printed, tmp_path, corpus, name):
    tables = write(tmp_path, EVERYONE, human=False)
    table, signature = read(printed(*command(name, tables, "-q", "--peers", "no_models", "--corpus", corpus)))
    by_name = read(printed(*command(name, tables, "-q", "--exclude", *HUMANS, "--corpus", corpus)))
    pd.testing.assert_frame_equal(table, by_name[0])
    assert set(table["year"]) == {"2021"}
    assert "|peers:no_models|" in signature


def test_only_the_metric_the_year_and_the_task_compared_need_to_be_known(printed, refused, tmp_path):
    rows = [*(("2021", name, "m") for name in "1A2"), ("2022", "9", "m"), ("2021", "8", "x")]
    with (tmp_path / "x.jsonl").open("w") as stream:
        for year, name, metric in rows:
            said = {"human": name == "A"} if name in "12A" else {}
            for topic in range(3):
                row = {"year": year, "topic": f"t{topic}", "summarizer": name, "metrics": {metric: topic}}
                stream.write(json.dumps(row | said) + "\n")
    arguments = ["compare", tmp_path / "x.jsonl", "--metric", "m", "--peers", "no_models", "-f", "tsv"]
    assert read(printed(*arguments, "--year", "2021"))[0]["summarizer"].tolist() == ["1", "2"]
    refused(2, "it is not known which of 9 are humans;", *arguments)
