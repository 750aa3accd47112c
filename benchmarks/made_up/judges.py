"""The made-up judges: three human scores of a summary, made from its facts and its language, with noise.

``pyramid``
    The sum of the facts' weights (how many references hold each fact), divided by the best sum for a summary
    with as many facts as the mean reference (a modified pyramid, 0 to 1). A human is compared with the other
    humans' references; a system gets the mean over leaving each reference out, so that both are compared with
    equally many. The annotator misses one fact in twelve.
``readability``
    1 to 5: five, less deductions for disorder, repetition, unclear openings and a last sentence that is cut off.
``responsiveness``
    1 to 5: mostly the weight of the facts, where known facts of an update hardly count, and partly the
    language; lower in a hard topic.

Readability and responsiveness include the leniency of the topic's one assessor and their own noise; both are
rounded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import fsum

import numpy as np

from benchmarks.made_up.chance import bell, happens
from benchmarks.made_up.stories import Story
from benchmarks.made_up.writing import Draft

SEEN = 92
"""How often, in percent, the annotator of the pyramid finds a fact that is in a summary."""

KNOWN = 0.15
"""The share of its weight that a known fact keeps for the reader of an update."""


def judge(
    drafts: Mapping[str, Draft],
    writers: Sequence[str],
    story: Story,
    task: str,
    rng: np.random.Generator,
    *,
    enough: float = 1.0,
) -> dict[str, dict[str, float]]:
    """Judge all summaries of one document set.

    Parameters
    ----------
    drafts : mapping of str to Draft
        By summarizer.
    writers : sequence of str
        The summarizers, at least two, whose drafts are the references.
    story, task
        The story and the task, which the summaries are about.
    rng : numpy.random.Generator
        The source of the assessor's noise.
    enough : float
        The share of the best content beyond which more of it no longer makes a summary more responsive, above 0 and at
        most 1. Below 1 humans reach the top of the scale, as at TAC.

    Returns
    -------
    dict
        For each summarizer ``pyramid`` (0 to 1, four decimals), ``readability`` and ``responsiveness`` (1
        to 5).
    """
    references = {name: _facts(drafts[name]) for name in writers}
    worth = [fact.weight if fact.task == task else KNOWN * fact.weight for fact in story.facts]
    goal = _best(worth, _mean_size(list(references.values())))
    leniency = bell(rng, 1)[0] * 0.3 - 0.25 * story.hardness
    judgments = {}
    for name, draft in drafts.items():
        noise = bell(rng, 2)
        language = 5.0 - damage(draft)
        content = min(1.0, fsum(worth[i] for i in _facts(draft)) / goal / enough)
        use = content * (0.3 + 0.7 * content)  # half the content helps less than half
        merit = 1.0 + 4.0 * (0.8 * use + 0.2 * max(0.0, language - 1.0) / 4.0)
        judgments[name] = {
            "pyramid": _pyramid(name, _seen(draft, rng), references),
            "readability": _grade(language + 0.5 * leniency + 0.5 * noise[0]),
            "responsiveness": _grade(merit + leniency + 0.5 * noise[1]),
        }
    return judgments


def damage(draft: Draft) -> float:
    """Points of readability that a summary loses for faults in its language, 0 or more."""
    return (
        2.0 * _disorder(draft)
        + 0.8 * min(3, _repeats(draft))
        + 0.5 * min(3, draft.dangling)
        + 0.7 * draft.truncated
    )


def _disorder(draft: Draft) -> float:
    """Share of the steps from sentence to sentence that go back in the story."""
    places = [facts[0] for facts in draft.facts if facts]
    steps = list(pairwise(places))
    return sum(after < before for before, after in steps) / len(steps) if steps else 0.0


def _repeats(draft: Draft) -> int:
    facts = [fact for sentence in draft.facts for fact in sentence]
    return len(facts) - len(set(facts))


def _facts(draft: Draft) -> list[int]:
    """Give the distinct facts, sorted, since sums over them must not depend on the order of a set."""
    return sorted({fact for sentence in draft.facts for fact in sentence})


def _seen(draft: Draft, rng: np.random.Generator) -> list[int]:
    return [fact for fact in _facts(draft) if happens(rng, SEEN)]


def _pyramid(name: str, seen: Sequence[int], references: Mapping[str, Sequence[int]]) -> float:
    left_out = [name] if name in references else list(references)
    scores = []
    for absent in left_out:
        met = [facts for other, facts in references.items() if other != absent]
        weights = Counter(fact for facts in met for fact in facts)
        best = _best(list(weights.values()), _mean_size(met))
        scores.append(min(1.0, sum(weights[fact] for fact in seen) / best) if best else 0.0)
    return round(fsum(scores) / len(scores), 4)


def _mean_size(texts: Sequence[Sequence[int]]) -> int:
    """Mean number of facts in a text, rounded up and at least 1."""
    return max(1, -(-sum(len(facts) for facts in texts) // len(texts)))


def _best(worth: Sequence[float], n_facts: int) -> float:
    return fsum(sorted(worth, reverse=True)[:n_facts])


def _grade(points: float) -> int:
    return max(1, min(5, int(np.floor(points + 0.5))))
