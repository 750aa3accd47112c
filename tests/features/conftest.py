import numpy as np
import pytest

from classy_aesop.text.tokens import blank_like_rouge
from classy_aesop.text.vocabulary import Vocabulary
from tests.features.counting import count_texts


@pytest.fixture
def values():
    """Give the values of a feature for summaries, each a list of sentences, that meet all references."""

    def values_of(function, summaries, references=()):
        meets = np.ones((len(summaries), len(references)), bool)
        counts = count_texts(summaries, references, meets, vocabulary=Vocabulary(blank_like_rouge))
        return function(counts).tolist()

    return values_of
