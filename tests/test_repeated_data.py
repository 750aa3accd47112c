"""The sample with texts that occur twice is made of rows of the sample, and chapter 6's tables run on it."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from classy_aesop.cli import main
from classy_aesop.pages.formats import read_result

SAMPLE = Path(__file__).parent.parent / "data_samples"
COPIED = {"21": "1", "22": "2", "23": "3", "24": "4"}
"""Systems that hand in another's summaries."""
LARGEST_ERROR = {"P": 0, "Q": 1, "R": 2}
"""How far each assessor may miss the first score on meeting a text again."""


def rows(part):
    lines = (SAMPLE / "2023" / part).read_text(encoding="utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    return [
        row
        for row in found
        if row["instance_id"].endswith("-A")
        and (row["summarizer_type"] == "reference" or int(row["summarizer_id"]) <= 6)
    ]


def again(row, assessor, rng):
    """Give the judgment of a text that its assessor meets again."""
    reach = LARGEST_ERROR[assessor]
    metrics = dict(row["metrics"])
    for name in ("readability", "responsiveness"):
        metrics[name] = int(np.clip(metrics[name] + rng.integers(-reach, reach + 1), 1, 5))
    moved = np.clip(metrics["pyramid"] + reach * rng.integers(-9, 10) / 200, 0, 1)
    metrics["pyramid"] = round(float(moved), 4)
    return metrics


def repeated():
    """Give the two files: systems 1 to 6 of task A of 2023, its humans, and four systems with the texts of others."""
    labels = pd.read_csv(SAMPLE / "topics.tsv", sep="\t", dtype=str)
    assessor = dict(labels.loc[labels["year"] == "2023", ["topic", "assessor"]].itertuples(index=False))
    summaries, judgments = rows("summaries.jsonl"), rows("judgments.jsonl")
    rng = np.random.default_rng(6)
    for name, copied in COPIED.items():
        own = [row for row in summaries if row["summarizer_id"] == copied]
        summaries += [row | {"summarizer_id": name} for row in own]
        own = [row for row in judgments if row["summarizer_id"] == copied]
        who = [assessor[row["instance_id"].removesuffix("-A")] for row in own]
        changed = [{"summarizer_id": name, "metrics": again(*one, rng)} for one in zip(own, who, strict=True)]
        judgments += [row | more for row, more in zip(own, changed, strict=True)]
    return {"summaries.jsonl": summaries, "judgments.jsonl": judgments}


def test_the_files_are_made_of_the_sample():
    for name, made in repeated().items():
        lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in made]
        assert (SAMPLE / "repeated" / name).read_text(encoding="utf-8") == "".join(lines), name


def test_who_meets_a_text_again_without_error_agrees_most(tmp_path):
    out = str(tmp_path / "out.tsv")
    labels = str(SAMPLE / "topics.tsv")
    study = ["study", "consistency", str(SAMPLE / "repeated"), "--topic-labels", labels]
    assert main([*study, "-f", "tsv", "-o", out]) == 0
    alpha = read_result(out).table.set_index(["metric", "assessor"])["value"]
    for metric in ("pyramid", "readability", "responsiveness"):
        assert alpha[metric, "P"] == pytest.approx(1)
        assert alpha[metric, "P"] > alpha[metric, "Q"] > alpha[metric, "R"]


@pytest.mark.slow
def test_the_worst_assessors_are_left_out_and_metrics_correlated(tmp_path):
    scores = tmp_path / "rouge.tsv"
    assert main(["baselines", str(SAMPLE / "repeated"), "-m", "rouge", "-o", str(scores)]) == 0
    out = tmp_path / "out.tsv"
    labels = str(SAMPLE / "topics.tsv")
    study = ["study", "agreement-exclusion", str(SAMPLE / "repeated"), "--topic-labels", labels]
    assert main([*study, "--scores", str(scores), "-f", "tsv", "-o", str(out)]) == 0
    table = read_result(out).table
    assert set(table["excluded"]) == {"R", "R+Q"}
    whole = table[table["metric"] == "ROUGE-2"].groupby("target")["r_before"].nunique()
    assert whole.tolist() == [1, 1, 1]
