"""Sentences of a text: as given if it is already split, else found by nltk's Punkt rules.

Punkt decides whether a period ends a sentence. Its abbreviations and sentence starters come from this package's own
lists (``data/``), so nothing is downloaded or trained. Text in lower case, or with blanks before its periods, is split
too.

`split_any_script` first splits at the marks that end a sentence in other scripts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Literal, get_args

from classy_aesop.text.scripts import unspaced_letter
from classy_aesop.text.tokens import Tokenizer, word_list

SPLITTERS: dict[Tokenizer, str] = {"rouge": "punkt-news-1", "unicode": "punkt-news-1+marks-1"}
"""Name and version of the splitter that goes with each tokenizer; changes whenever its results may change."""

Sentences = Literal["auto", "given", "split"]

SENTENCES: tuple[Sentences, ...] = get_args(Sentences)
"""How sentences are found: automatically by the form of the text, as given, or always by rule."""


def split_sentences(
    text: str | Sequence[str], method: str = "auto", tokenizer: Tokenizer = "rouge"
) -> list[str]:
    """Split a text into sentences, without blank ones; together they contain all of its tokens.

    Examples
    --------
    >>> split_sentences("Rain fell. It stopped.")
    ['Rain fell.', 'It stopped.']
    """
    items = [text] if isinstance(text, str) else text
    if method != "split":
        items = given_sentences(items)
    stripped = [sentence for item in items if (sentence := item.strip())]
    if method == "split" or (method == "auto" and len(items) == 1):
        return _SPLIT_BY_TOKENIZER[tokenizer](" ".join(stripped))
    return stripped


def given_sentences(text: Sequence[str]) -> Sequence[str]:
    """Return the items of a text, or the lines of its only item, with the blanks around them.

    These blanks matter where texts are cut to a number of words or bytes.
    """
    return text[0].split("\n") if len(text) == 1 else text


def split_by_rule(text: str) -> list[str]:
    """Split running text into sentences by rule."""
    abbreviations = word_list("abbreviations.txt")
    sentences: list[str] = []
    start = 0
    is_plain = True  # whether no mark since the start may end a sentence
    for mark in _POSSIBLE_END.finditer(text):
        place, end = mark.span()
        start_of_word = max(start, text.rfind(" ", start, place) + 1)
        word = text[start_of_word:place]
        # After such a word an end mark and a blank always end a sentence, so that slow Punkt is not asked.
        is_sure = not word or (len(word) > 1 and word.isalpha() and word.lower() not in abbreviations)
        if is_sure and end > place + 1:
            sentence = text[start : place + 1]
            sentences += [sentence] if is_plain else _split_by_punkt(sentence)
            start = end
            is_plain = True
        else:
            is_plain = False
    if not is_plain:
        return sentences + _split_by_punkt(text[start:])
    remaining = text[start:].rstrip()
    return [*sentences, remaining] if remaining else sentences


def split_any_script(text: str) -> list[str]:
    """Split running text also after the marks of other scripts, such as ``。``, ``।`` and ``؟``, and after ``…``.

    An ellipsis ends a sentence before a blank and a letter that is not in lower case, or before a letter of a script
    without blanks between words. Marks in a row, and closing quotation marks and brackets after them, end one sentence.
    """
    pieces: list[str] = []
    start = 0
    for marks in _FOREIGN_MARKS.finditer(text):
        if marks["end"] or _starts_sentence(text, marks.end()):
            pieces.append(text[start : marks.end()])
            start = marks.end()
    pieces.append(text[start:])
    return [sentence for piece in pieces for sentence in split_by_rule(piece.strip())]


_TERMINALS = "。｡！？।॥؟۔։።፧။។៕᠃᠉꘎꘏‼⁇⁈⁉"
_FOREIGN_MARKS = re.compile(
    rf"(?:(?P<end>[.!?…]*(?:[{_TERMINALS}]|．(?!\d))[{_TERMINALS}．.!?…]*)|…[.!?…]*)"
    r"[\"'”’»›」』）)］\]】〉》〕｣]*"
)
_OPENING = "\"'“‘«‹„‚「『（([［【〈《〔｢¿¡—–-"


def _starts_sentence(text: str, place: int) -> bool:
    """Whether what follows an ellipsis is the beginning of a sentence."""
    following = text[place : place + _LOOKAHEAD]
    beginning = following.lstrip().lstrip(_OPENING).lstrip()
    if following[:1].isspace():
        return beginning[:1].isalnum() and not beginning[:1].islower()
    return unspaced_letter().match(beginning) is not None


_LOOKAHEAD = 20

_POSSIBLE_END = re.compile(r"[.?!](?:[ \t\n\r\f\v]+(?=\w)|(?=\W))")
"""A mark and the blanks before a word, or a mark before anything else that is no word."""

_MAX_CACHED_CHARACTERS = 80
"""Length of the text around a mark up to which Punkt's decision is cached."""


def _split_by_punkt(text: str) -> list[str]:
    """Split a text by nltk's Punkt."""
    sentences: list[str] = _make_punkt().tokenize(text)
    return sentences


@lru_cache(maxsize=1)
def _make_punkt():  # type: ignore[no-untyped-def]
    """Make nltk's splitter with this package's lists of abbreviations and sentence starters."""
    from nltk.tokenize.punkt import PunktLanguageVars, PunktParameters, PunktSentenceTokenizer

    class Marks(PunktLanguageVars):  # type: ignore[misc]
        """Finds marks without nltk's clock, which counts what is done between them; the pattern takes linear time."""

        def period_context_re(self) -> Any:
            """Compile nltk's pattern without a limit of time."""
            pattern = super().period_context_re()
            if isinstance(pattern, re.Pattern):  # nltk had no clock before 3.10
                return pattern
            from nltk import redos

            return redos.compile(pattern, timeout=None)

    class Tokenizer(PunktSentenceTokenizer):  # type: ignore[misc]
        """Decides once whether a mark between the same words ends a sentence."""

        decision = lru_cache(maxsize=2**12)(PunktSentenceTokenizer.text_contains_sentbreak)

        def text_contains_sentbreak(self, text: str) -> bool:
            """Decide as nltk does; the decision about a short text is cached."""
            is_short = len(text) <= _MAX_CACHED_CHARACTERS
            has_break: bool = self.decision(text) if is_short else super().text_contains_sentbreak(text)
            return has_break

    parameters = PunktParameters()
    parameters.abbrev_types = word_list("abbreviations.txt")
    parameters.sent_starters = word_list("sentence_starters.txt")
    return Tokenizer(parameters, lang_vars=Marks())


_SPLIT_BY_TOKENIZER: dict[Tokenizer, Callable[[str], list[str]]] = {
    "rouge": split_by_rule,
    "unicode": split_any_script,
}
"""The function that splits running text, by the tokenizer that it goes with."""
