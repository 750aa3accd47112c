"""Made-up judged summaries: a seeded world of weighted facts, writers who tell them, and judges.

No text of anyone else is in it. `generate` makes one year, `generate_years` several, `generate_topics`
gives a year topic by topic; ``python -m classy_aesop.corpus.generator -o DIR`` writes the sample that comes
with the package. Scores are drawn from the facts a summary tells and from what was done to its language,
never from a feature of its text.
"""

from classy_aesop.corpus.generator.years import Made, generate, generate_topics, generate_years, writers_of

__all__ = ["Made", "generate", "generate_topics", "generate_years", "writers_of"]
