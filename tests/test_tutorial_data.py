"""The tables of the tutorial are rows of the made-up sample, and scores of a judge drawn from its human scores."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

SAMPLE = Path(__file__).parent.parent / "data_samples"
TABLES = Path(__file__).parent.parent / "classy_aesop" / "sample" / "tutorial"
YEARS = {"spring": "2021", "autumn": "2022"}


def rows(year, part):
    return [json.loads(line) for line in (SAMPLE / year / part).read_text(encoding="utf-8").splitlines()]


def table(year):
    """Give the systems' summaries of task A, each with its topic's first human summary and two human scores."""
    summaries = [row for row in rows(year, "summaries.jsonl") if row["instance_id"].endswith("-A")]
    scores = {
        (row["instance_id"], row["summarizer_id"]): row["metrics"] for row in rows(year, "judgments.jsonl")
    }
    reference = {}
    for row in summaries:
        if row["summarizer_type"] == "reference":
            reference.setdefault(row["instance_id"], " ".join(row["summary"]["text"]))
    for row in summaries:
        topic, system = row["instance_id"], row["summarizer_id"]
        if row["summarizer_type"] == "peer":
            ids = {"doc_id": topic.removesuffix("-A"), "system": f"system-{int(system):02}"}
            text = {"summary": " ".join(row["summary"]["text"]), "reference": reference[topic]}
            yield (
                ids | text | {name: scores[topic, system][name] for name in ("responsiveness", "readability")}
            )


def written(records, delimiter):
    out = io.StringIO()
    writer = csv.DictWriter(out, list(records[0]), delimiter=delimiter, lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return out.getvalue()


def judged(records, seed):
    """Give a judge's scores from 1 to 10: twice the human score, and an error of up to 3 drawn by the seed."""
    errors = np.random.default_rng(seed).integers(-3, 4, size=len(records))
    for row, error in zip(records, errors, strict=True):
        score = min(max(2 * row["responsiveness"] + int(error), 1), 10)
        yield {"topic": row["doc_id"], "summarizer": row["system"], "judge": score}


@pytest.mark.parametrize("name", YEARS)
def test_tables_are_of_the_sample(name):
    records = list(table(YEARS[name]))
    assert len(records) == 144
    found = {path.name: path.read_text(encoding="utf-8") for path in TABLES.glob(f"{name}*")}
    scores = list(judged(records, int(YEARS[name])))
    assert found == {f"{name}.csv": written(records, ","), f"{name}-judge.tsv": written(scores, "\t")}


def raters():
    """Give the rows of spring with three raters in place of the scores: with errors of up to a grade."""
    errors = np.random.default_rng(2021).choice([-1, 0, 0, 1], size=(144, 3))
    for row, error in zip(table(YEARS["spring"]), errors, strict=True):
        kept = {name: row[name] for name in ("doc_id", "system", "summary", "reference")}
        grades = np.clip(row["responsiveness"] + error, 1, 5)
        yield kept | {f"rating_{at}": int(grade) for at, grade in enumerate(grades, 1)}


def test_three_raters_of_spring():
    assert (TABLES / "raters.csv").read_text(encoding="utf-8") == written(list(raters()), ",")


def preferences():
    """Give which of two of three systems of autumn two raters prefer: by the human scores, with an error of a grade."""
    rng = np.random.default_rng(2022)
    scores = {(row["doc_id"], row["system"]): row["responsiveness"] for row in table(YEARS["autumn"])}
    pairs = [("system-02", "system-05"), ("system-02", "system-08"), ("system-05", "system-08")]
    for topic in sorted({topic for topic, _ in scores}):
        for pair in pairs:
            shown = pair if rng.integers(2) else pair[::-1]
            for rater in ("ann", "bob"):
                gain = scores[topic, shown[0]] - scores[topic, shown[1]] + rng.choice([-1, 0, 0, 1])
                winner = "model_a" if gain > 0 else "model_b" if gain < 0 else "tie"
                models = {"model_a": shown[0], "model_b": shown[1]}
                yield {"doc_id": topic, **models, "annotator": rater, "winner": winner}


def test_preferences_of_autumn():
    assert (TABLES / "preferences.csv").read_text(encoding="utf-8") == written(list(preferences()), ",")
