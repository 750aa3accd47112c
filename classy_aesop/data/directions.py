"""The direction of measures: whether higher or lower values are better. Score tables carry it.

Higher values of a measure are better unless the user says otherwise; a name alone decides nothing. What is computed
from scores is computed from `orient_scores`, in which higher is better throughout; `restore_signs` gives values of a
measure as its file has them. So better and worse are decided once, for every headline, rank, gate and picture.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, product
from typing import TYPE_CHECKING, Final

from classy_aesop.data.scores import ORIGIN, note_origin, origin_of
from classy_aesop.errors import UsageError, join_names, warn

if TYPE_CHECKING:
    import pandas as pd

LOWER_IS_BETTER: Final = "lower_is_better"
"""Key of `classy_aesop.data.scores.ORIGIN` for the measures of which lower values are better: a list, empty if the user
says that there is none, and missing if nothing is said."""

NONE = "none"
"""What the command line says where of no measure lower values are better."""

DIRECTION = "direction"
"""The column of a result that says so; results of measures of which higher is better have none."""

LOWER = "lower is better"
"""What the column of directions holds."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NAMES_OF_LOWER = _words(
    "rank ranks cost costs price latency latencies duration seconds time "
    "err error errors mistake mistakes misalignment defect defects failure failures violation violations omission "
    "omissions "
    "hallucination hallucinations hallucinated contradiction contradictions unsupported "
    "toxicity toxic harm harms harmful harmfulness refusal refusals "
    "loss losses mae mape mse rmse nll brier ece fid perplexity ppl surprisal wer cer ter hter fpr fnr "
    "distance distances divergence bias biased offensiveness offensive misleading difficulty effort fehler"
)
"""Words in the name of a measure by which lower values are probably better."""

PAIRS_OF_LOWER = frozenset(
    product(["false"], ["positive", "positives", "negative", "negatives", "information"])
)
"""Two words that say so one after the other."""

NEGATIONS = _words("no non not without free absence avoidance lack")
"""Words beside which such a name means the opposite: ``non_toxicity``, ``absence_of_errors``."""


FIRST_IS_BEST = re.compile(
    r"\b[01]\s*[=:]\s*(best|perfect|excellent|very good|good|sehr gut|flawless)\b", re.IGNORECASE
)
"""What says in a name that the least number is the best: ``Fluency (1 = perfect, 5 = incomprehensible)``."""


def set_directions(
    tables: Sequence[pd.DataFrame], lower_is_better: str | Sequence[str] | None
) -> list[pd.DataFrame]:
    """Record in score tables for which measures lower values are better.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"topic": ["1"], "summarizer": ["a"], "metric": ["errors"], "score": [2.0]})
    >>> sorted(lower_measures(*set_directions([table], "errors")))
    ['errors']
    """
    if lower_is_better is None:
        return list(tables)
    names = [lower_is_better] if isinstance(lower_is_better, str) else [*lower_is_better]
    names = [] if names == [NONE] else names
    known_names = list(dict.fromkeys(str(name) for table in tables for name in table["metric"].unique()))
    if unknown := [name for name in names if name not in known_names]:
        raise UsageError(
            f"lower is better names {join_names(unknown)}, which is not a measure; "
            f"known: {join_names(known_names, limit=40) or 'none'}"
        )
    return [note_origin(table, lower_is_better=sorted({*names})) for table in tables]


def lower_measures(*tables: pd.DataFrame) -> frozenset[str]:
    """Name the measures of which tables say that lower values are better."""
    return frozenset(name for table in tables for name in origin_of(table).get(LOWER_IS_BETTER, ()))


