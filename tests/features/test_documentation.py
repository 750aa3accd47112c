"""The page of features names every source; tests/test_reference.py holds its table equal to the code."""

from pathlib import Path

from classy_aesop.features import FEATURES

PAGE = (Path(__file__).parents[2] / "docs" / "features.md").read_text(encoding="utf-8")


def test_every_source_is_listed():
    listed = PAGE[PAGE.index("## Sources") :]
    for known in FEATURES.values():
        authors, _, year = known.source.partition(")")[0].partition(" (")
        assert f"- {authors.partition(' and others')[0]}" in listed
        assert f"({year}):" in listed
