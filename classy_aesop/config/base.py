"""What an experiment is: its years, runs and options, as frozen dataclasses."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from classy_aesop.features.options import FeatureOptions
from classy_aesop.features.sets import CLASSY2011, CLASSY2026, CLASSY2027, FeatureSet

PEERS: tuple[Literal["no_models", "all_peers"], ...] = ("no_models", "all_peers")
"""The peer sets: systems only, and systems with the human summarizers."""

SCALES = ("ten_to_five", "printed", "bins")
"""Mappings of a ten-point scale to five points: 4/9 (x - 1) + 1, the printed 5/9 (x - 1) + 1, ceil(x / 2)."""

PROTOCOLS = ("latest", "rolling", "leave-one-year-out")
"""Which training years are held out to select on, each year fitted on others.

The ``latest`` one, fitted on the one before it (as in 2011); ``rolling``: every one but the first, fitted on all before
it; ``leave-one-year-out``: every one, fitted on all others. Scores of several years are averaged.
"""

DEFAULT_METHOD = "classy2027"
"""The method of a configuration without a preset."""

LEARNERS = ("ridge", "boosting", "extra_trees", "r2", "pyramid2", "shared1", "imported")
"""What the super learner of `DEFAULT_METHOD` mixes; that of `classy2026` mixes a search and ROUGE-SU4 too."""

FITTER_OPTIONS: Mapping[str, Mapping[str, int | float]] = {
    "boosting": {"n_trees": 150, "rate": 0.05},
    "extra_trees": {"n_trees": 100, "most_leaves": 64, "smallest_leaf": 3, "column_share": 0.4},
}
"""The options of its fitters."""

SHARES = ("equal", "stacked")
"""How a super learner finds the shares of its learners."""


@dataclass(frozen=True)
class Cut:
    """A seeded part of a corpus: its topics, sorted by name, shuffled by ``seed`` and dealt into ``parts``."""

    part: int
    parts: int = 3
    seed: int | None = None


@dataclass(frozen=True)
class Year:
    """One year of judged summaries: where it lies (unless it comes from memory) and what of it is used.

    ``columns`` says what the columns of a table are whose names do not, e.g. ``{"topic": "story"}``.
    ``scores`` are files of imported metrics, which become columns beside the features. A year without texts has no
    path, but files of human ``judgments``, and is learned from by its ``scores`` alone. ``copies`` says what is done
    with summaries that repeat a reference: ``keep`` them, score them ``without`` it, or ``exclude`` them.
    """

    name: str
    path: str = ""
    format: str = "auto"
    columns: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    encoding: str | None = None
    topics: tuple[str, ...] | None = None
    pattern: str | None = None
    cut: Cut | None = None
    exclude_peers: tuple[str, ...] = ()
    references: tuple[str, ...] | None = None
    scale: Mapping[str, str] = field(default_factory=dict)
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    scores: tuple[str, ...] = ()
    scores_format: str = "auto"
    judgments: tuple[str, ...] = ()
    copies: str = "keep"


@dataclass(frozen=True)
class RunTable:
    """One ``[[runs]]`` table: a target and a fitter, for some tasks and peer sets (by default all).

    The fitter is a key of `FITTERS`; or ``best``: whichever of those of 2011 scores highest on the selection year; or
    ``super_learner``: a mixture of the learners in ``among`` (by default those of the search options). By
    default it is that of the search options, or ``best`` with ``whole``. ``names`` are the features and imported
    metrics of this run, by default those of the search; with ``whole`` all of them are fitted together, and no subset.
    """

    name: str
    target: str
    fitter: str | None = None
    tasks: tuple[str, ...] | None = None
    peers: tuple[str, ...] | None = None
    calibrate: bool = True
    names: tuple[str, ...] | None = None
    whole: bool = False
    among: tuple[str, ...] | None = None

    def fitter_by(self, default: str) -> str:
        """Name the fitter, given that of the search options."""
        return self.fitter or ("best" if self.whole else default)


@dataclass(frozen=True)
class SearchOptions:
    """How subsets are fitted and compared.

    ``names`` are the features and groups of features to choose from; ``extra`` the imported metrics, by
    default all that the years' ``scores`` hold. The rest are the parts of honest learning (docs/prediction.md), on by
    default:

    - ``units``: ``groups``, where the features of a group that is named, or of a list inside ``names``, come and go
      together, or ``features``, where each is chosen by itself;
    - ``effects``: ``topic`` fits on rows less their topic's mean, ``none`` on rows as they are;
    - ``n_resamples``: bootstrap resamples of topics and summarizers on which every subset is scored again, for the
      optimism of the best; ``choose``: what is used, one of `classy_aesop.search.winners.RULES`; all but ``best`` need
      resamples;
    - ``fitter``: that of runs that name none, and ``learners``: what a super learner mixes: ``search``, the subsets
      that are used; a fitter on everything; a feature or imported metric by itself; ``imported``, each of those;
    - ``shares`` of these learners: ``equal``, or ``stacked``: found on held-out predictions; ``relative``: whether they
      learn from columns relative to the topic too (`classy_aesop.features.relative`);
    - ``fitter_options``: parameters of fitters by their names, e.g. ``{"boosting": {"n_trees": 150}}``;
    - ``protocol``: which years are held out to select, one of `PROTOCOLS`; ``refit``: on the ``latest`` training year
      or on ``all``; ``scale``: ``standardize`` brings the human measures of each earlier year to the mean and standard
      deviation of the latest, ``none`` leaves them; ``guard``: ``warn`` says that years share topics or texts,
      ``error`` refuses it.

    In a file ``method`` names a set of these (`METHODS`), and keys beside it stand in for its own. The defaults here
    are those of `DEFAULT_METHOD`.
    """

    level: str = "system"
    coefficient: str = "pearson"
    fit_level: str = "summary"
    stop: str = "converged"
    folds: int = 3
    names: FeatureSet = CLASSY2027
    extra: tuple[str, ...] | None = None
    units: str = "groups"
    effects: str = "topic"
    choose: str = "average"
    n_resamples: int = 200
    fitter: str = "super_learner"
    learners: tuple[str, ...] = LEARNERS
    shares: str = "equal"
    relative: bool = True
    fitter_options: Mapping[str, Mapping[str, int | float]] = field(default_factory=lambda: FITTER_OPTIONS)
    protocol: str = "leave-one-year-out"
    refit: str = "all"
    scale: str = "standardize"
    guard: str = "error"

    @classmethod
    def of(cls, method: str, **options: Any) -> SearchOptions:
        """Give the options of a method (`METHODS`), some of them replaced."""
        return dataclasses.replace(METHODS[method], **options)

    def learning_by(self, method: str) -> SearchOptions:
        """Give these options with those parts of another method in which methods differ."""
        other = SearchOptions.of(method)
        return dataclasses.replace(self, **{name: getattr(other, name) for name in METHOD_PARTS})

    def changed(self, *, whole: bool = False) -> dict[str, Any]:
        """Give the parts of honest learning that differ from 2011, except the protocol, which has its own name.

        A ``whole`` fit selects no subset, so parts of the selection are left out.
        """
        plain = SearchOptions.of("classy2011")
        fit, selection = (
            ("effects", "refit", "scale", "relative"),
            ("coefficient", "units", "choose", "n_resamples"),
        )
        names = fit if whole else (*fit, *selection)
        return {name: getattr(self, name) for name in names if getattr(self, name) != getattr(plain, name)}


METHOD_PARTS = (
    "folds",
    "names",
    "units",
    "effects",
    "choose",
    "n_resamples",
    "fitter",
    "learners",
    "shares",
    "relative",
    "fitter_options",
    "protocol",
    "refit",
    "scale",
)
"""The options in which methods differ."""

METHODS: dict[str, SearchOptions] = {
    "classy2011": SearchOptions(
        folds=5,
        names=CLASSY2011,
        units="features",
        effects="none",
        choose="best",
        n_resamples=0,
        fitter="best",
        learners=(),
        shares="stacked",
        relative=False,
        fitter_options={},
        protocol="latest",
        refit="latest",
        scale="none",
    ),
    "classy2026": SearchOptions(
        folds=4,
        names=CLASSY2026,
        learners=("search", *LEARNERS[:4], "su4", *LEARNERS[4:]),
        shares="stacked",
        relative=False,
        fitter_options={},
    ),
    DEFAULT_METHOD: SearchOptions(),
}
"""Ways of learning by name. Once released, a method does not change: a different one gets a new name."""


@dataclass(frozen=True)
class Config:
    """One experiment. The years stand in order; the last one is predicted.

    Without ``search`` it learns by the method of its preset, or else by the default one.
    ``about`` is kept in the predictors for whoever uses them: where the data are from, what for, how good.

    Examples
    --------
    >>> years = Year("2021", "data_samples/2021"), Year("2022", "data_samples/2022")
    >>> config = Config(years, preset="classy2011")
    >>> config.peers, config.search.protocol
    (('no_models', 'all_peers'), 'latest')
    """

    years: tuple[Year, ...]
    seed: int = 0
    preset: str | None = None
    tasks: tuple[str, ...] | None = None
    peers: tuple[str, ...] = PEERS
    measures: tuple[str, ...] | None = None
    runs: tuple[RunTable, ...] = ()
    features: FeatureOptions = field(default_factory=FeatureOptions)
    search: SearchOptions = None  # type: ignore[assignment]  # never None once made
    about: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        given: object = self.search
        if given is None:
            object.__setattr__(self, "search", SearchOptions.of(method_of(self.preset)))

    def to_dict(self) -> dict[str, Any]:
        """Give the resolved configuration as plain lists and dictionaries, defaults included."""
        return dataclasses.asdict(self)


class Place(NamedTuple):
    """Where a run learns: a task and a peer set."""

    task: str
    peers: str


@dataclass(frozen=True)
class Run:
    """One submission: a target, a task, a peer set, and the fitter that learns it."""

    name: str
    target: str
    task: str
    peers: str
    fitter: str
    calibrate: bool = True
    names: tuple[str, ...] | None = None
    whole: bool = False
    among: tuple[str, ...] | None = None

    @property
    def place(self) -> Place:
        """Give the task and the peer set."""
        return Place(self.task, self.peers)

    @property
    def label(self) -> str:
        """Name the run's predictor, e.g. ``25-A-all_peers``."""
        return "-".join(part for part in (self.name, self.task, self.peers) if part)


def method_of(preset: object) -> str:
    """Name the method of a preset, or the default one without a preset."""
    return "classy2011" if preset == "classy2011" else DEFAULT_METHOD
