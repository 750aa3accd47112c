"""The site: the pages of ``docs/`` and those of the Python interface, built by Sphinx with warnings as errors."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from docs.reference.api import entry, pages
from docs.reference.pages import DOCS, made_pages

_ROOT = DOCS.parent
_OTHERS = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "data_samples/README.md", "configs")
"""What pages link to outside of ``docs/``."""


def build(folder: Path) -> int:
    """Build the site in a folder, from sources that are gathered beside it; give Sphinx's exit code."""
    sources = folder / "sources"
    shutil.rmtree(sources, ignore_errors=True)
    gather(sources)
    return build_html(sources, folder / "html")


def build_html(sources: Path, html: Path) -> int:
    """Build the pages of a folder; a warning is an error, a name that leads nowhere is a warning."""
    from sphinx.cmd.build import main

    options = ["--quiet", "--fail-on-warning", "--keep-going"]
    return main(["-b", "html", "-c", str(DOCS), *options, str(sources), str(html)])


def gather(sources: Path) -> None:
    """Copy what is linked, ``docs/`` at the top, and add the pages of the Python interface and the order of all."""
    sources.mkdir(parents=True)
    for page in DOCS.glob("*.md"):
        (sources / page.name).write_text(page.read_text("utf-8").replace("](../", "]("), "utf-8")
    made = dict(made_pages())
    for name, text in made.items():
        (sources / name).write_text(text.replace("](../", "]("), "utf-8")
    for picture in DOCS.glob("*.svg"):
        shutil.copy(picture, sources)
    shutil.copytree(DOCS / "examples", sources / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    for name in _OTHERS:
        _copy(name, sources / name)
    api = _write_api(sources)
    _append(sources / "reference-python.md", _toctree("", api))
    order = _order((DOCS / "index.md").read_text("utf-8"))
    listed = "".join(
        f"- [{text.splitlines()[0].removeprefix('# ')}]({name})\n" for name, text in made.items()
    )
    reference = _toctree("Made from the code", [name.removesuffix(".md") for name in made])
    _append(sources / "index.md", f"\n**Made from the code**\n\n{listed}", *order, reference)


def _append(page: Path, *parts: str) -> None:
    page.write_text("".join([page.read_text("utf-8"), *parts]), "utf-8")


def _copy(name: str, target: Path) -> None:
    target.parent.mkdir(exist_ok=True)
    if (_ROOT / name).is_dir():
        shutil.copytree(_ROOT / name, target)
    else:
        target.write_text((_ROOT / name).read_text("utf-8").replace("](docs/", "]("), "utf-8")


def _write_api(sources: Path) -> list[str]:
    """Write a page for each part of the Python interface, modules below their package; give those at the top."""
    (sources / "api").mkdir()
    found = dict(pages())
    below = {title: [one for one in found if one.startswith(f"{title}.")] for title in found if "." in title}
    for title, shown in found.items():
        head = f"{title}\n{'=' * len(title)}\n\n.. automodule:: {title}\n   :no-members:\n"
        contents = [
            ".. toctree::\n   :maxdepth: 1\n\n" + "".join(f"   {one}\n" for one in below.get(title, ()))
        ]
        text = "\n".join([head, *map(entry, shown), *(contents if below.get(title) else ())])
        (sources / "api" / f"{title}.rst").write_text(text, "utf-8")
    nested = {one for names in below.values() for one in names}
    return [f"api/{title}" for title in found if title not in nested]


def _order(index: str) -> list[str]:
    """Give the contents of the site: the links of each part of the index, under its title."""
    parts = re.split(r"^\*\*(.+?)\*\*$", index, flags=re.M)
    parts = [re.sub(r":.*", "", part) if at % 2 else part for at, part in enumerate(parts)]
    links = [dict.fromkeys(re.findall(r"\]\((?:\.\./)?([\w/-]+)\.md\)", part)) for part in parts[2::2]]
    return [_toctree(title, list(names)) for title, names in zip(parts[1::2], links, strict=True)]


def _toctree(caption: str, names: list[str]) -> str:
    """Write a part of the contents, which is not shown on the page itself."""
    options = [":hidden:", *([f":caption: {caption}"] if caption else [])]
    lines = ["```{toctree}", *options, "", *names, "```"]
    return "\n" + "\n".join(lines) + "\n"
