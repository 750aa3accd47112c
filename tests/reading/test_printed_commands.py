"""What ``validate`` prints is what the commands read: preferences, directions, scales of words, sheets."""

import shlex

import pytest

from classy_aesop import InputError, read_preferences, read_scores
from classy_aesop.cli import main
from classy_aesop.reading.file_report import inspect_file
from tests.reading.judged_files import columns_of

VOTES = "qid,left_model,right_model,vote\nq1,a,b,left\nq2,b,a,left\nq3,a,b,left\nq4,a,b,tie\n"


def commands_of(path, **columns):
    return [shlex.split(command) for command in inspect_file(path, columns=columns).commands]


def test_compare_takes_preferences_of_any_columns(tmp_path, capsys):
    path = tmp_path / "votes.csv"
    path.write_text(VOTES)
    assert main(["compare", str(path)]) == 0
    assert "a has the highest win rate (0.625" in capsys.readouterr().out
    assert read_preferences(path).wins.tolist() == [1, 1, 1, 0.5]
    [words, *_] = commands_of(path)
    assert main(words[1:]) == 0
    assert read_preferences(path, columns=columns_of(words)).wins.tolist() == [1, 1, 1, 0.5]


def test_no_rater_and_several_topics_are_asked_for(tmp_path):
    path = tmp_path / "arena.csv"
    path.write_text("doc_id,part,model_a,model_b,winner,rater\n1,x,a,b,model_a,r\n1,y,b,a,tie,s\n")
    preferences = read_preferences(path, columns={"topic": ["doc_id", "part"], "rater": []})
    assert (preferences.topics, preferences.raters) == (("1/x", "1/y"), ())


def test_scores_beside_a_column_of_systems_are_no_preferences(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("topic,summarizer,rating_1,rating_2,label\n1,a,4,5,1\n1,b,2,3,2\n2,a,3,3,1\n2,b,1,1,2\n")
    assert {*read_scores(path)["metric"]} == {"rating", "label"}
    assert "preferences" not in str(inspect_file(path))


@pytest.mark.slow
def test_less_is_better_in_commands_by_the_name(tmp_path, capsys):
    path = tmp_path / "errors.csv"
    path.write_text(
        "doc_id,model,errors\n" + "".join(f"{d},a,{d % 2}\n{d},b,{d % 3 + 1}\n" for d in range(8))
    )
    [words] = commands_of(path)
    assert words[-2:] == ["--lower-is-better", "errors"]
    assert main(words[1:]) == 0
    assert capsys.readouterr().out.startswith("a ")
    path.write_text(path.read_text().replace(",a,1", ",a,-1"))
    assert "--lower-is-better" not in str(commands_of(path))


@pytest.mark.slow
def test_a_scale_of_words_is_a_flag(tmp_path, capsys):
    path = tmp_path / "own.csv"
    path.write_text("doc_id,model,impression\n1,a,Neat\n1,b,Meh\n2,a,Fine\n2,b,Fine\n3,a,Neat\n3,b,Fine\n")
    scale = ["--scale", "Meh<Fine<Neat"]
    assert main(["validate", str(path), *scale]) == 0
    assert "of impression are numbers: Meh = 1, Fine = 2, Neat = 3" in capsys.readouterr().out
    [words] = commands_of(path, scale="Meh<Fine<Neat")
    assert words[-2:] == scale
    assert main([*words[1:], "-f", "csv"]) == 0
    assert read_scores(path, columns=columns_of(words))["score"].tolist() == [3, 1, 2, 2, 3, 2]
    assert (
        main(["assessors", str(path), "--columns", "topic=doc_id,rater=model,measures=impression", *scale])
        == 0
    )
    capsys.readouterr()
    assert main(["compare", str(path), "--scale", "ordinal"]) == 1
    assert "--scale 'LEAST<...<MOST' gives the order of words" in capsys.readouterr().err
    assert main(["compare", str(path), "--columns", "scale=a<b"]) == 2
    assert "expected --scale" in capsys.readouterr().err


@pytest.mark.slow
def test_a_sheet_is_a_flag(tmp_path, capsys):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["notes", "of", "May"])
    sheet = book.create_sheet("Ratings of May")
    for row in (["doc_id", "model", "rating"], [1, "a", 5], [1, "b", 2], [2, "a", 4], [2, "b", 3]):
        sheet.append(row)
    path = tmp_path / "x.xlsx"
    book.save(path)
    assert main(["validate", str(path), "--sheet", "Ratings of May"]) == 0
    assert "--sheet 'Ratings of May'" in capsys.readouterr().out
    [words] = commands_of(path, sheet="Ratings of May")
    assert main([*words[1:], "-f", "csv"]) == 0
    assert main(["compare", str(path), "--columns", "sheet=x"]) == 2
    assert "expected --sheet" in capsys.readouterr().err


def test_totals_are_refused_where_they_are_totals(tmp_path):
    path = tmp_path / "totals.csv"
    rows = [("1", "a", 4), ("1", "b", 2), ("2", "a", 5), ("2", "b", 3)]
    text = "topic,summarizer,quality\n" + "".join(f"{t},{s},{q}\n" for t, s, q in rows)
    path.write_text(text + "TOTAL,a,9\nTOTAL,b,5\n")
    with pytest.raises(InputError, match="topic 'TOTAL' holds the sums or means"):
        read_scores(path)
    path.write_text(text + "TOTAL,a,1\nTOTAL,b,2\n")
    assert len(read_scores(path)) == 6


def test_a_column_called_metric_that_holds_numbers_is_a_measure(tmp_path):
    path = tmp_path / "texts.csv"
    rows = [
        f"{d},{s},An output of {s} here.,{d % 3 + n},{d / 7:.2f}"
        for d in range(6)
        for n, s in enumerate("ab")
    ]
    path.write_text("doc_id,system,text,human,metric\n" + "\n".join(rows) + "\n")
    words = commands_of(path)
    assert ["--target", "human"] in [words[-1][at : at + 2] for at in range(len(words[-1]))]
    assert {*read_scores(path, columns=columns_of(words[-1]))["metric"]} == {"human", "metric"}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_columns_of_a_corpus_and_of_its_scores_may_differ(tmp_path):
    rows = [(d, s, 1 + (d + n) % 5) for d in range(8) for n, s in enumerate("abcdefg")]
    texts = "doc_id,engine,text,human\n" + "".join(f"{d},{s},An output of {s}.,{q}\n" for d, s, q in rows)
    scores = "story,engine9,own\n" + "".join(f"{d},{s},{q + d / 9}\n" for d, s, q in rows)
    (tmp_path / "texts.csv").write_text(texts)
    (tmp_path / "scores.csv").write_text(scores)
    words = [
        "evaluate",
        str(tmp_path / "scores.csv"),
        str(tmp_path / "texts.csv"),
        "--target",
        "human",
        "-m",
        "none",
    ]
    columns = "topic=doc_id,summarizer=engine,text=text,measures=human,topic=story,summarizer=engine9"
    assert main([*words, "--columns", columns, "-q"]) == 0
    assert main([*words, "--columns", f"{columns},topic=nothing", "-q"]) == 2


def test_a_key_given_twice_in_a_corpus_is_refused(tmp_path, capsys):
    path = tmp_path / "summaries.jsonl"
    path.write_text(
        '{"instance_id":"d1","summarizer_id":"a","summary":{"text":"One."},"summarizer_id":"b"}\n'
    )
    assert main(["validate", str(path)]) == 1
    assert (
        "line 1: invalid or truncated JSON (the key 'summarizer_id' is given twice)"
        in capsys.readouterr().err
    )
