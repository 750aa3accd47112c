import pytest

from classy_aesop.text.ngram_graphs import NgramGraphs


def ngram_graphs_of(texts, **options):
    """Give the graphs of texts, each as a reference and as a summary."""
    return NgramGraphs.of(texts, texts, **options)


def edges_of(graphs, at):
    """Weight and directions of each edge of a text, sorted."""
    weights = graphs.references[at]
    return sorted(zip(weights[weights > 0].tolist(), graphs.ways[weights > 0].tolist(), strict=True))


def test_edges_by_hand():
    # abcdef has abc, bcd, cde, def: with window 2 the pairs abc-bcd, abc-cde, bcd-cde, bcd-def, cde-def.
    graphs = ngram_graphs_of(["abcdef"], window=2)
    assert edges_of(graphs, 0) == [(1, 2)] * 5
    assert graphs.sizes.tolist() == [10]


def test_an_ngram_with_itself_is_one_edge_by_hand():
    # aaaab has aaa, aaa, aab: aaa-aaa once, aaa-aab from two places.
    graphs = ngram_graphs_of(["aaaab", "aaaaa"])
    assert edges_of(graphs, 0) == [(1, 1), (2, 2)]
    assert edges_of(graphs, 1) == [(3, 1)]
    assert graphs.sizes.tolist() == [3, 1]


def test_both_orders_are_one_edge_by_hand():
    # abab with bigrams and window 1: ab-ba, ba-ab.
    graphs = ngram_graphs_of(["abab"], n=2, window=1)
    assert edges_of(graphs, 0) == [(2, 2)]


@pytest.mark.parametrize("text", ["", "a", "ab", "abc"])
def test_up_to_n_characters_make_no_edge(text):
    graphs = ngram_graphs_of([text, "abcd", text])
    assert graphs.sizes.tolist() == [0, 2, 0]
    assert edges_of(graphs, 0) == edges_of(graphs, 2) == []


def test_no_texts():
    graphs = ngram_graphs_of([])
    assert graphs.sizes.shape == (0,)


def test_ngrams_never_run_from_one_text_into_the_next():
    together, alone = ngram_graphs_of(["abcd", "efgh"]), ngram_graphs_of(["abcd"])
    assert together.sizes.tolist() == [2, 2]
    assert alone.sizes.tolist() == [2]


def test_case_white_space_and_form_of_letters_count():
    texts = ["cafe s", "Cafe s", "cafe  s", "café s", "cafe\u0301 s"]
    graphs = ngram_graphs_of(texts)
    for first in range(len(texts)):
        for second in range(first):
            assert ((graphs.references[first] > 0) != (graphs.references[second] > 0)).any()


def test_any_character_is_one():
    assert ngram_graphs_of(["日本語文", "😀😁😂🤣", "\ud800bcd"]).sizes.tolist() == [2, 2, 2]


def test_many_characters_against_few():
    # Beyond a bound n-grams are numbered by sorting; the graph of a text is the same.
    wide = "".join(map(chr, range(0x4E00, 0x4E00 + 6000)))
    text = "the storm reached the coast"
    alone, beside = ngram_graphs_of([text]), ngram_graphs_of([text, wide])
    assert edges_of(alone, 0) == edges_of(beside, 0)
    assert beside.sizes.tolist() == [alone.sizes[0], 2 * (3 * 5998 - 6)]


def test_known_edges_keep_their_weights():
    graphs = NgramGraphs.of(["abcde"], ["bcdefg", "aaaa"])
    assert graphs.references.tolist() == [[1, 1, 1]]
    assert graphs.sizes.tolist() == [12, 1]
    assert (graphs.summary.tolist(), graphs.weight.tolist()) == ([0], [1])
