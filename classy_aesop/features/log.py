"""Log messages about the topics whose features are computed: references met, and how sentences were found."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator

from classy_aesop.corpus.data import Topic
from classy_aesop.features.options import FeatureOptions

_LOG = logging.getLogger(__name__)


def logged(topics: Iterable[Topic], options: FeatureOptions) -> Iterable[Topic]:
    """Pass topics on; after the last one log how they were read, if the log is shown."""
    return _counted(topics, options) if _LOG.isEnabledFor(logging.INFO) else topics


def _counted(topics: Iterable[Topic], options: FeatureOptions) -> Iterator[Topic]:
    n_topics, met, found = 0, Counter[int](), Counter[str]()
    for topic in topics:
        n_topics += 1
        met.update(sum(topic.meets(summary)) for summary in topic.summaries)
        found.update(_way(summary.text, options.sentences) for summary in topic.summaries)
        yield topic
    counts = ", ".join(f"{number} ({met[number]} summaries)" for number in sorted(met))
    _LOG.info("features of %d summaries on %d topics; references met: %s", met.total(), n_topics, counts)
    ways = ", ".join(f"{way} in {number} summaries" for way, number in found.items())
    _LOG.info("sentences (%s): %s; tokenizer: %s", options.sentences, ways, options.tokenizer)


def _way(text: tuple[str, ...], how: str) -> str:
    """Say how `classy_aesop.text.sentences.sentences` finds the sentences of a text."""
    in_one_piece = len(text) == 1 and "\n" not in text[0]
    return "split by rule" if how == "split" or (how == "auto" and in_one_piece) else "as given"
