"""Words of a page in the reader's own terms: a version for a system, an input for a topic, rated for judged."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from xml.sax.saxutils import escape, unescape

from classy_aesop.errors import UsageError

WORDS: Mapping[str, tuple[str, ...]] = {
    "system": ("system", "summarizer"),
    "topic": ("topic",),
    "metric": ("metric",),
    "summary": ("summary",),
    "judged": ("judged",),
    "judgment": ("judgment",),
    "rater": ("rater", "assessor"),
    "human": ("human",),
    "task": ("task",),
    "year": ("year",),
}
"""What can be called otherwise, with all words for it."""


@dataclass(frozen=True)
class Terms:
    """The reader's words for ours.

    Attributes
    ----------
    words : mapping of str to str
        Of `WORDS`, each in the singular, to what readers call it.
    names : frozenset of str
        What is never changed: names of systems, topics and metrics in the tables of the page.

    Examples
    --------
    >>> terms = Terms({"system": "version", "topic": "input"}, frozenset({"topic system"}))
    >>> terms.apply("A system is better than 2 systems on a topic: topic system.")
    'A version is better than 2 versions on an input: topic system.'
    >>> terms.apply("n_topics of system-01")
    'n_inputs of system-01'
    """

    words: Mapping[str, str] = field(default_factory=dict)
    names: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        unknown = [word for word in self.words if word not in WORDS]
        if unknown:
            raise UsageError(f"terms: no word {unknown[0]!r}; expected one of {', '.join(WORDS)}")
        empty = [word for word, term in self.words.items() if not str(term).strip()]
        if empty:
            raise UsageError(f"terms: no word is given for {empty[0]!r}; expected {empty[0]}=WORD")

    def apply(self, text: str) -> str:
        """Write a text in these terms; plurals and articles follow, names stay."""
        if not self.words:
            return text
        return self._pattern.sub(self._replace, text)

    def apply_to_texts(self, svg: str) -> str:
        """Write the texts of a picture in these terms."""
        if not self.words:
            return svg
        return re.sub(r"(?<=>)[^<>]+(?=</text>)", lambda match: escape(self.apply(unescape(match[0]))), svg)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        names = sorted(filter(None, self.names), key=len, reverse=True)
        names_pattern = "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in names) or "(?!)"
        forms = "|".join(form for word in self._forms for form in (word, plural(word)))
        words_pattern = rf"(?<![A-Za-z0-9-])(?P<word>{forms})(?![A-Za-z0-9-])"
        article_pattern = r"(?:(?P<article>\b[Aa]n?) )?"
        return re.compile(rf"(?P<name>{names_pattern})|{article_pattern}{words_pattern}", re.I)

    @cached_property
    def _forms(self) -> dict[str, str]:
        """Every word of ours in the singular, with the reader's."""
        return {form: term for word, term in self.words.items() for form in WORDS[word]}

    def _replace(self, match: re.Match[str]) -> str:
        if match["name"] is not None:
            return match[0]
        word = match["word"].lower()
        forms = self._forms
        singular = next(form for form in forms if word in (form, plural(form)))
        term = forms[singular] if word == singular else plural(forms[singular])
        if match["word"][0].isupper():
            term = term[:1].upper() + term[1:]
        if match["article"] is None:
            return term
        article = match["article"][0] + ("n" if term[:1].lower() in "aeiou" else "")
        return f"{article} {term}"


def plural(word: str) -> str:
    """Give the plural of a regular English noun; of a participle itself.

    Examples
    --------
    >>> [plural(word) for word in ("system", "summary", "class", "judged")]
    ['systems', 'summaries', 'classes', 'judged']
    """
    if word.endswith("ed"):
        return word
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("s", "x", "ch", "sh")) else f"{word}s"
