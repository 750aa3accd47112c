"""Honest learning on small made-up years: each part does what it says, and nothing without being asked."""

import dataclasses

import numpy as np
import pytest

from classy_aesop import Config, Corpus, InputError, train
from classy_aesop.config import RunTable, SearchOptions, Year
from classy_aesop.corpus.generator import generate
from classy_aesop.features.base import FEATURES
from classy_aesop.features.columns import columns
from classy_aesop.fitters import FITTERS
from classy_aesop.report.experiment import save, summary
from classy_aesop.training.designs import Place, make_design, on_scale_of
from classy_aesop.training.extract import extract

FEW_GROUPS = ("r2", "anaphora", "flow")
NAMES = ("r2", "coverage", "redundancy1", "neg_log2_sentences")
CANONICAL = RunTable("x", "responsiveness", "canonical", peers=("no_models",))
BEST = RunTable("x", "responsiveness", "best", peers=("no_models",))


def config_of(*names, run=CANONICAL, method="classy2011", **options):
    search = SearchOptions.of(method, **{"names": NAMES, **options})
    return Config(
        tuple(map(Year, names or ("2021", "2022", "2023"))), runs=(run,), search=search, tasks=("A",)
    )


def learned_by(corpora, *names, **options):
    [learned] = train(config_of(*names, **options), corpora).learned
    return learned


@pytest.fixture(scope="module")
def four():
    made = {
        name: generate(4, year=name, n_topics=5, n_systems=6, n_humans=4) for name in ("1", "2", "3", "4")
    }
    return {name: Corpus.from_records(year.summaries, year.judgments) for name, year in made.items()}


def weights(learned):
    return np.array([*learned.predictor.weights, learned.predictor.intercept])


def test_rolling_over_two_training_years_is_latest(corpora):
    latest, rolling = (learned_by(corpora, protocol=protocol) for protocol in ("latest", "rolling"))
    assert rolling.searches["canonical"].scores.tolist() == latest.searches["canonical"].scores.tolist()
    assert weights(rolling).tolist() == weights(latest).tolist()
    assert rolling.predictor.training["protocol"] == "rolling"


def test_latest_takes_the_last_three_of_four_years(four):
    every, last = learned_by(four, "1", "2", "3", "4"), learned_by(four, "2", "3", "4")
    assert weights(every).tolist() == weights(last).tolist()
    assert every.predictor.training["years"] == ["2", "3"]
    notes = train(config_of("1", "2", "3", "4"), four).notes
    assert "protocol latest: nothing is learned from 1" in notes


def test_leaving_one_year_out_averages_the_years_scores(four):
    """With years 1 and 2 to learn from, either is fitted on and the other selects."""
    found = learned_by(four, "1", "2", "4", protocol="leave-one-year-out")
    there, back = (learned_by(four, *order, "4") for order in (("1", "2"), ("2", "1")))
    mean = (there.searches["canonical"].scores + back.searches["canonical"].scores) / 2
    np.testing.assert_allclose(found.searches["canonical"].scores, mean, rtol=1e-12)


def test_refit_on_all_years_by_hand(four):
    found = learned_by(four, "1", "2", "4", refit="all", effects="topic", run=CANONICAL)
    years = extract(config_of("1", "2", "4"), four)
    measures = found.predictor.training["measures"]
    designs = [
        make_design(year, Place("A", "no_models"), found.predictor.columns, measures) for year in years[:2]
    ]
    rows = []
    for design in designs:
        for topic in np.unique(design.topics):
            part = np.column_stack([design.X, design.Y])[design.topics == topic]
            rows.append(part - part.mean(axis=0))
    grand = np.concatenate([np.column_stack([design.X, design.Y]) for design in designs]).mean(axis=0)
    both, n = np.concatenate(rows) + grand, designs[0].X.shape[1]
    fitter = FITTERS["canonical"](target=measures.index("responsiveness")).fit(both[:, :n], both[:, n:])
    np.testing.assert_allclose(weights(found), [*fitter.coef_, fitter.intercept_], rtol=1e-8)
    assert found.predictor.training["refitted_on"] == "1+2"


def test_human_measures_on_the_scale_of_the_latest_year_by_hand(four):
    years = extract(config_of("1", "2", "4"), four)
    one, latest = (
        make_design(year, Place("A", "no_models"), NAMES, ["responsiveness", "pyramid"]) for year in years[:2]
    )
    Y = one.Y.copy()
    Y[3, 0] = np.nan
    one = dataclasses.replace(one, Y=Y)
    scaled = on_scale_of(latest, one)
    np.testing.assert_allclose(np.nanmean(scaled.Y, axis=0), latest.Y.mean(axis=0))
    np.testing.assert_allclose(np.nanstd(scaled.Y, axis=0), latest.Y.std(axis=0))
    assert np.isnan(scaled.Y[3, 0])
    assert on_scale_of(latest, latest) is latest
    constant = dataclasses.replace(one, Y=np.ones_like(one.Y))
    np.testing.assert_allclose(
        on_scale_of(latest, constant).Y, np.broadcast_to(latest.Y.mean(axis=0), one.Y.shape)
    )


