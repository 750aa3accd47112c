"""What is added to the code stands in the pages of reference; the site's links and names lead somewhere."""

import ast
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

import classy_aesop

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent


def test_what_is_added_stands_on_its_page(monkeypatch):
    from classy_aesop.features import FEATURES, feature
    from classy_aesop.formulas import FORMULAS, Linear
    from classy_aesop.papers import STUDIES, Study
    from classy_aesop.reading.column_names import MEANING_OF_ROLE
    from classy_aesop.work.options import Option
    from docs.reference import commands
    from docs.reference.pages import made_pages

    def probe_feature(topic):
        """Nothing."""

    made = commands.parser()
    made.add_option(Option("probe option", flags=("--probe",), name="probe", default=None))
    monkeypatch.setattr(commands, "parser", lambda: made)
    probe_keys = defaultdict(lambda: Option("probe key"))
    monkeypatch.setattr("docs.reference.configuration.config_keys_of", lambda _: probe_keys)
    monkeypatch.setitem(MEANING_OF_ROLE, "topic", "probe column")
    monkeypatch.setitem(FORMULAS, "probe formula", Linear)
    monkeypatch.setitem(STUDIES, "probe", Study("probe", "rankel_2016:coefficients", remakes=("probe item",)))
    monkeypatch.setattr("classy_aesop.train.__doc__", "Probe function.")
    feature(kind="linguistic", group="form", source="this test")(probe_feature)
    probes = {"commands": "probe option", "configuration": "probe key", "features": "`probe_feature`"}
    probes |= {"files": "probe column", "names": "`probe formula`", "python": "Probe function."}
    probes |= {"papers": "probe item"}
    try:
        pages = dict(made_pages())
    finally:
        del FEATURES["probe_feature"]
    assert set(pages) == {f"reference-{name}.md" for name in probes}
    for name, probe in probes.items():
        assert probe in pages[f"reference-{name}.md"]
    assert not any("partial(func" in page for page in pages.values())


def test_names_in_docstrings_are_those_of_something():
    from docs.reference.known import is_known

    assert is_known("Corpus.select")
    assert not is_known("Corpus.no_such_method")
    unknown = [
        (path.name, name)
        for path in Path(classy_aesop.__file__).parent.rglob("*.py")
        for name in names_in_docstrings(ast.parse(path.read_text("utf-8")))
        if not is_known(name.removeprefix("~"))
    ]
    assert unknown == []


def names_in_docstrings(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield from re.findall(r"(?<!`)`([^`]+)`(?!`)", ast.get_docstring(node) or "")


def built(tmp_path, page, entry):
    """Build a site of a page and an entry of the Python interface; give Sphinx's exit code and warnings."""
    pytest.importorskip("sphinx")
    (tmp_path / "sources").mkdir(exist_ok=True)
    (tmp_path / "sources" / "index.md").write_text(
        f"# Title\n\n## Part\n\n{page}\n\n```{{toctree}}\napi\n```\n"
    )
    (tmp_path / "sources" / "api.rst").write_text(f"API\n===\n\n{entry}\n")
    code = (
        "import sys; from pathlib import Path; from docs.reference.site import build_html\n"
        "sys.exit(build_html(Path('sources'), Path('html')))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    return done.returncode, done.stderr


def test_a_link_or_a_name_that_leads_nowhere_fails_the_site(tmp_path):
    entry = ".. autofunction:: classy_aesop.compare\n\n`{}`"
    assert built(tmp_path, "[part](index.md#part)", entry.format("Corpus.select")) == (0, "")
    code, warnings = built(tmp_path, "[lost](lost.md), [lost](#lost)", entry.format("Corpus.lost"))
    assert code != 0
    for lost in ("'lost.md'", "'lost'", "Corpus.lost"):
        assert lost in warnings, warnings
