"""The choices behind a test of two summarizers, as one value, and the sets that give the printed tables."""

from __future__ import annotations

from dataclasses import dataclass

from classy_aesop.significance.base import Result, one_of

_KNOWN = {
    "reference": ("t", "normal"),
    "variance": ("pooled", "welch"),
    "exact": ("auto", "ties", "always", "never"),
    "zero_method": ("wilcox", "pratt", "zsplit"),
}


@dataclass(frozen=True, slots=True)
class Recipe(Result):
    """How t-tests and the signed-rank test are computed.

    Attributes
    ----------
    reference : {"t", "normal"}
        Distribution that t statistics are compared with.
    variance : {"pooled", "welch"}
        Degrees of freedom of the unpaired t; with equally many topics the statistics are the same number.
    exact : {"auto", "ties", "always", "never"}
        When signed ranks take their exact distribution: with fewer than 50 differences and neither ties nor
        zeros (``auto``, the rule of R's ``wilcox.test``), with fewer than 50 differences (``ties``, as
        ``wilcox.exact`` of exactRankTests), whatever their number, or never. Otherwise the normal
        distribution is used.
    continuity : bool
        Move the rank sum half a step towards its mean before the normal distribution is used.
    zero_method : {"wilcox", "pratt", "zsplit"}
        Drop zero differences before ranking; rank them, then drop; or rank them and give half of their ranks
        to either side, as if each had a random sign.
    rounding : bool
        Take differences that rounding explains as zeros, and so close sizes as ties, see
        :mod:`classy_aesop.significance.near_ties`. Off: floats are compared as they are, as in R.
    decimals : int or None
        Round differences to so many decimals first.
    """

    reference: str = "t"
    variance: str = "pooled"
    exact: str = "auto"
    continuity: bool = True
    zero_method: str = "wilcox"
    rounding: bool = True
    decimals: int | None = None

    def __post_init__(self) -> None:
        for name, known in _KNOWN.items():
            one_of(getattr(self, name), known, name)


#: ``standard``: t quantiles and R's defaults, with near ties as ties; ``rankel2011``: the same on floats as they are,
#: behind the counts of Rankel et al. (2011), Tables 1-2, so that signed ranks change with the unit of the scores;
#: ``rankel2013``: the exact distribution also under ties, differences rounded to three decimals, behind the manual
#: positives of Rankel et al. (2013), Table 1 (round manual scores only: in metrics it makes ties that are none).
PRESETS = {
    "standard": Recipe(),
    "rankel2011": Recipe(rounding=False),
    "rankel2013": Recipe(exact="ties", continuity=False, decimals=3),
}


def recipe_of(preset: str | Recipe) -> Recipe:
    """Look up a preset by name; a recipe is given back as it is."""
    if isinstance(preset, Recipe):
        return preset
    one_of(preset, PRESETS, "preset")
    return PRESETS[preset]
