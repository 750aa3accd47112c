"""Anaphora: words that refer to something mentioned before, which may be missing from an extract.

The features do not check whether the antecedent is there. The word lists are English (``text/data``). All features
have shape (n_summaries,) and are 0 for a summary without words.
"""

from __future__ import annotations

from classy_aesop.features.base import TopicCounts, feature
from classy_aesop.text.counts import Floats
from classy_aesop.text.lists import word_list
from classy_aesop.text.writing import Sentence

_CLARITY = "Dang (2006), question 3: referential clarity"
_LONGEST = 4


@feature(kind="linguistic", group="anaphora", bounds=(0, 1), source=_CLARITY)
def pronouns(topic: TopicCounts) -> Floats:
    """Share of words that are third-person or demonstrative pronouns."""
    known = word_list("pronouns.txt")
    return topic.writing.per_word(lambda word: word.lower() in known)


@feature(kind="linguistic", group="anaphora", bounds=(0, 1), source=_CLARITY)
def pronoun_openings(topic: TopicCounts) -> Floats:
    """Share of sentences that begin with a third-person or demonstrative pronoun."""
    return _openings(topic, word_list("pronouns.txt"))


@feature(kind="linguistic", group="anaphora", bounds=(0, 1), source="Paice (1990)")
def connective_openings(topic: TopicCounts) -> Floats:
    """Share of sentences that begin with a connective, a word or phrase that links them to the one before."""
    return _openings(topic, word_list("connectives.txt", ","))


def _openings(topic: TopicCounts, phrases: frozenset[str]) -> Floats:
    beginnings = tuple(phrase + end for phrase in phrases for end in " '’")  # it's, that’s

    def opens(sentence: Sentence) -> bool:
        return (" ".join(sentence.words[:_LONGEST]).lower() + " ").startswith(beginnings)

    return topic.writing.per_sentence(opens)
