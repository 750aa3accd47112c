"""The choices of a part of the data: which commands take them, and that each keeps what it names."""

import io

import pandas as pd
import pytest

from classy_aesop.cli import program

CHOICES = ("peers", "exclude", "only", "year", "task", "metric", "target")
CORPUS, TABLES = {"input", "corpora", "experiment"}, {"table", "files", "judgments", "ratings"}

WITHOUT = {
    # what is computed is not a score table of metrics and human measures
    "features": {"metric", "target"},
    "predict": {"metric", "target"},
    # a corpus has human measures and no metrics
    "validate": {"metric"},
    "convert": {"metric"},
    # metrics alone are computed, no human measure is read
    "rouge": {"target"},
    "baselines": {"target"},
    # --metric names the one thing that is compared, which may be a human measure
    **{name: {"target"} for name in ("compare", "assessors")},
    **{f"study {name}": {"target"} for name in ("pair-counts", "score-map", "topic-ranks", "score-ranks")},
    **{f"study {name}": {"target"} for name in ("principal-components", "best-pairs")},
    **{f"study {name}": {"target"} for name in ("pyramid-gap", "gap-exclusion", "assessor-effects")},
    **{f"study {name}": {"target"} for name in ("consistency", "agreement-exclusion")},
    # topics are counted, not scores
    **{f"study {name}": {"metric", "target"} for name in ("topic-counts", "year-counts")},
    "study mixture-power": {"target"},
    # systems are ranked by ROUGE-2, all human measures are shown
    "study best-on-topic": {"metric", "target"},
    # the printed tables name both
    "study check": {"metric", "target"},
    "study all": {"metric"},
    # BLEU and NIST are computed
    "study bleu-correlations": {"metric"},
    # ROUGE-1 of its own making
    "study metric-power": {"metric"},
    # a configuration names imported metrics (search.extra)
    "init": {"metric", "year"},  # and each year is a corpus of its own (--data)
    "train": {"metric", "year"},
}
"""The choices that a command does not take, since they have no meaning there."""


def commands(parser, name=()):
    """Give every command with its parser."""
    for own, below in parser.commands.items():
        yield from commands(below, (*name, own))
    if not parser.commands:
        yield " ".join(name), parser


def test_every_command_takes_the_choices_that_have_a_meaning_there():
    reading = {}
    for name, parser in commands(program.fill_parsers(program.parser())):
        options = [option for section in parser.sections.values() for option in section]
        arguments = {option.name for option in options if option.is_argument}
        flags = {flag for option in options for flag in option.option_strings}
        if arguments & (CORPUS | TABLES):
            reading[name] = {choice for choice in CHOICES if f"--{choice}" in flags}
            optional = {"exclude", "only"} if name.startswith("study ") else set()
            assert reading[name] - optional == {*CHOICES} - WITHOUT.get(name, set()) - optional, name
        asks = {option.name for option in options}
        if not name.startswith("study "):
            assert ("columns" in asks) == bool(asks & {*CORPUS, "corpus_path"}), name
    assert reading.keys() >= WITHOUT.keys()
    assert len(reading) > 30


def read(text):
    table = pd.read_csv(io.StringIO(text), sep="\t", dtype=str, keep_default_na=False)
    (signature,) = set(filter(None, table.pop("signature")))
    return table, signature


WRITING = {
    "features": ("--names", "r2,su4"),
    "rouge": ("-d", "--metric", "2"),
    "baselines": ("-m", "rouge"),
    "predict": (),
    "predict --explain": (),
}


@pytest.mark.slow
def test_commands_on_a_corpus_keep_the_rows_of_the_part(run, folder, trained):
    predictor = trained[0] / "predictors" / "25-A-all_peers.json"
    for name, more in WRITING.items():
        first, *asked = name.split()
        read_first = [predictor] if first == "predict" else []
        command = [first, *read_first, folder / "2021", *asked, *more, "-f", "tsv"]
        code, out, err = run(*command, "-q")
        assert (code, err) == (0, ""), command
        whole, plain = read(out)
        part, signature = read(run(*command, "-q", "--task", "A", "--year", "2021", "--exclude", "1", "A")[1])
        kept = (whole["task"] == "A") & ~whole["summarizer"].isin(["1", "A"])
        pd.testing.assert_frame_equal(part, whole.loc[kept, [*part]].reset_index(drop=True))
        assert "|year:2021|task:A|peers:all_peers|exclude:1+A|" in signature, name
        assert "exclude" not in plain
        systems, signature = read(run(*command, "-q", "--peers", "no_models")[1])
        assert set(systems["summarizer"]) == {"1", "2", "3", "4", "5", "6"}
        assert "peers:no_models" in signature


