"""Predictors of every fitter."""

import re
from pathlib import Path

import classy_aesop


def test_nothing_is_pickled():
    for path in Path(classy_aesop.__file__).parent.rglob("*.py"):
        assert not re.search(r"\bimport pickle|\bjoblib\.(dump|load)|\bfrom pickle", path.read_text()), path
