import pytest

from classy_aesop.baselines.elements import Word, read_conllu
from classy_aesop.errors import InputError

PARSE = """\
# sent_id = 1
1\tThe\tthe\tDET\tDT\t_\t3\tdet\t_\t_
2-3\told ships\t_\t_\t_\t_\t_\t_\t_\t_
2\told\told\tADJ\tJJ\t_\t3\tamod\t_\t_
3\tships\tship\tNOUN\tNNS\t_\t4\tnsubj:pass\t_\tSpaceAfter=No
3.1\twere\tbe\tAUX\t_\t_\t_\t_\t4:aux\t_
4\tsunk\t_\tVERB\t_\t_\t0\troot\t_\t_

1\tRain\train\t_\t_\t_\t0\troot\t_\t_
"""


def write(tmp_path, text):
    path = tmp_path / "one.conllu"
    path.write_text(text, encoding="utf-8")
    return path


def test_words_by_hand(tmp_path):
    first, second = read_conllu(write(tmp_path, PARSE))
    assert first == [
        Word("the", "DET", 3, "det"),
        Word("old", "ADJ", 3, "amod"),
        Word("ship", "NOUN", 4, "nsubj"),
        Word("sunk", "VERB", 0, "root"),
    ]
    assert second == [Word("rain", "_", 0, "root")]


@pytest.mark.parametrize("text", ["", "\n\n", "# text = nothing\n"])
def test_empty_file_has_no_sentence(tmp_path, text):
    assert read_conllu(write(tmp_path, text)) == []


LINE = "1\tRain\train\tNOUN\t_\t_\t0\troot\t_\t_\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Rain falls.\n", "line 1: 1 columns; expected 10, separated by tabs"),
        (LINE.replace("1", "2", 1), "line 1: word number '2'; expected 1"),
        (LINE + LINE.replace("1", "3", 1), "line 2: word number '3'; expected 2 or 1"),
        (LINE.replace("\t0\t", "\t_\t"), "line 1: head is '_'; expected the number of a word, or 0"),
        (
            LINE.replace("\t0\t", f"\t{'9' * 5000}\t"),
            "line 1: head is '9+...; expected the number of a word, or 0",
        ),
        (LINE.replace("\t0\t", "\t2\t"), "line 1: head is 2; expected 0 to 1"),
    ],
)
def test_bad_line_is_an_error(tmp_path, text, message):
    with pytest.raises(InputError, match=rf"one\.conllu, {message}"):
        read_conllu(write(tmp_path, text))
