"""Pictures inside a page: every point is there, coordinates are short, ids differ, and bytes do not change."""

import re
from functools import partial

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("matplotlib")

from classy_aesop import plots
from classy_aesop.pages.page import Picture, draw_pictures
from classy_aesop.plots.base import BLUE

POINTS = pd.DataFrame({"score": np.linspace(0, 1, 2_244) ** 2, "judged": np.linspace(1, 5, 2_244)})


@pytest.fixture(scope="module")
def pictures():
    picture = Picture("dots", partial(plots.scatter, POINTS))
    return draw_pictures([picture, picture])


@pytest.mark.slow
def test_each_of_thousands_of_points_is_drawn_and_the_picture_is_small(pictures):
    assert max(re.findall(r' d="([^"]*)"', pictures[0]), key=len).count("M") == len(POINTS)
    assert len(pictures[0]) < 45_000
    assert not re.search(r' d="[^"]*\d\.\d{2}', pictures[0])


def test_pictures_have_ids_colours_and_a_style_of_their_own(pictures):
    ids = [set(re.findall(r' id="([^"]*)"', text)) for text in pictures]
    assert not ids[0] & ids[1]
    picture = Picture("dots", partial(plots.scatter, POINTS))
    assert draw_pictures([picture, picture]) == pictures
    assert f"stroke: {BLUE}" in pictures[0]
    import matplotlib

    with matplotlib.rc_context({"font.size": 30, "text.color": "red", "axes.grid": True}):
        picture = Picture("dots", partial(plots.scatter, POINTS))
        assert draw_pictures([picture])[0] == pictures[0]
        assert matplotlib.rcParams["font.size"] == 30
