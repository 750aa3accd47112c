"""What travels from the plan of a run to every fit of it."""

from __future__ import annotations

from dataclasses import dataclass

from classy_aesop.config import SearchOptions
from classy_aesop.fitters import FITTERS, Fitter
from classy_aesop.search import Rows


@dataclass(frozen=True)
class FitOptions:
    """What is predicted, and how a predictor of it is fitted and its rows are held out."""

    target: int  # the column of ``Y``
    search: SearchOptions
    seed: int = 0
    relative: tuple[str, ...] = ()  # the last columns of ``X``, if it has any within topics

    def select_rows(self, rows: Rows) -> Rows:
        """Return the rows of a fit at its level, with the effects of topics taken out if so configured."""
        return rows.prepare_for_fit(self.search.effects, self.search.fit_level)

    def make_fitter(self, name: str, *, on_scale: bool) -> Fitter:
        """Make a fitter by its name; its predictions are ``on_scale`` of the target, if it has a choice."""
        return FITTERS[name].from_options(
            target=self.target,
            calibrate=on_scale,
            random_state=self.seed,
            **self.search.fitter_options.get(name, {}),
        )
