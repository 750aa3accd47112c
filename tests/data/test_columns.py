"""Columns are known by their common names, or as they are named; what could be several things is refused."""

import pytest

from classy_aesop.data.columns import ROLES, meant, recognize, role_of
from classy_aesop.errors import InputError, UsageError

BASE = {"doc_id": "text", "system": "text", "summary": "text"}

COMMON = {
    "topic": ("doc_id", "id", "docid", "article_id"),
    "summarizer": ("system", "model", "model_id", "system_id"),
    "text": ("summary", "output", "prediction", "candidate", "decoded", "hypothesis"),
    "references": ("reference", "target", "ref", "gold", "highlights"),
}


@pytest.mark.parametrize(("role", "name"), [(role, name) for role, names in COMMON.items() for name in names])
def test_common_names(role, name):
    of_role = {"topic": "doc_id", "summarizer": "system", "text": "summary"}.get(role)
    columns = {key: kind for key, kind in BASE.items() if key != of_role}
    assert recognize({**columns, name: "text"}).one(role) == name
    assert recognize({**columns, name.upper().replace("_", " "): "text"}).one(role) == name.upper().replace(
        "_", " "
    )
    assert role_of(name) == role


def test_no_name_has_two_roles():
    names = [name for names in ROLES.values() for name in names]
    assert len(names) == len(set(names))


def test_numbered_references_are_one_role():
    found = recognize({**BASE, "reference_1": "text", "reference_2": "text", "Reference 10": "text"})
    assert found["references"] == ("reference_1", "reference_2", "Reference 10")


@pytest.mark.parametrize(
    ("names", "says"),
    [
        (("id",), "topic could be doc_id or id; name the one that is meant: --columns topic=NAME"),
        (("model",), "summarizer could be system or model"),
        (("text",), "text could be summary or text"),
        (("reference", "gold"), "references could be reference or gold"),
        (("reference_1", "ref_1"), "references could be reference_1 or ref_1"),
    ],
)
def test_ambiguous_names_are_refused_with_the_candidates(names, says):
    columns = {**BASE, **dict.fromkeys(names, "text")}
    with pytest.raises(InputError) as caught:
        recognize(columns)
    assert says in str(caught.value)


def test_names_of_our_own_files_come_before_others():
    own = {"instance_id": "text", "summarizer_id": "text", "summary": "text"}
    found = recognize({"id": "places", "model": "text", **own})
    assert (found.one("topic"), found.one("summarizer")) == ("instance_id", "summarizer_id")
    assert recognize({**own, "topic": "text"}).one("topic") == "topic"


def test_a_named_column_stands_in_for_a_recognized_one():
    found = recognize({**BASE, "id": "text"}, {"topic": "id"})
    assert found.one("topic") == "id"
    assert found.unread == ("doc_id",)
    assert recognize({**BASE, "text": "text"}, {"text": "summary", "documents": "text"})["documents"] == (
        "text",
    )
    assert recognize({**BASE, "article": "text"}, {"documents": ()}).unread == ("article",)


def test_every_other_column_of_numbers_is_a_measure_unless_some_are_named():
    columns = {**BASE, "coherence": "numbers", "fluency": "numbers", "note": "text", "Unnamed: 0": "numbers"}
    found = recognize(columns)
    assert (found["measures"], found.unread) == (("coherence", "fluency"), ("note", "Unnamed: 0"))
    found = recognize(columns, {"measures": ["coherence"]})
    assert (found["measures"], found.unread) == (("coherence",), ("fluency", "note", "Unnamed: 0"))


def test_numbers_with_names_of_other_things_are_measures_only_if_they_are_named():
    doubtful = (
        "gpt4_relevance rouge1 ROUGE-2-R rougeL bertscore meteor chrF BLEU-4 bart_score LLM_judge_score "
    )
    doubtful += (
        "moverscore AutoSummENG qaeval_em s3_pyr js-2 rank row_id annotation_id summary_length n_words "
    )
    doubtful += "wordCount created_year timestamp claude-3 perplexity cosine_similarity fold"
    human = "relevance coherence overall responsiveness linguistic_quality pyramid pyramid_jackknifed focus "
    human += "litepyramid_recall fluency informativeness DUC_coverage Q1 rating score judgement faithfulness "
    human += "non-redundancy overall_mean human_score grammaticality readability quality interest simplicity"
    columns = {**BASE, **dict.fromkeys(f"{doubtful} {human}".split(), "numbers")}
    found = recognize(columns)
    assert (found["measures"], found.doubtful) == (tuple(human.split()), tuple(doubtful.split()))
    assert found.unread == ()
    named = recognize(columns, {"measures": ["rank", "focus"], "scores": ["rouge1"]})
    assert (named["measures"], named["scores"], named.doubtful) == (("rank", "focus"), ("rouge1",), ())


def test_a_column_of_numbers_is_no_text_and_an_empty_one_gives_way():
    found = recognize({**BASE, "target": "numbers", "reference": "text"})
    assert (found["references"], found["measures"]) == (("reference",), ("target",))
    assert recognize({**BASE, "gold": "nothing", "reference": "text"})["references"] == ("reference",)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"colour": "x"}, "no column is a 'colour'; expected one of topic, summarizer, text"),
        ({"topic": "story"}, "no column story among doc_id, system, summary; asked for as topic"),
        ({"topic": ("doc_id", "system")}, "topic is one column; found doc_id, system"),
        ({"topic": "doc_id", "text": "doc_id"}, "column doc_id is asked for twice"),
        ({"topic": "doc_id", "doc": "system"}, "doc is one column; found doc_id, system"),
    ],
)
def test_names_that_do_not_fit_are_refused(fields, says):
    with pytest.raises(UsageError) as caught:
        recognize(BASE, fields)
    assert says in str(caught.value)


def test_a_table_without_a_text_is_refused():
    with pytest.raises(
        InputError, match="no column for the text of a summary among doc_id; expected text, sum"
    ):
        recognize({"doc_id": "text"})


def test_a_misspelled_name_is_found():
    assert meant("refrences") == "references"
    assert meant("colour") is None
