"""The features of summaries as a scikit-learn transformer."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.linear_model import Ridge
from sklearn.model_selection import GroupKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from classy_aesop import SubsetSearchRegressor, SummaryFeatures, summary_features
from classy_aesop.errors import InputError
from classy_aesop.features.registry import CLASSY2011, group_of, sort_row_features

ROWS = [
    ("It rained all day in the town. Nobody went out.", "Rain fell all day in the town."),
    ("Snow fell.", ["Snow fell on the hills.", "It snowed in the hills."]),
    ("The sun shone. The sun shone all day.", "The sun shone for one day."),
    ("A storm came from the sea.", "From the sea came a storm. It went on all day."),
]


def test_rows_of_any_kind():
    texts, references = zip(*ROWS, strict=True)
    expected = summary_features(texts, references, names=CLASSY2011).to_numpy()
    array = np.empty((4, 2), dtype=object)
    array[:] = ROWS
    for rows in (ROWS, array, pd.DataFrame(ROWS, columns=["summary", "references"])):
        np.testing.assert_array_equal(SummaryFeatures().fit_transform(rows), expected)


def test_names_come_out():
    transformer = SummaryFeatures().set_output(transform="pandas")
    found = transformer.fit_transform(pd.DataFrame(ROWS, index=[3, 5, 7, 9]))
    assert (
        list(found.columns) == sort_row_features(CLASSY2011) == transformer.get_feature_names_out().tolist()
    )
    assert found.index.tolist() == [3, 5, 7, 9]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
def test_scikit_learn_contract():
    check_estimator(SummaryFeatures())


def test_a_pipeline_from_texts_to_scores():
    rows, y, topics = ROWS * 6, np.arange(24.0) % 4, np.repeat(np.arange(6), 4)
    model = make_pipeline(SummaryFeatures(["rouge", "repetition"]), Ridge(alpha=1e-3))
    assert (cross_val_score(model, rows, y, groups=topics, cv=GroupKFold(3)) > 0.9).all()
    labels = [group_of(name) for name in model[0].get_feature_names_out()]
    search = make_pipeline(clone(model[0]), SubsetSearchRegressor("ridge", units=labels))
    search.fit(rows, y, subsetsearchregressor__topics=topics)
    assert set(search[-1].subset_.names) <= set(labels)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("It rained.", "X is 'It rained.'; expected rows"),
        (["It rained."], "X, row 1: 'It rained.'; expected a summary and its references"),
        ([("a", "b", "c")], "X, row 1: .*; expected a summary and its references"),
        ([("a", None)], "references, row 1: None"),
        (pd.DataFrame({"summary": ["a"]}), r"X, row 1: \('a',\); expected a summary and its references"),
    ],
)
def test_what_is_no_row_is_refused(rows, message):
    with pytest.raises(InputError, match=message):
        SummaryFeatures().transform(rows)


def test_options_are_checked():
    with pytest.raises(InputError, match="no feature or group is named r9"):
        SummaryFeatures(["r9"]).fit(ROWS)
    with pytest.raises(InputError, match="tokenizer is 'x'"):
        SummaryFeatures(tokenizer="x").fit(ROWS)
