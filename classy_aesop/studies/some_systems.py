"""Years with some of their systems, as if there were no others: features of peers see who is left."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import pandas as pd

from classy_aesop.corpus.data import Topic
from classy_aesop.errors import InputError
from classy_aesop.features.columns import is_of_peers
from classy_aesop.features.options import FeatureOptions
from classy_aesop.features.table import feature_table
from classy_aesop.running.seeding import seeded_rng
from classy_aesop.scores import KEYS
from classy_aesop.scores.places import with_places
from classy_aesop.training.years import YearData


def systems_of(year: YearData) -> list[str]:
    """Name the systems of a year, in the order of its rows."""
    return year.features.loc[~year.features["human"], "summarizer"].unique().tolist()


def only_systems(year: YearData, systems: Iterable[str]) -> YearData:
    """Keep some systems of a year, and all humans."""
    out = sorted(set(systems_of(year)) - set(systems))
    rows = ~year.features["summarizer"].isin(out)
    features, judgments = (table[rows].reset_index(drop=True) for table in (year.features, year.judgments))
    corpus = year.corpus.select(exclude_peers=out)
    return replace(year, corpus=corpus, features=_among(features, corpus.topics), judgments=judgments)


def _among(features: pd.DataFrame, topics: Sequence[Topic]) -> pd.DataFrame:
    """Compute anew what looks at the other summaries of a topic."""
    names = [name for name in map(str, features) if is_of_peers(name)]
    if not names:
        return features
    made = {name: value for name, value in features.attrs["features"].items() if name != "splitter"}
    anew = with_places(feature_table(topics, FeatureOptions(**made), names=names)).set_index(KEYS)[names]
    values = anew.reindex(pd.MultiIndex.from_frame(features[KEYS])).to_numpy(float)
    return features.assign(**{name: values[:, at] for at, name in enumerate(names)})


def with_other_systems(years: Sequence[YearData], seed: int) -> tuple[YearData, ...]:
    """Divide the systems at random: one half stays in the last year, the other in the years before. Humans stay.

    Raises
    ------
    InputError
        If there are fewer than six systems.
    """
    systems = sorted({name for year in years for name in systems_of(year)})
    if len(systems) < 6:
        raise InputError(
            f"{len(systems)} systems; expected 6 or more: each half needs three for a correlation"
        )
    shuffled = seeded_rng(seed, "systems").permutation(systems)
    *training, last = years
    predicted, learned = shuffled[: len(shuffled) // 2], shuffled[len(shuffled) // 2 :]
    return *(only_systems(year, learned) for year in training), only_systems(last, predicted)
