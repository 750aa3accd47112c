"""The settings of the study of methods: the protocol of 2011, each change to it alone, and all together."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from classy_aesop.config import METHODS, Config
from classy_aesop.config.base import METHOD_PARTS
from classy_aesop.features.columns import ordered
from classy_aesop.features.sets import CLASSY2026

FAITHFUL = "faithful"


@dataclass(frozen=True)
class Setting:
    """Changes to the protocol of 2011: to the search (`SearchOptions`) and to every run (`Run`)."""

    search: Mapping[str, Any] = field(default_factory=dict)
    run: Mapping[str, Any] = field(default_factory=dict)


_ALL_FEATURES = tuple(ordered(CLASSY2026))
_ALL_YEARS = {"protocol": "leave-one-year-out", "refit": "all"}
_ALL_PARTS = {"effects": "topic", "choose": "average", **_ALL_YEARS}
_OF_2026, _OF_2027 = (
    {
        name: getattr(METHODS[method], name) for name in METHOD_PARTS if name != "n_resamples"
    }  # the study's own
    for method in ("classy2026", "classy2027")
)
_MIXTURE = {"fitter": "super_learner"}
_WITHOUT_PYRAMID = tuple(unit for unit in CLASSY2026 if "pyramid1" not in unit)


def _all_together(fitter: str) -> Setting:
    """Fit all features together, within topics, on all training years."""
    return Setting(
        {"effects": "topic", **_ALL_YEARS}, {"fitter": fitter, "whole": True, "names": _ALL_FEATURES}
    )


SETTINGS: dict[str, Setting] = {
    FAITHFUL: Setting(),
    "faithful, system means": Setting({"fit_level": "system"}),
    "topic effects": Setting({"effects": "topic"}),
    "average": Setting({"choose": "average"}),
    "average, system means": Setting({"choose": "average", "fit_level": "system"}),
    "refit on all": Setting({"refit": "all"}),
    "leave one year out": Setting(_ALL_YEARS),
    "more features": Setting({"names": CLASSY2026, "units": "groups"}),
    "topic effects, average": Setting({"effects": "topic", "choose": "average"}),
    "average, all years": Setting({"choose": "average", **_ALL_YEARS}),
    "all parts, 13 features": Setting(_ALL_PARTS),
    "search without pyramid": Setting({**_OF_2026, "names": _WITHOUT_PYRAMID}),
    "search": Setting(_OF_2026, {**_MIXTURE, "among": ("search",)}),
    "ridge": _all_together("ridge"),
    "boosting": _all_together("boosting"),
    "extra trees": _all_together("extra_trees"),
    "super learner": Setting(_OF_2026, _MIXTURE),
    "equal shares": Setting({**_OF_2027, "names": CLASSY2026, "relative": False}, _MIXTURE),
    "relative columns": Setting({**_OF_2027, "names": CLASSY2026}, _MIXTURE),
    "classy2027": Setting(_OF_2027, _MIXTURE),
}
"""The settings by name; each changes the protocol of 2011. ``classy2027`` is the default of this package;
``relative columns`` has all 48 features of the default of 2026, and ``equal shares`` no relative columns. ``super
learner`` is the default of 2026, ``search`` its subset search alone; ``search without pyramid``, by the fitter of the
run, was the default before it."""

_DEFAULTS = ("super learner", "equal shares", "relative columns", "classy2027")

SETS: dict[str, tuple[str, ...]] = {
    "all": tuple(SETTINGS),
    "learners": (
        *(FAITHFUL, "search without pyramid", "search", "ridge", "boosting", "extra trees"),
        *_DEFAULTS,
    ),
    "defaults": _DEFAULTS,
}
"""Sets of settings by name. The others are tested against the first one."""


def learned_by(config: Config, method: str | None) -> Config:
    """Replace the search options of a configuration by those of a method, if one is named."""
    return dataclasses.replace(config, search=config.search.learning_by(method)) if method else config
