import pytest

from classy_aesop.baselines import BASELINES
from classy_aesop.baselines.ngram import ngram
from classy_aesop.errors import InputError

MODEL, PEER = "United States, Japan, and Taiwan", "United States, Taiwan, and Japan"


@pytest.mark.parametrize(
    ("lengths", "expected"), [((1, 1), 1.0), ((2, 2), 1 / 3), ((3, 3), 0.0), ((1, 2), 3**-0.5), ((1, 4), 0.0)]
)
def test_without_stop_words_by_hand(lengths, expected, topic_of, values_of):
    # Lin and Hovy (2003), section 4; "and" is out. Of three bigrams "united states" is there: the paper prints 0.5.
    found = values_of(ngram, topic_of(PEER, references=(MODEL,)), lengths=lengths, stop_words=False)
    assert found.loc["1", f"Ngram({lengths[0]},{lengths[1]})-content"] == pytest.approx(expected)


def test_several_references_are_summed_by_hand(topic_of, values_of):
    # a b c: of "a b d" (2 bigrams) it has one, of "b c a b" (3 bigrams) a b and b c.
    found = values_of(ngram, topic_of("a b c", references=("a b d", "b c a b")), lengths=(2, 2))
    assert found.loc["1", "Ngram(2,2)"] == 3 / 5


def test_one_length_is_rouge(topic_of, values_of):
    texts = ("The cat sat on the mat.", "A dog and the cat ran on.")
    topic = topic_of(*texts, references=("The cat sat on a mat and ran.", "Dogs sat on the mat."))
    rouge = values_of(BASELINES["rouge"], topic, metrics=["ROUGE-2"])
    assert values_of(ngram, topic, lengths=(2, 2))["Ngram(2,2)"].tolist() == rouge["ROUGE-2"].tolist()


@pytest.mark.parametrize("lengths", [(0, 1), (3, 2)])
def test_lengths_that_are_none_are_refused(lengths):
    with pytest.raises(InputError, match="expected 1 or more, ascending"):
        ngram([], jackknife=False, lengths=lengths)
