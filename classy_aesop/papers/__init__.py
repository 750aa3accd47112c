"""Experiments about the method, and the tables and figures of the source papers: each study one function.

A study gives one table. Its parameters mean the same in each: ``data`` are the corpora, metrics and peers; ``target``
is a human measure, ``targets`` several; ``metrics`` keep only these metrics or measures (None: all); unknown ones, and
a year or task that is not there, are a UsageError.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from classy_aesop.answers.selection import PeerSet


@dataclass(frozen=True)
class Study:
    """A study: its help, its function (``module:function`` here, imported when it runs), and examples for its help.

    ``peers`` are whom it compares by default, if not all; it ``remakes`` tables and figures, as ``PAPER (YEAR),
    ITEM``. A study that ``computes_metrics`` of its own is run without others by those that run many.

    The function's parameters are the options of its command: names of ``OPTIONS`` in ``cli/option_table.py`` or of
    ``OPTION_GROUPS`` in ``cli/commands.py``; others keep their defaults.
    """

    help: str
    function: str
    peers: PeerSet | None = None
    remakes: tuple[str, ...] = ()
    needs: str = "judged corpora"
    computes_metrics: bool = False
    examples: tuple[str, ...] = ()

    @property
    def remakes_tables(self) -> bool:
        """Whether its table can be laid out as a paper prints it."""
        return any("), Table" in item for item in self.remakes)


STUDIES: dict[str, Study] = {
    "coverage": Study(
        "say how often intervals of a correlation cover that of other summarizers and topics",
        "deutsch_2021:coverage_of_intervals",
        peers="no_models",
        remakes=("Deutsch et al. (2021), Table 1",),
        examples=(
            "sample/2023 --scores scores.tsv --target responsiveness --task A --n-trials 20 --n-resamples 99",
        ),
    ),
    "metric-power": Study(
        "say which test of two metrics detects that ROUGE-1 lost tokens",
        "deutsch_2021:power_of_metrics",
        remakes=("Deutsch et al. (2021), Figure 3",),
        examples=("sample/2023 --target responsiveness --task A --n-trials 20 --n-resamples 99",),
    ),
    "mixture-power": Study(
        "say which test of two summarizers detects that one writes more like humans",
        "rankel_2016:power_on_mixtures",
        remakes=("Rankel (2016), Figures 3.2 and 3.3",),
        needs="judged corpora with humans",
        examples=("sample/2023 --metric responsiveness --n-trials 200 --null 500",),
    ),
    "normality": Study(
        "say whether human scores and metrics are normal, by topic and in the mean",
        "deutsch_2021:score_normality",
        peers="no_models",
        remakes=("Deutsch et al. (2021), Table 2",),
        examples=("sample/2023 --target pyramid",),
    ),
    "metric-intervals": Study(
        "give each metric's correlation with a human measure, and its interval",
        "deutsch_2021:metric_intervals",
        peers="no_models",
        remakes=("Deutsch et al. (2021), Figure 4", "Rankel (2016), Figures 5.2-5.4 and 5.7-5.9"),
        examples=(
            "sample/2023 --target responsiveness --task A --n-resamples 199",
            "sample/2023 --target pyramid --scores scores.tsv --n-resamples 199",
        ),
    ),
    "distributions": Study(
        "give percentiles of the resampled correlations behind the intervals",
        "deutsch_2021:bootstrap_distributions",
        peers="no_models",
        remakes=("Deutsch et al. (2021), Figure 4: distributions",),
        examples=("sample/2023 --target responsiveness --task A --n-resamples 199",),
    ),
    "metric-pairs": Study(
        "say which metric correlates better with a human measure than which other",
        "deutsch_2021:metric_pairs",
        peers="no_models",
        remakes=("Deutsch et al. (2021), Figures 5 and 6",),
        examples=("sample/2023 --target responsiveness --task A --n-resamples 999",),
    ),
    "williams-shift": Study(
        "count the significant pairs of metrics by Williams' test, and with correlations moved to a lower mean",
        "deutsch_2021:williams_shift",
        peers="no_models",
        remakes=("Deutsch et al. (2021), section 5.2: WMT 2019",),
        examples=("sample/2023 --target responsiveness --task A",),
    ),
    "pair-counts": Study(
        "count the pairs of summarizers that differ significantly, by each test",
        "rankel_2011:pair_counts",
        remakes=("Rankel et al. (2011), Tables 1 and 2", "Rankel (2016), Tables 4.1 and 4.2"),
        examples=(
            "sample/2023",
            "sample/2023 --with-resampling --n-resamples 499",
        ),
    ),
    "score-map": Study(
        "lay out scores by summarizer and topic, humans after systems",
        "rankel_2011:score_map",
        remakes=("Rankel et al. (2011), Figures 2-5", "Rankel (2016), Figures 3.1 and 4.2-4.5"),
        examples=("sample/2023 --metric responsiveness --task A",),
    ),
    "topic-ranks": Study(
        "say which topics differ, by Kruskal-Wallis and Tukey on mean ranks",
        "rankel_2011:topic_ranks",
        remakes=("Rankel et al. (2011), Figure 1", "Rankel (2016), section 3.4 and Figure 4.1"),
        examples=("sample/2023 --metric responsiveness --task A",),
    ),
    "score-ranks": Study(
        "count the scores of each value of a human measure, and give the ranks that they share",
        "rankel_2016:score_ranks",
        remakes=("Rankel (2016), Table 3.2", "Rankel (2016), Figure 2.1"),
        examples=("sample/2023 --metric responsiveness",),
    ),
    "best-pairs": Study(
        "count the pairs of the best systems that differ significantly by human scores",
        "rankel_2013:best_pairs",
        peers="no_models",
        remakes=("Rankel et al. (2013), Table 1", "Rankel (2016), Table 7.1"),
        examples=("sample/2021 sample/2022 sample/2023 --top 10",),
    ),
    "label-agreement": Study(
        "say how well metrics, also combined, find the significant differences of a human measure",
        "rankel_2013:label_agreement",
        peers="no_models",
        remakes=(
            "Rankel et al. (2013), Tables 2 and 3",
            "Rankel (2016), Tables 7.3 and 7.4",
        ),
        examples=("sample/2021 sample/2022 sample/2023 --top 10",),
    ),
    "best-metrics": Study(
        "say which metrics find the differences that humans find as well as the best",
        "rankel_2013:best_metrics",
        peers="no_models",
        remakes=("Rankel et al. (2013), Table 4", "Rankel (2016), Table 7.5"),
        examples=("sample/2023 --top 10",),
    ),
    "human-gap": Study(
        "set each summarizer's score beside its human score, with the lines of systems and of humans",
        "rankel_2016:human_gap",
        remakes=("Rankel (2016), Figures 5.1 and 5.6",),
        needs="judged corpora with humans",
        examples=("sample/2023 --target responsiveness --task A",),
    ),
    "best-on-topic": Study(
        "set the human scores of humans and of the best systems by a metric side by side, topic by topic",
        "rankel_2016:best_on_topic",
        remakes=("Rankel (2016), Table 5.1",),
        needs="judged corpora with humans",
        examples=("sample/2023 --task A --topic D2301 --top 3",),
    ),
    "coefficients": Study(
        "give the weights of each run",
        "rankel_2016:coefficients",
        remakes=("Rankel (2016), Tables 5.2 and 5.3",),
        needs="a configuration",
        examples=("configs/sample.toml",),
    ),
    "year-counts": Study(
        "count the topics, systems and humans of each year",
        "rankel_2016:year_counts",
        remakes=("Rankel (2016), Table 2.1",),
        examples=("sample/2021 sample/2022 sample/2023",),
    ),
    "topic-counts": Study(
        "count the topics of each assessor and category",
        "rankel_2016_assessors:topic_counts",
        remakes=("Rankel (2016), Table 3.1",),
        needs="corpora and a table of topics",
        examples=("sample/2023 --topic-labels sample/topics.tsv",),
    ),
    "pyramid-gap": Study(
        "compare manual pyramid scores with automatic ones, by assessor",
        "rankel_2016_assessors:pyramid_gap",
        remakes=("Rankel (2016), Figure 6.3",),
        needs="judged corpora, units, table of topics",
        examples=("sample/2023 --units sample/units.tsv --topic-labels sample/topics.tsv",),
    ),
    "gap-exclusion": Study(
        "leave out the assessors whose manual pyramid scores are lowest beside automatic ones",
        "rankel_2016_assessors:gap_exclusion",
        remakes=("Rankel (2016), Tables 6.2-6.4: the row of mP-aP",),
        needs="judged corpora, units, table of topics",
        examples=("sample/2023 --units sample/units.tsv --topic-labels sample/topics.tsv",),
    ),
    "agreement-exclusion": Study(
        "leave out the assessors with the lowest alpha on identical texts",
        "consistency:agreement_exclusion",
        remakes=("Rankel (2016), Tables 6.2-6.4",),
        needs="judged corpora with identical texts",
        examples=("data_samples/repeated --topic-labels data_samples/topics.tsv",),
    ),
    "marked-units": Study(
        "score summaries by the units of a reference that assessors marked",
        "lin_hovy_2003:marked_units",
        remakes=("Lin and Hovy (2003), section 2.3",),
        needs="a table of marked units",
        examples=("data_samples/marked.tsv",),
    ),
    "assessor-effects": Study(
        "say whether some assessors score higher than others, apart from the categories of their topics",
        "rankel_2016_assessors:effects_table",
        remakes=("Rankel (2016), section 3.1",),
        needs="judged corpora and a table of topics",
        examples=("sample/2023 --topic-labels sample/topics.tsv",),
    ),
    "consistency": Study(
        "say whether assessors rate identical texts alike",
        "consistency:consistency",
        remakes=("Rankel (2016), Table 6.1",),
        needs="judged corpora with identical texts",
        examples=("data_samples/repeated --topic-labels data_samples/topics.tsv",),
    ),
    "principal-components": Study(
        "combine the human measures by principal components, and correlate metrics with these",
        "rankel_2016:principal_components",
        peers="no_models",
        remakes=("Rankel et al. (2011), section 5: future work", "Rankel (2016), section 4.5: future work"),
        examples=("sample/2023 --task A",),
    ),
    "retraining": Study(
        "train with and without the topics of the assessors who agree least with themselves",
        "rankel_2016_assessors:retraining",
        remakes=("Rankel (2016), Table 6.5",),
        needs="a configuration; for row (b) units",
        examples=("sample/sample.toml --topic-labels sample/topics.tsv --units sample/units.tsv --worst 1",),
    ),
    "ngram-correlations": Study(
        "give the correlations of Ngram(i,j) with a human measure, with and without stop words",
        "lin_hovy_2003:ngram_correlations",
        peers="no_models",
        computes_metrics=True,
        remakes=("Lin and Hovy (2003), Tables 1-3",),
        examples=("sample/2023 --target pyramid --task A",),
    ),
    "bleu-correlations": Study(
        "give the rank correlations of BLEU and NIST, of all summaries of a system together, with a human measure",
        "lin_hovy_2003:bleu_correlations",
        peers="no_models",
        remakes=("Lin and Hovy (2003), section 3",),
        examples=("sample/2023 --target pyramid",),
    ),
    "ngram-ranks": Study(
        "give the ranks of the peers by Ngram(i,j) and by a human measure",
        "lin_hovy_2003:ngram_ranks",
        peers="no_models",
        computes_metrics=True,
        remakes=("Lin and Hovy (2003), Figure 2",),
        examples=("sample/2023 --target pyramid",),
    ),
    "ngram-hits": Study(
        "say how well Ngram(i,j) predicts the significant differences of a human measure",
        "lin_hovy_2003:ngram_hits",
        peers="no_models",
        computes_metrics=True,
        remakes=("Lin and Hovy (2003), Figures 3 and 4",),
        examples=("sample/2023 --target pyramid --task A",),
    ),
}
"""The studies by name. Each is a command: ``classy-aesop study NAME``."""

ALL = "run all that the data allow, and make one page of the tables and figures, printed beside ours"
"""The help of ``classy-aesop study all``."""

CHECK = "compare every number that the papers print of these data with ours"
"""The help of ``classy-aesop study check``, which computes the studies that the data allow."""

__all__ = ["ALL", "CHECK", "STUDIES", "Study"]


def __dir__() -> list[str]:
    return sorted(__all__)
