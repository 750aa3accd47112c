import pytest
from scipy.spatial.distance import jensenshannon

from benchmarks.made_up.corpora import corpus_of_records
from classy_aesop.baselines.divergence import jensen_shannon


def test_a_divergence_by_hand(topic_of, values_of):
    # P = (1/2, 1/2, 0), Q = (1/2, 0, 1/2), A = (1/2, 1/4, 1/4): each KL is 1/2 log2 2.
    found = values_of(jensen_shannon, topic_of("a b", references=("a c",)))
    assert found.loc["1"].to_dict() == pytest.approx({"JS-1": -0.5, "JS-2": -1.0})


def test_averaged_references_by_hand(topic_of, values_of):
    # Q is the mean of (1/2, 1/2) and (1, 0), each reference with the same weight whatever its length.
    topic = topic_of("a", references=("a b", "a a a a"))
    expected = jensenshannon([1, 0], [3 / 4, 1 / 4], base=2) ** 2
    assert values_of(jensen_shannon, topic).loc["1", "JS-1"] == pytest.approx(-expected)


def test_documents_are_read_from_json_lines(tmp_path):
    row = {"instance_id": "T", "summarizer_id": "1", "summary": {"text": "a b"}}
    corpus = corpus_of_records([{**row, "references": {"A": "x"}, "documents": ["a c", ["a", "c"]]}])
    table = jensen_shannon(corpus, jackknife=False, with_documents=True)
    assert table["score"].tolist() == pytest.approx([-0.5, -1])
