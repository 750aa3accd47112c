"""Judged corpora that ``init`` and ``train`` learn from, named on the command line in place of a configuration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from classy_aesop.cli.sources import OptionalNames, ReadingOptions, choose_only_name
from classy_aesop.errors import UsageError

if TYPE_CHECKING:
    from classy_aesop.config import Config
    from classy_aesop.config.from_corpora import Years
    from classy_aesop.reading.corpus import Corpus


@dataclass(frozen=True, kw_only=True)
class Corpora(ReadingOptions):
    """Judged corpora to learn from, a year each, and the subset of them that is used, in place of a configuration."""

    year: None = field(default=None, init=False)
    sheet: None = field(default=None, init=False)
    years: Sequence[tuple[str, str]] = ()
    target: OptionalNames = None

    def read(self, path: str | None) -> Years:
        """Read the corpora: that at a path, or those with names."""
        from classy_aesop.config import read_named_years, read_years

        if bool(path) == bool(self.years):
            sources = "both" if self.years else "neither"
            raise UsageError(f"expected IN, or --data NAME=PATH once or more; found {sources}")
        read = partial(read_named_years, self.years) if path is None else partial(read_years, path)
        return read(layout=self.layout, columns=self.roles, encoding=self.encoding)

    def make_config(
        self, path: str | None, seed: int | None, *, needs_target: bool = False
    ) -> tuple[Config, dict[str, Corpus]]:
        """Make a configuration for their subset; with ``needs_target`` a target is named, or there is only one."""
        from classy_aesop.config import make_config, measures_of

        years, corpora = self.read(path)
        targets = self.target or (
            [choose_only_name("target", measures_of(corpora.values()))] if needs_target else ()
        )
        names_by_year = {
            key: dict.fromkeys(summary.summarizer for _, summary in corpora[key].summaries())
            for key in corpora
        }
        self.check_names(chain.from_iterable(names_by_year.values()))
        out = {
            key: tuple(name for name in names if not self.is_named(name))
            for key, names in names_by_year.items()
        }
        years = tuple(replace(year, exclude=out[year.name]) for year in years)
        tasks = None if self.task is None else (self.task,)
        peers = None if self.peers is None else (self.peers,)
        config = make_config(years, corpora, targets, tasks=tasks, peers=peers, seed=seed or 0)
        return config, corpora
