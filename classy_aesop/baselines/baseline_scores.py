"""Scores of several baselines in one table."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from functools import partial

import pandas as pd

from classy_aesop.baselines import BASELINES, ONLY_BY_NAME
from classy_aesop.baselines.base import Baseline, check_known_names
from classy_aesop.data.leaks import count_characters
from classy_aesop.data.scores import drop_empty_stratum_columns
from classy_aesop.errors import InputError, UsageError, warn
from classy_aesop.keywords import explain_keywords
from classy_aesop.outside import load_outside
from classy_aesop.reading.corpus import Corpus
from classy_aesop.text.tokens import TOKENIZERS, Tokenizer
from classy_aesop.work.workers import progress_bar


@explain_keywords()
def score_baselines(
    corpus: Corpus,
    baselines: str | Sequence[str] | None = None,
    *,
    jackknife: bool,
    tokenizer: Tokenizer = "rouge",
    progress: bool = False,
) -> pd.DataFrame:
    """Score every summary by several baselines.

    Parameters
    ----------
    corpus : Corpus
        The summaries and their references.
    baselines : str, or sequence of str, optional
        Keys of `BASELINES`, or ``NAME=FOLDER`` for a baseline that reads a folder. By default all baselines that this
        corpus allows, with a warning for each of the others, but for `ONLY_BY_NAME`.
    jackknife : bool
        Whether systems get the mean over leaving each reference out, which makes them comparable with humans.
    tokenizer : {"rouge", "unicode"}
        How tokens are found, in the baselines that let one choose: the original's ASCII tokens, stemmed, or letters and
        digits of any script, see `classy_aesop.text.tokens`.
    progress : bool
        Show a progress bar on standard error.

    Returns
    -------
    DataFrame
        One score table, baseline after baseline.

    Raises
    ------
    UsageError
        If none is named, or a baseline does not exist or takes no folder but one is given.
    InputError
        If the corpus lacks what a named baseline needs or, by default, what every baseline needs.

    Warns
    -----
    DataWarning
        Which baselines are left out by default, a line for each reason.

    Examples
    --------
    >>> rows = [{"topic": "1", "system": "a", "summary": "Rain fell.", "reference": "Rain fell all day."}]
    >>> scores = score_baselines(Corpus.from_rows(rows), ["rouge"], jackknife=False)
    >>> scores[["metric", "score"]].round(3).values.tolist()[:2]
    [['ROUGE-1', 0.5], ['ROUGE-2', 0.333]]
    """
    check_known_names([tokenizer], TOKENIZERS, "tokenizer")
    load_outside("baselines")
    for topic in corpus:
        count_characters(topic)
    selected = {name: baseline for name, baseline in BASELINES.items() if name not in ONLY_BY_NAME}
    if baselines is not None:
        names = (baselines,) if isinstance(baselines, str) else baselines
        selected = {name: _find_baseline(name) for name in names}
    if not selected:
        raise UsageError(f"no baseline is named; expected one or more of {', '.join(BASELINES)}")
    tables: list[pd.DataFrame] = []
    reasons: dict[str, list[str]] = {}
    with progress_bar("baselines", len(selected), "baselines", shown=progress) as advance:
        for name, baseline in selected.items():
            advance(0, f"baseline {name}")
            try:
                table = _set_tokenizer(baseline, tokenizer)(corpus, jackknife=jackknife)
                if len(table) and table["score"].isna().all():
                    raise InputError(
                        "nothing can be scored: no summary has a reference to be compared with; expected references"
                    )
                tables.append(table)
            except InputError as error:
                if baselines is not None:
                    raise
                reasons.setdefault(str(error), []).append(name)
            advance()
    messages = [_describe_left_out(names, reason) for reason, names in reasons.items()]
    if not tables:
        raise InputError("no baseline is left: " + "; ".join(messages))
    for message in messages:
        warn(message)
    return drop_empty_stratum_columns(pd.concat(tables, ignore_index=True))


def _describe_left_out(names: Sequence[str], reason: str) -> str:
    """Say that baselines are left out, and why."""
    listing = ", ".join(names)
    if len(names) == 1:
        return f"baseline {listing} is left out: {reason}"
    return f"baselines {listing} are left out: {reason}"


def _set_tokenizer(baseline: Baseline, tokenizer: Tokenizer) -> Baseline:
    """Set the tokenizer of a baseline that has one to choose."""
    has_tokenizer = "tokenizer" in inspect.signature(baseline).parameters
    return partial(baseline, tokenizer=tokenizer) if has_tokenizer else baseline


def _find_baseline(name_and_folder: str) -> Baseline:
    """Find a baseline by its name, with its folder if one is given: ``NAME=FOLDER``."""
    name, _, folder = name_and_folder.partition("=")
    if name not in BASELINES:
        raise UsageError(f"no baseline {name!r}; expected one of {', '.join(BASELINES)}")
    if not folder:
        return BASELINES[name]
    if "folder" not in inspect.signature(BASELINES[name]).parameters:
        raise UsageError(f"baseline {name} has no folder; found {name_and_folder!r}")
    return partial(BASELINES[name], folder=folder)
