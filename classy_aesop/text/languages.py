"""A guess at the script and language of texts, for a report, by letters and frequent short words."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable

from classy_aesop.text.tokens import tokens

FREQUENT = {
    "English": "the of and to in a is that it was for on are with as at be this by from not or have but",
    "German": "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an",
    "French": "de la le et les des en un une du est dans que qui pour par sur au pas plus ne se il ce",
    "Spanish": "de la el que y en los se del las un por con una su para es al lo como más no pero",
    "Italian": "di e il la che in un per del è della una con non si le da sono nel al dei alla più",
    "Portuguese": "de a o que e do da em um para com não uma os no se na por mais as dos ao das foi",
    "Dutch": "de van het een en in is dat op te zijn met voor niet aan er om ook als bij door naar uit",
    "Swedish": "och i att det som en på är av för med den till ett inte om har de han var från vid",
    "Polish": "w i na z do się nie to że jest o jak po od za przez ale dla są co tym oraz był",
    "Turkish": "ve bir bu da de için ile olarak çok daha gibi olan kadar sonra en ne o ise var değil",
    "Russian": "и в не на что с по как к из у за от для это он но его о же так до",
}
"""The most frequent words of some languages."""

_OF_SCRIPTS = {"Hangul": "Korean", "Han": "Chinese", "Greek": "Greek", "Hebrew": "Hebrew", "Thai": "Thai"}
_KANA = ("Hiragana", "Katakana")
_LEAST = 0.1
_LEAD = 1.3
_FEWEST = 5


def scripts(texts: Iterable[str]) -> dict[str, float]:
    """Share of each script among the letters, greatest first.

    Examples
    --------
    >>> scripts(["Дом, im Haus"])
    {'Latin': 0.6666666666666666, 'Cyrillic': 0.3333333333333333}
    """
    found: Counter[str] = Counter()
    for character, count in Counter("".join(texts)).items():
        if character.isalpha():
            name = unicodedata.name(character, "unknown").split()[0]
            found["Han" if name == "CJK" else name.capitalize()] += count
    return {script: count / found.total() for script, count in found.most_common()}


def language(texts: Iterable[str]) -> str | None:
    """Name the language that texts seem to be in; None if that is not clear.

    Examples
    --------
    >>> language(["Der Hund ist in dem Haus und nicht im Garten."]), language(["雨が降った。"]), language(["abc"])
    ('German', 'Japanese', None)
    """
    text = "\n".join(texts)
    shares = scripts([text])
    if sum(shares.get(script, 0) for script in _KANA) > _LEAST:
        return "Japanese"
    script = next(iter(shares), "")
    if script in _OF_SCRIPTS:
        return _OF_SCRIPTS[script]
    words = Counter(tokens(text, "unicode"))
    counts = {name: sum(words[word] for word in frequent.split()) for name, frequent in FREQUENT.items()}
    (best, most), (_, next_most) = Counter(counts).most_common(2)
    is_clear = most >= _FEWEST and most >= _LEAST * max(words.total(), 1) and most >= _LEAD * next_most
    return best if is_clear else None
