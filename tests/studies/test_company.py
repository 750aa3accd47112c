"""The study of references and company: its numbers are those of `train` and `predict`, its sums are by hand."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from classy_aesop import Corpus, train
from classy_aesop.cli import main
from classy_aesop.config import Config, RunTable, SearchOptions, Year
from classy_aesop.corpus.generator import generate
from classy_aesop.features.columns import is_of_peers
from classy_aesop.features.options import FeatureOptions
from classy_aesop.features.table import feature_table
from classy_aesop.report.wide import company as readable
from classy_aesop.scores import KEYS
from classy_aesop.scores.correlations import correlations
from classy_aesop.studies.company import BEST, ONE, WITH, WITHOUT, learning, of_seed, summarized
from classy_aesop.studies.some_systems import only_systems, systems_of, with_other_systems
from classy_aesop.training.extract import extract
from classy_aesop.training.groups import dealt

pytestmark = pytest.mark.filterwarnings("ignore:.*topics have fewer")

RUN = RunTable("x", "pyramid", tasks=("A",), peers=("no_models",))
KEPT = {"level": ["system", "input"], "coefficient": ["pearson"]}


@pytest.fixture(scope="module")
def world():
    """Two years of eight systems, whose topics have a document each."""
    made = {}
    for name in ("2021", "2022"):
        year = generate(5, year=name, n_topics=6, n_systems=8, n_humans=4, tasks=["A"])
        corpus = Corpus.from_records(year.summaries, year.judgments)
        documents = {topic.topic: topic.references[0].text for topic in corpus.topics}
        made[name] = corpus.with_topics(
            tuple(replace(topic, documents=(" ".join(documents[topic.topic]),)) for topic in corpus.topics)
        )
    return learning(Config(tuple(map(Year, made)), runs=(RUN,)), seed=3), made


@pytest.fixture(scope="module")
def found(world):
    return of_seed(*world, other_systems=False, n_jobs=1)


def values(table, **chosen):
    rows = table[(table[list(chosen)] == list(chosen.values())).all(axis=1)]
    return rows.set_index("level")["value"].to_dict()


def pearson(scores, truth):
    rows = [row for row in correlations(scores, truth) if row[0] in KEPT["level"] and row[1] == "pearson"]
    return pd.Series({row[0]: row[2] for row in rows})


@pytest.mark.slow
@pytest.mark.parametrize(("scorer", "references"), [(WITH, "unequal"), (WITHOUT, "none")])
def test_among_all_systems_it_is_what_train_says(world, found, scorer, references):
    config, corpora = world
    alone = train(replace(config, features=FeatureOptions(references=references)), corpora).assessment
    rows = alone[(alone["run"] == "pyramid") & (alone["coefficient"] == "pearson")].set_index("level")
    expected = {level: rows.loc[level, "value"] for level in ("system", "input")}
    assert values(found, scorer=scorer, company="all") == pytest.approx(expected)


@pytest.mark.slow
def test_a_group_is_predicted_as_if_there_were_no_others(world, found):
    config, corpora = world
    predictor = train(config, corpora).trained[0].predictor
    last = corpora["2022"]
    truth = last.judgments.query("metric == 'pyramid'")
    systems = [name for name in dict.fromkeys(s.summarizer for _, s in last.summaries()) if name.isdigit()]
    groups, expected = dealt(systems, 3, config.seed), []
    assert [len(group) for group in groups] == [3, 3]
    for group in groups:
        others = [one.summarizer for _, one in last.summaries() if one.summarizer not in group]
        scores = predictor.predict(last.select(exclude_peers=sorted(set(others))))
        expected.append(pearson(scores, truth))
    assert values(found, scorer=WITH, company="3") == pytest.approx(dict(sum(expected) / 2))


@pytest.mark.slow
def test_every_scorer_is_there_in_every_company(found):
    """Documents are there, so divergences are; and as topics have several references, one of them is tried alone."""
    assert set(found["scorer"]) == {
        *(WITH, ONE, WITHOUT, "ROUGE-2", BEST, "JS-1-documents", "JS-2-documents"),
    }
    assert set(found["company"]) == {"3", "5", "all"}
    tested = found[found["p"].notna()]
    assert set(tested["company"]) == {"all"}
    assert tested["p"].between(0.001, 1).all()


@pytest.mark.slow
def test_company_changes_what_looks_at_peers_and_nothing_else(world):
    """A system that was left out says nothing of others: neither in a group nor where others are predicted."""
    config, corpora = world
    years = extract(config, corpora)
    kept = systems_of(years[0])[:4]
    few = only_systems(years[0], kept)
    anew = feature_table(few.corpus).set_index(KEYS).loc[few.features.set_index(KEYS).index]
    for name in filter(is_of_peers, anew):
        assert few.features[name].tolist() == anew[name].tolist()
    whole = years[0].features.set_index(KEYS).loc[few.features.set_index(KEYS).index]
    assert not np.array_equal(whole["consensus_sum1"], few.features["consensus_sum1"])
    assert whole["r2"].tolist() == few.features["r2"].tolist()
    learned, _ = with_other_systems(years, seed=1)
    again = only_systems(years[0], systems_of(learned))
    assert learned.features["consensus_sum1"].tolist() == again.features["consensus_sum1"].tolist()


def made_rows(**values):
    place = {"task": "A", "peers": "no_models", "target": "t", "company": "all", "level": "system"}
    return [
        {**place, "scorer": scorer, "metric": metric, "seed": seed, "value": value, "p": p, "n_groups": 1}
        for metric, (scorer, *seeds) in values.items()
        for seed, (value, p) in enumerate(seeds)
    ]


def test_sums_by_hand():
    nan = float("nan")
    rows = made_rows(
        with_=(WITH, (0.9, 0.01), (0.5, 0.01)),
        without=(WITHOUT, (0.7, nan), (0.7, nan)),
        one=(BEST, (0.1, nan), (0.3, nan)),
        other=(BEST, (0.3, nan), (0.2, nan)),
    )
    table = summarized(pd.DataFrame(rows)).set_index("scorer")
    assert len(table) == 3
    assert table.loc[WITH, ["mean", "gain", "better", "worse", "n_tested"]].tolist() == pytest.approx(
        [0.7, 0, 1, 1, 2]
    )
    assert table.loc[BEST, "metric"] == "other"
    assert table.loc[BEST, "mean"] == pytest.approx(0.25)


def test_a_scorer_without_a_correlation_keeps_its_row():
    nan = float("nan")
    rows = made_rows(constant=("ROUGE-2", (nan, nan), (nan, nan)), without=(WITHOUT, (0.7, nan), (0.7, nan)))
    table = summarized(pd.DataFrame(rows)).set_index("scorer")
    assert list(table.index) == ["ROUGE-2", WITHOUT]
    assert np.isnan(table.loc["ROUGE-2", "mean"])
    assert table.loc["ROUGE-2", "n_seeds"] == 0


@pytest.mark.slow
def test_the_printed_table_has_a_column_for_each_company(found):
    wide = readable(summarized(found.assign(seed=1)))
    assert list(wide.columns[-4:]) == ["3", "5", "all", "p<.05"]
    assert set(wide["scorer"]) == set(found["scorer"])
    assert wide["all"].str.fullmatch(r"-?\d\.\d{3} / -?\d\.\d{3}").all()


@pytest.mark.parametrize("options", [["--other-systems"], ["{config}", "--tac-size"]])
def test_options_that_do_not_go_together(small, options, capsys):
    command = ["study", "company", *(one.format(config=small / "one.toml") for one in options)]
    assert main(command) == 2
    assert {"--other-systems": "for a CONFIG", "--tac-size": "made-up years"}[
        options[-1]
    ] in capsys.readouterr().err


def test_imported_metrics_are_not_learned_from():
    """They may need references, so a predictor without references must not read them."""
    config = Config((Year("a"), Year("b")), runs=(RUN, replace(RUN, name="y")), search=SearchOptions())
    changed = learning(config, seed=4)
    assert (changed.search.extra, changed.seed) == ((), 4)
    assert [run.name for run in changed.runs] == ["pyramid"]
