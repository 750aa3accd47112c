"""Rescale a score that only ranks to the scale of the judgments."""

from __future__ import annotations

from classy_aesop.fitters.least_squares import Array, centred


def rescale_to_target(
    X: Array, y: Array, direction: Array, *, within: tuple[Array, Array] | None = None
) -> tuple[Array, float]:
    """Return weights (p,) and constant that put the score X @ direction on the scale of y by least squares.

    Parameters
    ----------
    X, y, direction : (n, p), (n,), (p,)
    within : pair of arrays (n, p) and (n,), optional
        Columns and target that the slope is fitted on, by default the centred ones: with both less their topic's mean,
        differences between topics do not count. The constant makes the mean prediction that of y.
    """
    columns, target = within or (centred(X)[0], y - y.mean())
    score = columns @ direction
    slope = (score @ target) / ((score @ score) or 1.0)
    return slope * direction, float(y.mean() - slope * (X.mean(axis=0) @ direction))
