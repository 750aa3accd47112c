"""Small score tables and judged corpora, from matrices of scores."""

import pandas as pd
import pytest

from benchmarks.made_up.corpora import corpus_of_records
from classy_aesop.reading import tidy


@pytest.fixture
def table_of():
    """Make a score table from matrices by metric, summarizers x topics; NaN are left out."""

    def made(matrices, *, year="2021", task="A", names=None):
        rows = [
            (year, f"t{topic + 1}", task, names[row] if names else str(row + 1), metric, score)
            for metric, X in matrices.items()
            for row, scores in enumerate(X)
            for topic, score in enumerate(scores)
        ]
        columns = ["year", "topic", "task", "summarizer", "metric", "score"]
        return tidy(pd.DataFrame(rows, columns=columns).dropna())

    return made


@pytest.fixture
def corpus_of(table_of):
    """Make a judged corpus from matrices by human measure; who has a letter for a name is human."""

    def made(matrices, **how):
        judgments = table_of(matrices, **how)
        keys = judgments[["year", "topic", "task", "summarizer"]].drop_duplicates()
        rows = keys.assign(
            human=keys["summarizer"].str.isalpha(), text="Of " + keys["summarizer"] + " on " + keys["topic"]
        ).to_dict("records")
        lone = not any(row["human"] for row in rows)
        more = {"references": {"Z": "Of old.", "Y": "Of late."}} if lone else {}
        return corpus_of_records([{**row, **more} for row in rows], judgments)

    return made
