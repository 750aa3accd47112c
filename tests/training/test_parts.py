"""Years without texts: learned from score tables and judgments alone."""

import dataclasses
import json

import numpy as np
import pytest

from classy_aesop import DataWarning, InputError, train
from classy_aesop.cli import main
from classy_aesop.config import Config, Cut, RunTable, SearchOptions, Year
from classy_aesop.config.toml_file import read_config
from classy_aesop.reading import read_metrics
from classy_aesop.training.years import extract

OPTIONS = SearchOptions(folds=3, learners=("ridge", "imported"))


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Judgments of 12 systems on 9 topics, a metric that follows them and one that is noise."""
    folder, rng = tmp_path_factory.mktemp("scored"), np.random.default_rng(0)
    truth = rng.normal(size=(12, 1)) + 0.5 * rng.normal(size=(12, 9))
    values = {
        "judgments": {"merit": truth},
        "scores": {"good": truth + 0.3 * rng.normal(size=truth.shape), "noise": rng.normal(size=truth.shape)},
    }
    for name, metrics in values.items():
        with (folder / f"{name}.jsonl").open("w", encoding="utf-8") as stream:
            for who, topic in np.ndindex(truth.shape):
                ids = {"instance_id": f"t{topic}", "summarizer_id": f"s{who}", "summarizer_type": "peer"}
                cells = {metric: table[who, topic] for metric, table in metrics.items()}
                stream.write(json.dumps({**ids, "metrics": cells}) + "\n")
    return folder


def config_of(files, **year):
    one = {"scores": (str(files / "scores.jsonl"),), "judgments": (str(files / "judgments.jsonl"),), **year}
    years = tuple(Year(f"part {part}", cut=Cut(part, 3), **one) for part in (1, 2, 3))
    return Config(years, runs=(RunTable("x", "merit"),), peers=("no_models",), search=OPTIONS)


@pytest.mark.slow
def test_the_better_metric_carries_the_prediction(files):
    experiment = train(config_of(files))
    found = experiment.assessment
    values = found[(found["level"] == "system") & (found["coefficient"] == "pearson")].set_index("metric")[
        "value"
    ]
    assert set(values.index) == {"x-no_models", "good", "noise"}
    assert values["x-no_models"] > 0.9
    [row] = experiment.verdict.to_dict("records")  # there is no ROUGE: the best metric is the rival
    assert (row["against"], row["rival"]) == ("good", pytest.approx(values["good"]))
    [trained] = experiment.trained
    assert set(trained.predictor.columns) == set(trained.predictor.imported) == {"good", "noise"}
    assert trained.predictor.calibration is not None


@pytest.mark.slow
def test_a_year_is_the_part_of_its_tables_that_is_asked_for(files):
    one, two, three = extract(config_of(files))
    assert sorted(len(year.features) for year in (one, two, three)) == [36, 36, 36]
    assert one.imported == ("good", "noise")
    assert not one.has_texts
    np.testing.assert_array_equal(one.judgments.columns, ["merit"])
    [first, *_] = extract(config_of(files, exclude=("s3",)))
    assert "s3" not in set(first.features["summarizer"])


@pytest.mark.slow
def test_predictions_from_scores_alone(files, capsys, tmp_path):
    predictor = train(config_of(files)).trained[0].predictor
    scores = read_metrics([files / "scores.jsonl"], year="2030")
    beside = predictor.predict(scores=scores, confidence=0.8)
    assert set(beside["form"]) == {"within"}
    predictor = predictor.to_standalone()
    found = predictor.predict(scores=scores, confidence=0.8)
    assert (found["score"] != beside["score"]).any()
    wide = scores.pivot(index=["topic", "summarizer"], columns="metric", values="score").reset_index()
    expected = predictor.formula.predict(wide[list(predictor.columns)].to_numpy())
    both = found.merge(wide.assign(expected=expected))
    assert len(both) == len(found) == 108
    np.testing.assert_array_equal(both["score"], both["expected"])
    assert (found["low"] < found["score"]).all()
    of_b = scores.assign(task=np.where((scores["topic"] == "t0") & (scores["summarizer"] == "s0"), "B", ""))
    with pytest.warns(DataWarning, match="no score to 1 of 108 summaries: 1 of task B, and it is"):
        ours = dataclasses.replace(predictor, task="A").predict(scores=of_b)
    assert ours["score"].isna().tolist() == [True, *[False] * 107]
    with pytest.raises(InputError, match="can score no summary: 108 of task B, and it is for task A"):
        dataclasses.replace(predictor, task="A").predict(scores=scores.assign(task="B"))
    with pytest.raises(InputError, match="reads r2 of texts; expected a corpus, not scores alone"):
        dataclasses.replace(predictor, columns=("good", "r2"), imported=("good",)).predict(scores=scores)

    predictor.save(tmp_path / "x.json")
    asked = ["predict", str(tmp_path / "x.json"), "--scores", str(files / "scores.jsonl"), "-q"]
    assert main(asked) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + 108
    assert main(asked[:2]) == 2
    assert "required: IN, or --scores alone" in capsys.readouterr().err
    for option in ("--copies without", "--columns topic=story", "--layout nist", "--only a"):
        assert main([*asked, *option.split()]) == 2
        assert f"{option.split()[0]} needs a corpus; expected IN" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("year", "message"),
    [
        ({"scores": ()}, "years.part 1.scores: none; without a path a year needs scores"),
        ({"copies": "without"}, "years.part 1: references and copies need texts"),
    ],
)
def test_what_needs_texts_is_refused(files, year, message):
    with pytest.raises(InputError, match=message):
        extract(config_of(files, **year))


@pytest.mark.slow
def test_years_with_and_without_texts_do_not_mix(files, corpora):
    config = config_of(files)
    years = (Year("2021", scores=()), *config.years[1:])
    with pytest.raises(InputError, match="scores without texts, others have texts"):
        extract(dataclasses.replace(config, years=years), {"2021": corpora["2021"]})


def test_judgments_stand_in_a_file_relative_to_it(files):
    year = '[[years]]\nname = "{}"\njudgments = ["judgments.jsonl"]\nscores = ["scores.jsonl"]\n{}\n'
    text = "".join(year.format(part, f"cut = {{ part = {part}, parts = 3 }}") for part in (1, 2, 3))
    path = files / "config.toml"
    path.write_text(text + '[[runs]]\nname = "x"\ntarget = "merit"\n', encoding="utf-8")
    assert read_config(path).years[0].judgments == (str(files / "judgments.jsonl"),)
    path.write_text(path.read_text().replace("judgments.jsonl", "nowhere.jsonl"), encoding="utf-8")
    with pytest.raises(InputError, match=r"years\.1\.judgments: .*nowhere.jsonl does not exist"):
        read_config(path)
