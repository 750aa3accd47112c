"""What a study declares, so that its command can be made: its function, whom it compares, and what it remakes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Study:
    """A study: a function whose result is one table.

    Parameters
    ----------
    help : str
        What it says, in one line.
    function : str
        ``module:function`` in `classy_aesop.studies`, imported when the study runs. Its parameters are the options of
        its command: names of ``OPTIONS`` in ``cli/options.py`` or of ``GROUPS`` in ``cli/sources.py``; others keep
        their defaults.
    peers : str, optional
        Who is compared by default, if not all peers.
    remakes : tuple of str
        The tables and figures of the papers that it remakes.
    """

    help: str
    function: str
    peers: str | None = None
    remakes: tuple[str, ...] = ()
