"""Which subset of which fitter a predictor is made of."""

import dataclasses

import pandas as pd
import pytest

from classy_aesop import Config, InputError, train
from classy_aesop.config import RunTable, SearchOptions, Year
from classy_aesop.fitters import tried_by_best

SMALL = SearchOptions.of("classy2011", names=("r2", "coverage", "redundancy1", "neg_log2_sentences"))
RESPONSIVENESS = RunTable("x", "responsiveness", "best")


def small_config(*names, runs=(RESPONSIVENESS,), **options):
    years = tuple(Year(name) for name in names)
    return Config(years=years, runs=tuple(runs), search=SMALL, tasks=("A",), **options)


@pytest.mark.slow
def test_best_takes_the_fitter_with_the_highest_selection_score(corpora):
    for learned in train(small_config("2021", "2022", "2023"), corpora).trained:
        scores = {name: search.best().score for name, search in learned.searches.items()}
        assert set(scores) == set(tried_by_best())
        assert learned.predictor.fitter == max(scores, key=scores.get)
        assert learned.predictor.training["selection_score"] == max(scores.values())


@pytest.mark.slow
def test_a_fitter_that_finds_nothing_is_reported(corpora):
    """Six in seven judgments are 5: robust regression fits them by a constant, whatever the features."""
    judged = {}
    for name, corpus in corpora.items():
        judgments = corpus.judgments.copy()
        rows = judgments["metric"] == "responsiveness"
        judgments.loc[rows, "score"] = [5.0 if place % 7 else 1.0 + place % 3 for place in range(rows.sum())]
        judged[name] = dataclasses.replace(corpus, judgments=judgments)
    runs = [RunTable(fitter, "responsiveness", fitter, peers=("no_models",)) for fitter in ("robust", "best")]
    experiment = train(small_config("2021", "2022", "2023", runs=runs), judged)
    assert [one.run.name for one in experiment.trained] == ["best"]
    assert any(
        "run robust-A-no_models is left out: with robust no subset's predictions vary" in n
        for n in experiment.notes
    )
    assert any("run best-A-no_models goes on without it" in note for note in experiment.notes)
    with pytest.raises(InputError, match="no run is left: run robust-A-no_models is left out"):
        train(small_config("2021", "2022", "2023", runs=runs[:1]), judged)


def test_an_accuracy_selects_and_equal_ones_go_to_the_higher_correlation(corpora):
    options = dataclasses.replace(SMALL, coefficient="acc_eq")
    runs = [RunTable("x", "readability", "best")]
    config = small_config("2021", "2022", "2023", runs=runs, peers=("no_models",))
    config = dataclasses.replace(config, search=options)
    [learned] = train(config, corpora).trained
    tables = [search.to_frame().assign(fitter=name) for name, search in learned.searches.items()]
    ranked = pd.concat(tables).round(9).sort_values(["score", "pearson"], ascending=False, kind="stable")
    best = ranked.iloc[0]
    assert (ranked["score"] == best["score"]).sum() > 1
    assert learned.predictor.training["coefficient"] == "acc_eq"
    assert learned.predictor.fitter == best["fitter"]
    assert list(learned.predictor.training["subset"]) == best["names"].split()
    assert learned.predictor.training["selection_score"] == pytest.approx(best["score"])


def test_soft_accuracy_selects_nothing(corpora):
    options = dataclasses.replace(SMALL, coefficient="soft_pairwise_accuracy")
    config = dataclasses.replace(small_config("2021", "2022", "2023"), search=options)
    with pytest.raises(InputError, match=r"search\.coefficient: 'soft_pairwise_accuracy'; expected one of"):
        train(config, corpora)
