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


@pytest.mark.slow
def test_where_just_humans_lack_scores_the_message_says_how_to_leave_them_out(run, judged, tmp_path):
    """People often write about some topics only, so that their scores are never complete."""
    path, corpus = judged
    assert run("baselines", corpus, "-m", "rouge", "-o", tmp_path / "rouge.tsv", "-q")[0] == 0
    lines = (tmp_path / "rouge.tsv").read_text(encoding="utf-8").splitlines()
    for who, is_human in (("A", True), ("1", False)):
        lacking = next(at for at, line in enumerate(lines) if f"\tA\t{who}\tROUGE-2\t" in line)
        some = tmp_path / f"{who}.tsv"
        some.write_text("\n".join([*lines[:lacking], *lines[lacking + 1 :]]), encoding="utf-8")
        how = ["--target", "pyramid", "--task", "A", "--metric", "ROUGE-2", "--scores", some, "-q"]
        code, _, err = run("estimate", path, *how, "--corpus", corpus)
        assert (code, "no score of ROUGE-2 (1 such summaries)" in err) == (1, True)
        assert ("humans alone lack scores, and --peers no_models leaves them out" in err) == is_human
