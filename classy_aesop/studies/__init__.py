"""Experiments about the method, and the tables and figures of the source papers: each study one function."""

from dataclasses import replace

from classy_aesop.studies.base import (
    COEFFICIENT,
    CONFIDENCE,
    CONFIG,
    CORPUS,
    JOBS,
    LEVELS,
    METRICS,
    PLACE,
    SEED,
    TABLES,
    TARGET,
    Argument,
    Study,
    number,
    resamples,
    seeds,
)

N_TRIALS = 1_000
"""Trials of a simulation, and resamples in each, as in Deutsch et al. (2021)."""

_SIMULATION = (
    LEVELS,
    COEFFICIENT,
    number("n_trials", N_TRIALS, "number of simulated trials", flag="--trials"),
    resamples(N_TRIALS, "number of resamples in each trial"),
    SEED,
)
_SIMULATED = ("coefficient", "trials=n_trials", "draws=n_resamples", "seed")

STUDIES: dict[str, Study] = {
    "repeats": Study(
        "train with the seeds 1 to N, at both fit levels",
        "seeded:repeats",
        (CONFIG, seeds(10), JOBS),
        ("config", "seeds"),
        wide="spread",
        bar=True,
    ),
    "samples": Study(
        "run 25 of 2011 on N made-up samples (task A, all peers)",
        "seeded:samples",
        (seeds(20), JOBS),
        ("seeds",),
        wide="spread",
        bar=True,
    ),
    "rouge": Study(
        "say how far ROUGE moves with each choice of a program", "rouge_causes:rouge_causes", (CORPUS,)
    ),
    "methods": Study(
        "compare 2011's protocol with each part of honest learning",
        "seeded:methods",
        (
            replace(CONFIG, otherwise="made-up samples", shown="made"),
            resamples(200, "number of resamples of each selection"),
            Argument(
                "other_systems",
                "flag",
                "deal the systems: the predicted year has none of those learned from",
                shown="other",
            ),
            seeds(10),
            JOBS,
        ),
        ("config", "seeds", "draws=n_resamples", "systems=other_systems"),
        wide="methods",
        bar=True,
    ),
    "intervals": Study(
        "say how often the intervals of predictions hold the judgments of the last year",
        "seeded:intervals",
        (
            replace(CONFIG, otherwise="a made-up sample for each seed", shown="sample"),
            Argument(
                "method",
                "choice",
                "learn by it, whatever CONFIG says",
                metavar="METHOD",
                choices=("config:METHODS",),
                otherwise="as it says",
            ),
            replace(CONFIDENCE, default=0.9),
            seeds(10),
            JOBS,
        ),
        ("config", "confidence", "method", "seeds"),
        bar=True,
    ),
    "coverage": Study(
        "say how often intervals of a correlation hold that of summarizers and topics left out",
        "coverage:table_coverage",
        (TABLES, TARGET, METRICS, CONFIDENCE, PLACE, *_SIMULATION),
        ("confidence", *_SIMULATED),
        wide="comparisons",
        bar=True,
        remakes=("Deutsch et al. (2021), Table 1",),
    ),
    "metric-power": Study(
        "say which test of two metrics sees that ROUGE-1 lost tokens",
        "metric_power:corpus_power",
        (
            CORPUS,
            TARGET,
            Argument(
                "references",
                help="only this reference; may be repeated",
                flag="--reference",
                metavar="R",
                repeated=True,
            ),
            Argument(
                "variant",
                "choice",
                "of ROUGE-1",
                default="recall",
                metavar="VARIANT",
                choices=("studies.metric_power:VARIANTS",),
            ),
            Argument(
                "shares",
                "share or 1",
                "of the tokens that is kept; may be repeated (default: those of the paper, .05 to 1)",
                flag="--share",
                metavar="S",
                repeated=True,
            ),
            PLACE,
            *_SIMULATION,
        ),
        ("target", "variant", *_SIMULATED),
        wide="comparisons",
        bar=True,
        remakes=("Deutsch et al. (2021), Figure 3",),
    ),
    "mixture-power": Study(
        "say which test of two summarizers sees that one writes more like humans",
        "mixture_power:table_mixture_power",
        (
            Argument("scores", "table", "a table of judgments, TSV or JSON lines"),
            Argument("metric", help="the human measure", metavar="M", required=True),
            Argument("humans", "humans", "the summarizers who are human"),
            Argument("topic_effects", "flag", "topics have their own distributions of scores"),
            number("n_topics", 60, "of an evaluation", flag="--topics"),
            number("n_trials", 10_000, "simulated for each share of humans", flag="--trials"),
            number("n_null", 50_000, "simulated without humans, for the cutoffs", flag="--null"),
            PLACE,
            SEED,
        ),
        ("metric", "people=humans", "topic_effects", "seed", "n_topics", "n_null", "n_trials"),
        wide="comparisons",
        remakes=("Rankel (2016), section 3.7, both power figures",),
    ),
}
"""The studies by name. Each is a command: ``classy-aesop study NAME``."""
