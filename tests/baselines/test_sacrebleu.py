"""BLEU and chrF are sacreBLEU's own, against the references that a summary meets; they are computed where named."""

import sys

import numpy as np
import pytest

from benchmarks.made_up.corpora import corpus_of_records
from classy_aesop import score_baselines
from classy_aesop.baselines import BASELINES
from classy_aesop.errors import DataWarning, UsageError

sacrebleu = pytest.importorskip("sacrebleu")
OURS = {"bleu": "BLEU", "chrf": "chrF"}


@pytest.fixture
def corpus():
    rows = [("7", ["The cat sat on the mat.", "It rained."]), ("8", ["A dog ran."]), ("9", [""])]
    references = {"A": ["The cat sat on a mat.", "It rained hard."], "B": ["A dog sat on the mat."]}
    return corpus_of_records(
        {"topic": "D1", "summarizer": name, "text": text, "references": references} for name, text in rows
    )


def theirs(name, text, references):
    metric = sacrebleu.BLEU(effective_order=True) if name == "bleu" else sacrebleu.CHRF()
    return metric.sentence_score(text, references).score


@pytest.mark.parametrize("name", OURS)
def test_scores_are_those_of_the_package_with_and_without_leaving_one_out(corpus, name):
    (topic,) = corpus
    texts = [" ".join(one.text) for one in topic.summaries]
    references = [" ".join(one.text) for one in topic.references]
    plain = score_baselines(corpus, [name], jackknife=False)
    assert set(plain["metric"]) == {OURS[name]}
    assert plain["score"].tolist() == [theirs(name, text, references) for text in texts]
    left_out = BASELINES[name](corpus, jackknife=True)
    alone = [np.mean([theirs(name, text, [one]) for one in references]) for text in texts]
    assert left_out["score"].tolist() == pytest.approx(alone, rel=1e-12)


def test_by_default_only_what_needs_nothing_else_is_computed_and_nobody_is_warned(corpus):
    found = set(score_baselines(corpus, ["rouge"], jackknife=False)["metric"])
    assert found == {"ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-SU4"}
    with pytest.warns(DataWarning, match="js_documents is left out") as told:
        table = score_baselines(corpus, jackknife=False)
    assert found < set(table["metric"])
    assert not {"BLEU", "chrF"} & set(table["metric"])
    assert not [one for one in told if "folder" in str(one.message)]


def test_without_the_package_it_is_said_how_to_install_it(corpus, monkeypatch):
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    with pytest.raises(UsageError, match=r"BLEU and chrF need sacrebleu: pip install sacrebleu"):
        score_baselines(corpus, ["bleu"], jackknife=False)
