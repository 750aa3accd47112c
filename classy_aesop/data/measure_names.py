"""Columns of numbers that are no human measure, by their names: metrics, model judges, identifiers, dates, counts.

A name can only be doubted, so nothing is lost: the columns are named in a warning, and whoever names them gets them.
"""

from __future__ import annotations

import re

_METRICS = re.compile(
    r"""(?:^|_)(?:(sacre)?(rouge|bleu|bleurt|chrf|ter|cider|spice|meteor|nist)(\d|_|$|[wlsn]|su|pp)
    |(bert|bart|mover|prism|align|uni|ctc|gpt|qa)_?score
    |(bertscore|bartscore|moverscore|comet|bewte|supert|estime|gruen|lerc|s3|js\d?d?|autosummeng|memog|npower)(_|\d|$)
    |(qa|summa_?qa|quest|fe_?qa)_?eval|summaqa|feqa|qags|blanc|factcc|summac|unieval|perplexity|ppl(_|$)
    |(chat)?gpt|llm|claude|gemini|llama|mistral|qwen|deepseek|g_?eval(_|$))""",
    re.VERBOSE,
)
_JUDGES = frozenset({"judge", "autojudge", "llm", "gpt", "cosine", "similarity", "perplexity"})
_IDENTIFIERS = frozenset({"id", "ids", "idx", "index", "uuid", "hash", "seed", "fold", "rank", "row"})
_DATES = frozenset(
    {"year", "month", "day", "date", "time", "timestamp", "seconds", "duration", "created", "updated"}
)
_COUNTS = frozenset({"n", "num", "number", "count", "counts", "len", "length", "lengths", "size"})
_COUNTED = frozenset({"words", "tokens", "sentences", "characters", "chars", "bytes"})
_WORDS = _JUDGES | _IDENTIFIERS | _DATES | _COUNTS | _COUNTED


def is_doubtful(name: str) -> bool:
    """Whether a column's name is that of a metric, a model's judgment, an identifier, a rank, a date or a count.

    Examples
    --------
    >>> [name for name in ("relevance", "rouge1", "gpt4_relevance", "rowId", "overall", "summary_length")
    ...  if is_doubtful(name)]
    ['rouge1', 'gpt4_relevance', 'rowId', 'summary_length']
    """
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z][a-z])|(?<=[a-z])(?=Id$|ID$)", "_", name.strip())
    plain = re.sub(r"[\W_]+", "_", apart.lower()).strip("_")
    words = {re.sub(r"\d+$", "", word) for word in plain.split("_")}
    return bool(words & _WORDS or _METRICS.search(plain) or _METRICS.search(name.strip().lower()))
