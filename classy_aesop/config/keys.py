"""What an experiment is: its years, runs and options, as frozen dataclasses."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field
from functools import partial
from typing import Any, Literal, NamedTuple

from classy_aesop.errors import InputError
from classy_aesop.features.counts import FeatureOptions
from classy_aesop.features.registry import CLASSY2011, TOPICWISE, FeatureSet
from classy_aesop.outside import Choices
from classy_aesop.work.options import SEED, Limits, Option

PEERS: tuple[Literal["no_models", "all_peers"], ...] = ("no_models", "all_peers")
"""The peer sets: systems only, and systems with the human summarizers."""

SCALE_MAPPINGS = ("ten_to_five", "bins")
"""Mappings of a ten-point scale to five points: 4/9 (x - 1) + 1, the printed 5/9 (x - 1) + 1, ceil(x / 2)."""

PROTOCOLS = ("latest", "leave-one-year-out")
"""Which training years are held out to select on, each year fitted on others.

The ``latest`` one, fitted on the one before it (as in 2011); ``leave-one-year-out``: every one, fitted on all others.
Scores of several years are averaged.
"""

DEFAULT_METHOD = "topicwise"
"""The method of a configuration without a preset."""

LEARNERS = ("ridge", "boosting", "extra_trees", "r2", "pyramid2", "shared1", "imported")
"""What `DEFAULT_METHOD` mixes."""

FITTER_OPTIONS: Mapping[str, Mapping[str, int | float]] = {
    "boosting": {"n_trees": 150, "rate": 0.05},
    "extra_trees": {"n_trees": 100, "most_leaves": 64, "smallest_leaf": 3, "column_share": 0.4},
}
"""The options of its fitters."""

MAX_PARTS = 10_000
"""Most parts and folds that topics are dealt into."""


def key(
    default: Any,
    help: str,
    example: str = "",
    *,
    usual: bool = True,
    names: tuple[str, ...] = (),
    limits: Limits | None = None,
) -> Any:
    """Declare a key of a table."""
    choices = Choices(*names) if names else None
    declared = Option(help, example=example, is_seldom=not usual, choices=choices, limits=limits)
    if callable(default):
        return field(metadata={"option": declared}, default_factory=default)
    return field(metadata={"option": declared}, default=default)


_rare_key = partial(key, usual=False)


def config_keys_of(cls: type) -> dict[str, Option]:
    """Return the keys of a table by name; one that is seldom needed is not explained in a new configuration."""
    return {declared.name: declared.metadata["option"] for declared in dataclasses.fields(cls)}


_FITTER_NAMES = ("fitters:FITTERS", "best", "mixture")


@dataclass(frozen=True)
class Cut:
    """A seeded part of a corpus: its topics, sorted by name, shuffled by ``seed`` and dealt into ``parts``."""

    part: int = _rare_key(MISSING, "which part, from 1")
    parts: int = _rare_key(
        3,
        "number of parts that the sorted, shuffled topics are dealt into",
        limits=Limits(1, MAX_PARTS, is_whole=True),
    )
    seed: int | None = _rare_key(None, "of the shuffle (default: that of the configuration)", limits=SEED)


@dataclass(frozen=True)
class Year:
    """One year of judged summaries: where it lies (unless it comes from memory) and what of it is used.

    A year without texts has no path, but files of human ``judgments``, and is learned from by its ``scores`` alone.
    """

    name: str = _rare_key(MISSING, "its name; rows without a year get it")
    path: str = key("", "relative to this file; --data NAME=DIR overrides it")
    layout: str = key("auto", "layout of the corpus, see docs/usage.md", names=("auto", "reading:READERS"))
    columns: Mapping[str, str | tuple[str, ...]] = key(
        dict, "which column of a table is what (default: by name)", '{ topic = "story" }'
    )
    encoding: str | None = key(None, "of a text table that is not in UTF-8", '"cp1252"')
    topics: tuple[str, ...] | None = key(None, "only these topics", '["D1", "D2"]')
    cut: Cut | None = key(
        None, "only one part of a cut into equal parts, by the seed", "{ part = 1, parts = 3 }"
    )
    exclude: tuple[str, ...] = key((), "summarizers to leave out")
    references: tuple[str, ...] | None = key(
        None, "summarizers whose references are used (default: all)", '["A", "B"]'
    )
    scale: Mapping[str, str] = key(
        dict, "from ten points to five", '{ overall = "ten_to_five" }', names=SCALE_MAPPINGS
    )
    ranges: Mapping[str, tuple[float, float]] = key(
        dict, "a score outside its range is an error", "{ overall = [1, 5] }"
    )
    scores: tuple[str, ...] = key((), "files of imported metrics: more columns, joined by ids")
    judgments: tuple[str, ...] = key((), "human scores of a year without texts, in place of path")
    copies: str = key(
        "keep",
        'summaries that repeat a reference: "keep" them, score "without" it, or "exclude" them',
        names=("data:COPIES",),
    )


@dataclass(frozen=True)
class RunTable:
    """One ``[[runs]]`` table: a target and a fitter, for some tasks and peer sets (by default all).

    The fitter is a key of `FITTERS`; or ``best``: whichever of those of 2011 scores highest on the selection year; or
    ``mixture``: the mean of several learners. By default it is that of the search options, or ``best`` with ``whole``.
    """

    name: str = key(MISSING, "part of the names of its files")
    target: str = key(MISSING, "the human measure to predict")
    fitter: str | None = key(
        None, "default: that of the method; docs/method.md lists them", '"best"', names=_FITTER_NAMES
    )
    tasks: tuple[str, ...] | None = key(None, "default: those of the experiment", '["A"]')
    peers: tuple[str, ...] | None = key(
        None, "default: those of the experiment", '["no_models"]', names=PEERS
    )
    calibrate: bool = _rare_key(True, "bring canonical scores to the target's scale")
    names: tuple[str, ...] | None = key(
        None, "features of this run (default: those of the search)", '["r2", "su4"]'
    )
    whole: bool = key(False, "true: fit all of them together, without a search")

    def fitter_by(self, default: str) -> str:
        """Name the fitter, given that of the search options."""
        return self.fitter or ("best" if self.whole else default)


@dataclass(frozen=True)
class SearchOptions:
    """How subsets are fitted and compared, with the parts of honest learning (docs/prediction.md) on by default.

    In a file ``method`` names a set of these (`LEARNING_METHODS`), and keys beside it replace its own. The defaults
    here are those of `DEFAULT_METHOD`.
    """

    level: str = key(
        "system",
        "what is correlated by the correlation that selects: system means; scores within topics (input); all scores "
        "(global), or all less their topic's mean (centred)",
        names=("significance.choices:CORRELATION_LEVELS",),
    )
    coefficient: str = key(
        "pearson",
        "coefficient that selects; `combination`: Pearson's with the linear combination of all human measures that "
        "correlates best",
        names=("search.subset_scores:SELECTION_COEFFICIENTS",),
    )
    fit_level: str = _rare_key(
        "summary", "rows of a fit: summaries, or means of summarizers", names=("summary", "system")
    )
    folds: int = key(
        3,
        "folds of topics, and of summarizers, that are held out",
        limits=Limits(2, MAX_PARTS, is_whole=True),
    )
    names: FeatureSet = key(
        TOPICWISE, "features and groups to choose from, docs/features.md", '["classic", "rouge"]'
    )
    extra: tuple[str, ...] | None = key(None, "imported metrics to choose from (default: all)", "[]")
    units: str = _rare_key(
        "groups",
        "what is chosen: single features, or all features of a group together; 20 at most",
        names=("features.registry:SEARCH_UNITS",),
    )
    effects: str = _rare_key(
        "topic", "`topic`: fit on differences from the topic's mean", names=("none", "topic")
    )
    fitter: str = _rare_key("mixture", "of runs that name none", names=_FITTER_NAMES)
    learners: tuple[str, ...] = _rare_key(
        LEARNERS,
        "what a mixture is the mean of: a fitter, on all columns; a feature or imported metric by itself; "
        "`imported`, each of those",
    )
    relative: bool = _rare_key(
        True, "true: a mixture also learns from each column's difference and rank in the topic"
    )
    fitter_options: Mapping[str, Mapping[str, int | float]] = _rare_key(
        lambda: FITTER_OPTIONS, "parameters of fitters by their names"
    )
    protocol: str = _rare_key(
        "leave-one-year-out", "which training years are held out to select on", names=PROTOCOLS
    )
    refit: str = _rare_key("all", "final fit on the latest training year, or on all", names=("latest", "all"))
    scale: str = _rare_key(
        "standardize",
        "`standardize`: bring human measures of earlier years to the scale of the latest",
        names=("none", "standardize"),
    )

    @classmethod
    def from_method(cls, method: str, **options: Any) -> SearchOptions:
        """Return the options of a method (`LEARNING_METHODS`), some of them replaced."""
        return dataclasses.replace(LEARNING_METHODS[method], **options)

    def changes_since_2011(self, *, whole: bool = False) -> dict[str, object]:
        """Return the parts of honest learning that differ from 2011, except the protocol, which has its own name.

        A ``whole`` fit selects no subset, so parts of the selection are left out.
        """
        in_2011 = SearchOptions.from_method("classy2011")
        names = ["effects", "refit", "scale", "relative"]
        if not whole:
            names += ["coefficient", "units"]
        return {name: getattr(self, name) for name in names if getattr(self, name) != getattr(in_2011, name)}


_LEARNING_OF_2011 = SearchOptions(
    folds=5,
    names=CLASSY2011,
    units="features",
    effects="none",
    fitter="best",
    learners=(),
    relative=False,
    fitter_options={},
    protocol="latest",
    refit="latest",
    scale="none",
)

LEARNING_METHODS: dict[str, SearchOptions] = {
    "classy2011": _LEARNING_OF_2011,
    "classy2011-printed": dataclasses.replace(_LEARNING_OF_2011, fit_level="system"),
    DEFAULT_METHOD: SearchOptions(),
}
"""Ways of learning by name. Once released, a method does not change: a different one gets a new name."""


@dataclass(frozen=True)
class Config:
    """One experiment. The years stand in order; the last one is predicted.

    Without ``search`` it learns by the method of its preset, or else by the default one.

    Examples
    --------
    >>> years = Year("2021", "data_samples/2021"), Year("2022", "data_samples/2022")
    >>> config = Config(years, preset="classy2011")
    >>> config.peers, config.search.protocol
    (('no_models', 'all_peers'), 'latest')
    """

    years: tuple[Year, ...] = _rare_key(
        MISSING, "the tables `[[years]]`, in order; the last one is predicted"
    )
    seed: int = key(0, "of folds and cuts; --seed N overrides it", limits=SEED)
    preset: str | None = _rare_key(
        None, "a list of runs by name; with one, `method` is its own", names=("config.keys:RUN_PRESETS",)
    )
    tasks: tuple[str, ...] | None = key(None, "default: every task of the corpora", '["A", "B"]')
    peers: tuple[str, ...] = key(PEERS, "systems only, and systems with human summarizers", names=PEERS)
    measures: tuple[str, ...] | None = key(
        None, "human measures that are used (default: all that the years share)", '["overall"]'
    )
    runs: tuple[RunTable, ...] = _rare_key(
        (), "the tables `[[runs]]`, instead of the preset or in addition to it"
    )
    features: FeatureOptions = _rare_key(FeatureOptions, "the table `[features]`: how texts are read")
    search: SearchOptions = _rare_key(
        None, "the table `[search]`: how the runs learn"
    )  # never None once made
    about: Mapping[str, str] = key(dict, "kept in the predictors", '{ source = "who judged what" }')

    def __post_init__(self) -> None:
        search: object = self.search
        if search is None:
            object.__setattr__(self, "search", SearchOptions.from_method(method_of_preset(self.preset)))

    def __repr__(self) -> str:
        """Write the years, the runs, the measures and the seed in one line; `to_dict` has everything."""
        runs = [self.preset] if self.preset else []
        runs += [f"{len(self.runs)} run{'s' * (len(self.runs) != 1)}"] if self.runs else []
        measures = "all measures" if self.measures is None else ", ".join(self.measures)
        facts = [", ".join(year.name for year in self.years), *runs, measures, f"seed {self.seed}"]
        return f"Config({'; '.join(facts)})"

    def to_dict(self) -> dict[str, Any]:
        """Give the resolved configuration as plain lists and dictionaries, defaults included."""
        return dataclasses.asdict(self)


class TaskPeers(NamedTuple):
    """A task and a peer set, of which a run learns."""

    task: str
    peers: str


MAX_NAME_BYTES = 80
"""Most bytes in the name of a run or a task, so that file names made of both stay below 255 bytes."""


def check_file_name(where: str, name: str, *, may_be_empty: bool = False) -> None:
    """Raise `InputError` for a name that cannot be part of a file name, or would lead to another folder."""
    is_part = name.isprintable() and not name.startswith(".") and not set(name) & set("/\\")
    if not is_part or len(name.encode()) > MAX_NAME_BYTES or not (name or may_be_empty):
        raise InputError(
            f"{where}: {name!r} becomes part of a file name; expected at most {MAX_NAME_BYTES} bytes, no slash or "
            "backslash, no control character, no dot at its start"
            + ("" if may_be_empty else ", at least one character")
        )


@dataclass(frozen=True)
class Run:
    """One submission: a target, a task, a peer set, and the fitter that learns it.

    Raises
    ------
    InputError
        Its task, which may come from a corpus, cannot be part of a file name.
    """

    name: str
    target: str
    task: str
    peers: str
    fitter: str
    calibrate: bool = True
    names: tuple[str, ...] | None = None
    whole: bool = False

    def __post_init__(self) -> None:
        check_file_name(f"run {self.name}: task", self.task, may_be_empty=True)

    @property
    def task_and_peers(self) -> TaskPeers:
        """The task and the peer set."""
        return TaskPeers(self.task, self.peers)

    @property
    def label(self) -> str:
        """The name of the run's predictor, e.g. ``25-A-all_peers``."""
        return "-".join(part for part in (self.name, self.task, self.peers) if part)


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


RUN_PRESETS = dict.fromkeys(("classy2011", "classy2011-printed"), _classy2011())
"""Lists of runs by name, those of 2011: fitted to summaries, as the text says, or to means, as the weights look."""


def method_of_preset(preset: object) -> str:
    """Name the method that a preset has under its own name, or the default one."""
    return str(preset) if preset in LEARNING_METHODS else DEFAULT_METHOD
