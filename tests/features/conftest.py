import numpy as np
import pytest

from classy_aesop.features.counts import count_texts
from classy_aesop.text.tokens import rouge_blanked
from classy_aesop.text.vocabulary import Vocabulary


@pytest.fixture
def values():
    """Give the values of a feature for summaries, each a list of sentences, that meet all references."""

    def values_of(function, summaries, references=()):
        meets = np.ones((len(summaries), len(references)), bool)
        counts = count_texts(summaries, references, meets, vocabulary=Vocabulary(rouge_blanked))
        return function(counts).tolist()

    return values_of
