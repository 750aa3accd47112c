"""The examples of docs/extending.md run as they stand; an error in a feature of one's own names it and the topic."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from classy_aesop import Corpus
from classy_aesop.features import FEATURES, feature, feature_table
from classy_aesop.features.rows import FeatureError

ROOT = Path(__file__).parent.parent
ROWS = [
    {"topic": topic, "system": system, "summary": summary, "reference": "Rain fell."}
    for topic, system, summary in [("1", "a", "It rained."), ("1", "b", "Snow."), ("2", "a", "Stop.")]
]


@pytest.mark.slow
def test_the_examples_print_what_the_page_shows():
    page = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    examples = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", page, re.DOTALL)
    assert len(examples) == 3
    code = "\n".join(block for block, _ in examples)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "".join(printed for _, printed in examples)


@pytest.fixture
def own_feature():
    """Register features, and take them away again."""
    known = dict(FEATURES)
    yield feature
    for name in FEATURES.keys() - known.keys():
        del FEATURES[name]


def test_a_feature_gets_texts_and_counts(own_feature):
    @own_feature(kind="texts", group="form", source="test")
    def seen_texts(texts):
        assert texts.references == ((("Rain fell.",),),) * 3
        assert [topic.topic for topic in texts.topic_of_summary] == ["1", "1", "2"]
        return [
            len(text[0]) + 100 * n
            for text, n in zip(texts.summaries, texts.counts.summaries.n_tokens, strict=True)
        ]

    assert feature_table(Corpus.from_rows(ROWS), names=["seen_texts"])["seen_texts"].tolist() == [
        210,
        105,
        105,
    ]


def test_an_error_names_the_feature_and_the_topic(own_feature):
    @own_feature(kind="texts", group="form", source="test")
    def stops(texts):
        if ("Stop.",) in texts.summaries:
            raise KeyError("stop")
        return np.zeros(len(texts.summaries))

    with pytest.raises(FeatureError, match=r"^feature stops, topic 2: KeyError: 'stop'$"):
        feature_table(Corpus.from_rows(ROWS), names=["stops"])
