"""The page of promises states the limits that the code has."""

import re
from pathlib import Path

from classy_aesop.config import keys
from classy_aesop.data import leaks
from classy_aesop.data.cells import LARGEST
from classy_aesop.reading import byte_sources, nist
from classy_aesop.work import options
from classy_aesop.work import records as json_text

LIMITS = {
    "a line of a score table": byte_sources.MAX_LINE_BYTES,
    "a text that metrics are computed of": leaks.MAX_TEXT_CHARACTERS,
    "a whole number in JSON": json_text.MAX_DIGITS,
    "a score": LARGEST,
    "a summary or table": nist.MAX_FILE_BYTES,
    "an archive, unpacked": nist.MAX_ARCHIVE_BYTES,
    "a seed": options.LARGEST_SEED,
    "`--n-resamples`": options.MAX_COUNT,
    "`--n-trials`": options.MAX_SIMULATED,
    "`folds` of a search": keys.MAX_PARTS,
    "a corpus from a pipe": byte_sources.MAX_PIPE_BYTES,
}


def test_the_limits_are_those_of_the_code():
    page = (Path(__file__).parents[1] / "SECURITY.md").read_text(encoding="utf-8")
    table = dict(re.findall(r"^\| (.+?) \| (\S+)", page, flags=re.M))
    stated = {
        what: next(float(table[row].replace(",", "")) for row in table if row.startswith(what))
        for what in LIMITS
    }
    assert stated == {what: float(limit) for what, limit in LIMITS.items()}
