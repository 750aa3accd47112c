"""Imported metrics in the main job: columns of the search, of the predictor, and of published combinations."""

import dataclasses
import json
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from classy_aesop import Corpus, DataWarning, InputError, Predictor, feature_table, read_scores, train
from classy_aesop.baselines.rouge import rouge
from classy_aesop.cli import main
from classy_aesop.config import Config, Cut, RunTable, SearchOptions, Year
from classy_aesop.data import KEYS
from classy_aesop.fitters import FITTERS


def config(corpora, *, runs, scores=None, **search):
    """Make a configuration for years in memory, each with one file of scores."""
    years = tuple(Year(name, scores=(str(scores[name]),) if scores else ()) for name in corpora)
    return Config(
        years=years, runs=runs, peers=("no_models",), search=SearchOptions.from_method("classy2011", **search)
    )


RUN = RunTable("x", "responsiveness", "canonical", tasks=("A",))


@pytest.fixture
def files(corpora, tmp_path):
    """Write for each year a table of two metrics: the judgments with noise, and ROUGE-2."""
    paths = {}
    for at, (name, corpus) in enumerate(corpora.items()):
        truth = corpus.judgments[corpus.judgments["metric"] == "responsiveness"]
        noise = np.random.default_rng(at).normal(scale=0.1, size=len(truth))
        good = truth.assign(metric="oracle", score=truth["score"] + noise)
        table = pd.concat([good, rouge(corpus, jackknife=False, metrics=["ROUGE-2"])])
        paths[name] = tmp_path / f"{name}.tsv"
        table.sample(frac=1, random_state=at).to_csv(paths[name], sep="\t", index=False)
    return paths


@pytest.mark.slow
def test_an_imported_metric_is_searched_stored_and_needed(corpora, files, tmp_path):
    wanted = config(corpora, runs=(RUN,), scores=files, names=("r2", "coverage"), extra=("oracle",))
    found = train(wanted, corpora)
    (learned,) = found.trained
    assert learned.searches["canonical"].names == ("r2", "coverage", "oracle")
    assert len(learned.searches["canonical"].masks) == 7
    assert learned.predictor.imported == ("oracle",)
    value = found.assessment.query(
        "metric == 'x-A-no_models' and level == 'system' and coefficient == 'pearson'"
    )
    assert value["value"].item() > 0.95
    learned.predictor.save(tmp_path / "x.json")
    back = Predictor.load(tmp_path / "x.json")
    assert back.imported == ("oracle",)
    corpus = corpora["2023"].select(tasks=["A"])
    with pytest.raises(
        InputError, match=r"reads the imported metrics oracle; expected them in a score table"
    ):
        back.predict(corpus)
    with pytest.raises(InputError, match="no imported metric oracle; the scores have ROUGE-2"):
        back.predict(corpus, scores=read_scores(files["2023"]).query("metric == 'ROUGE-2'"))
    with pytest.warns(DataWarning, match="scored but not in the corpus"):  # those of task B
        scores = back.predict(corpus, scores=read_scores(files["2023"]))
    both = scores.merge(found.predictions, on=KEYS)
    assert len(both) == len(found.predictions)
    np.testing.assert_allclose(both["score_x"], both["score_y"])


def test_a_wanted_metric_that_no_year_has_is_refused(corpora):
    with pytest.raises(InputError, match=r"search\.extra: no imported metric typo; the years have no scores"):
        train(config(corpora, runs=(RUN,), names=("r2",), extra=("typo",)), corpora)


@pytest.mark.slow
def test_years_must_have_the_same_metrics(corpora, files):
    table = pd.read_csv(files["2022"], sep="\t")
    table[table["metric"] == "oracle"].to_csv(files["2022"], sep="\t", index=False)
    with pytest.raises(
        InputError, match=r"2021 has .*ROUGE-2.*; 2022 has oracle;.*search.extra names those wanted"
    ):
        train(config(corpora, runs=(RUN,), scores=files), corpora)
    with pytest.raises(
        InputError, match=r"years.2022.scores: no imported metric ROUGE-2; the scores have oracle"
    ):
        train(config(corpora, runs=(RUN,), scores=files, extra=("ROUGE-2",)), corpora)
    with pytest.raises(InputError, match=r"run x: no feature.* named BLEU; .*; imported are none"):
        train(config(corpora, runs=(dataclasses.replace(RUN, names=("BLEU",)),)), corpora)


