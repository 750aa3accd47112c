"""How humans and systems write: the facts of a summary and the faults in its language.

All writers do the same: they rank candidate sentences by what they believe to be important, take them while there is
room, put them in order and cut them at the word limit. Writers differ by their traits. A system takes sentences from
the documents, where important facts are repeated often and sentences have lead-ins, pronouns and filler; a human
writes facts in new words, one or two per sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import fsum

import numpy as np

from benchmarks.made_up.chance import bell, between, happens, one_of, shuffled
from benchmarks.made_up.stories import Story, reworded, worded
from benchmarks.made_up.writers import Writer

JOINERS = (", and ", ", while ", "; ", ", and ")
NOISE = 0.6
"""Standard deviation of an unskilled writer's beliefs about weights, which are 0 to 1."""

PATIENCE = 6
"""How many sentences a writer skips because they do not fit before giving up."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence: its clauses as (fact, words), where filler is fact -1, and an optional opening."""

    clauses: tuple[tuple[int, str], ...]
    opening: str = ""
    dangling: bool = False
    joiner: str = ", and "

    @property
    def facts(self) -> tuple[int, ...]:
        """The facts in it."""
        return tuple(fact for fact, _ in self.clauses if fact >= 0)


@dataclass(frozen=True, slots=True)
class Draft:
    """A finished summary, its facts and its faults.

    Parameters
    ----------
    text : tuple of str
        Its sentences, together no longer than the word limit.
    facts : tuple of tuple of int
        The facts of each sentence that are left after the cut.
    dangling : int
        How many openings are unclear.
    truncated : bool
        Whether the last sentence is cut off.
    """

    text: tuple[str, ...]
    facts: tuple[tuple[int, ...], ...]
    dangling: int
    truncated: bool


def documents(story: Story, task: str, rng: np.random.Generator) -> list[Sentence]:
    """Write the sentences of a document set: important facts often, in few wordings; known facts seldom."""
    clauses: list[tuple[int, str]] = []
    for i, fact in enumerate(story.facts):
        if fact.task <= task:
            wordings = [reworded(fact, rng) for _ in range(2)]
            copies = 1 + int(4.0 * fact.weight) if fact.task == task else 1 + int(1.5 * fact.weight)
            clauses += [(i, one_of(rng, wordings)) for _ in range(copies)]
    clauses += [(-1, worded(filler, rng)) for filler in story.fillers for _ in range(between(rng, 0, 2))]
    clauses = shuffled(rng, clauses)
    sentences = []
    while clauses:
        n_clauses = 2 if len(clauses) > 1 and clauses[-1][0] != clauses[-2][0] and happens(rng, 35) else 1
        taken = tuple(sorted(clauses.pop() for _ in range(n_clauses)))
        sentences.append(_opened(Sentence(taken, joiner=one_of(rng, JOINERS)), story, rng))
    return sentences


def _opened(sentence: Sentence, story: Story, rng: np.random.Generator) -> Sentence:
    if '"' in sentence.clauses[0][1]:
        return sentence  # a quotation does not follow "he said that"
    kind = int(rng.integers(100))
    if kind < 30:
        return replace(sentence, opening=worded(one_of(rng, story.dangling), rng), dangling=True)
    if kind < 55:
        return replace(sentence, opening=worded(one_of(rng, story.lead_ins), rng))
    return sentence


def write(
    writer: Writer,
    story: Story,
    task: str,
    sources: Sequence[Sentence],
    *,
    n_words: int,
    rng: np.random.Generator,
) -> Draft:
    """Let a writer summarize the document set of one task in at most ``n_words`` words."""
    weights = [
        fact.weight if fact.task == task else fact.weight * writer.stale / 100.0 for fact in story.facts
    ]
    if writer.human:
        candidates = _written_sentences(writer, story, task, weights, rng)
    else:
        candidates = _ranked_sentences(writer, sources, weights, rng)
    selected = _select(writer, story, candidates, n_words, rng)
    return _cut(_arranged(writer, selected, rng), n_words)


def _ranked_sentences(
    writer: Writer, sources: Sequence[Sentence], weights: Sequence[float], rng: np.random.Generator
) -> list[Sentence]:
    worth = [fsum(weights[i] for i in s.facts) / len(s.clauses) for s in sources]
    return [sources[i] for i in _by_belief(writer, worth, rng)]


