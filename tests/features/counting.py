"""Counts of the texts of one topic, given as lists of sentences."""

import numpy as np

from classy_aesop.features.counts import SummaryCounts, TopicCounts
from classy_aesop.text.pairs import Pairs
from classy_aesop.text.token_batches import TokenBatch


def count_texts(summaries, references, meets, *, vocabulary):
    """Count summaries that meet references, (n_summaries, n_references)."""
    texts = [*references, *summaries]
    pairs = Pairs(np.array([len(references)]), np.array([len(summaries)]))
    chunks = vocabulary.read(texts)
    batch = TokenBatch.from_chunks(chunks, pairs, vocabulary)
    return TopicCounts.from_texts(SummaryCounts(batch, chunks), batch, meets.ravel(), texts)
