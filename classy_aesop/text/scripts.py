"""Scripts that are written without blanks between words, such as Chinese, Japanese and Thai.

The standard library does not say which script a character belongs to, so that the blocks of these scripts are listed
here, after the classes ID and SA of Unicode's line breaking (UAX 14).
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

_EAST_ASIAN = (
    "\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c"  # signs of repetition, numerals
    "\u3041-\u3098\u309b-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # hiragana, katakana
    "\u3105-\u312f\u31a0-\u31bf"  # bopomofo
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Chinese characters
    "\ua000-\ua48c"  # Yi
    "\U00016fe0-\U00018d8f\U0001aff0-\U0001b2ff\U00020000-\U0003ffff"  # Tangut, Khitan, more kana, Nushu, Chinese
)
"""Letters of scripts that are written without blanks between words, as a class of `re`; none is a mark or a digit."""

_SOUTH_EAST_ASIAN = (
    range(0x0E00, 0x0F00),  # Thai, Lao
    range(0x1000, 0x10A0),  # Burmese
    range(0x1780, 0x1800),  # Khmer
    range(0x1950, 0x19E0),  # Tai Le, New Tai Lue
    range(0x1A20, 0x1AB0),  # Tai Tham
    range(0x1B00, 0x1B80),  # Balinese
    range(0xA980, 0xAA00),  # Javanese, more Burmese
    range(0xAA60, 0xAAE0),  # more Burmese, Tai Viet
    range(0x11700, 0x11750),  # Ahom
)
"""Blocks of further such scripts, which have marks and digits, too."""


@cache
def unspaced_letter() -> re.Pattern[str]:
    """Match a letter of a script without blanks between words, with its marks; compiled on first use."""
    characters = [chr(code) for block in _SOUTH_EAST_ASIAN for code in block]
    letters = [character for character in characters if character.isalpha()]
    marks = [character for character in characters if unicodedata.category(character).startswith("M")]
    return re.compile(f"[{_EAST_ASIAN}{''.join(letters)}][\u0300-\u036f\u3099\u309a{''.join(marks)}]*")
