"""Imported scores joined with instances by ids, in any order; one warning names what does not join."""

import warnings

import numpy as np
import pandas as pd
import pytest

from classy_aesop.data import COLUMNS, align_scores, key_table
from classy_aesop.errors import DataWarning, InputError
from classy_aesop.features.table import with_imported

INSTANCES = key_table([("1", "t1", "A", "x"), ("1", "t1", "A", "y"), ("1", "t2", "A", "x")])


def scores(*rows):
    return pd.DataFrame([("1", *row) for row in rows], columns=COLUMNS)


WHOLE = [("t2", "A", "x", "m", 3.0), ("t1", "A", "y", "m", 2.0), ("t1", "A", "x", "m", 1.0)]


def test_rows_are_joined_by_ids_and_not_by_order():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert align_scores(INSTANCES, scores(*WHOLE))["m"].tolist() == [1.0, 2.0, 3.0]


def test_what_is_missing_or_unknown_is_said_in_one_warning():
    table = scores(*WHOLE[1:], ("t2", "A", "z", "m", 9.0), ("t2", "A", "x", "n", 5.0))
    with pytest.warns(DataWarning) as caught:
        wide = align_scores(INSTANCES, table, what="extra")
    assert len(caught) == 1
    assert str(caught[0].message) == (
        "extra: scored but not in the corpus, and left out: 1 (1/t2/A/z); "
        "missing: m of 1 (1/t2/A/x), n of 2 (1/t1/A/x, 1/t1/A/y)"
    )
    assert np.isnan(wide["m"].iloc[2])


def test_instances_outside_the_part_are_known():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert align_scores(INSTANCES[:2], scores(*WHOLE), known=INSTANCES)["m"].tolist() == [1.0, 2.0]


def test_single_ratings_are_averaged():
    table = scores(*WHOLE).assign(assessor="1")
    again = table.assign(assessor="2", score=table["score"] + 1)
    assert align_scores(INSTANCES, pd.concat([table, again]))["m"].tolist() == [1.5, 2.5, 3.5]


def test_no_common_instance_and_repeated_ones_are_refused():
    with pytest.raises(InputError, match="no summary of the corpus has a score: scores have 1/t9/A/x"):
        align_scores(INSTANCES, scores(("t9", "A", "x", "m", 1.0)))
    with pytest.raises(InputError, match="1 t1-A x: m appears twice"):
        align_scores(INSTANCES, scores(*WHOLE, WHOLE[-1]))


def test_a_table_keeps_how_its_features_were_made():
    table = INSTANCES.assign(r2=0.5)
    table.attrs["features"] = {"stem": True}
    assert with_imported(table, scores(*WHOLE)).attrs == table.attrs


def test_names_of_ours_and_metrics_that_are_not_there_are_refused():
    table = INSTANCES.assign(human=False, r2=0.5)
    for taken in ("r2", "su4", "r2@A", "human"):
        with pytest.raises(
            InputError, match=f"imported metric {taken} has the name of a column or a feature"
        ):
            with_imported(table, scores(*WHOLE).assign(metric=taken))
    with pytest.raises(InputError, match="no imported metric k; the scores have m"):
        with_imported(table, scores(*WHOLE), names=["k"])
    with pytest.raises(InputError, match="imported scores: m has no score for any of the summaries"):
        with_imported(table[:1], scores(*WHOLE[:2]), known=INSTANCES)
