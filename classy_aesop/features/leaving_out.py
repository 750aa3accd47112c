"""Topics with too few references to leave one out: with fewer than two, a system would be compared with none."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator

from classy_aesop.data import named
from classy_aesop.data.topics import Topic
from classy_aesop.errors import DataWarning, InputError, listed
from classy_aesop.features.rows import is_human


class FewReferences:
    """Collects, from a stream of topics, those whose systems cannot be scored by leaving one reference out."""

    def __init__(self) -> None:
        self._few: list[Topic] = []
        self._enough = 0

    def watch(self, topics: Iterable[Topic]) -> Iterator[Topic]:
        """Pass the topics on."""
        for topic in topics:
            if len(topic.references) < 2 and not is_human(topic).all():
                self._few.append(topic)
            else:
                self._enough += 1
            yield topic

    def warn(self) -> None:
        """Warn of these topics, or refuse them if there are no others.

        Raises
        ------
        InputError
            There are no others.

        Warns
        -----
        DataWarning
            There are some.
        """
        if self._few and not self._enough:
            first = self._few[0]
            found = f"topic {' '.join(filter(None, first.key))} has {len(first.references)} references"
            raise InputError(f"{found}; expected 2 or more to leave one out")
        if self._few:
            message = (
                f"{len(self._few)} topics have fewer than two references, of which one is left out; "
                f"their systems get no score: {listed(named(topic.key) for topic in self._few)}"
            )
            warnings.warn(message, DataWarning, stacklevel=3)
