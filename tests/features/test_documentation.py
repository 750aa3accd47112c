"""The page of features is true."""

from pathlib import Path

from classy_aesop.features import FEATURES, GROUPS
from classy_aesop.features.columns import ordered

PAGE = (Path(__file__).parents[2] / "docs" / "features.md").read_text(encoding="utf-8")


def test_every_feature_stands_in_the_table_as_it_is_registered():
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in PAGE.splitlines()
        if line[:2] == "| "
    ]
    head, *body = rows
    assert head == ["name", "group", "looks at", "bounds", "is", "source", "why"]
    assert [row[0].strip("`") for row in body] == ordered(GROUPS)
    for name, group, looks_at, bounds, meaning, source, why in body:
        known = FEATURES[name.strip("`")]
        assert group == known.group
        assert looks_at == {"content": "references", "linguistic": "summary"}[known.kind]
        assert bounds == "{:g} to {:g}".format(*known.bounds)
        assert meaning == (known.function.__doc__ or "").splitlines()[0]
        assert source == known.source
        assert why


def test_every_group_is_listed_with_what_its_features_look_at():
    shown = [line for line in PAGE[: PAGE.index("| name |")].splitlines() if line.startswith("- `")]
    assert shown == [f"- `{name}`: {meaning}" for name, meaning in GROUPS.items()]


def test_every_source_is_listed():
    listed = PAGE[PAGE.index("## Sources") :]
    for known in FEATURES.values():
        authors, _, year = known.source.partition(")")[0].partition(" (")
        assert f"- {authors.partition(' and others')[0]}" in listed
        assert f"({year}):" in listed
