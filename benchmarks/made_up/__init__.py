"""Made-up judged summaries: stories of weighted facts, writers who summarize them, and judges, all from a seed.

All text was written for this package. `generate` makes one year, `generate_years` several, and
`generate_topics` a year topic by topic; ``python -m benchmarks.made_up -o DIR`` writes the sample
that comes with the package. Scores depend on the facts in a summary and on the faults in its language, never on
a feature of its text.
"""

from benchmarks.made_up.years import (
    Made,
    Sizes,
    generate,
    generate_topics,
    generate_years,
    topic_labels,
)

__all__ = ["Made", "Sizes", "generate", "generate_topics", "generate_years", "topic_labels"]
