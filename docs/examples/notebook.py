"""The cells of a notebook: from DataFrames of summaries and ratings to agreement, correlations and a test.

Run from the folder of the repository: ``python docs/examples/notebook.py``.
"""

# %% A DataFrame with a row a summary, and a column a rater
from __future__ import annotations

import pandas as pd

from classy_aesop import Corpus, assessors, score_baselines
from classy_aesop.answers.metrics import evaluate
from classy_aesop.answers.systems import compare_pairs

rows = pd.read_csv("classy_aesop/sample/tutorial/raters.csv")
corpus = Corpus.from_rows(rows)
print(corpus)

# %% How well do the raters agree? The same rows are a table of ratings.
ratings = rows[["doc_id", "system", "rating_1", "rating_2", "rating_3"]]
agreement = assessors(ratings).table
print(agreement[["assessor", "other", "value", "low", "high"]].round(3))

# %% Scores of known metrics, joined with the ratings by their ids
scores = score_baselines(corpus, ["rouge"], jackknife=False)
found = evaluate(scores, ratings, level=["system"], coefficient=["pearson"]).table
print(found[["metric", "target", "value"]].round(3))

# %% A metric of one's own: any DataFrame with a topic and a system
own = rows.assign(words=rows["summary"].str.split().str.len())[["doc_id", "system", "words"]]
print(evaluate(own, ratings, level=["system"], coefficient=["pearson"]).table["value"].round(3).tolist())

# %% Which systems differ, by the mean of the raters?
pairs = compare_pairs(ratings, "rating").table
print(pairs["significant"].sum(), "of", len(pairs), "pairs differ")
