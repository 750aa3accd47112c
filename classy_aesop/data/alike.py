"""Systems whose summaries are near copies of each other's: often one system under two names.

The features of the group ``consensus`` count near copies once; see `text.near_copies`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from classy_aesop.data.scores import natural
from classy_aesop.data.topics import Summary, Topic
from classy_aesop.text.near_copies import NgramSets, near_copies
from classy_aesop.text.sentences import sentences
from classy_aesop.text.stems import STEMMERS
from classy_aesop.text.terms import term_ids
from classy_aesop.text.tokens import TOKENIZERS
from classy_aesop.text.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Alike:
    """Two systems, the number of topics on which they are near copies, and of those that both have."""

    first: str
    second: str
    n_topics: int
    of_topics: int


def find_alike(topics: Iterable[Topic]) -> list[Alike]:
    """Find the systems that are near copies of each other on some topic, those on most topics first.

    Texts are read by ROUGE's tokenizer, stemmed; a summary without a token is no copy.
    """
    vocabulary = Vocabulary(TOKENIZERS["rouge"], STEMMERS["exceptions"])
    alike, topics_of = Counter[tuple[str, str]](), defaultdict[str, set[int]](set)
    for number, topic in enumerate(topics):
        systems = tuple(one for one in topic.summaries if not one.human)
        for one in systems:
            topics_of[one.summarizer].add(number)
        alike.update(_pairs(systems, vocabulary))
    most = sorted(alike, key=lambda pair: (-alike[pair], *map(natural, pair)))
    return [Alike(a, b, alike[a, b], len(topics_of[a] & topics_of[b])) for a, b in most]


def _pairs(systems: Sequence[Summary], vocabulary: Vocabulary) -> Iterator[tuple[str, str]]:
    """Yield the pairs of systems whose summaries of one topic are near copies."""
    ids = term_ids([sentences(one.text) for one in systems], vocabulary)
    no_topic = np.zeros(len(systems), np.intp)
    sets = [NgramSets.bigrams(ids, no_topic), NgramSets.content_words(ids, no_topic)]
    first = near_copies(sets, no_topic, ids.n_tokens > 0)
    voices: dict[int, list[str]] = {}
    for at, one in zip(first.tolist(), systems, strict=True):
        voices.setdefault(at, []).append(one.summarizer)
    for names in voices.values():
        yield from combinations(sorted(names, key=natural), 2)
