"""Configuration of Sphinx, for the site that ``python -m docs.reference DIR`` builds: see docs/architecture.md."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from docutils import nodes
from pygments.lexers.special import TextLexer

from classy_aesop.version import __version__
from docs.reference.known import is_known

project = "classy_aesop"
author = copyright = "The classy_aesop developers"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_heading_anchors = 4
smartquotes = False
highlight_language = "none"

default_role = "py:obj"
nitpicky = True
nitpick_ignore_regex = [("py:(class|data)", ".*")]  # types of other packages, in signatures
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
napoleon_google_docstring = False
napoleon_use_ivar = True

html_theme = "furo"
html_title = f"classy_aesop {__version__}"
html_copy_source = False


def _found(app: Any, env: Any, node: Any, shown: Any) -> Any:
    """Lead a name in a docstring to what the site says of it; one that is only in the code is shown without a link."""
    if node["refdomain"] != "py" or node["reftype"] in ("class", "data"):
        return None
    target = node["reftarget"]
    domain = env.domains.python_domain
    matches = [name for name in domain.objects if name == target or name.endswith(f".{target}")]
    if matches:
        best = min(matches, key=len)
        return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", best, node, shown)
    return shown if is_known(target) else None


def _is_foreign(app: Any, kind: str, name: str, thing: Any, skipped: bool, options: Any) -> bool | None:
    """Leave out methods that other packages add to our classes."""
    home = getattr(thing, "__module__", None) or "classy_aesop"
    return None if home.startswith("classy_aesop") else True


def _plain_signature(
    app: Any, kind: str, name: str, thing: Any, options: Any, signature: str | None, returned: str | None
) -> tuple[str | None, str | None]:
    """Make a signature one that is read as Python, so that its types are short."""
    return (signature or "").replace("<factory>", "...") or None, returned


def _with_dashes(app: Any, doctree: Any, page: str) -> None:
    """Set a dash between a parameter and its meaning; elsewhere two hyphens begin an option."""
    for text in list(doctree.findall(nodes.Text)):
        if text.startswith(" -- "):
            text.parent.replace(text, nodes.Text(text.replace(" -- ", " \N{EN DASH} ", 1)))


def setup(app: Any) -> None:
    """Tell Sphinx of these, and that tables in examples are not coloured."""
    app.connect("missing-reference", _found)
    app.connect("autodoc-skip-member", _is_foreign)
    app.connect("autodoc-process-signature", _plain_signature)
    app.connect("doctree-resolved", _with_dashes)
    for form in ("csv", "tsv"):
        app.add_lexer(form, TextLexer)