@pytest.mark.slow
def test_a_cut_of_a_corpus_takes_its_part_in_silence(folder, files):
    path, scores = str(folder / "2021"), (str(files["2021"]),)
    years = tuple(Year(f"half-{part}", path=path, cut=Cut(part, 2), scores=scores) for part in (1, 2))
    wanted = config((), runs=(dataclasses.replace(RUN, target="pyramid"),), names=(), extra=("ROUGE-2",))
    with warnings.catch_warnings():
        warnings.simplefilter("error", DataWarning)
        found = train(dataclasses.replace(wanted, years=years))
    assert found.trained[0].predictor.columns == ("ROUGE-2",)


@pytest.mark.slow
def test_rose_is_least_squares_on_system_averages(corpora, files):
    rose = dataclasses.replace(RUN, names=("ROUGE-2", "su4"), whole=True)
    two = {name: corpora[name] for name in ("2022", "2023")}
    wanted = config(two, runs=(rose,), scores=files, fit_level="system")
    found = train(dataclasses.replace(wanted, measures=("responsiveness",)), two)
    predictor = found.trained[0].predictor
    assert predictor.columns == ("su4", "ROUGE-2")
    assert len(found.trained[0].searches["canonical"].masks) == 1
    systems = _means(two["2022"], files["2022"], ["su4"], "A")
    X = np.column_stack([systems["su4"], systems["ROUGE-2"], np.ones(len(systems))])
    expected = np.linalg.lstsq(X, systems["responsiveness"], rcond=None)[0]
    np.testing.assert_allclose([*predictor.formula.weights, predictor.formula.intercept], expected, rtol=1e-8)


@pytest.mark.slow
def test_nouveau_rouge_is_a_robust_fit_of_two_columns(corpora):
    run = dataclasses.replace(RUN, fitter="robust", tasks=("B",), names=("r2",))
    two = {name: corpora[name] for name in ("2022", "2023")}
    predictor = train(config(two, runs=(run,), fit_level="system"), two).trained[0].predictor
    assert predictor.columns == ("r2@A", "r2@B")
    systems = _means(two["2022"], None, ["r2"], "B")
    fitted = FITTERS["robust"]().fit(
        systems[["r2@A", "r2@B"]].to_numpy(), systems["responsiveness"].to_numpy()
    )
    np.testing.assert_allclose(predictor.formula.weights, fitted.coef_, rtol=1e-8)


def _means(corpus, path, names, task):
    """Average features, judgments and imported scores over topics, for each system."""
    corpus = Corpus(tuple(topic for topic in corpus.topics if topic.task == task), corpus.judgments)
    table = feature_table(corpus, names=names)
    table = table[~table["human"]].drop(columns="human").set_index(KEYS)
    frames = [corpus.judgments] if path is None else [corpus.judgments, read_scores(path)]
    long = pd.concat(frames).pivot(index=KEYS, columns="metric", values="score")
    return table.join(long, how="left").groupby("summarizer").mean()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nouveau-rouge", "rose"])
def test_configs_of_published_combinations_run(name, tmp_path, monkeypatch):
    root = Path(__file__).parents[2]
    for part in ("configs", "data_samples"):
        (tmp_path / part).symlink_to(root / part)
    (tmp_path / "out").mkdir()
    text = (root / "configs" / f"{name}.toml").read_text().replace("../", f"{tmp_path}/")
    (tmp_path / "experiment.toml").write_text(text)
    monkeypatch.chdir(tmp_path)
    commands = [line[2:].split() for line in text.splitlines() if line.startswith("# classy-aesop ")]
    for _, *arguments in commands:
        assert main([a if not a.endswith(".toml") else "experiment.toml" for a in arguments]) == 0
    assert json.loads((tmp_path / "out" / name / "run.json").read_text())["protocol"] == "folds-predict"
