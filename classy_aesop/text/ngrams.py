"""Counts of all n-grams of a topic's texts, of any length, for distributions (recall needs only shared n-grams)."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from classy_aesop.text.counts import Booleans, IntArray, TermIds, Vocabulary
from classy_aesop.text.stop_words import function_words


def ngram_table(ids: TermIds, n: int, *, dropped: Booleans | None = None) -> IntArray:
    """Count every n-gram of every text; n-grams may span sentences.

    Parameters
    ----------
    ids : TermIds
        The tokens of the texts.
    n : int
        Words of an n-gram, 1 or more.
    dropped : array of bool, shape (n_tokens,), optional
        Marks tokens such as function words; n-grams of marked tokens only are left out.

    Returns
    -------
    array of int, shape (n_texts, n_types)
        A text with fewer than n tokens has a row of zeros.

    Examples
    --------
    >>> from classy_aesop.text.counts import term_ids
    >>> ngram_table(term_ids([["a b a b"], ["b a"], ["c"]], Vocabulary(str.lower)), 2).tolist()
    [[2, 1], [0, 1], [0, 0]]
    """
    n_windows = max(ids.term.size - n + 1, 0)
    kept = ids.text[:n_windows] == ids.text[ids.term.size - n_windows :]
    if dropped is not None and n_windows:
        kept &= ~sliding_window_view(dropped, n).all(axis=1)
    key = ids.term[:n_windows]
    for step in range(1, n):
        key = _numbered(key * ids.n_terms + ids.term[step : step + n_windows])
    types = _numbered(key[kept])
    n_types = int(types.max(initial=-1)) + 1
    cells = ids.text[:n_windows][kept] * n_types + types
    return np.bincount(cells, minlength=ids.n_texts * n_types).reshape(ids.n_texts, n_types)


def _numbered(keys: IntArray) -> IntArray:
    """Number the distinct keys from 0, so that they stay small."""
    numbers: IntArray = np.unique(keys, return_inverse=True)[1]
    return numbers


def is_function_word(texts: list[list[str]], vocabulary: Vocabulary) -> Booleans:
    """Mark the function words among the tokens of texts, in the order of `counts.term_ids`; shape (n_tokens,)."""
    words = function_words()
    lines = [sentence.replace("\n", " ") for sentences in texts for sentence in sentences]
    return np.array([word in words for word in vocabulary.blanked("\n".join(lines)).split()], bool)
