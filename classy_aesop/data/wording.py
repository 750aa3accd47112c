"""The language of a corpus's texts, and how the tokenizers and the sentence splitter handle them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from classy_aesop.data.corpus import Corpus
from classy_aesop.text.languages import language, scripts
from classy_aesop.text.sentences import sentences
from classy_aesop.text.tokens import TOKENIZERS, letter_counts, tokens

_MOST_TEXTS = 500
_SOME = 0.05
_UNSPACED = ("Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar")
_UNKNOWN_ENDS = re.compile("[。｡！？．।॥۔؟።။។]")


@dataclass(frozen=True, slots=True)
class Wording:
    """The texts of the summaries, or of some hundred of them.

    Parameters
    ----------
    scripts : tuple of (str, float)
        Scripts with their share of the letters, greatest first.
    language : str
        What they seem to be in; ``""`` if that is not clear.
    n_words : tuple of (str, float)
        Tokenizers with the mean number of words that they make of a summary.
    n_sentences : float
        Mean number of sentences of a summary.
    lost : float
        Share of the letters that ROUGE's tokenizer drops.
    concerns : tuple of str
        What does not fit these texts.
    """

    scripts: tuple[tuple[str, float], ...]
    language: str
    n_words: tuple[tuple[str, float], ...]
    n_sentences: float
    lost: float
    concerns: tuple[str, ...]

    @classmethod
    def of(cls, corpus: Corpus) -> Wording:
        """Look at the summaries, at most 500 of them, spread over the corpus."""
        every = [summary.text for _, summary in corpus.summaries()]
        texts = list(islice(every, 0, None, -(-len(every) // _MOST_TEXTS)))
        joined = [" ".join(text) for text in texts]
        foreign, letters = letter_counts(joined)
        shares, seems = scripts(joined), language(joined)
        words = {name: [tokens(text, name) for text in joined] for name in TOKENIZERS}
        return cls(
            scripts=tuple(shares.items()),
            language=seems or "",
            n_words=tuple((name, _mean([len(text) for text in of])) for name, of in words.items()),
            n_sentences=_mean([len(sentences(text)) for text in texts]),
            lost=foreign / max(letters, 1),
            concerns=tuple(_concerns(shares, seems, foreign / max(letters, 1), joined)),
        )

    def lines(self) -> list[tuple[str, str]]:
        """Write the rows of the report: a label and a finding each."""
        shares = [f"{script} {share:.0%}" for script, share in self.scripts if share >= 0.005]
        words = [(f"tokenizer {name}", f"{count:.1f} words a summary") for name, count in self.n_words]
        lost = f"; drops {self.lost:.0%} of the letters"
        return [
            ("script", ", ".join(shares) or "no letters"),
            ("language", f"seems to be {self.language}" if self.language else "not clear"),
            *((what, found + lost if what.endswith("rouge") else found) for what, found in words),
            ("sentences", f"{self.n_sentences:.1f} a summary"),
        ]


def _concerns(shares: dict[str, float], seems: str | None, lost: float, texts: Sequence[str]) -> list[str]:
    unspaced = [script for script in _UNSPACED if shares.get(script, 0) > _SOME]
    ends = sorted({mark for text in texts for mark in _UNKNOWN_ENDS.findall(text)})
    n_ends = sum(bool(_UNKNOWN_ENDS.search(text)) for text in texts)
    found = {
        f"ROUGE's tokenizer drops {lost:.0%} of the letters; the tokenizer unicode keeps them": lost > _SOME,
        f"{', '.join(unspaced)}: words without spaces between them are one word": unspaced,
        f"{' '.join(ends)} ends no sentence, and is in {n_ends} of {len(texts)} summaries": ends,
        f"stems and word lists are English, and the texts seem to be {seems}": seems not in (None, "English"),
    }
    return [message for message, is_so in found.items() if is_so]


def _mean(counts: Sequence[int]) -> float:
    return sum(counts) / max(len(counts), 1)
