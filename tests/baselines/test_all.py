"""What holds for every baseline of the table that needs only summaries and references."""

import numpy as np
import pytest

from classy_aesop.baselines import BASELINES
from classy_aesop.baselines.baseline_scores import score_baselines
from classy_aesop.errors import DataWarning, InputError
from classy_aesop.reading import Corpus

TEXTS = {
    name: baseline for name, baseline in BASELINES.items() if name in ("ngram", "js", "lsa", "vert_like")
}
REFERENCES = ("The cat sat on a red mat.", "A dog sat on the old mat.", "Cats and dogs sat on mats.")
SUMMARIES = ("The cat sat on the mat today.", "Dogs ran home.", "A dog and a cat.")


@pytest.mark.slow(after=2)
@pytest.mark.parametrize("name", TEXTS)
def test_leaving_one_out_is_the_mean_over_smaller_topics(name, topic_of, values_of):
    found = values_of(TEXTS[name], topic_of(*SUMMARIES, references=REFERENCES, human="A"), jackknife=True)
    fewer = [REFERENCES[:at] + REFERENCES[at + 1 :] for at in range(3)]
    parts = [values_of(TEXTS[name], topic_of(*SUMMARIES, references=some)) for some in fewer]
    np.testing.assert_allclose(found.loc[["1", "2", "3"]], np.mean(parts, axis=0), atol=1e-12)
    person = values_of(TEXTS[name], topic_of(REFERENCES[0], references=REFERENCES[1:]))
    np.testing.assert_allclose(found.loc["A"], person.loc["1"], atol=1e-12)


@pytest.mark.slow(after=2)
@pytest.mark.parametrize("name", TEXTS)
def test_the_worst_for_empty_texts_and_missing_without_references(name, topic_of, values_of):
    worst = {"js": -1.0}.get(name, 0.0)
    texts = ("", "The cat sat on a red mat.", "!")
    assert np.allclose(values_of(TEXTS[name], topic_of(*texts, references=REFERENCES)).loc[["1", "3"]], worst)
    assert np.allclose(values_of(TEXTS[name], topic_of(*texts, references=("", "..."))), worst)
    assert values_of(TEXTS[name], topic_of(*texts, references=())).isna().all(axis=None)


@pytest.mark.parametrize("name", TEXTS)
def test_other_scripts_need_the_unicode_tokenizer(name, topic_of, values_of):
    text = "Кошка сидит на красном ковре"
    topic = topic_of(text, references=(text,))
    with pytest.warns(DataWarning, match=r"100% of the letters are outside ASCII"):
        lost = values_of(TEXTS[name], topic)
    whole = values_of(TEXTS[name], topic, tokenizer="unicode")
    ends = {"js": 0.0}
    assert np.allclose(whole, ends.get(name, 1.0), atol=1e-12)
    assert (lost < whole).all(axis=None)


@pytest.mark.parametrize("name", TEXTS)
def test_what_cannot_be_is_refused(name, topic_of):
    with pytest.raises(InputError, match="has 1 reference"):
        TEXTS[name]([topic_of("x", references=("x",))], jackknife=True)
    with pytest.raises(InputError, match="no tokenizer is named words; expected some of rouge, unicode"):
        TEXTS[name]([], jackknife=False, tokenizer="words")
    assert TEXTS[name]([], jackknife=False).empty


@pytest.mark.parametrize("name", ["js_documents"])
def test_documents_are_needed_and_never_left_out(name, topic_of, values_of):
    with pytest.raises(InputError, match="topic T has no source documents; expected the field documents"):
        BASELINES[name]([topic_of("x", references=("x",))], jackknife=False)
    topic = topic_of("the cat", "a dog", references=("x", "y"), documents=["the cat ran", "a cat"])
    plain, jackknife = (values_of(BASELINES[name], topic, jackknife=choice) for choice in (False, True))
    assert plain.equals(jackknife)
    alone = topic_of("the cat", "a dog", references=(), documents=["the cat ran a cat"])
    assert plain["JS-1-documents"].tolist() == values_of(BASELINES[name], alone)["JS-1-documents"].tolist()


def test_a_corpus_without_references_is_refused_and_not_a_table_of_nothing():
    rows = [{"id": at, "system": "a", "summary": "x y", "article": "x y z"} for at in range(2)]
    with pytest.warns(DataWarning, match="2 topics without references"):
        corpus = Corpus.from_rows(rows)
    with pytest.raises(InputError, match="nothing can be scored: no summary has a reference"):
        score_baselines(corpus, ["rouge"], jackknife=False)
    with pytest.warns(DataWarning) as told:
        table = score_baselines(corpus, jackknife=False)
    [first] = [str(one.message) for one in told if "nothing can be scored" in str(one.message)]
    assert first.startswith("baselines rouge, ngram, js, lsa, vert_like, ngram_graphs are left out: ")
    assert table["score"].notna().all()
