"""What every test here shares: the array types, the checks of input and the result objects.

Scores come as plain arrays, one row per summarizer and one column per topic, NaN where nobody scored.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from html import escape
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from classy_aesop.significance.defaults import ALPHA as ALPHA
from classy_aesop.significance.defaults import N_RESAMPLES as N_RESAMPLES

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

#: Numbers closer than this share of the largest count as equal: means of equal scores differ by rounding.
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Result:
    """A small frozen record of what a test found."""

    def to_dict(self) -> dict[str, Any]:
        """Give the fields by name, arrays as nested lists, ready for JSON."""
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}

    def _repr_html_(self) -> str:
        """Show a notebook the fields and their values, escaped; of long arrays both ends."""
        found = ((field.name, getattr(self, field.name)) for field in fields(self))
        rows = "".join(
            f"<tr><th>{escape(name)}</th><td>{escape(_short(value))}</td></tr>" for name, value in found
        )
        return f"<table><caption>{escape(type(self).__name__)}</caption>{rows}</table>"


def _short(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return np.array2string(value, precision=4, threshold=12, edgeitems=3)
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _plain(value: Any) -> Any:
    if isinstance(value, Result):
        return value.to_dict()
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


def is_significant(p: ArrayLike, alpha: float = ALPHA) -> BoolArray:
    """Say which p-values are significant: p <= alpha, equal within rounding. NaN never is.

    Examples
    --------
    >>> is_significant([0.04, 0.05, 0.051, float("nan")]).tolist()
    [True, True, False, False]
    """
    return np.asarray(np.asarray(p, dtype=np.float64) <= alpha * (1 + ROUNDING))


def check_number(value: int, name: str) -> None:
    """Raise ValueError unless there is one at least: of resamples, of trials."""
    if value < 1:
        raise ValueError(f"{name} is {value}; expected at least 1")


def score_matrix(scores: ArrayLike, name: str = "X") -> FloatArray:
    """Check one score matrix: two-dimensional, numbers or NaN.

    Raises
    ------
    ValueError
        If it has not two dimensions, is not numeric, or holds an infinite score.
    """
    matrix: FloatArray = np.asarray(scores, dtype=np.float64)
    if matrix.ndim != 2:
        raise ValueError(f"{name} has {matrix.ndim} dimensions; expected 2, summarizers x topics")
    if np.isinf(matrix).any():
        raise ValueError(f"{name} holds an infinite score; expected numbers, or NaN where nobody scored")
    return matrix


def score_vector(scores: ArrayLike, name: str = "x") -> FloatArray:
    """Check one list of scores: one-dimensional, numbers or NaN; raises ValueError otherwise."""
    vector: FloatArray = np.asarray(scores, dtype=np.float64)
    if vector.ndim != 1:
        raise ValueError(f"{name} has {vector.ndim} dimensions; expected 1, one score per topic")
    return score_matrix(vector[None, :], name).ravel()


def same_shape(**arrays: NDArray[Any]) -> None:
    """Raise ValueError unless all arrays, given by name, have one shape."""
    if len({array.shape for array in arrays.values()}) > 1:
        found = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise ValueError(f"shapes differ: {found}; expected one shape")


def one_of(value: str, known: Any, name: str) -> None:
    """Raise ValueError that lists the known values unless ``value`` is one of them."""
    if value not in known:
        raise ValueError(f"{name} is {value!r}; expected one of {', '.join(known)}")
