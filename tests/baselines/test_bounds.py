"""Identical texts reach the upper bound of every bounded baseline to the bit."""

from importlib.util import find_spec

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from classy_aesop.baselines import BASELINES

BOUNDS = dict.fromkeys(("ngram", "lsa", "vert_like", "ngram_graphs"), 1.0) | {"js": 0.0, "js_documents": 0.0}
if find_spec("sacrebleu"):
    BOUNDS |= {"bleu": 100.0, "chrf": 100.0}

WORDS = ["cat", "dog", "mat", "sat", "on", "the", "a", "ran", "home", "red"]


@pytest.mark.slow
@pytest.mark.parametrize("name", BOUNDS)
@settings(max_examples=40, deadline=None)
@given(words=st.lists(st.sampled_from(WORDS), min_size=8, max_size=60), n_references=st.integers(1, 7))
def test_identical_texts_give_the_bound_to_the_bit(name, topic_of, values_of, words, n_references):
    text = " ".join(words)
    topic = topic_of(text, references=[text] * n_references, documents=[text] * n_references)
    values = values_of(BASELINES[name], topic).drop(columns="NPowER", errors="ignore")
    if name == "js_documents":  # as one text: the bigrams that its parts end and begin with are no others
        values = values[["JS-1-documents"]]
    assert values.to_numpy().ravel().tolist() == [BOUNDS[name]] * values.size
