"""What is in the data: the report of ``validate``, and the table of features."""

from __future__ import annotations

from classy_aesop.answers.scored_summaries import OF_SUMMARY
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result_columns import METRIC, count, estimate, item

CONTENTS = Answer(
    name="validate",
    caption="What is in the data",
    columns=(
        item("what", "what is counted, or what looks wrong"),
        estimate("found", "how much of it there is, and where", "text"),
    ),
)

FEATURE_TABLE = Answer(
    name="features",
    caption="Features of the summaries",
    columns=(
        *(column for column in OF_SUMMARY if column is not METRIC),
        item("human", "whether the summarizer is a human", "bool", priority=0),
        item("empty", "whether the summary has no words", "bool", priority=0),
        count("n_references", "references that the summary is compared with"),
        count("n_earlier", "earlier references of the topic, which an update must not repeat"),
    ),
)
"""The features themselves stand behind these columns; the list of features says what they are."""