@pytest.mark.slow
def test_the_average_is_that_of_its_members(corpora):
    """Each member is what the search finds when its names are all there is to fit."""
    found = learned_by(corpora, run=BEST, choose="average", draws=30)
    assert len(found.chosen.members) > 2
    assert sum(one.weight for one in found.chosen.members) == pytest.approx(1)
    predictions = 0
    for member in found.chosen.members:
        run = dataclasses.replace(BEST, fitter=member.fitter, names=member.subset.names, whole=True)
        alone = train(config_of(run=run), corpora)
        predictions += member.weight * alone.predictions["score"].to_numpy()
    own = train(config_of(run=BEST, choose="average", draws=30), corpora).predictions
    np.testing.assert_allclose(own["score"], predictions, rtol=1e-9)


def test_the_average_of_one_subset_is_that_subset(corpora):
    run = dataclasses.replace(CANONICAL, names=("r2",))
    plain, average = (learned_by(corpora, run=run, **ask) for ask in ({}, {"choose": "average", "draws": 5}))
    assert weights(average).tolist() == weights(plain).tolist()


def test_draws_change_nothing_but_what_is_told(corpora):
    plain, drawn = (learned_by(corpora, run=BEST, draws=draws) for draws in (0, 20))
    assert weights(drawn).tolist() == weights(plain).tolist()
    told = set(drawn.predictor.training) - set(plain.predictor.training)
    assert told == {"draws", "optimism", "corrected_score", "standard_error", "stability"}


@pytest.mark.slow
def test_all_parts_with_topic_folds_and_any_number_of_jobs(corpora, tmp_path):
    for names in (("2021", "2022", "2023"), ("2021",)):
        config = config_of(*names, run=BEST, method="classy2026", **{"names": FEW_GROUPS, "draws": 20})
        one, two = (train(config, corpora, n_jobs=n_jobs) for n_jobs in (1, 2))
        assert one.predictions.equals(two.predictions)
        assert one.predictions["score"].notna().all()
        assert "optimism" in summary(one)
        save(one, tmp_path / "out")
        assert (tmp_path / "out" / "search" / "x-A-no_models.weights.tsv").is_file()
        assert "|units:groups|choose:average|draws:20|" in (tmp_path / "out" / "summary.tsv").read_text()


def test_the_features_of_a_group_come_and_go_together(corpora):
    """Subsets of units are the subsets of features that hold all or none of a group."""
    apart, together = (
        learned_by(corpora, names=FEW_GROUPS, units=units).searches["canonical"]
        for units in ("features", "groups")
    )
    assert together.names == FEW_GROUPS
    flow = {name for name, known in FEATURES.items() if known.group == "flow"}
    anaphora = {name for name, known in FEATURES.items() if known.group == "anaphora"}
    for at, mask in enumerate(together.masks):
        held = {"r2"} if mask & 1 else set()
        held |= (anaphora if mask & 2 else set()) | (flow if mask & 4 else set())
        same = [name in held for name in apart.names]
        other = int(np.flatnonzero(apart.masks == sum(1 << i for i, has in enumerate(same) if has))[0])
        assert together.scores[at] == pytest.approx(apart.scores[other], abs=1e-10)
    found = learned_by(corpora, names=FEW_GROUPS, units="groups")
    used = found.chosen.members[0].subset.names
    assert found.predictor.columns == tuple(columns(used))


@pytest.mark.slow
def test_a_whole_fit_is_neither_drawn_nor_averaged(corpora):
    for fitter in ("ridge", "forest"):
        run = dataclasses.replace(CANONICAL, fitter=fitter, whole=True)
        found = learned_by(corpora, run=run, method="classy2026")
        assert found.chosen.n_draws == 0
        assert not {"choose", "draws", "units"} & set(found.predictor.training)
        assert found.predictor.training["effects"] == "topic"


def test_years_that_share_topics_are_refused(corpora):
    again = {**corpora, "2022": corpora["2021"]}
    with pytest.raises(
        InputError, match=r"years share topics or texts: 2021/D2101/A and 2022/D2101/A \(topic\)"
    ):
        train(config_of(), again)
    warned = train(config_of(guard="warn"), again)
    assert any(note.startswith("years share topics or texts: ") for note in warned.notes)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"choose": "average"}, "search.draws: 0; expected 2 or more"),
        ({"draws": -1}, "search.draws: -1; expected 0 or more"),
        ({"effects": "year"}, r"search.effects: 'year'; expected one of \['none', 'topic'\]"),
        ({"protocol": "all"}, "search.protocol: 'all'; expected one of"),
    ],
)
def test_what_is_no_option_is_named(corpora, options, message):
    with pytest.raises(InputError, match=message):
        train(config_of(**options), corpora)
