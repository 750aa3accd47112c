"""What the study of methods compares: the faithful protocol, each part of honest learning, and all together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from classy_aesop.features.base import GROUPS

FAITHFUL = "faithful"


@dataclass(frozen=True)
class Setting:
    """What is changed: options of the search (`SearchOptions`), and of every run (`Run`)."""

    search: Mapping[str, Any] = field(default_factory=dict)
    run: Mapping[str, Any] = field(default_factory=dict)


_MORE_YEARS = {"protocol": "leave-one-year-out", "refit": "all"}
_ALL_PARTS = {"effects": "topic", "choose": "average", **_MORE_YEARS}


def _whole(fitter: str, *names: str) -> Setting:
    """Fit all features together, or those named, within the topics of all training years."""
    return Setting(
        {"effects": "topic", **_MORE_YEARS}, {"fitter": fitter, "whole": True, "names": names or None}
    )


SETTINGS: dict[str, Setting] = {
    FAITHFUL: Setting(),
    "faithful, system means": Setting({"fit_level": "system"}),
    "topic effects": Setting({"effects": "topic"}),
    "one standard error": Setting({"choose": "one_se"}),
    "average": Setting({"choose": "average"}),
    "average, system means": Setting({"choose": "average", "fit_level": "system"}),
    "refit on all": Setting({"refit": "all"}),
    "leave one year out": Setting(_MORE_YEARS),
    "topic effects, average": Setting({"effects": "topic", "choose": "average"}),
    "average, all years": Setting({"choose": "average", **_MORE_YEARS}),
    "all parts": Setting(_ALL_PARTS),
    "all parts, one scale": Setting({**_ALL_PARTS, "scale": "standardize"}),
    "ridge": _whole("ridge"),
    "pairwise": _whole("pairwise"),
    "ridge, more features": _whole("ridge", *GROUPS),
    "pairwise, more features": _whole("pairwise", *GROUPS),
}
"""What is compared. Whole fits of one learner come last: all features at once, and no subset."""
