"""Preferences: which of two systems' outputs on a topic a rater prefers, one comparison a row.

A comparison has a topic, the system whose output is shown ``first``, the one whose output is shown ``second``, the
``winner`` (`FIRST`, `SECOND` or `TIE`, or the share of a win that the first gets) and the rater, if one is named. Other
spellings of a winner (``model_a``, ``left``, 1) are those of files; readers translate them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from classy_aesop.data.cells import format_value, read_identifier
from classy_aesop.data.scores import describe_similar_names, natural
from classy_aesop.data.where import Where
from classy_aesop.errors import InputError, warn

if TYPE_CHECKING:
    import pandas as pd

FIRST = "first"
SECOND = "second"
TIE = "tie"

WINS = {FIRST: 1.0, TIE: 0.5, SECOND: 0.0}
"""What the first system gains by each winner."""

PREFERENCE_MEASURE = "preference"
"""What a table of preferences is about, where scores have the name of a metric."""

NO_RATER = -1
"""The code of a rater who is not named."""

MIN_COMPARISONS_IN_ONE_ORDER = 12
"""Comparisons of a pair from which one order alone is no chance: of a fair coin 1 in 2,048."""

MIN_SHARE_IN_ONE_ORDER = 0.5
"""Pairs in one order only are named where they have this share of all comparisons, or more."""


@dataclass(frozen=True, slots=True, eq=False)
class Preferences:
    """Comparisons of two systems' outputs on topics, as arrays of codes that cannot be written to.

    Use `Preferences.from_names` to make them from names.

    Attributes
    ----------
    topics, systems, raters : tuple of str
        The names that the codes number, each in natural order.
    topic : ndarray of int, shape (n_comparisons,)
        The topic of each comparison.
    first, second : ndarray of int, shape (n_comparisons,)
        Its two systems, in the order in which the outputs were shown, as far as the data say.
    wins : ndarray, shape (n_comparisons,)
        What the first system gains: 1, a half for a tie, 0, or any share between; the second gains the rest.
    rater : ndarray of int, shape (n_comparisons,)
        Who said so; `NO_RATER` where nobody is named.
    is_order_shown : bool
        Whether the first of two systems may be the one that was shown first, and is not the one that was chosen.
    lengths : ndarray, shape (2, n_comparisons), optional
        Of the outputs of the first and of the second system; NaN where one is not known.

    Examples
    --------
    >>> judged = Preferences.from_names(["t1", "t1"], ["a", "b"], ["b", "c"], ["second", "tie"])
    >>> judged.systems, judged.second.tolist(), judged.wins.tolist()
    (('a', 'b', 'c'), [1, 2], [0.0, 0.5])
    """

    topics: tuple[str, ...]
    systems: tuple[str, ...]
    raters: tuple[str, ...]
    topic: NDArray[np.int64]
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    wins: NDArray[np.float64]
    rater: NDArray[np.int64]
    is_order_shown: bool = True
    lengths: NDArray[np.float64] | None = None

    @classmethod
    def from_names(
        cls,
        topic: Sequence[object],
        first: Sequence[object],
        second: Sequence[object],
        winner: Sequence[str | float],
        rater: Sequence[object] | None = None,
        *,
        places: Sequence[Where] | None = None,
        is_order_shown: bool = True,
        lengths: ArrayLike | None = None,
    ) -> Preferences:
        """Make preferences from columns of names, one comparison a row.

        Parameters
        ----------
        topic, first, second : sequence of str
            The topic and the two systems of each comparison. Whole numbers are taken as text.
        winner : sequence of {"first", "second", "tie"} or float
            Which of the two was preferred, or the share of a win that the first gets, from 0 to 1.
        rater : sequence of str or None, optional
            Who said so; empty or None where nobody is named.
        places : sequence of Where, optional
            Where each row was read, for messages; by default its number, from 1.
        is_order_shown : bool
            False where nothing says which output was shown first: the two systems then stand in the order of their
            names.
        lengths : array-like, shape (2, n_comparisons), optional
            Of the outputs of the first systems and of the second ones; NaN where one is not known.

        Returns
        -------
        Preferences
            In the order of the rows.

        Raises
        ------
        InputError
            There is no row; columns have not one length; a name is empty; a system is compared with itself; or a
            winner is not known.

        Warns
        -----
        DataWarning
            Two names look alike but differ.

        Examples
        --------
        >>> judged = Preferences.from_names(["t1", "t2"], ["a", "b"], ["b", "a"], ["first", "tie"], ["ann", "ann"])
        >>> len(judged), judged.systems, judged.wins.tolist()
        (2, ('a', 'b'), [1.0, 0.5])
        """
        n = len(topic)
        columns: dict[str, Sequence[object]]
        columns = {"topic": topic, "first": first, "second": second, "winner": winner}
        columns |= {} if rater is None else {"rater": ["" if name is None else name for name in rater]}
        if {*map(len, columns.values())} != {n}:
            counts = ", ".join(f"{name} {len(column)}" for name, column in columns.items())
            raise InputError(f"columns of preferences have different lengths: {counts}; expected one length")
        if n == 0:
            raise InputError("no preferences; expected a comparison of two systems at least")
        if places is None:
            places = [Where(line=number) for number in range(1, n + 1)]
        names = {
            role: [
                read_identifier(name, role, place, may_be_empty=role == "rater", is_cell=True)
                for name, place in zip(columns.get(role, [""] * n), places, strict=True)
            ]
            for role in ("topic", "first", "second", "rater")
        }
        for first_name, second_name, place in zip(names["first"], names["second"], places, strict=True):
            if first_name == second_name:
                raise place.error(f"{first_name} is compared with itself; expected two systems")
        wins = np.array([_read_win(name, place) for name, place in zip(winner, places, strict=True)], float)
        topics, topic_codes = _encode_names(names["topic"])
        systems, system_codes = _encode_names([*names["first"], *names["second"]])
        known_raters, rater_codes = _encode_names(names["rater"])
        sides = system_codes.reshape(2, n)
        known_lengths = None if lengths is None else np.array(lengths, float)
        if not is_order_shown:
            is_turned = sides[0] > sides[1]
            wins = np.where(is_turned, 1 - wins, wins)
            sides.sort(axis=0)
            if known_lengths is not None:
                known_lengths = np.where(is_turned, known_lengths[::-1], known_lengths)
        codes = (topic_codes, sides[0], sides[1], wins, rater_codes)
        return cls(topics, systems, known_raters, *codes, is_order_shown, known_lengths)

    def __post_init__(self) -> None:
        for values in (self.topic, self.first, self.second, self.wins, self.rater):
            values.flags.writeable = False

    def __len__(self) -> int:
        return len(self.wins)

    def table(self) -> pd.DataFrame:
        """Give the comparisons as a table of names: ``topic, first, second, winner, rater``; a share as a number.

        Examples
        --------
        >>> Preferences.from_names(["t1"], ["a"], ["b"], ["tie"]).table().values.tolist()
        [['t1', 'a', 'b', 'tie', '']]
        """
        import pandas as pd

        names = {win: name for name, win in WINS.items()}
        systems = np.array(self.systems, object)
        columns = {
            "topic": np.array(self.topics, object)[self.topic],
            "first": systems[self.first],
            "second": systems[self.second],
            "winner": [names.get(win, f"{win:.17g}") for win in self.wins.tolist()],
            "rater": np.array([*self.raters, ""], object)[self.rater],  # of `NO_RATER` the last
        }
        return pd.DataFrame(columns, dtype=str)


def describe_one_order(preferences: Preferences) -> str:
    """Say that pairs of systems stand in one order only, where these have most of the comparisons; else nothing.

    Examples
    --------
    >>> judged = Preferences.from_names(range(12), ["a"] * 12, ["b"] * 12, ["first"] * 12)
    >>> describe_one_order(judged)[:40]
    '12 of 12 comparisons are of pairs in one'
    """
    if not preferences.is_order_shown:
        return ""
    import pandas as pd

    sides = np.sort([preferences.first, preferences.second], axis=0)
    is_turned = pd.Series(preferences.first > preferences.second)
    pairs = is_turned.groupby([*sides]).agg(["mean", "size"])
    fixed = pairs[pairs["mean"].isin([0, 1]) & (pairs["size"] >= MIN_COMPARISONS_IN_ONE_ORDER)]
    n_fixed = int(fixed["size"].sum())
    if not n_fixed or n_fixed < MIN_SHARE_IN_ONE_ORDER * len(preferences):
        return ""
    names = [preferences.systems[code] for code in fixed.index[0]]
    first, second = names[::-1] if fixed["mean"].iloc[0] else names
    order = f"{n_fixed} of {len(preferences)} comparisons are of pairs in one order only, as {first} before {second}"
    return (
        f"{order}, and the first wins a share of {preferences.wins.mean():z.3f} of all: if outputs were shown in that "
        "order, a preference for the first place cannot be told from one for the summarizer; compare in both orders"
    )


def _read_win(winner: object, place: Where) -> float:
    """Read what the first system gains, from a name of the winner or a share."""
    if isinstance(winner, str) and winner in WINS:
        return WINS[winner]
    if isinstance(winner, Real) and 0 <= float(winner) <= 1:
        return float(winner)
    raise place.error(f"winner is {format_value(winner)}; expected {', '.join(WINS)} or a share from 0 to 1")


def _encode_names(names: Sequence[str]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Give different names in natural order, and the number of each name; an empty one has `NO_RATER`."""
    import pandas as pd

    known_names = tuple(sorted({*names} - {""}, key=natural))
    if message := describe_similar_names(known_names):
        warn(f"preferences: {message}")
    codes = pd.Index(known_names, dtype=object).get_indexer(pd.Index(names, dtype=object))
    return known_names, codes
