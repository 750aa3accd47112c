"""The commands on assessors and on numbers of topics: what they print, and what they say when something is wrong."""

import json

import pytest

LISTS = [(3, 3), (2, 3), (4, 4), (5, 4), (1, 1)]


@pytest.fixture
def files(tmp_path):
    """Lists of ratings, a wide table of scores, and a corpus with a text that two systems wrote."""
    rated = [
        {"instance_id": "D1", "summarizer_id": str(at), "metrics": {"overall": pair, "form": [2, 2]}}
        for at, pair in enumerate(LISTS)
    ]
    scores = ["topic\tsummarizer\tm1"]
    scores += [f"t{t}\t{s}\t{(7 * t + 3 * s * s) % 5 + s}" for t in range(8) for s in range(1, 7)]
    summaries = [
        {"instance_id": "D1-A", "summarizer_id": name, "summarizer_type": "peer", "summary": {"text": [text]}}
        for name, text in (("1", "It rained."), ("2", "It  rained."), ("3", "Sun."), ("4", "Sun."))
    ]
    summaries[0]["references"] = [{"summarizer_id": "B", "summarizer_type": "reference", "text": ["Rain."]}]
    for row in summaries:
        row["references"] = summaries[0]["references"]
    keys = ("instance_id", "summarizer_id", "summarizer_type")
    judged = [
        {**{key: row[key] for key in keys}, "metrics": {"overall": score}}
        for row, score in zip(summaries, (4, 3, 1, 1), strict=True)
    ]
    (tmp_path / "corpus").mkdir()
    for name, rows in (("ratings", rated), ("corpus/summaries", summaries), ("corpus/judgments", judged)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "topics.tsv").write_text("topic\tassessor\nD1\tP\n")
    (tmp_path / "scores.tsv").write_text("\n".join(scores) + "\n")
    return tmp_path


LINES = [
    (
        "assessors {0}/ratings.jsonl --metric overall --scale ordinal",
        "Krippendorff's alpha is 0.908 (no interval: 5 units; expected 20 or more).",
    ),
    (
        "assessors {0}/ratings.jsonl --metric overall --scale ordinal",
        "command:assessors|scale:ordinal|",
    ),
    ("study consistency {0}/corpus --topic-labels {0}/topics.tsv", "0.889"),  # 1 - (2 / 4) / (54 / 12)
    ("assessors {0}/ratings.jsonl --reliability --metric overall", "variance: "),
    (
        "power {0}/scores.tsv --metric m1 --difference 1.5 --systems 1 3",
        "command:power|metric:m1|difference:1.5|systems:1+3|",
    ),
    (
        "power {0}/scores.tsv --metric m1 --systems 1 3 --test paired_t",
        " topics are needed to see the observed difference of ",
    ),
]


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(("line", "words"), LINES)
def test_a_command_answers(printed, files, line, words):
    assert words in " ".join(printed(f"{line.format(files)} -q").split())


POWER = ["power", "{0}/scores.tsv", "--metric", "m1", "--difference"]
WRONG = [
    (["assessors"], 2, "expected RATINGS, --corpus IN or both"),
    (["assessors", "{0}/nowhere.tsv"], 2, "nowhere.tsv"),
    (["assessors", "--corpus", "{0}/corpus"], 1, "study consistency says whether an assessor rates the same"),
    (["assessors", "{0}/ratings.jsonl", "--metric", "x"], 2, "no metric 'x'; known: form, overall"),
    (
        ["assessors", "{0}/ratings.jsonl", "--reliability", "--scale", "ordinal"],
        2,
        "--scale ordinal is for alpha",
    ),
    ([*POWER, "1"], 2, "6 summarizers make 15 pairs; name two or more"),
]


@pytest.mark.slow(after=4)
@pytest.mark.parametrize(("arguments", "code", "words"), WRONG)
def test_what_is_wrong_is_one_line(refused, files, arguments, code, words):
    refused(code, words, *(part.format(files) for part in arguments))
