"""Text files whose lines belong together: outputs and references, a text a line."""

import pytest

from classy_aesop.errors import InputError
from classy_aesop.reading.line_folders import read_line_files

OUTPUTS = "the cat sat\n\na dog ran\n"
REFERENCES = "the cat sat on the mat\nbirds fly\nthe dog ran\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out.txt").write_text(OUTPUTS)
    (tmp_path / "ref.txt").write_text(REFERENCES)
    (tmp_path / "short.txt").write_text("the cat\n")


def test_lines_of_one_number_belong_together(files):
    corpus = read_line_files(["out.txt"], ["ref.txt"])
    texts = [
        (topic.topic, topic.summaries[0].summarizer, topic.summaries[0].text, topic.references[0].text)
        for topic in corpus
    ]
    assert texts == [
        ("1", "out", ("the cat sat",), ("the cat sat on the mat",)),
        ("2", "out", ("",), ("birds fly",)),
        ("3", "out", ("a dog ran",), ("the dog ran",)),
    ]


def test_files_of_different_lengths_are_refused(files):
    with pytest.raises(InputError, match=r"ref\.txt: 3 lines, and 1 in short\.txt; expected equally many"):
        read_line_files(["short.txt"], ["ref.txt"])


def test_rouge_scores_a_line_by_the_same_line_of_the_references(files, run):
    """Recall by hand: 3 of 6 words, none of 2, and 2 of 3; on average 7/18."""
    code, out, _ = run("rouge", "--reference", "ref.txt", "out.txt", "--metric", "1", "-f", "tsv")
    header, row, *_ = (line.split("\t") for line in out.splitlines() if not line.startswith("#"))
    values = dict(zip(header, row, strict=True))
    assert code == 0
    assert float(values["mean"]) == pytest.approx(7 / 18, abs=1e-5)


def test_what_belongs_to_a_table_is_refused_beside_references(files, refused):
    refused(2, "--year cannot be combined with --reference", "rouge --reference ref.txt out.txt --year 3")
    refused(1, "ref.txt: 3 lines, and 1 in short.txt", "rouge --reference ref.txt short.txt")
