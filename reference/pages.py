"""The pages of ``docs/`` that are made from the code, whole or in part; a test holds them equal to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from reference.api import python_page
from reference.commands import commands_page
from reference.configuration import configuration_page
from reference.features import features_part
from reference.files import files_page
from reference.names import names_page

DOCS = Path(__file__).parent.parent / "docs"

_NOTE = "<!-- made from the code by `python -m reference`: change it there -->"
_END = "<!-- end of what is made from the code -->"

_PAGES = {
    "reference-commands.md": commands_page,
    "reference-configuration.md": configuration_page,
    "reference-files.md": files_page,
    "reference-names.md": names_page,
    "reference-python.md": python_page,
}
_PARTS = {"features.md": features_part}
"""Pages of which one part, between two comments, is made from the code."""


def made_pages() -> Iterator[tuple[Path, str]]:
    """Give each page with the text that it should have."""
    for name, write in _PAGES.items():
        yield DOCS / name, f"{_NOTE}\n\n{write()}"
    for name, write in _PARTS.items():
        before, _, rest = (DOCS / name).read_text("utf-8").partition(_NOTE)
        yield DOCS / name, f"{before}{_NOTE}\n\n{write()}\n\n{_END}{rest.partition(_END)[2]}"


def write_pages() -> list[str]:
    """Write the pages that differ; give their names."""
    changed = [
        (path, text) for path, text in made_pages() if not path.exists() or path.read_text("utf-8") != text
    ]
    for path, text in changed:
        path.write_text(text, "utf-8")
    return [path.name for path, _ in changed]
