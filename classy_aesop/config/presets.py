"""Lists of runs that have a name."""

from __future__ import annotations

from classy_aesop.config.keys import Run


def _classy2011() -> tuple[Run, ...]:
    """List the 16 submissions of 2011, methods as printed: Rankel (2016), Tables 5.2 and 5.3."""
    methods = {
        ("8", "pyramid"): ("canonical", "canonical", "robust", "robust"),
        ("25", "responsiveness"): ("canonical", "canonical", "robust", "canonical"),
        ("23", "readability"): ("robust", "robust", "robust", "robust"),
        ("6", "responsiveness"): ("nonnegative", "nonnegative", "nonnegative", "nonnegative"),
    }
    places = [(peers, task) for peers in ("all_peers", "no_models") for task in ("A", "B")]
    return tuple(
        Run(name, target, task, peers, fitter, calibrate=False)
        for (name, target), fitters in methods.items()
        for (peers, task), fitter in zip(places, fitters, strict=True)
    )


PRESETS = {"classy2011": _classy2011()}
"""Lists of runs by name."""
