import numpy as np
import pytest

from classy_aesop.baselines.lsa import lsa, main_topic


def test_one_sentence_each_by_hand(topic_of, values_of):
    # One sentence: u_1 is its normed term counts, (1, 1, 0) and (1, 0, 1): cosine 1/2.
    found = values_of(lsa, topic_of("a b", references=("a c",)))
    assert found.loc["1"].to_dict() == pytest.approx({"LSA-terms": 0.5, "LSA-topic": 0.5})


def test_two_sentences_by_hand(topic_of, values_of):
    # A = diag(2, 1) over (a, b): the main topic is a alone, the terms are (2, 1).
    found = values_of(lsa, topic_of(("a a", "b"), references=("a",)))
    assert found.loc["1"].to_dict() == pytest.approx({"LSA-terms": 2 / 5**0.5, "LSA-topic": 1.0})


@pytest.mark.parametrize("seed", range(5))
def test_main_topic_is_that_of_the_term_by_term_matrix(seed):
    A = np.random.default_rng(seed).poisson(0.8, size=(9, 4)).astype(float)
    assert abs(np.linalg.eigh(A @ A.T)[1][:, -1] @ main_topic(A)) == pytest.approx(1.0)
