"""On a terminal commands that score summaries answer, in at most 40 lines of 80 columns; pipes and files get rows."""

import re

import pandas as pd

from classy_aesop.pages.answers import explanation_lines, feature_lines, prediction_lines


def rows(scores):
    keys = [("", f"t{at % 2}", "", name) for name, _ in scores for at in range(2)]
    frame = pd.DataFrame(keys, columns=["year", "topic", "task", "summarizer"])
    return frame.assign(score=[score for _, score in scores for _ in range(2)])


def said(scores, confidence=None, **ends):
    predicted = rows(scores)
    means = predicted.groupby(["year", "task", "summarizer"], sort=False)["score"]
    means = means.agg(mean="mean", n_topics="count").reset_index().assign(**ends)
    return list(prediction_lines(predicted, means, "quality", confidence))


def test_the_first_sentence_is_that_of_the_table():
    lines = said([("a", 1.0), ("b", 3.0)], 0.9, low=[0.5, 2.5], high=[1.5, 3.5])
    expected = (
        "b has the highest predicted mean of quality, 3.00 [2.50, 3.50], of 2 systems; a has the lowest"
    )
    assert " ".join(lines).startswith(expected)
    assert "90% intervals" in " ".join(lines)
    assert said([("a", 1.0), ("b", 1.0)])[0] == "All systems get the same predicted mean of quality: 1.00."
    assert said([("a", 1.0)])[0] == "The predicted mean of quality is 1.00, over 2 summaries."
    assert said([("a", float("nan"))]) == ["No summary has a predicted score."]
    assert "2 summaries without a score" in said([("a", 1.0), ("b", float("nan"))])
    assert "6 more" in said([(f"s{at}", float(at)) for at in range(30)])


def test_parts_stand_out_beside_the_mean_of_the_topic():
    """By hand: topic means of r2 are .2 and .3; a has .1 more in both, b .1 less; form is constant."""
    keys = rows([("a", 0), ("b", 0)])[["year", "topic", "task", "summarizer"]]
    table = keys.assign(r2=[0.3, 0.4, 0.1, 0.2], form=1.0)
    lines = list(feature_lines(table))
    assert lines[0].startswith("4 summaries by 2 systems on 2 topics have 2 features, 1 of them constant")
    cells = [re.split("  +", line) for line in lines]
    assert ["a", "r2 0.35 (0.25)", "-"] in cells
    assert ["b", "-", "r2 0.15 (0.25)"] in cells
    long = pd.concat(
        [keys.assign(part=name, contribution=table.get(name, 2.0)) for name in ("baseline", "r2")]
    )
    lines = list(explanation_lines(long))
    assert lines[0] == "r2 moves the scores most, of 2 parts."
    assert re.split("  +", lines[3])[-2:] == ["r2 +0.10", "-"]
