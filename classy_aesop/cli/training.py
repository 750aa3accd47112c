"""Commands that make predictors: init writes a configuration, train learns by one or from a corpus without one."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from classy_aesop.cli.commands import Asked, Command
from classy_aesop.cli.output import write_lines
from classy_aesop.cli.sources import GROUPS, Group, Names, Part, by_role
from classy_aesop.errors import UsageError

if TYPE_CHECKING:
    from classy_aesop.config import Config
    from classy_aesop.config.from_corpora import Years
    from classy_aesop.corpus.corpus import Corpus

SAMPLE = "sample.toml"
"""The configuration that ``init --sample`` writes."""

SAMPLE_TARGET = "responsiveness"
"""The human measure that it predicts."""


@dataclass(frozen=True, kw_only=True)
class Corpora:
    """Judged corpora to learn from, and what of them is chosen, in place of a configuration."""

    years: Sequence[tuple[str, str]] = ()
    targets: Names = None
    task: str | None = None
    peers: str | None = None
    exclude: Names = None
    only: Names = None
    layout: str = "auto"
    columns: Sequence[tuple[str, str]] = ()

    @property
    def part(self) -> Part:
        """What is chosen of them."""
        return Part(task=self.task, peers=self.peers, exclude=self.exclude, only=self.only)

    def given(self) -> list[str]:
        """Name the options that are given and go with a corpus."""
        given = {"--columns": self.columns, "--target": self.targets, "--layout": self.layout != "auto"}
        return [*self.part.given(), *(name for name, value in given.items() if value)]

    def read(self, path: str | None) -> Years:
        """Read the corpora: that at a path, or those with names."""
        from classy_aesop.config import read_named_years, read_years

        if bool(path) == bool(self.years):
            found = "both" if self.years else "neither"
            raise UsageError(f"expected IN, or --data NAME=PATH once or more; found {found}")
        how: dict[str, Any] = {"format": self.layout, "columns": by_role(self.columns)}
        return read_named_years(self.years, **how) if path is None else read_years(path, **how)

    def planned(self, path: str | None, seed: int) -> tuple[Config, dict[str, Corpus]]:
        """Make a configuration for what is chosen of them."""
        from classy_aesop.config import config_for

        years, corpora = self.read(path)
        out = self.part.left_out(corpora)
        years = tuple(replace(year, exclude_peers=out[year.name]) for year in years)
        chosen: dict[str, Any] = {"tasks": self.task, "peers": self.peers}
        asked = {name: (value,) for name, value in chosen.items() if value is not None}
        return config_for(years, corpora, self.targets or (), seed=seed, **asked), corpora


GROUPS["corpora_to_learn"] = Group(Corpora)


def init(
    corpora_to_learn: Corpora,
    input: str | None = None,
    seed: int = 0,
    sample: str | None = None,
    output: str | None = None,
    force: bool = False,
) -> None:
    """Write a commented configuration for a corpus, or a sample."""
    if sample is not None:
        if input or output or corpora_to_learn.years or corpora_to_learn.given():
            raise UsageError(
                "--sample DIR goes with no corpus, no choice of a part and no -o; it makes up its own"
            )
        _write_sample(sample, seed)
        return
    from classy_aesop.config import ends_of, to_toml

    if output and Path(output).is_file() and not force:
        raise UsageError(f"{output}: is there; expected another name, or --force to replace it")
    config, corpora = corpora_to_learn.planned(input, seed)
    folder = Path(output).parent if output else Path()
    examples = {"ranges": ends_of(corpora[config.years[0].name])}
    text = to_toml(config, folder, commented=True, examples=examples)
    write_lines([*_heading(output or "FILE"), text.rstrip("\n")], output)


def _write_sample(folder: str, seed: int) -> None:
    """Write the sample and its configuration, completely or not at all."""
    from classy_aesop.config import config_for, ends_of, read_named_years, to_toml
    from classy_aesop.corpus.generator.sample import YEARS, write_sample
    from classy_aesop.files.atomic import atomic_folder, check_folder

    check_folder(folder)
    written = Path(folder) / SAMPLE
    with atomic_folder(folder) as place:
        write_sample(place)
        years, corpora = read_named_years((year, str(place / year)) for year in YEARS)
        config = config_for(years, corpora, [SAMPLE_TARGET], seed=seed)
        examples = {"ranges": ends_of(corpora[YEARS[0]])}
        text = to_toml(config, place, commented=True, examples=examples)
        (place / SAMPLE).write_text("\n".join([*_heading(str(written)), text]), encoding="utf-8")
    print(f"classy-aesop train {written} -o out")


def _heading(path: str) -> list[str]:
    return [
        f"# classy-aesop train {path if path.isprintable() else 'FILE'} -o DIR",
        "# One file is one experiment. Keys in comments show defaults or examples; an unknown key is an error.",
        "# The years stand in order and the last one is predicted; a single one is predicted by folds of its topics.",
    ]


def train(
    corpora_to_learn: Corpora,
    experiment: str | None = None,
    folder: str | None = None,
    seed: int | None = None,
    all_subsets: bool = False,
    report: bool = False,
    n_jobs: int = 1,
    *,
    asked: Asked,
) -> None:
    """Learn predictors from judged years and assess them on the last."""
    from classy_aesop.files.atomic import atomic_folder
    from classy_aesop.files.inputs import refuse_input
    from classy_aesop.report.experiment import summary, write
    from classy_aesop.training.experiment import train

    if report:
        from classy_aesop.report.html import check_report

        check_report()
    is_config = bool(experiment) and Path(str(experiment)).suffix.lower() == ".toml"
    if folder is None and (is_config or corpora_to_learn.targets):
        raise UsageError("-o is missing; expected a folder for the results")
    with atomic_folder(folder) if folder else nullcontext() as place:
        configured = _configured if is_config else _asked
        config, corpora = configured(experiment, corpora_to_learn, seed)
        assert folder is not None
        assert place is not None
        refuse_input(folder)  # it holds nothing of what the configuration names
        found = train(config, corpora, n_jobs=n_jobs, progress=asked.progress)
        drawing = 1 if asked.scheduler else n_jobs
        write(found, place, folder, all_subsets=all_subsets, report=report, n_jobs=drawing)
    print(summary(found))


def _configured(path: str | None, corpora: Corpora, seed: int | None) -> tuple[Config, None]:
    """Read the configuration."""
    from classy_aesop.config import read_config

    given = corpora.given()
    if given:
        raise UsageError(f"{given[0]} goes with a corpus; {path} is a configuration with its own")
    return read_config(str(path), data=dict(corpora.years), seed=seed), None


def _asked(path: str | None, corpora: Corpora, seed: int | None) -> tuple[Config, dict[str, Corpus]]:
    """Make a configuration for corpora to learn from; without a target say which there are."""
    from classy_aesop.config import measures_of

    if not corpora.targets:
        found = ", ".join(measures_of(corpora.read(path)[1].values())) or "none"
        raise UsageError(f"--target is missing; the human measures there are: {found}")
    return corpora.planned(path, seed or 0)


COMMANDS = (Command(init, format=None), Command(train, format=None))
