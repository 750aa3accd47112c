import random
from collections import defaultdict

import numpy as np
import pytest

from classy_aesop.text import ngram_graphs
from classy_aesop.text.ngram_graphs import NgramGraphs


def of_texts(first, second, **options):
    return NgramGraphs.from_texts([first], [second], **options).similarities([0]).item()


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


def test_an_edge_that_only_one_repeated_ngram_makes_by_hand():
    # bab: b-a and a-b are one edge of weight 2, b-b one of weight 1 in one direction; ba has b-a once.
    found = NgramGraphs.from_texts(["bab"], ["ba", "bab"], n=1, window=2).similarities([0])
    assert found.tolist() == [2 * (1 / 2) / 3, 1]


@pytest.mark.slow(after=6)
@pytest.mark.parametrize("seed", range(30))
def test_all_similarities_at_once_against_pairs_of_graphs(seed, monkeypatch):
    """Short alphabets repeat n-grams everywhere, long ones nowhere; numbers beyond the bound."""
    rng = random.Random(seed)
    if seed % 3 == 0:
        monkeypatch.setattr(ngram_graphs, "_MAX_NGRAM_NUMBER", 1)
    alphabet = rng.choice(["a", "ab", "abc \n", "aé日😀", "abcdefghijklmnopqrstuvwxyz  "])
    n, window, n_references = rng.randint(1, 4), rng.randint(1, 5), rng.randint(0, 4)
    texts = [
        "".join(rng.choices(alphabet, k=rng.randrange(90))) for _ in range(n_references + rng.randint(0, 5))
    ]
    graphs = NgramGraphs.from_texts(texts[:n_references], texts[n_references:], n=n, window=window)
    for at, reference in enumerate(texts[:n_references]):
        found = graphs.similarities([at])
        expected = [plain(reference, text, n, window) for text in texts[n_references:]]
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-14)


def test_any_character_is_one():
    assert NgramGraphs.from_texts([], ["日本語文", "😀😁😂🤣", "\ud800bcd"]).sizes.tolist() == [2, 2, 2]
