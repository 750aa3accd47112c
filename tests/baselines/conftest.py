"""Topics of a few words."""

import pytest

from classy_aesop.data.topics import Reference, Summary, Topic


def made(*summaries, references, human=(), documents=()):
    """Make a topic; summarizers are numbers, humans and references letters."""
    peers = [Summary(str(at), _text(text)) for at, text in enumerate(summaries, 1)]
    texts = dict(zip("ABCDEFGH", map(_text, references), strict=False))
    humans = [Summary(name, texts[name], human=True) for name in human]
    named = tuple(Reference(name, text) for name, text in texts.items())
    return Topic("", "T", "", (*peers, *humans), named, documents=tuple(documents))


def _text(text):
    return (text,) if isinstance(text, str) else tuple(text)


@pytest.fixture(scope="session")
def topic_of():
    return made


@pytest.fixture(scope="session")
def values_of():
    """Give scores by summarizer and metric."""

    def values(baseline, topic, *, jackknife=False, **options):
        table = baseline([topic], jackknife=jackknife, **options)
        return table.pivot(index="summarizer", columns="metric", values="score")

    return values


def score_one(scorer, summary, references):
    """Score one summary, given as its sentences, against its references."""
    return scorer.score_all([summary], [references])[0]
