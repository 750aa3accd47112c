"""Pages: links, options and tests that they name are there; sentences are short."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from classy_aesop.cli.program import fill_parsers, parser

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def prose(page):
    """Give a page's text without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.M | re.S)


def links(page):
    """Give the page's relative links, without those in pieces of code."""
    found = re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "code", prose(page)))
    return [link for link in found if not re.match(r"[a-z]+:", link)]


@cache
def anchors(page):
    """Give the anchors of a page's headings, as GitHub names them: repeated ones are numbered."""
    n_before = Counter()
    found = set()
    for heading in re.findall(r"^#+ +(.+?) *$", prose(page), flags=re.M):
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        found.add(f"{name}-{n_before[name]}" if n_before[name] else name)
        n_before[name] += 1
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_sentence_has_more_than_35_words(page):
    text = re.sub(r"^(?:[|#]|    ).*$|\]\([^)]*\)", "", re.sub(r"`[^`]*`", "code", prose(page)), flags=re.M)
    sentences = re.split(r"(?<=[.!?])\s|\n\s*\n|\n\s*[-*\d]+\.? ", text)
    assert [one for one in sentences if len(re.findall(r"[^\s]*\w[^\s]*", one)) > 35] == []


def test_the_index_names_every_page():
    index = ROOT / "docs" / "index.md"
    assert {page.name for page in index.parent.glob("*.md")} - {"index.md"} <= set(links(index))


@cache
def options_of_commands():
    """Give the options of each command; studies, whose parsers are made of their functions, have none here."""
    return {
        name: {
            flag
            for options in command.sections.values()
            for option in options
            for flag in option.option_strings
        }
        for name, command in fill_parsers(parser()).commands.items()
        if name != "study"
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_command_has_the_options_that_a_page_gives_it(page):
    """In a line of its own and in a sentence; most blocks of commands are run, too."""
    options = options_of_commands()
    lines = page.read_text("utf-8").replace("\\\n", " ")
    for name, arguments in re.findall(rf"(?:`|classy-aesop )({'|'.join(options)})( [^`\n]*)", lines):
        assert set(re.findall(r"(?<!\S)--[a-z-]+", arguments)) <= options[name], (name, arguments)


def named_tests(page):
    """Give the files of tests that a page names, each with a test or nothing; `::name` is of the last file."""
    file = ""
    for name, test in re.findall(r"`(tests/[\w/]+\.py)?(?:::(\w+))?`", page.read_text("utf-8")):
        file = name or file
        if name or test:
            yield file, test


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_tests_that_a_page_names_are_there(page):
    for name, test in named_tests(page):
        assert (ROOT / name).is_file(), name
        assert not test or re.search(rf"^def {test}\(", (ROOT / name).read_text("utf-8"), re.M), (name, test)
    named = set(
        re.findall(r"`((?:tests|benchmarks|data_samples|configs)/[\w./-]+\.\w+)`", page.read_text("utf-8"))
    )
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


def test_nothing_tells_users_to_install_the_package_by_its_name():
    """It is not published: pip would find nothing, or somebody else's. docs/releasing.md is about publishing it."""
    files = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "classy_aesop").rglob("*.py")]
    by_name = re.compile(r"pip install [^\n`&]*\bclassy[-_]aesop\b")
    naming = [path.name for path in files if by_name.search(path.read_text(encoding="utf-8"))]
    assert [name for name in naming if name != "releasing.md"] == []
