"""BLEU and NIST of all summaries of a summarizer together: by hand, and BLEU against sacreBLEU."""

import math

import pytest

from classy_aesop import Corpus
from classy_aesop.baselines.corpus_scores import corpus_scores

REFERENCES = {"A": "the cat sat on a mat", "B": "a cat was on the mat today"}


def scores_of(texts, references=REFERENCES, **options):
    rows = [
        {"topic": f"t{at}", "summarizer": "1", "text": text, "references": references}
        for at, text in enumerate(texts)
    ]
    table = corpus_scores(Corpus.from_rows(rows), **options)
    return table.set_index("metric")["score"].to_dict()


def test_bleu_by_hand_with_a_penalty_for_brevity():
    """Lin and Hovy (2003), equations 2 to 4: matches are pooled over summaries, each clipped by the best reference."""
    scores = scores_of(["the cat sat on", "a mat"], {"A": "the cat sat on a mat"})
    precision = (6 / 6 * 4 / 4 * 2 / 2 * 1 / 1) ** 0.25
    assert scores["BLEU"] == pytest.approx(precision * math.exp(1 - 12 / 6))


def test_bleu_against_sacrebleu():
    sacrebleu = pytest.importorskip("sacrebleu")
    texts = ["the cat sat on the mat", "a cat was on a mat", "today the cat sat on a mat and slept"]
    expected = sacrebleu.corpus_bleu(
        texts,
        [[REFERENCES["A"]] * 3, [REFERENCES["B"]] * 3],
        tokenize="none",
        smooth_method="none",
    ).score
    assert 100 * scores_of(texts)["BLEU"] == pytest.approx(expected)


def test_nist_by_hand():
    """The information of a word is log2 of all words over its count; of a bigram, of its first word's count."""
    scores = scores_of(["cat cat dog"], {"A": "cat cat cat dog"})
    unigrams = (2 * math.log2(4 / 3) + math.log2(4 / 1)) / 3
    bigrams = (math.log2(3 / 2) + math.log2(3 / 1)) / 2
    trigrams = math.log2(2 / 1)  # cat cat, twice, then dog, once
    beta = math.log(0.5) / math.log(1.5) ** 2
    expected = (unigrams + bigrams + trigrams) * math.exp(beta * math.log(3 / 4) ** 2)
    assert scores["NIST"] == pytest.approx(expected)


@pytest.mark.filterwarnings("ignore:1 rows without a text")
def test_a_length_without_a_match_makes_bleu_0_and_empty_summaries_count():
    assert scores_of(["mat the on", ""])["BLEU"] == 0
    assert scores_of([""]) == {}


def test_the_first_references_alone():
    texts = ["a cat was on the mat today"]
    first = scores_of(texts, max_references=1)
    assert first == scores_of(texts, {"A": REFERENCES["A"]})
    assert first["BLEU"] < scores_of(texts)["BLEU"] == pytest.approx(1.0)
