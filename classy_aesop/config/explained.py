"""Short explanations of the keys of a configuration, for the reference and the comments of a new configuration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from classy_aesop.config.base import Config, Cut, RunTable, SearchOptions, Year
from classy_aesop.features.options import FeatureOptions


@dataclass(frozen=True)
class Explained:
    """What a key means.

    Parameters
    ----------
    text : str
        Its meaning, in a few words.
    example : str
        A value to show where the default says little or there is none, as TOML.
    is_usual : bool
        Whether a new configuration explains it.
    """

    text: str
    example: str = ""
    is_usual: bool = True


def _special(text: str) -> Explained:
    """Explain a rarely needed key, in the reference only."""
    return Explained(text, is_usual=False)


EXPLAINED: Mapping[type, Mapping[str, Explained]] = {
    Config: {
        "years": _special("the tables `[[years]]`, in order; the last one is predicted"),
        "preset": _special("a list of runs by name; with one, `method` is its own"),
        "runs": _special("the tables `[[runs]]`, instead of the preset or in addition to it"),
        "features": _special("the table `[features]`: how texts are read"),
        "search": _special("the table `[search]`: how the runs learn"),
        "seed": Explained("of folds, cuts and resamples; --seed N overrides it"),
        "tasks": Explained("default: every task of the corpora", '["A", "B"]'),
        "peers": Explained("systems only, and systems with human summarizers"),
        "measures": Explained(
            "human measures that are used (default: all that the years share)", '["overall"]'
        ),
        "about": Explained("kept in the predictors", '{ source = "who judged what" }'),
    },
    Year: {
        "name": _special("its name; rows without a year get it"),
        "scores_format": _special("format of the files of scores"),
        "path": Explained("relative to this file; --data NAME=DIR overrides it"),
        "format": Explained("layout of the corpus, see docs/reference-files.md"),
        "columns": Explained("which column of a table is what (default: by name)", '{ topic = "story" }'),
        "encoding": Explained("of a text table that is not in UTF-8", '"cp1252"'),
        "topics": Explained("only these topics", '["D1", "D2"]'),
        "pattern": Explained("only topics whose names match", '"D*"'),
        "cut": Explained("only one part of a cut into equal parts, by the seed", "{ part = 1, parts = 3 }"),
        "exclude_peers": Explained("summarizers to leave out"),
        "references": Explained("summarizers whose references are used (default: all)", '["A", "B"]'),
        "scale": Explained("from ten points to five", '{ overall = "ten_to_five" }'),
        "ranges": Explained("a score outside its range is an error", "{ overall = [1, 5] }"),
        "scores": Explained("files of imported metrics: more columns, joined by ids"),
        "judgments": Explained("human scores of a year without texts, in place of path"),
        "copies": Explained(
            'summaries that repeat a reference: "keep" them, score "without" it, or "exclude" them'
        ),
    },
    Cut: {
        "part": _special("which part, from 1"),
        "parts": _special("number of parts that the sorted, shuffled topics are dealt into"),
        "seed": _special("of the shuffle (default: that of the configuration)"),
    },
    FeatureOptions: {
        "sentences": Explained(
            'how sentences are found: "given"; "split" by rule; "auto": given, unless a text is in one piece'
        ),
        "tokenizer": Explained('how tokens are found: "unicode" for text that is not English'),
        "references": Explained(
            '"jackknife": systems meet as many references as humans; "none": nothing is compared with references'
        ),
    },
    SearchOptions: {
        "fit_level": _special("rows of a fit: summaries, or means of summarizers"),
        "stop": _special("when robust regression stops; `matlab` as MATLAB's robustfit does"),
        "units": _special("what is chosen: single features, or all features of a group together; 20 at most"),
        "effects": _special("`topic`: fit on differences from the topic's mean"),
        "choose": _special("what is used of a search; all but `best` need resamples"),
        "n_resamples": _special(
            "bootstrap resamples of topics and summarizers, to estimate the luck in the best score"
        ),
        "fitter": _special("of runs that name none"),
        "learners": _special(
            "what a super learner mixes: `search`, the subsets that are used; a fitter, on all columns; a feature or "
            "imported metric by itself; `imported`, each of those"
        ),
        "shares": _special("of these learners: the same for all, or found on held-out predictions"),
        "relative": _special(
            "true: a super learner also learns from each column's difference and rank in the topic"
        ),
        "fitter_options": _special("parameters of fitters by their names"),
        "protocol": _special("which training years are held out to select on"),
        "refit": _special("final fit on the latest training year, or on all"),
        "scale": _special("`standardize`: bring human measures of earlier years to the scale of the latest"),
        "level": Explained(
            "level of the correlation that selects: of system means; or input, global, centred"
        ),
        "coefficient": Explained(
            "coefficient that selects; of equal ones the higher Pearson's correlation wins"
        ),
        "folds": Explained("folds of topics, and of summarizers, that are held out"),
        "names": Explained("features and groups to choose from, docs/features.md", '["classic", "rouge"]'),
        "extra": Explained("imported metrics to choose from (default: all)", "[]"),
        "guard": Explained('if years share topics or texts; "warn" goes on with a note'),
    },
    RunTable: {
        "calibrate": _special("bring canonical scores to the target's scale"),
        "among": _special("the learners that `super_learner` mixes (default: those of the search)"),
        "name": Explained("part of the names of its files"),
        "target": Explained("the human measure to predict"),
        "fitter": Explained("default: that of the method; docs/method.md lists them", '"best"'),
        "tasks": Explained("default: those of the experiment", '["A"]'),
        "peers": Explained("default: those of the experiment", '["no_models"]'),
        "names": Explained("features of this run (default: those of the search)", '["r2", "su4"]'),
        "whole": Explained("true: fit all of them together, without a search"),
    },
}
"""The keys of every table."""
