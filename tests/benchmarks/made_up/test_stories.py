"""Stories: every line of the made-up news can be written."""

import re

import numpy as np
import pytest

from benchmarks.made_up import stories


@pytest.mark.parametrize("kind", [*stories.KINDS, "any"])
@pytest.mark.parametrize("task", ["A", "B"])
def test_every_fact_has_three_different_forms(kind, task):
    blocks = stories._blocks(kind, task)
    assert len(blocks) >= 6
    for forms in blocks:
        assert len(forms) == len(set(forms)) == 3


def test_every_form_can_be_told_without_leftovers():
    rng = np.random.default_rng(0)
    slots = {**stories._cast_and_places(rng), **stories._details(rng)}
    for kind in [*stories.KINDS, "any"]:
        for form in (form for task in "AB" for forms in stories._blocks(kind, task) for form in forms):
            wording = stories._wording(form, slots)
            assert not re.search(r"[\[\]<>/]", "".join(word for piece in wording for word in piece)), form


@pytest.mark.parametrize("seed", range(10))
def test_weights_run_from_one_downwards(seed):
    story = stories.imagine(np.random.default_rng(seed))
    for task in "AB":
        weights = sorted((fact.weight for fact in story.facts if fact.task == task), reverse=True)
        assert weights[0] == 1.0
        assert weights[-1] > 0
        assert len(weights) == len(set(weights)) >= 15


def test_template_by_hand():
    wording = stories._wording("the [dam/wall] of <town> [broke/gave way]", {"town": "Iskarra"})
    assert wording == (("the ",), ("dam", "wall"), (" of Iskarra ",), ("broke", "gave way"))
    texts = {stories.worded(wording, np.random.default_rng(seed)) for seed in range(40)}
    assert texts == {f"the {a} of Iskarra {b}" for a in ("dam", "wall") for b in ("broke", "gave way")}
