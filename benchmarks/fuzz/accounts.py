"""Whether every row that was read is used, or left out for a reason that is said."""

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from unittest import mock

from classy_aesop.errors import NOTE, InputError
from classy_aesop.reading.account import RowAccount
from classy_aesop.reading.byte_sources import Source
from classy_aesop.reading.table_files import read_table_file


class SaidAccounts:
    """The accounts of rows that were said, and all that was said beside them."""

    def __init__(self) -> None:
        self.accounts: list[RowAccount] = []
        self.messages: list[str] = []

    def find_problem(self, path: Path, n_scores: int) -> str:
        """Say which account does not hold for the scores or preferences of a file, if any."""
        said = "\n".join(self.messages)
        for account in self.accounts:
            n_used = account.n_read - sum(account.count_left_out().values())
            if n_used > n_scores:
                return f"{n_used} rows used, and {n_scores} scores"
            for line, _ in account.lines():
                if line not in said:
                    return f"not said: {line}"
            numbers = {place.line for place in account.places if place.line is not None}
            if vanished := {number for number in _numbers_of_rows(path) - numbers if number > min(numbers)}:
                return f"{len(vanished)} rows vanished: {min(vanished)}"
        return ""


@contextmanager
def watch_accounts() -> Iterator[SaidAccounts]:
    """Keep the accounts of rows and the messages of what is read."""
    watched = SaidAccounts()
    say = RowAccount.say

    def say_and_keep(account: RowAccount) -> None:
        watched.accounts.append(account)
        say(account)

    handler = logging.Handler()
    handler.emit = lambda record: watched.messages.append(record.getMessage())  # type: ignore[method-assign]
    log = logging.getLogger("classy_aesop")
    log.addHandler(handler)
    level = log.level
    log.setLevel(NOTE)
    try:
        with (
            warnings.catch_warnings(record=True) as warned,
            mock.patch.object(RowAccount, "say", say_and_keep),
        ):
            warnings.simplefilter("always")
            yield watched
    finally:
        log.setLevel(level)
        log.removeHandler(handler)
        watched.messages += [str(warning.message) for warning in warned]


def _numbers_of_rows(path: Path) -> set[int]:
    """Give the numbers of the lines or records of a file that hold anything, as tables of texts are read.

    Lines above the first row may be a header of several lines.
    """
    with suppress(InputError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows = read_table_file(Source.from_path(path)).rows
        return {where.line for where, row in rows if row and where.line is not None}
    return set()
