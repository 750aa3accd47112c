"""What the keys of a configuration mean, in a few words each, for the comments of a new one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from classy_aesop.config.base import Config, RunTable, SearchOptions, Year
from classy_aesop.features.options import FeatureOptions


@dataclass(frozen=True)
class Explained:
    """What a key means, and a value to show where its default says little or there is none, as TOML."""

    text: str
    example: str = ""


EXPLAINED: Mapping[type, Mapping[str, Explained]] = {
    Config: {
        "seed": Explained("of folds, cuts and resamples; --seed N overrides it"),
        "tasks": Explained("default: every task of the corpora", '["A", "B"]'),
        "peers": Explained("systems only, and systems with human summarizers"),
        "measures": Explained(
            "human measures that are used (default: all that the years share)", '["overall"]'
        ),
        "about": Explained("kept in the predictors", '{ source = "who judged what" }'),
    },
    Year: {
        "path": Explained("relative to this file; --data NAME=DIR overrides it"),
        "format": Explained("or a layout of docs/usage.md"),
        "columns": Explained("which column of a table is what (default: by name)", '{ topic = "story" }'),
        "topics": Explained("only a part of the corpus: these topics, or", '["D1", "D2"]'),
        "pattern": Explained("topics whose names match, or", '"D*"'),
        "cut": Explained("one part of a cut into equal parts, by the seed", "{ part = 1, parts = 3 }"),
        "exclude_peers": Explained("summarizers to leave out"),
        "references": Explained("summarizers whose references are used (default: all)", '["A", "B"]'),
        "scale": Explained("from ten points to five", '{ overall = "ten_to_five" }'),
        "ranges": Explained("a score outside its range is an error", "{ overall = [1, 5] }"),
        "scores": Explained("files of imported metrics: more columns, joined by ids"),
        "judgments": Explained("human scores of a year without texts, in place of path"),
        "copies": Explained('summaries that repeat a reference: or "without" (that reference), "exclude"'),
    },
    FeatureOptions: {
        "sentences": Explained('or "given", "split": how sentences are found'),
        "tokenizer": Explained('or "unicode" for text that is not English'),
        "references": Explained('or "jackknife": systems meet as many references as humans'),
    },
    SearchOptions: {
        "level": Explained("correlation that selects: of system means; or input, global, centred"),
        "folds": Explained("topic folds, if there are fewer than three years"),
        "names": Explained("features and groups to choose from, docs/features.md", '["classic", "rouge"]'),
        "extra": Explained("imported metrics to choose from (default: all)", "[]"),
        "guard": Explained('if years share topics or texts; "warn" goes on with a note'),
    },
    RunTable: {
        "name": Explained("part of the names of its files"),
        "target": Explained("the human measure to predict"),
        "fitter": Explained("default: that of the method; docs/method.md lists them", '"best"'),
        "tasks": Explained("default: as above", '["A"]'),
        "peers": Explained("default: as above", '["no_models"]'),
        "names": Explained("features of this run (default: those of the search)", '["r2", "su4"]'),
        "whole": Explained("true: fit all of them together, without a search"),
    },
}
"""The keys that a new configuration explains, table by table."""
