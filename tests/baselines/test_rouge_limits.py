"""Texts cut to a number of words or bytes: every way to score agrees with the original.

The expected values are the original's own (`rouge155_limits.json`); `cut` writes its rule out once more.
"""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from classy_aesop import Corpus
from classy_aesop.baselines import Rouge
from classy_aesop.data.topics import Reference, Summary, Topic

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "rouge155_limits.json").read_text("utf-8"))
METRICS = ("ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-SU4")
OPTIONS = {
    "l5": {"limit_words": 5},
    "l12": {"limit_words": 12},
    "b20": {"limit_bytes": 20},
    "b45": {"limit_bytes": 45},
    "p0.2": {"recall_weight": 0.8},
}

pytestmark = pytest.mark.filterwarnings("ignore:.*letters are outside ASCII", "ignore:empty references")


def scorer_with(options):
    return Rouge(stemming="none", metrics=METRICS, **OPTIONS[options])


def corpus_of_cases():
    return [
        Topic(
            "",
            str(number),
            "",
            (Summary("s", tuple(case["peer"])),),
            tuple(Reference(str(place), tuple(text)) for place, text in enumerate(case["references"])),
        )
        for number, case in enumerate(ORACLE["cases"])
    ]


def values_by_topic(table):
    """The values of a table of scores, as the oracle has them."""
    cells = table.set_index(["topic", "metric"])["score"].to_dict()
    return [
        {metric: [cells[str(number), f"{metric}-{letter}"] for letter in "RPF"] for metric in METRICS}
        for number in range(len(ORACLE["cases"]))
    ]


@pytest.mark.slow(after=2)
@pytest.mark.parametrize("options", ["l5", "b20", "l12", "b45", "p0.2"])
def test_every_way_to_score_gives_the_values_of_rouge155(options):
    scorer = scorer_with(options)
    expected = [case["scores"][options] for case in ORACLE["cases"]]
    peers = [case["peer"] for case in ORACLE["cases"]]
    references = [case["references"] for case in ORACLE["cases"]]
    one_by_one = [scorer.score(*texts) for texts in zip(peers, references, strict=True)]
    together = scorer.score_all(predictions=peers, references=references)
    assert [{metric: list(score[metric]) for metric in METRICS} for score in one_by_one] == expected
    assert together == one_by_one
    # Lines of a string are the same sentences as the items of a list.
    as_strings = scorer.score_all(
        ["\n".join(text) for text in peers], [["\n".join(text) for text in texts] for texts in references]
    )
    assert as_strings == one_by_one
    table = scorer.table(corpus_of_cases(), jackknife=False, statistics="RPF")
    assert values_by_topic(table) == expected


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("options", ["b20", "l5", "l12", "b45", "p0.2"])
def test_the_command_gives_the_values_of_rouge155(options, tmp_path, capsys):
    from classy_aesop.cli import main

    rows = [
        {
            "instance_id": str(number),
            "summarizer_id": "s",
            "summary": {"text": case["peer"]},
            "references": {str(place): text for place, text in enumerate(case["references"])},
        }
        for number, case in enumerate(ORACLE["cases"])
    ]
    file = tmp_path / "cases.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    flags = [f"--{name.replace('_', '-')}={value}" for name, value in OPTIONS[options].items()]
    command = ["rouge", str(file), "--stemming", "none", "--metric", "1,2,L,SU4", "-d", "-q", "-f", "tsv"]
    main([*command, "-o", str(tmp_path / "scores.tsv"), *flags])
    assert capsys.readouterr().err == ""
    table = pd.read_csv(tmp_path / "scores.tsv", sep="\t", dtype={"topic": str})
    assert values_by_topic(table) == [case["scores"][options] for case in ORACLE["cases"]]


def cut(sentences, words=None, n_bytes=None):
    """Join the beginning of a text as ``readText`` of ROUGE-1.5.5.pl does."""
    text, size = b"", 0
    for sentence in sentences:
        coded = sentence.encode()
        if not coded:
            continue
        fields = re.split(rb"[ \t\n\r\f\v]+", coded)
        while fields and not fields[-1]:  # Perl's split drops empty fields at the end, but not the first one
            fields.pop()
        length = len(fields) if words else len(coded)
        limit = words or n_bytes
        separator = b" " if size else b""
        if size + length < limit:
            text += separator + coded
            size += length
        else:
            last = b" ".join(fields[: limit - size]) if words else coded[: limit - size]
            return text + separator + last
    return text


@pytest.mark.parametrize("limit", [{"words": 3}, {"words": 9}, {"n_bytes": 7}, {"n_bytes": 31}])
def test_limits_cut_as_the_rule_written_once_more(limit):
    """6,000 values of random texts, cut here beforehand or by `Rouge`."""
    rng = np.random.default_rng(9)
    pieces = np.array(["a", "b", "c", "dd", "é", " ", "  ", "\t", "e-f "])

    def some_text():
        return ["".join(rng.choice(pieces, rng.integers(0, 20))) for _ in range(rng.integers(1, 4))]

    texts = [(some_text(), [some_text() for _ in range(rng.integers(1, 4))]) for _ in range(170)]
    metrics = ("ROUGE-1", "ROUGE-2", "ROUGE-SU4")
    by_name = {{"words": "limit_words", "n_bytes": "limit_bytes"}[name]: n for name, n in limit.items()}
    scores = Rouge(metrics=metrics, **by_name).score_all(*zip(*texts, strict=True))

    def cut_text(text):
        return [cut(text, **limit).decode("utf-8", "replace")]

    expected = [
        Rouge(metrics=metrics).score(cut_text(peer), [cut_text(text) for text in references])
        for peer, references in texts
    ]
    assert scores == expected


def test_a_blank_at_the_start_counts_as_a_word_by_hand():
    scores = Rouge(metrics="ROUGE-1", limit_words=2).score_all([" a b"], ["a b"])
    assert scores[0]["ROUGE-1"] == (0.5, 1.0, 0.66667)
    rows = [{"topic": "1", "system": "s", "summary": " a b", "reference": "a b"}]
    corpus = Corpus.from_rows(rows)
    table = Rouge(metrics=["ROUGE-1"], limit_words=2).table(corpus, jackknife=False)
    assert table["score"].tolist() == [0.5]


def test_subsequences_under_a_limit_of_bytes_are_left_out_one_at_a_time():
    """ROUGE-L of a corpus, with a limit and leaving references out, is the mean of single texts' scores."""
    peer = ["a b c d e f", "c d"]
    references = [["a b", "c e f g"], ["b d f", "x c"], ["a c"]]
    texts = tuple(Reference(str(number), tuple(text)) for number, text in enumerate(references))
    topic = Topic("", "1", "", (Summary("s", tuple(peer)),), texts)
    scorer = Rouge(limit_bytes=6, rounded=False, metrics=("ROUGE-L", "ROUGE-W-1.2", "rougeL"))
    table = scorer.table([topic], jackknife=True).set_index("metric")["score"]
    others = [references[:place] + references[place + 1 :] for place in range(3)]
    for metric in scorer.metrics:
        mean = np.mean([scorer.score(peer, met)[metric].recall for met in others])
        assert table[metric] == pytest.approx(mean, abs=1e-15)
