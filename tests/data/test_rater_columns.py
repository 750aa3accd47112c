"""A table of summaries with a column a rater is the same corpus as one with a row a rater."""

import sys

import pandas as pd
import pytest

from classy_aesop import Corpus, read_corpus
from classy_aesop.data.jsonl import write_jsonl
from classy_aesop.errors import NOTE, DataWarning, InputError, UsageError

WIDE = pd.DataFrame(
    [
        {"doc_id": f"d{d}", "system": s, "summary": f"It rained {d} {s}.", "reference": "Rain.",
         "rating_1": 1 + at, "rating_2": 2.5 + (d + at) % 3, "rating_3": None if d == 2 else 3}
        for d in range(4)
        for at, s in enumerate("ab")
    ]
)  # fmt: skip


def long_of(wide):
    texts = ["doc_id", "system", "summary", "reference"]
    long = wide.melt(texts, var_name="rater", value_name="rating")
    return long.assign(rater=long["rater"].str.removeprefix("rating_")).dropna(subset="rating")


def in_order(table):
    keys = [name for name in ("topic", "summarizer", "assessor") if name in table]
    return table.sort_values(keys).reset_index(drop=True)


def test_wide_is_long(tmp_path):
    wide, long = Corpus.from_rows(WIDE), Corpus.from_rows(long_of(WIDE))
    assert wide.topics == long.topics
    pd.testing.assert_frame_equal(in_order(wide.judgments), in_order(long.judgments))
    pd.testing.assert_frame_equal(in_order(wide.ratings.dropna()), in_order(long.ratings))
    assert wide.judgments["score"].iloc[0] == WIDE.iloc[0][["rating_1", "rating_2", "rating_3"]].mean()
    write_jsonl(wide, tmp_path / "out")
    pd.testing.assert_frame_equal(in_order(read_corpus(tmp_path / "out").ratings), in_order(long.ratings))


@pytest.mark.parametrize("names", [["A1", "A2", "A3"], ["Rater 1", "Rater 2", "Rater 3"]])
def test_other_names_of_raters(names):
    corpus = Corpus.from_rows(WIDE.set_axis([*WIDE.columns[:4], *names], axis=1))
    assert set(corpus.judgments["metric"]) == {names[0].rstrip("1").strip()}
    assert set(corpus.ratings["assessor"]) == {"1", "2", "3"}


def test_raters_by_the_users_word(caplog):
    caplog.set_level(NOTE, "classy_aesop")
    people = WIDE.rename(columns={"rating_1": "by_ann", "rating_2": "by_bob"}).drop(columns="rating_3")
    assert set(Corpus.from_rows(people).judgments["metric"]) == {"by_ann", "by_bob"}
    corpus = Corpus.from_rows(people, fields={"ratings": "by_*"})
    assert set(corpus.judgments["metric"]) == {"by"}
    assert set(corpus.ratings["assessor"]) == {"ann", "bob"}
    assert "by is the mean of 2 raters (by_ann, by_bob)" in caplog.text
    apart = Corpus.from_rows(WIDE, fields={"measures": ["rating_1", "rating_2", "rating_3"]})
    assert set(apart.judgments["metric"]) == {"rating_1", "rating_2", "rating_3"}
    with pytest.raises(
        UsageError, match="the column rater names the rater of a row; expected one of the two"
    ):
        Corpus.from_rows(WIDE.assign(rater="x"), fields={"ratings": "rating_*"})
    with pytest.raises(UsageError, match="raters of rating, and a column of this name"):
        Corpus.from_rows(WIDE.assign(rating=1), fields={"ratings": "rating_*"})


@pytest.mark.filterwarnings("ignore:.*decimal commas are read as points")
@pytest.mark.parametrize("name", ["x.csv", "x.txt", "x.tsv", "x.xlsx"])
def test_files_of_spreadsheets(tmp_path, name):
    path = tmp_path / name
    if name == "x.xlsx":
        pytest.importorskip("openpyxl")
        WIDE.to_excel(path, index=False)
    else:
        separator = {"csv": ",", "txt": ";", "tsv": "\t"}[name[2:]]
        WIDE.to_csv(path, index=False, sep=separator, decimal="," if name == "x.txt" else ".")
        with path.open("a") as stream:
            stream.write(separator * 6 + "\n" + separator * 6 + "\n")
    found = read_corpus(path, format="table")
    pd.testing.assert_frame_equal(found.ratings, Corpus.from_rows(WIDE).ratings)


def test_a_table_in_another_encoding(tmp_path):
    path = tmp_path / "x.csv"
    WIDE.assign(summary="Köln").to_csv(path, index=False, encoding="cp1252")
    with pytest.raises(
        InputError, match="is not UTF-8; another encoding is named by --encoding, such as cp1252"
    ):
        read_corpus(path)
    assert read_corpus(path, encoding="cp1252").topics[0].summaries[0].text == ("Köln",)


def test_only_the_first_sheet_is_read_and_it_is_said(tmp_path):
    pytest.importorskip("openpyxl")
    with pd.ExcelWriter(tmp_path / "x.xlsx") as book:
        WIDE.to_excel(book, sheet_name="first", index=False)
        WIDE.iloc[:2].to_excel(book, sheet_name="second", index=False)
    with pytest.warns(DataWarning, match=r"x.xlsx: only the sheet first is read, not second"):
        assert len(read_corpus(tmp_path / "x.xlsx")) == 4
    (tmp_path / "y.xlsx").write_bytes(b"PK\3\4 and no more")
    with pytest.raises(InputError, match=r"y.xlsx: not a whole workbook of Excel"):
        read_corpus(tmp_path / "y.xlsx")


def test_numbers_that_only_tell_rows_apart_are_no_judgments():
    rows = pd.concat([WIDE] * 4, ignore_index=True)
    rows["doc_id"] = [f"d{at // 2}" for at in range(len(rows))]
    with pytest.warns(DataWarning, match="by their names or values no human measures: hit; "):
        corpus = Corpus.from_rows(rows.assign(hit=range(5000, 5000 + len(rows))))
    assert set(corpus.judgments["metric"]) == {"rating"}


def test_a_table_without_texts_names_the_commands_that_take_it():
    with pytest.raises(InputError, match=r"evaluate, compare, .* take scores without texts"):
        Corpus.from_rows(WIDE.drop(columns=["summary", "reference"]))


def test_without_openpyxl_a_line_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    (tmp_path / "x.xlsx").write_bytes(b"PK")
    with pytest.raises(InputError, match=r"pip install classy-aesop\[excel\], or save the sheet as CSV"):
        read_corpus(tmp_path / "x.xlsx")