def _written_sentences(
    writer: Writer, story: Story, task: str, weights: Sequence[float], rng: np.random.Generator
) -> list[Sentence]:
    """Write the facts in sentences of one or two each, and the best fact twice, for writers who repeat."""
    known = [i for i, fact in enumerate(story.facts) if fact.task <= task]
    facts = [known[i] for i in _by_belief(writer, [weights[i] for i in known], rng)]
    sentences = []
    rest = facts
    while rest:
        n_facts = 2 if happens(rng, 45) else 1
        sentences.append(_written_sentence(story, sorted(rest[:n_facts]), rng))
        rest = rest[n_facts:]
    sentences.insert(3, _written_sentence(story, facts[:1], rng))
    return sentences


def _written_sentence(story: Story, facts: Sequence[int], rng: np.random.Generator) -> Sentence:
    clauses = tuple((i, reworded(story.facts[i], rng)) for i in facts)
    opening = worded(one_of(rng, story.dangling), rng) if '"' not in clauses[0][1] else ""
    return Sentence(clauses, opening, dangling=bool(opening), joiner=one_of(rng, JOINERS))


def _by_belief(writer: Writer, worth: Sequence[float], rng: np.random.Generator) -> list[int]:
    """Order items by the writer's belief, a mean of their worth and noise, weighted by skill."""
    noise = bell(rng, len(worth))
    belief = (writer.skill * np.array(worth) + (100 - writer.skill) * NOISE * noise) / 100.0
    return [int(i) for i in np.argsort(-belief, kind="stable")]


def _select(
    writer: Writer, story: Story, candidates: Sequence[Sentence], n_words: int, rng: np.random.Generator
) -> list[Sentence]:
    overruns = happens(rng, writer.overrun)
    room = n_words if overruns else n_words * writer.length // 100
    selected: list[Sentence] = []
    used: set[int] = set()
    misses = 0
    for candidate in candidates:
        if not used.isdisjoint(candidate.facts) and not happens(rng, writer.repetition):
            continue
        sentence = _edited(writer, story, candidate, rng)
        length = len(_words(sentence))
        if length > room and not overruns:
            misses += 1
            if misses > PATIENCE:
                break
            continue
        selected.append(sentence)
        used.update(sentence.facts)
        room -= length
        if room <= 0:
            break
    return selected or [_edited(writer, story, candidates[0], rng)]  # a summary is never empty


def _edited(writer: Writer, story: Story, sentence: Sentence, rng: np.random.Generator) -> Sentence:
    """Drop the opening or reword the facts, according to the writer's habits."""
    keeps = writer.dangling if sentence.dangling else 100 - writer.compress
    if sentence.opening and not happens(rng, keeps):
        sentence = replace(sentence, opening="", dangling=False)
    if not writer.human and sentence.facts and happens(rng, writer.own_words):
        clauses = tuple(
            (i, reworded(story.facts[i], rng) if i >= 0 else words) for i, words in sentence.clauses
        )
        sentence = replace(sentence, clauses=clauses)
    return sentence


def _arranged(writer: Writer, selected: Sequence[Sentence], rng: np.random.Generator) -> list[Sentence]:
    """Put sentences in the order of the story, filler after the sentence chosen before it; or shuffle them."""
    if happens(rng, writer.disorder):
        return shuffled(rng, selected)
    places: list[tuple[int, int]] = []
    for i, sentence in enumerate(selected):
        behind = places[-1][0] if places else 0
        places.append((sentence.facts[0] if sentence.facts else behind, i))
    return [selected[i] for _, i in sorted(places)]


def _words(sentence: Sentence) -> list[str]:
    """Give the words of a sentence, with a capital at its start and a full stop at its end."""
    text = sentence.joiner.join(words for _, words in sentence.clauses)
    text = f"{sentence.opening} {text}" if sentence.opening else text
    first = next(i for i, letter in enumerate(text) if letter.isalnum())
    text = text[:first] + text[first].upper() + text[first + 1 :]
    return (text if text.endswith('."') else text + ".").split()


def _cut(sentences: Sequence[Sentence], n_words: int) -> Draft:
    """Keep the first ``n_words`` words; a fact is kept if its last word is."""
    text, facts, dangling, truncated = [], [], 0, False
    room = n_words
    for sentence in sentences:
        if room <= 0:
            break
        words = _words(sentence)
        text.append(" ".join(words[:room]))
        facts.append(_surviving(sentence, room))
        dangling += sentence.dangling
        truncated = len(words) > room
        room -= len(words)
    return Draft(tuple(text), tuple(facts), dangling, truncated)


def _surviving(sentence: Sentence, room: int) -> tuple[int, ...]:
    end = len(sentence.opening.split())
    facts = []
    for fact, words in sentence.clauses:
        end += len(words.split())
        if fact >= 0 and end <= room:
            facts.append(fact)
        end += len(sentence.joiner.replace(",", "").replace(";", "").split())
    return tuple(facts)
