"""Every bounded baseline stays within its bounds, and identical texts reach them to the bit."""

from importlib.util import find_spec

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from classy_aesop.baselines import BASELINES

BOUNDS = dict.fromkeys(("rouge", "ngram", "lsa", "vert_like", "ngram_graphs"), (0.0, 1.0))
BOUNDS |= {"js": (-1.0, 0.0), "js_documents": (-1.0, 0.0)}
if find_spec("sacrebleu"):
    BOUNDS |= {"bleu": (0.0, 100.0), "chrf": (0.0, 100.0)}

WORDS = ["cat", "dog", "mat", "sat", "on", "the", "a", "ran", "home", "red"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join)


@pytest.mark.slow
@pytest.mark.parametrize("name", BOUNDS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_scores_lie_within_their_bounds(name, topic_of, values_of, data):
    texts = data.draw(st.lists(TEXTS, min_size=1, max_size=4))
    references = data.draw(st.lists(TEXTS, min_size=2, max_size=4))
    topic = topic_of(
        *texts, references=references, documents=data.draw(st.lists(TEXTS, min_size=1, max_size=2))
    )
    low, high = BOUNDS[name]
    for jackknife in (False, True):
        values = values_of(BASELINES[name], topic, jackknife=jackknife)
        values = values.drop(columns="NPowER", errors="ignore").to_numpy()  # a line, without bounds
        assert ((values >= low) & (values <= high)).all(), values


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in BOUNDS if name != "rouge"])
@settings(max_examples=40, deadline=None)
@given(words=st.lists(st.sampled_from(WORDS), min_size=8, max_size=60), n_references=st.integers(1, 7))
def test_identical_texts_give_the_bound_to_the_bit(name, topic_of, values_of, words, n_references):
    text = " ".join(words)
    topic = topic_of(text, references=[text] * n_references, documents=[text] * n_references)
    values = values_of(BASELINES[name], topic).drop(columns="NPowER", errors="ignore")
    if name == "js_documents":  # as one text: the bigrams that its parts end and begin with are no others
        values = values[["JS-1-documents"]]
    assert values.to_numpy().ravel().tolist() == [BOUNDS[name][1]] * values.size
