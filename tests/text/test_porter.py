import numpy as np
import pytest
from nltk.stem.porter import PorterStemmer

from classy_aesop.text.porter import RougePorterStemmer

STEPS = ("_measure", "_step1a", "_step1b", "_step1c", "_step2", "_step3", "_step5a", "_step5b")
ENDS = ("", "eed", "ed", "ing", "y", "e", "ll", "lle", "s", "sses", "ational", "fulness", "icate", "y")


@pytest.mark.parametrize("step", STEPS)
def test_steps_against_nltk(step):
    rng = np.random.default_rng(3)
    words = ["".join(rng.choice(list("aeiouybdlnstz"), rng.integers(1, 8))) for _ in range(2000)]
    words = [word + end for word, end in zip(words, rng.choice(ENDS, len(words)), strict=True)]
    ours, theirs = RougePorterStemmer(), PorterStemmer(PorterStemmer.MARTIN_EXTENSIONS)
    found = [getattr(ours, step)(word) for word in words]
    assert found == [getattr(theirs, step)(word) for word in words]
    assert found != words
