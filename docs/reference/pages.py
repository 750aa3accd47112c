"""The pages of reference that are made from the code; the site has them, the repository does not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from docs.reference.api import python_page
from docs.reference.commands import commands_page
from docs.reference.configuration import configuration_page
from docs.reference.features import features_page
from docs.reference.files import files_page
from docs.reference.names import names_page
from docs.reference.papers import papers_page

DOCS = Path(__file__).parent.parent

_PAGES = {
    "reference-commands.md": commands_page,
    "reference-configuration.md": configuration_page,
    "reference-features.md": features_page,
    "reference-files.md": files_page,
    "reference-names.md": names_page,
    "reference-papers.md": papers_page,
    "reference-python.md": python_page,
}


def made_pages() -> Iterator[tuple[str, str]]:
    """Give the name and the text of each page."""
    return ((name, write()) for name, write in _PAGES.items())