@pytest.mark.slow
def test_convert_and_validate_take_a_part_of_a_corpus(run, folder, tmp_path):
    from classy_aesop.reading import read_corpus

    how = ("--only", "1", "A", "--task", "B", "--target", "pyramid")
    assert run("convert", folder / "2021", "-o", tmp_path / "part", *how, "-q")[0] == 0
    part = read_corpus(tmp_path / "part")
    assert {(topic.task, one.summarizer) for topic, one in part.summaries()} == {("B", "1"), ("B", "A")}
    assert set(part.judgments["metric"]) == {"pyramid"}
    assert all(len(topic.references) == 4 for topic in part)
    _, out, _ = run("validate", folder / "2021", *how, "-q")
    assert "|task:B|peers:all_peers|only:1+A|target:pyramid|" in out
    assert "responsiveness" not in out


@pytest.mark.slow
def test_an_unknown_name_is_one_line_with_what_there_is(run, folder, trained):
    predictor = trained[0] / "predictors" / "25-A-all_peers.json"
    names = {"--exclude": "77", "--only": "77", "--year": "1999", "--task": "Z"}
    told = {"--year": "2021", "--task": "A, B"}
    before = {"predict": [predictor], "evaluate": ["--target", "pyramid", "-m", "rouge"]}
    after = {"convert": ["-o", "x"]}
    for name in ("validate", "convert", *WRITING, "evaluate"):
        for option, value in names.items():
            first, *asked = name.split()
            read_first = before.get(first, [])
            command = [first, *read_first, folder / "2021", *asked, *after.get(name, []), option, value]
            code, out, err = run(*command)
            assert (code, out) == (2, ""), command
            (line,) = [line for line in err.splitlines() if ": warning: " not in line]
            assert f"'{value}'" in line or f" {value}; " in line
            assert told.get(option, "known: ") in line
    for name in ("validate", "convert"):
        code, _, err = run(name, folder / "2021", *after.get(name, []), "--target", "beauty")
        assert code == 2
        assert "no target 'beauty'; known: " in err


@pytest.mark.slow
def test_train_and_init_write_the_part_in_the_configuration(printed, refused, folder, monkeypatch):
    monkeypatch.chdir(folder)
    how = ["2021", "--target", "pyramid", "--task", "A", "--peers", "no_models", "--exclude", "1"]
    out = printed("init", *how)
    for line in ('tasks = ["A"]', 'peers = ["no_models"]', 'exclude = ["1"]'):
        assert line in out
    assert "'C'" not in out
    for option, value in (("--task", "C"), ("--peers", "models_only"), ("--only", "77")):
        refused(2, value, "train", "2021", "--target", "pyramid", option, value, "-o", "out")
    refused(2, "--only is for a corpus; small.toml is a configuration", "train small.toml -o out --only 1")


@pytest.mark.slow
def test_who_rated_is_chosen_like_who_is_compared(run, tmp_path):
    lines = ["topic\tsummarizer\tassessor\toverall"]
    for topic in range(4):
        for name in "12A":
            lines += [f"t{topic}\t{name}\t{who}\t{(topic * at) % 3}" for at, who in enumerate("xyz")]
    (tmp_path / "all.tsv").write_text("\n".join(lines) + "\n")
    some = [line for line in lines if "\tA\t" not in line]
    (tmp_path / "some.tsv").write_text("\n".join(some) + "\n")
    how = ("-f", "tsv")
    part, signature = read(run("assessors", tmp_path / "all.tsv", "--exclude", "A", *how)[1])
    by_hand, _ = read(run("assessors", tmp_path / "some.tsv", *how)[1])
    pd.testing.assert_frame_equal(part, by_hand)
    assert "exclude:A" in signature


@pytest.mark.slow
def test_the_corpus_of_the_judgments_may_be_a_table_with_its_own_names(run, tmp_path):
    """``--columns`` goes with ``--corpus``."""
    rows = ["story,writer,words,kind"]
    scores = ["topic\tsummarizer\tm"]
    for topic in range(4):
        for name in "12A":
            rows.append(f"t{topic},{name},It rained.,{'yes' if name == 'A' else 'no'}")
            scores.append(f"t{topic}\t{name}\t{topic + (name == 'A')}")
    (tmp_path / "corpus.csv").write_text("\n".join(rows) + "\n")
    (tmp_path / "scores.tsv").write_text("\n".join(scores) + "\n")
    command = [
        "compare",
        tmp_path / "scores.tsv",
        "--metric",
        "m",
        "--pairs",
        "--peers",
        "no_models",
        "-f",
        "tsv",
    ]
    command += ["-q"]
    columns = "topic=story,summarizer=writer,text=words,human=kind"
    code, out, err = run(*command, "--corpus", tmp_path / "corpus.csv", "--columns", columns)
    assert (code, err) == (0, "")
    assert read(out)[0][["first", "second"]].to_numpy().tolist() == [["1", "2"]]
    for alone in (command, ["assessors", tmp_path / "scores.tsv"]):
        code, _, err = run(*alone, "--columns", columns)
        assert code == 2
        assert "no column story among topic, summarizer, m to use as topic" in err
