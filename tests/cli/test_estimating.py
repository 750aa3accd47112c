"""The commands estimate and power with scores: scores from files or predictors, and what is wrong."""

import io

import pandas as pd
import pytest

from classy_aesop import read_scores

PREDICTOR = "published/25-A-no_models"


@pytest.fixture
def judged(tmp_path, small):
    """Judgments of two topics of a small corpus, and the corpus."""
    corpus = small / "2021"
    table = read_scores(corpus / "judgments.jsonl")
    topics = sorted(set(table["topic"]))[:2]
    path = tmp_path / "judged.tsv"
    table[table["topic"].isin(topics)].to_csv(path, sep="\t", index=False)
    return path, corpus


COMMON = ["--target", "pyramid", "--task", "A", "--peers", "no_models"]


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--predictor", PREDICTOR], "--predictor needs the summaries; expected --corpus IN"),
        (["--metric", "r2"], "--metric needs --scores or --predictor"),
        (["--baseline", "1"], "--baseline and --equivalence need --differences"),
        (["--estimator", "best"], "--estimator"),
        (["--differences", "--baseline", "nobody", "--estimator", "plain"], "no summarizer 'nobody'"),
    ],
)
def test_a_wrong_command_line_is_one_line(refused, judged, more, message):
    path, _ = judged
    refused(2, message, "estimate", path, "--target", "pyramid", "--task", "A", "--peers", "all_peers", *more)


@pytest.mark.slow
def test_who_is_left_out_is_no_company_of_those_who_are_predicted(run, judged, tmp_path):
    """By a predictor whose scores depend on it."""
    (path, corpus), predictor = map(str, judged), "published/news-relevance"
    predicted, out = tmp_path / "predicted.tsv", ["--exclude", "2"]
    assert run("predict", predictor, corpus, *COMMON[2:], *out, "-f", "tsv", "-o", predicted)[0] == 0
    whole = run("estimate", path, "--predictor", predictor, "--corpus", corpus, *COMMON, *out, "-f", "tsv")
    table = pd.read_csv(path, sep="\t")
    table[table["summarizer"].astype(str) != "2"].to_csv(path, sep="\t", index=False)
    other = run("estimate", path, "--scores", predicted, "--corpus", corpus, *COMMON, "-f", "tsv")
    tables = [pd.read_csv(io.StringIO(out), sep="\t")["estimate"].tolist() for _, out, _ in (whole, other)]
    assert tables[0] == pytest.approx(tables[1])
