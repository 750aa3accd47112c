"""Arrays to which values are appended."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Scalar = TypeVar("Scalar", bound=np.generic)


class Growing(Generic[Scalar]):
    """Values one after another; room for as many again is made whenever it is needed.

    Examples
    --------
    >>> squares = Growing(np.intp)
    >>> squares.extend([0, 1, 4]), squares.extend([9]), squares.values.tolist()
    (None, None, [0, 1, 4, 9])
    """

    def __init__(self, dtype: type[Scalar], values: ArrayLike = ()) -> None:
        self._held: NDArray[Scalar] = np.asarray(values, dtype)
        self._size = self._held.size

    def __len__(self) -> int:
        return self._size

    @property
    def values(self) -> NDArray[Scalar]:
        """The values so far."""
        return self._held[: self._size]

    def extend(self, values: Any) -> None:
        """Append values."""
        size = self._size + len(values)
        if size > self._held.size:
            self._held = np.append(self.values, np.empty(2 * size - self._size, self._held.dtype))
        self._held[self._size : size] = values
        self._size = size
