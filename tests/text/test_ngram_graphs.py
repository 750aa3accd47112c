from collections import defaultdict

import pytest

from classy_aesop.text.ngram_graphs import NgramGraphs


def of_texts(first, second):
    return NgramGraphs.from_texts([first], [second]).similarities([0]).item()


def directed_graph(text, n, window):
    """A plain second way: every place looks at both sides, and each direction is an edge."""
    weights = defaultdict(int)
    starts = range(len(text) - n + 1)
    for here in starts:
        for there in starts:
            if here != there and abs(here - there) <= window:
                weights[text[here : here + n], text[there : there + n]] += 1
    return weights


def plain(first, second, n, window):
    """Value similarity of two texts by dictionaries."""
    a, b = directed_graph(first, n, window), directed_graph(second, n, window)
    smaller, larger = sorted((len(a), len(b)))
    if smaller == 0:
        return 0
    common = a.keys() & b.keys()
    value = sum(min(a[edge], b[edge]) / max(a[edge], b[edge]) for edge in common)
    return value / larger


def test_similarities_by_hand():
    # abc-bcd is the one edge of abcd; abcde has it and abc-cde, bcd-cde.
    assert of_texts("abcd", "abcde") == 1 / 3


def test_similarities_with_weights_by_hand():
    # aaaaa: aaa-aaa three times. aaaab: aaa-aaa once, aaa-aab (two directions) twice. Common: 1/3 of a weight.
    assert of_texts("aaaaa", "aaaab") == pytest.approx(1 / 9)


@pytest.mark.parametrize(("first", "second"), [("", "abcde"), ("abc", "abcde"), ("", ""), ("abc", "abc")])
def test_with_an_empty_graph_is_zero(first, second):
    assert of_texts(first, second) == of_texts(second, first) == 0


def test_any_character_is_one():
    assert NgramGraphs.from_texts([], ["日本語文", "😀😁😂🤣", "\ud800bcd"]).sizes.tolist() == [2, 2, 2]
