import numpy as np

from classy_aesop.features.rouge import r1


def test_recall_by_hand(values):
    # the cat sat: 2 of 3; the dog the: 2 of 3 and once more "the" is 3 of 3
    summaries = [["The cat", "ran"], ["The dog ran to the dog"], []]
    assert values(r1, summaries, [["The cat sat"], ["The dog the"]]) == [2 / 3, 1, 0]
    assert np.isnan(values(r1, summaries)).all()
