"""One vocabulary of names of columns: tables of scores and tables of texts know the same ones."""

import pytest

from classy_aesop.reading.column_names import (
    FURTHER_NAMES,
    ROLES,
    is_administration,
    is_doubtful,
    is_human,
    is_human_measure,
    is_metric,
    numbers_attempts,
    rater_evidence,
    system_evidence,
    topic_evidence,
)


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("doc_id", "topic"),
        ("segmentId", "topic"),
        ("Input.doc_id", "topic"),
        ("DialogModel", "system"),
        ("checkpoint", "system"),
        ("engine_id", "system"),
        ("WorkerId", "rater"),
        ("completed_by", "rater"),
        ("accuracy", "human"),
        ("toxicity", "human"),
        ("completeness", "human"),
        ("rouge-1", "metric"),
        ("s3_pyr", "metric"),
        ("summary_length", "metric"),
        ("latency", "administration"),
        ("created_at", "administration"),
        ("seed", "attempt"),
        ("repetition", "attempt"),
    ],
)
def test_a_name_says_its_role(name, role):
    says = {
        "topic": topic_evidence(name) >= 1.5,
        "system": system_evidence(name) >= 1.5,
        "rater": rater_evidence(name) >= 1.5,
        "human": is_human(name),
        "metric": is_metric(name),
        "administration": is_administration(name),
        "attempt": numbers_attempts(name),
    }
    assert says[role], says
    assert is_human_measure(name) == (role == "human")
    assert is_doubtful(name) == (role in ("topic", "metric", "administration", "attempt")) or role in (
        "system",
        "rater",
    )


@pytest.mark.parametrize(
    ("role", "evidence"),
    [("topic", topic_evidence), ("summarizer", system_evidence), ("assessor", rater_evidence)],
)
def test_what_tables_of_texts_know_tables_of_scores_know(role, evidence):
    """By its name alone a column of texts has a role; the data bear out those of scores, which have more names."""
    names = [name for known in (ROLES, FURTHER_NAMES) for name in known.get(role, ())]
    assert [name for name in names if evidence(name) < 1.5] == []
