"""Predictors by hand."""

import dataclasses

from classy_aesop import Predictor
from classy_aesop.formulas import Linear
from classy_aesop.predictor.calibration import Calibration
from classy_aesop.predictor.table_checks import TrainingRange

CONTENT = Predictor(
    name="x",
    target="responsiveness",
    task="A",
    peers="no_models",
    fitter="robust",
    columns=("r2", "neg_log2_sentences"),
    formula=Linear((2.0, 0.1), 1 / 3),
    references={"own_system": (2,), "own_human": (1,), "earlier": (0,)},
    training={"years": ["1", "2"], "seed": 5},
)

CALIBRATED = dataclasses.replace(
    CONTENT,
    task="",
    formula=Linear((2.0, 0.1), 1.0),
    references={"own_system": (1,)},
    training={"years": ["1"], "seed": 5},
    training_range=TrainingRange(least=(0.0, -1.0), greatest=(0.5, 0.0), mean=(0.25, -0.5), n_summaries=4),
    calibration=Calibration(
        levels=(0.5, 0.9),
        summaries=(0.25, 0.5),
        n_means=(1, 5),
        means=((0.2, 0.4), (0.1, 0.3)),
        n_topics=12,
        n_summarizers=6,
    ),
)
