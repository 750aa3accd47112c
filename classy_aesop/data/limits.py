"""The greatest length of a text from which features and other metrics are computed."""

from __future__ import annotations

from itertools import chain

from classy_aesop.data.scores import named
from classy_aesop.data.topics import Reference, Summary, Topic
from classy_aesop.errors import InputError

MOST_CHARACTERS = 2_000_000
"""Most characters of a summary or a reference: about 1,000 pages, which take 1.4 GB of memory."""


def checked_length(topic: Topic) -> int:
    """Count the characters of a topic's summaries and references; its documents may have any length.

    Raises
    ------
    InputError
        For the first text that is too long.
    """
    texts: tuple[Summary | Reference, ...]
    texts = (*topic.summaries, *topic.references, *topic.earlier_references)
    total = sum(map(len, chain.from_iterable(one.text for one in texts)))
    for one in texts if total > MOST_CHARACTERS else ():
        n_characters = sum(map(len, one.text))
        if n_characters > MOST_CHARACTERS:
            raise InputError(
                f"{named((*topic.key, one.summarizer))}: a text of {n_characters:,} characters; "
                f"expected {MOST_CHARACTERS:,} or less"
            )
    return total
