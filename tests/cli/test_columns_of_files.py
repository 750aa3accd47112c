"""``--columns`` is for all files of a command: each takes the columns that it has, under names of its own."""

import numpy as np
import pytest

from classy_aesop.cli import main
from classy_aesop.cli.help import EXAMPLES

SYSTEMS = "abcdefgh"
N_TOPICS = 10

JUDGED = {"own": "topic,summarizer,human,assessor", "others": "doc,engine,human,who"}
SCORED = {"own": "topic,summarizer,mine", "others": "story,engine9,mine"}
TEXTS = {"own": "topic,summarizer,text,references,human", "others": "article_no,engine,wording,wish,human"}
LONG = {"own": "topic,summarizer,metric,score", "others": "story,engine9,which,val"}


@pytest.fixture
def files(tmp_path):
    """Write judgments by two raters, scores wide and long, and texts: each under our names and under others."""
    rng = np.random.default_rng(8)
    judged = []
    scored = []
    long = []
    texts = []
    for topic in range(N_TOPICS):
        for place, system in enumerate(SYSTEMS):
            quality = place / 3 + rng.normal(0, 0.5)
            scored.append(f"{topic},{system},{quality:.3f}")
            long += [f"{topic},{system},mine,{quality:.3f}", f"{topic},{system},half,{quality / 2:.3f}"]
            grade = quality + rng.normal(0, 0.3)
            texts.append(f"{topic},{system},Text {topic} of {system}.,Text {topic} by hand.,{grade:.2f}")
            if topic < 6:
                judged += [
                    f"{topic},{system},{grade + rng.normal(0, 0.2):.2f},{rater}" for rater in ("ann", "bob")
                ]
    rows = {
        "judged": (JUDGED, judged),
        "scored": (SCORED, scored),
        "long": (LONG, long),
        "texts": (TEXTS, texts),
    }
    for name, (headers, lines) in rows.items():
        for kind, header in headers.items():
            (tmp_path / f"{name}-{kind}.csv").write_text("\n".join([header, *lines]) + "\n")
    return lambda name, kind: str(tmp_path / f"{name}-{kind}.csv")


JUDGED_ROLES = "topic=doc,system=engine,rater=who,measures=human"
SCORED_ROLES = "topic=story,system=engine9"
TEXT_ROLES = "topic=article_no,summarizer=engine,text=wording,references=wish,measures=human"
LONG_ROLES = f"{SCORED_ROLES},metric=which,score=val"


def rows_of(words, tmp_path):
    """Run a command, and give its rows without the signature."""
    path = tmp_path / "out.jsonl"
    assert main([*words, "-q", "-o", str(path)]) == 0
    return [line.partition('"signature"')[0] for line in path.read_text().splitlines()]


@pytest.mark.slow(after=1)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("scores", ["scored", "long"])
@pytest.mark.parametrize("options", [["estimate"], ["power"], ["evaluate", "-m", "none"]], ids=" ".join)
def test_scores_have_columns_of_their_own(files, tmp_path, options, scores):
    """The answer is that of the same rows under our own names."""
    is_texts = options[0] == "evaluate"
    name = "texts" if is_texts else "judged"
    metric = ["--metric", "mine"] if scores == "long" and not is_texts else []

    def words(kind):
        [command, *flags] = options
        judged, scored = files(name, kind), files(scores, kind)
        sides = [scored, judged] if is_texts else [judged, "--scores", scored]
        return [command, *sides, "--target", "human", *flags, *metric]

    roles = f"{TEXT_ROLES if is_texts else JUDGED_ROLES},{LONG_ROLES if scores == 'long' else SCORED_ROLES}"
    expected = rows_of(words("own"), tmp_path)
    assert rows_of([*words("others"), "--columns", roles], tmp_path) == expected
    assert any("mine" in row for row in expected) or not is_texts


def test_a_column_that_no_file_has_is_refused_and_one_that_some_have_is_not(files, capsys):
    words = [
        "estimate",
        files("judged", "others"),
        "--target",
        "human",
        "--scores",
        files("scored", "others"),
        "-q",
    ]
    roles = f"{JUDGED_ROLES},{SCORED_ROLES}"
    assert main([*words, "--columns", roles]) == 0
    capsys.readouterr()
    assert main([*words, "--columns", f"{roles},topic=nothing"]) == 2
    assert "no column nothing in any of" in capsys.readouterr().err


WITHOUT_TABLES = {"report", "study"}
"""Commands that read results of commands, or whole corpora, and so know no roles of columns."""


@pytest.mark.parametrize("command", sorted({*EXAMPLES} - WITHOUT_TABLES))
def test_the_short_help_of_each_command_that_reads_tables_shows_it(command, capsys):
    with pytest.raises(SystemExit):
        main([command, "--help"])
    assert "--columns" in capsys.readouterr().out
