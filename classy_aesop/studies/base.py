"""What a study declares, so that its command can be made: its function, its arguments, and what it remakes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Argument:
    """One parameter of a study, as the command asks for it.

    Parameters
    ----------
    name : str
        The parameter of the study's function.
    kind : str
        A key of `KINDS` in ``cli/studies.py``: what is read, and from which options.
    help : str
        The text of the help; kinds with options of their own need none.
    flag : str
        The option; by default the name.
    default : object
        What the option has where it is not given; None leaves it to the function.
    metavar : str, optional
        How the help names the value.
    choices : tuple of str
        As for `cli.choices.Choices`: names, or ``module:REGISTRY``.
    otherwise : str
        What happens without the option, for the help; by default the default is shown.
    required, repeated : bool
        Whether it must be given; whether it may be given several times.
    shown : str
        What a signature says of a flag that is set, or of what is not given.
    """

    name: str
    kind: str = "text"
    help: str = ""
    flag: str = ""
    default: Any = None
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    otherwise: str = "%(default)s"
    required: bool = False
    repeated: bool = False
    shown: str = ""

    @property
    def option(self) -> str:
        """The option as it is typed."""
        return self.flag or "--" + self.name.replace("_", "-")


@dataclass(frozen=True)
class Study:
    """A study: a function whose result is one table.

    Parameters
    ----------
    help : str
        What it says, in one line.
    function : str
        ``module:function`` in `classy_aesop.studies`, imported when the study runs. Its parameters are the names of
        the arguments; it takes ``progress`` too if ``bar`` is set.
    arguments : tuple of Argument
        In the order of the help.
    signed_parts : tuple of str
        The arguments that the signature names, in order: ``name`` or ``label=name``.
    wide : str
        The function of ``report/wide.py`` that rearranges the table for reading, if any.
    bar : bool
        Whether it shows a progress bar.
    remakes : tuple of str
        The tables and figures of the papers that it remakes.
    """

    help: str
    function: str
    arguments: tuple[Argument, ...]
    signed_parts: tuple[str, ...] = ()
    wide: str = ""
    bar: bool = False
    remakes: tuple[str, ...] = ()


# Arguments that several studies share.
CONFIG = Argument("config", "config", "the experiment, a TOML file")
CORPUS = Argument("corpus", "corpus")
DATA = Argument(
    "data", "data", "judged corpora: folders, files or archives, one or more", default="no_models"
)
TABLES = Argument("tables", "tables")
TARGET = Argument("target", help="the human measure", metavar="T", required=True)
METRICS = Argument(
    "metrics", help="only this one; may be repeated", flag="--metric", metavar="M", repeated=True
)
CONFIDENCE = Argument("confidence", "share", "of the intervals", default=0.95, metavar="C")
PLACE = Argument("place", "place")
COEFFICIENT = Argument(
    "coefficient",
    "choice",
    "of correlation",
    default="pearson",
    metavar="COEFFICIENT",
    choices=("scores.correlations:COEFFICIENTS",),
)
LEVELS = Argument(
    "levels",
    "choice",
    "only this one; may be repeated",
    flag="--level",
    metavar="LEVEL",
    choices=("system", "input"),
    otherwise="both",
    repeated=True,
)
SEED = Argument("seed", "seed")
JOBS = Argument("n_jobs", "jobs")


def number(name: str, default: int, help: str, *, flag: str = "") -> Argument:
    """Declare a whole number from 1."""
    return Argument(
        name, "positive", f"{help} (default: %(default)s)", flag=flag, default=default, metavar="N"
    )


def resamples(default: int, help: str) -> Argument:
    """Declare the number of resamples."""
    return Argument("n_resamples", "resamples", help, default=default)


def seeds(default: int) -> Argument:
    """Declare over how many seeds an experiment is repeated."""
    return Argument(
        "seeds", "seeds", "number of seeds, 1 to N (default: %(default)s)", default=default, metavar="N"
    )
