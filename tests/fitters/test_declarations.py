"""What fitters declare of themselves, and what follows for one that declares nothing."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from classy_aesop.fitters import (
    FITTERS,
    CanonicalRegression,
    ExtraTrees,
    LinearFitter,
    RobustRegression,
    declared,
    tried_by_best,
)
from classy_aesop.fitters.ridge import RidgeRegression

OPTIONS = {"target": 2, "calibrate": False, "random_state": 7}


class Plain(LinearFitter):
    """Writes `solve` and declares nothing."""

    def solve(self, X, y):
        return X[0] * 0.0, float(y.mean())


def test_a_fitter_takes_of_the_options_those_of_its_constructor():
    taken = {
        name: set(fitter.configured(**OPTIONS).get_params()) & set(OPTIONS)
        for name, fitter in FITTERS.items()
    }
    assert {name: found for name, found in taken.items() if found} == {
        "canonical": {"target", "calibrate"},
        "boosting": {"random_state"},
        "extra_trees": {"random_state"},
    }
    assert CanonicalRegression.configured(**OPTIONS).get_params() == {"target": 2, "calibrate": False}
    assert ExtraTrees.configured(**OPTIONS).random_state == 7
    assert isinstance(Plain.configured(**OPTIONS), Plain)


def test_a_new_fitter_joins_no_choice_that_it_does_not_name(monkeypatch):
    monkeypatch.setitem(FITTERS, "plain", Plain)
    assert tried_by_best() == ("robust", "nonnegative", "canonical")
    monkeypatch.setattr(Plain, "tried_by_best", True)
    assert tried_by_best() == ("robust", "nonnegative", "canonical", "plain")


def test_only_a_raw_canonical_score_is_off_the_scale():
    assert all(fitter().on_scale for fitter in FITTERS.values())
    assert not CanonicalRegression(calibrate=False).on_scale


@pytest.mark.parametrize("calibrate", [False, True])
def test_aimed_at_one_of_several_targets(calibrate):
    fitter = CanonicalRegression(target=1, calibrate=calibrate)
    assert fitter.aimed_at(2).get_params() == {"target": 2, "calibrate": calibrate}
    assert fitter.aimed_at(2, on_scale=not calibrate).get_params() == {
        "target": 2,
        "calibrate": not calibrate,
    }
    assert fitter.target == 1


def test_a_regressor_of_another_package_has_the_defaults():
    names = ("linear", "many_targets", "first_of_equals", "spare_rows", "tried_by_best")
    assert [declared(Ridge(), name) for name in names] == [False, False, False, 0, False]
    assert [declared(RobustRegression(), name) for name in names[2:4]] == [True, 1]


@pytest.mark.parametrize(
    "solved",
    [
        None,
        1.0,
        (np.zeros(3), 0.0),
        (np.zeros(2), np.zeros(2)),
        np.zeros(2),
        (np.full(2, np.nan), 0.0),
        (np.full(2, np.inf), 0.0),
        (np.zeros(2), np.nan),
        (np.zeros(2), None),
        (np.zeros(2) * 1j, 0.0),
        (["a", "b"], 0.0),
    ],
)
def test_a_solution_of_another_form_names_the_fitter(solved):
    class Broken(RidgeRegression):
        def solve(self, X, y):
            return solved

    with pytest.raises(
        TypeError, match=r"Broken.solve gives something else; expected weights of shape \(2,\)"
    ):
        Broken().fit(np.arange(8.0).reshape(4, 2), np.arange(4.0))
