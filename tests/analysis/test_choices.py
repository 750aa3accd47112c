"""The functions of the package name the choices of their arguments, so that editors and type checkers know them."""

from typing import get_type_hints

import classy_aesop
from classy_aesop.significance import choices


def test_public_functions_are_typed_by_them():
    for name in ("compare", "rank", "agree", "plan_topics"):
        hints = get_type_hints(getattr(classy_aesop, name))
        assert (hints["test"], hints["preset"]) == (choices.Test, choices.Preset), name
    assert get_type_hints(classy_aesop.compare)["correction"] == choices.BaselineCorrection
    for name in ("rank", "compare_metrics"):
        assert get_type_hints(getattr(classy_aesop, name))["correction"] == choices.Correction, name
