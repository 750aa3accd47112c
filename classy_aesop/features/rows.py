"""Features computed topic by topic, as arrays."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, pairwise
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from classy_aesop.data.checks import checked_length
from classy_aesop.data.scores import named
from classy_aesop.data.topics import Topic
from classy_aesop.errors import InputError
from classy_aesop.features.counts import (
    Counted,
    FeatureFunction,
    FeatureOptions,
    SummaryCounts,
    TopicCounts,
    TopicTexts,
    is_human,
    jackknifed,
    meetings,
    several_counts,
)
from classy_aesop.features.peers import Peers
from classy_aesop.features.registry import (
    FEATURES,
    Feature,
    Names,
    columns_of,
    given_references,
    side_by_side,
)
from classy_aesop.features.sources import Sources
from classy_aesop.outside import load_outside
from classy_aesop.text.arrays import Floats, IntArray
from classy_aesop.text.sentences import sentences
from classy_aesop.text.stems import STEMMERS
from classy_aesop.text.tokens import TOKENIZERS
from classy_aesop.text.vocabulary import Vocabulary
from classy_aesop.work.workers import keep_freed_memory

_DEFAULTS = FeatureOptions()
_CHARACTERS_TOGETHER = 1 << 20  # fewer take more calls, more take memory

_KEPT = threading.local()

MOST_SENTENCES = 2_000
"""Most sentences of a summary, each pair of which is compared."""

_TOPICAL = ("content", "sources")
"""Kinds of features that are computed topic by topic."""


@dataclass(frozen=True)
class TopicRows:
    """The features of one topic's summaries, in their order.

    Parameters
    ----------
    key : tuple of str
        Year, topic and task.
    summarizers : tuple of str
        Who wrote the summaries.
    columns : tuple of str
        Names of the columns of ``values``.
    values : array, shape (n_summaries, n_columns)
        The features.
    scores : mapping of str to array, shape (n_summaries,)
        The requested metrics that are not features, by name.
    is_human, empty : array of bool, shape (n_summaries,)
        Whether a human wrote the summary; whether it has no token.
    n_met : array of int, shape (n_summaries,)
        How many references of its own set each summary was compared with.
    n_earlier : int
        Number of references of the earlier set.
    letters : pair of int
        Numbers of letters outside ASCII, which ROUGE's tokenizer drops, and of all letters, in its texts.
    voice : tuple of str
        Whose near copy each summary is: the first summarizer, often its own. Empty unless asked for and features look
        at other summaries.
    """

    key: tuple[str, str, str]
    summarizers: tuple[str, ...]
    columns: tuple[str, ...]
    values: Floats
    scores: Mapping[str, Floats]
    is_human: NDArray[np.bool_]
    empty: NDArray[np.bool_]
    n_met: IntArray
    n_earlier: int
    letters: tuple[int, int]
    voice: tuple[str, ...] = ()


def feature_rows(
    topics: Iterable[Topic],
    options: FeatureOptions = _DEFAULTS,
    *,
    names: Names | None = None,
    metrics: Mapping[str, FeatureFunction] = MappingProxyType({}),
    vocabulary: Vocabulary | None = None,
) -> Iterator[TopicRows]:
    """Compute features topic by topic, with only a few topics in memory.

    Parameters
    ----------
    topics : iterable of Topic
        The topics, possibly a generator. A topic with earlier references gets two columns per content feature.
    options : FeatureOptions
        How texts are read and compared.
    names : iterable of str, optional
        Which features and groups of features; by default `DEFAULT_FEATURES`.
    metrics : mapping of str to function, optional
        Other metrics to compute from the same counts, such as `baselines.rouge.METRICS`. They compare with the
        references of the summary's own set, jackknifed like a content feature.
    vocabulary : Vocabulary, optional
        Tokenizer and stemmer, if they differ from those of the options.

    Yields
    ------
    TopicRows
        Content features are NaN for a summary compared with no reference; an empty summary is marked ``empty``.

    Raises
    ------
    InputError
        If a feature or group is unknown, or all need references and the options allow none; or a summary has more
        than `MOST_SENTENCES` sentences.
    """
    selected = given_references(names, options.references)
    return Extractor(options, tuple(selected), metrics, vocabulary).rows(topics)


@dataclass(frozen=True)
class Extractor:
    """Computes features topic by topic; as `feature_rows`, of names that `given_references` gave."""

    options: FeatureOptions
    names: tuple[str, ...]
    metrics: Mapping[str, FeatureFunction] = field(default_factory=dict)
    vocabulary: Vocabulary | None = None
    voices: bool = False

    def rows(self, topics: Iterable[Topic]) -> Iterator[TopicRows]:
        """Compute the rows of topics; some of them are worked on together."""
        load_outside("features")  # a worker knows those of other packages too
        keep_freed_memory()  # so that the next topic can use it again
        if self.options.references == "none":
            topics = (replace(topic, references=(), earlier_references=()) for topic in topics)
        for group in _groups(topics):
            counts = counted(group, self.options, self._words)
            together, voice = self._without_references(group, [one.own for one in counts])
            stops = accumulate((len(topic.summaries) for topic in group), initial=0)
            counts.reverse()
            for topic, (start, stop) in zip(group, pairwise(stops), strict=True):
                one = counts.pop()  # so that the next topic gets its memory, which is in the cache
                yield self._of_topic(topic, one, together[start:stop], (voice[start:stop] - start).tolist())

    def _without_references(
        self, topics: Sequence[Topic], counts: Sequence[TopicCounts]
    ) -> tuple[Floats, IntArray]:
        """Features that are not topical, (n_summaries, n_features), and, if wanted, the first near copy of each."""
        selected = [FEATURES[name] for name in self.names if FEATURES[name].kind not in _TOPICAL]
        sizes = [len(topic.summaries) for topic in topics]
        if not selected:
            return np.zeros((sum(sizes), 0)), np.zeros(0, np.intp)
        for topic, one in zip(topics, counts, strict=True):
            for at in np.flatnonzero(one.summaries.n_sentences > MOST_SENTENCES)[:1]:
                which = named((*topic.key, topic.summaries[at].summarizer))
                n = one.summaries.n_sentences[at]
                raise InputError(
                    f"{which}: a summary of {n:,} sentences; expected {MOST_SENTENCES:,} or less"
                )
        written = SummaryCounts.together(counts)
        written.summaries.hand_down([one.summaries for one in counts])
        peers = Peers(
            written.summaries,
            np.repeat(np.arange(len(topics)), sizes),
            np.concatenate([is_human(topic) for topic in topics]),
            edited=self.voices,
        )
        has_voices = self.voices and any(one.kind == "peers" for one in selected)
        voice = peers.voice if has_voices else np.zeros(0, np.intp)
        computed = {one.name: one.function(peers) for one in selected if one.kind == "peers"}
        del peers  # so that the others get its memory
        computed |= {one.name: one.function(written) for one in selected if one.kind == "linguistic"}
        return side_by_side([(one, computed[one.name]) for one in selected], sum(sizes)), voice

    def _of_topic(self, topic: Topic, counts: Counted, known: Floats, voice: Sequence[int]) -> TopicRows:
        """Compute the features of one topic that are not known."""
        current, earlier, letters = counts
        human = is_human(topic)
        is_left_out = self.options.references == "jackknife"

        def against_current(function: FeatureFunction) -> Floats:
            """Compare with the topic's own references, one of them left out if that is asked."""
            return jackknifed(function, current, human) if is_left_out else function(current)

        sources: Sources | None = None
        computed: list[tuple[Feature, Floats]] = []
        for one in (FEATURES[name] for name in self.names if FEATURES[name].kind in _TOPICAL):
            if one.kind == "sources":
                sources = sources or Sources.of(
                    [sentences((text,), "auto") for text in topic.documents],
                    [sentences(summary.text, self.options.sentences) for summary in topic.summaries],
                    self._words,
                )
                computed.append((one, one.function(sources)))
                continue
            if earlier is not None:
                computed.append((one, one.function(earlier)))
            computed.append((one, against_current(one.function)))
        columns, order = self._columns[earlier is not None]
        return TopicRows(
            key=topic.key,
            summarizers=tuple(summary.summarizer for summary in topic.summaries),
            columns=columns,
            values=np.hstack([known, side_by_side(computed, human.size)]).take(order, axis=1),
            scores={metric: against_current(function) for metric, function in self.metrics.items()},
            is_human=human,
            empty=current.summaries.n_tokens == 0,
            n_met=current.n_met,
            n_earlier=len(topic.earlier_references),
            letters=letters,
            voice=tuple(topic.summaries[at].summarizer for at in voice),
        )

    @cached_property
    def _columns(self) -> tuple[tuple[tuple[str, ...], IntArray], ...]:
        """The columns of a topic, of an update or not, and the place of each: the topical ones are behind others."""
        found = []
        for is_update in (False, True):
            each = [
                (column, FEATURES[name].kind in _TOPICAL)
                for name in self.names
                for column in columns_of(name, is_update)
            ]
            names, are_topical = zip(*each, strict=True) if each else ((), ())
            found.append((names, np.argsort(np.argsort(are_topical, kind="stable"))))
        return tuple(found)

    @property
    def _words(self) -> Vocabulary:
        """The given vocabulary, or the tokenizer's that this thread used before, so that known words stay known."""
        if self.vocabulary is not None:
            return self.vocabulary
        kept: dict[str, Vocabulary] = _KEPT.__dict__
        tokenizer = self.options.tokenizer
        if tokenizer not in kept:
            stem = STEMMERS["exceptions" if tokenizer == "rouge" else "none"]
            kept[tokenizer] = Vocabulary(TOKENIZERS[tokenizer], stem)
        return kept[tokenizer]


def _groups(topics: Iterable[Topic]) -> Iterator[list[Topic]]:
    """Put topics together whose texts are read at once; refuse one that is too long."""
    group: list[Topic] = []
    n_characters = 0
    for topic in topics:
        n_more = checked_length(topic)
        if group and n_characters + n_more > _CHARACTERS_TOGETHER:
            yield group
            group, n_characters = [], 0
        group.append(topic)
        n_characters += n_more
    if group:
        yield group


def counted(topics: Sequence[Topic], options: FeatureOptions, vocabulary: Vocabulary) -> list[Counted]:
    """Count the texts of topics with their own references and with the earlier ones."""
    texts = [
        TopicTexts(
            [sentences(summary.text, options.sentences) for summary in topic.summaries],
            [sentences(reference.text, "given") for reference in topic.references],  # used by ROUGE-L only
            [sentences(reference.text, "given") for reference in topic.earlier_references],
            meetings(topic),
        )
        for topic in topics
    ]
    return several_counts(texts, vocabulary)