def warn_of_directions(table: pd.DataFrame, measures: Iterable[str]) -> None:
    """Warn of measures such as ``errors``, better if lower by their names, unless the user has said which are.

    Measures with negative values are left out, as those of MQM, where 0 is the best.
    """
    declared = origin_of(table).get(LOWER_IS_BETTER)
    if declared == []:
        return
    candidates = [
        name for name in dict.fromkeys(measures) if is_lower_by_name(name) and name not in (declared or ())
    ]
    if not candidates:
        return
    minima = table[table["metric"].isin(candidates)].groupby("metric")["score"].min()
    doubtful = [name for name in candidates if name in minima and minima[name] >= 0]
    if doubtful:
        warn(
            f"{join_names(doubtful, limit=20)}: its name suggests that lower values are better, but higher ones "
            f"count as better; expected --lower-is-better {','.join(doubtful)}, or none (lower_is_better= in Python)"
        )


def is_lower_by_name(name: str) -> bool:
    """Whether a word, or an arrow, in the name of a measure says that lower values are better.

    Examples
    --------
    >>> is_lower_by_name("n_errors"), is_lower_by_name("TER"), is_lower_by_name("latencyMs"), is_lower_by_name("terse")
    (True, True, True, False)
    >>> is_lower_by_name("false_positives"), is_lower_by_name("non-toxicity"), is_lower_by_name("true_positives")
    (True, False, False)
    >>> is_lower_by_name("Fluency (1 = perfect, 5 = poor)"), is_lower_by_name("Style (1=worst, 5=best)")
    (True, False)
    """
    if FIRST_IS_BEST.search(name):
        return True
    words = re.split(r"[\W_0-9]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower())
    is_lower = not NAMES_OF_LOWER.isdisjoint(words) or not PAIRS_OF_LOWER.isdisjoint(pairwise(words))
    return "↓" in name or ("↑" not in name and is_lower and NEGATIONS.isdisjoint(words))


def orient_scores(table: pd.DataFrame) -> pd.DataFrame:
    """Change the sign of scores of which lower ones are better, so that higher ones are better of every measure.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"topic": ["1"], "summarizer": ["a"], "metric": ["errors"], "score": [2.0]})
    >>> orient_scores(set_directions([table], "errors")[0])["score"].tolist()
    [-2.0]
    """
    lower = lower_measures(table)
    if not lower:
        return table
    is_lower = table["metric"].isin(lower)
    turned = table.assign(score=table["score"].where(~is_lower, 0.0 - table["score"]))
    origin = {key: value for key, value in origin_of(table).items() if key != LOWER_IS_BETTER}
    turned.attrs = {**table.attrs, ORIGIN: origin}
    return turned


def restore_signs(
    rows: pd.DataFrame, values: Iterable[str], intervals: Mapping[str, str] | None = None
) -> pd.DataFrame:
    """Undo `orient_scores` in rows of a result: values change their sign, the ends of intervals their place, too.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = pd.DataFrame({"mean": [-2.0], "low": [-3.0], "high": [-1.5]})
    >>> restore_signs(rows, ["mean"], {"low": "high"}).values.tolist()
    [[2.0, 1.5, 3.0]]
    """
    turned: dict[str, pd.Series] = {name: 0.0 - rows[name] for name in values if name in rows}
    for low, high in (intervals or {}).items():
        if low in rows:
            turned[low] = 0.0 - rows[high]
            turned[high] = 0.0 - rows[low]
    return rows.assign(**turned)


def mark_direction(rows: pd.DataFrame, *, lower_is_better: bool) -> pd.DataFrame:
    """Add the column ``direction`` to rows of a result where lower values of their measure are better.

    Examples
    --------
    >>> import pandas as pd
    >>> list(mark_direction(pd.DataFrame({"mean": [1.0]}), lower_is_better=True))
    ['mean', 'direction']
    """
    return rows.assign(**{DIRECTION: LOWER}) if lower_is_better else rows


def is_lower_better(rows: pd.DataFrame) -> bool:
    """Whether lower values of the measure of a result are better.

    Examples
    --------
    >>> import pandas as pd
    >>> is_lower_better(pd.DataFrame({"mean": [1.0]}))
    False
    """
    return DIRECTION in rows and bool(rows[DIRECTION].eq(LOWER).any())
