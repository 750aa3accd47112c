"""The options that travel from the configuration to every fit of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from classy_aesop.config import Config
from classy_aesop.fitters import FITTERS, Fitter
from classy_aesop.search import Rows


@dataclass(frozen=True)
class FitOptions:
    """How a predictor is fitted, and how its rows are held out."""

    target: int
    effects: str = "none"
    fit_level: str = "summary"
    scale: str = "none"
    folds: int = 3
    seed: int = 0
    fitter_options: Mapping[str, Mapping[str, int | float]] = field(default_factory=dict)

    @classmethod
    def from_config(cls, config: Config, target: int) -> FitOptions:
        """Give the options of a configuration for one column of ``Y``."""
        search = config.search
        return cls(
            target=target,
            effects=search.effects,
            fit_level=search.fit_level,
            scale=search.scale,
            folds=search.folds,
            seed=config.seed,
            fitter_options=search.fitter_options,
        )

    def select_rows(self, rows: Rows) -> Rows:
        """Return the rows of a fit at its level, with the effects of topics taken out if so configured."""
        return rows.prepare_for_fit(self.effects, self.fit_level)

    def make_fitter(self, name: str, *, on_scale: bool) -> Fitter:
        """Make a fitter by its name; its predictions are ``on_scale`` of the target, if it has a choice."""
        return FITTERS[name].from_options(
            target=self.target,
            calibrate=on_scale,
            random_state=self.seed,
            **self.fitter_options.get(name, {}),
        )
