import numpy as np
import pytest

from classy_aesop.text.pairs import Pairs
from classy_aesop.text.token_batches import TokenBatch
from classy_aesop.text.vocabulary import Vocabulary


@pytest.fixture
def read_topics():
    """Read topics, each given as its references and its summaries, and these as lists of sentences, as one batch."""

    def read(topics, vocabulary=None):
        vocabulary = Vocabulary(str.lower) if vocabulary is None else vocabulary  # an empty one is false
        texts = [text for references, summaries in topics for text in (*references, *summaries)]
        n_references = np.array([len(references) for references, _ in topics], np.intp)
        n_summaries = np.array([len(summaries) for _, summaries in topics], np.intp)
        return TokenBatch.from_chunks(vocabulary.read(texts), Pairs(n_references, n_summaries), vocabulary)

    return read
