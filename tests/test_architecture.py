"""Imports go in one direction, as docs/architecture.md says; start-up loads nothing heavy."""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "classy_aesop"
HEAVY = {"numpy", "scipy", "sklearn", "nltk", "pandas", "statsmodels", "joblib", "msgspec"}


def tables_of_lines():
    """Read the tables of the architecture page, that of the package and that of significance: part -> line."""
    page = (ROOT / "docs/architecture.md").read_text()
    tables = []
    for table in re.findall(r"(?:^    \d  .*\n)+", page, flags=re.M):
        rows = re.findall(r"^    (\d)  ((?:\w+ {1,3})*\w+)(?:  |$)", table, flags=re.M)
        tables.append({name: int(line) for line, names in rows for name in names.split()})
    return tables


def layers():
    """Give the table of the package."""
    return tables_of_lines()[0]


@cache
def tree_of(path):
    return ast.parse(path.read_text())


def part_of(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_parts(path):
    """Give the parts of the package that a file imports, anywhere in it: also in functions, and for types alone."""
    depth = len(path.relative_to(PACKAGE).parts)
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            names = [alias.name.split(".") for alias in node.names]
            yield from (name[1] for name in names if name[0] == "classy_aesop" and len(name) > 1)
        elif isinstance(node, ast.ImportFrom) and (
            node.level or (node.module or "").startswith("classy_aesop")
        ):
            if node.level and node.level < depth:
                continue  # inside the own part
            module = (node.module or "").removeprefix("classy_aesop").removeprefix(".")
            names = [module] if module else [alias.name for alias in node.names]
            yield from (name.split(".")[0] for name in names)


FILES = sorted(
    path
    for path in PACKAGE.rglob("*.py")
    if path.parent != PACKAGE or path.name not in ("__init__.py", "__main__.py")
)


def test_every_part_stands_in_the_table():
    assert {part_of(path) for path in FILES} == set(layers())


def test_the_names_of_the_page_stand_where_it_says():
    """Each name that docs/architecture.md gives with a file of the package or of its tests is in this file."""
    page = (ROOT / "docs" / "architecture.md").read_text()
    places = re.findall(r"`(\w+)` of\s+`([\w/]+\.py)`", page)
    assert len(places) > 15
    for name, file in places:
        folder = ROOT if file.startswith(("tests/", "classy_aesop/")) else PACKAGE
        assert re.search(rf"\b{name}\b", (folder / file).read_text()), f"{file} has no {name}"


@pytest.mark.slow
def test_imports_come_from_lines_above():
    line, wrong = layers(), []
    for path in FILES:
        own = part_of(path)
        imported = set(imported_parts(path)) - {own}
        above = {name for name, place in line.items() if place < line[own]}
        wrong += [
            f"{path.relative_to(PACKAGE)} (line {line[own]}) imports {name}"
            for name in sorted(imported - (set() if own == "significance" else above))
        ]
    assert not wrong


def test_rooms_of_significance_import_from_lines_above():
    lines = tables_of_lines()[1]
    room = PACKAGE / "significance"
    files = [path for path in room.rglob("*.py") if path != room / "__init__.py"]
    assert {path.relative_to(room).parts[0].removesuffix(".py") for path in files} == set(lines)
    wrong = []
    for path in files:
        own = path.relative_to(room).parts[0].removesuffix(".py")
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("classy_aesop"):
                other = node.module.split(".")[2]
                if other != own and not (lines[other] < lines[own] or lines[own] == lines[other] == 0):
                    wrong.append(f"{path.relative_to(room)} imports {other}")
    assert not wrong


MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in PACKAGE.rglob("*.py")
}


def imported_modules(tree):
    """Give the modules of the package that a syntax tree imports, also inside functions and for types alone."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("classy_aesop"):
            longer = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in MODULES else node.module for name in longer)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in MODULES)


def cycle(imports):
    """Give what is left when modules that import none of the others are taken away, again and again."""
    left = dict(imports)
    while left:
        free = [name for name, found in left.items() if not found & left.keys()]
        if not free:
            return sorted(left)
        for name in free:
            del left[name]
    return []


@pytest.mark.slow
def test_no_modules_import_each_other():
    imports = {name: set(imported_modules(tree_of(path))) - {name} for name, path in MODULES.items()}
    assert cycle(imports) == []


def loaded_by(code):
    """Give the top-level packages that a fresh interpreter holds after ``code``."""
    told = f"{code}\nimport sys; print(' '.join({{name.partition('.')[0] for name in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_help_and_import_load_nothing_heavy():
    code = "from classy_aesop.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass"
    assert not loaded_by(code) & HEAVY
    assert not loaded_by("import classy_aesop") & HEAVY


@pytest.mark.slow
def test_help_of_a_command_loads_no_tables():
    """The short help lists names of registries: these stand in modules that import pandas only inside functions."""
    from classy_aesop.cli.program import ALL_COMMANDS

    code = (
        "from classy_aesop.cli import main\n"
        f"for command in {[command.name for command in ALL_COMMANDS]}:\n"
        "    try: main([command, '--help'])\n"
        "    except SystemExit as stop: assert stop.code == 0"
    )
    assert not loaded_by(code) & {"pandas", "pyarrow", "sklearn", "nltk"}


@pytest.mark.slow
def test_commands_do_not_load_the_distributions_of_scipy_before_they_need_them():
    code = "from classy_aesop.cli import main\nassert main(['rouge', 'data_samples/2023', '--task', 'A', '-q']) == 0"
    code = f"{code}\nimport classy_aesop.answers.estimates, classy_aesop.answers.metrics"
    told = f"{code}\nimport sys; sys.exit('scipy.stats' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", told], stdout=subprocess.DEVNULL, cwd=ROOT).returncode == 0


@pytest.mark.slow
def test_a_wrong_command_line_loads_nothing_heavy():
    from docs.reference.commands import commands_page

    commands = re.findall(r"^##+ ([a-z-]+(?: [a-z-]+)?)$", commands_page(), flags=re.M)
    # The parser of a study is made of its function, which is imported for it.
    commands = [command for command in commands if not command.startswith("study ")]
    assert {"predict", "compare", "study"} < set(commands)
    code = (
        "from classy_aesop.cli import main\n"
        f"for command in {commands}:\n"
        "    try: main([*command.split(), '--no-such-option'])\n"
        "    except SystemExit as stop: assert stop.code == 2"
    )
    assert not loaded_by(code) & HEAVY


def test_public_names_are_there():
    import classy_aesop

    assert all(getattr(classy_aesop, name) is not None for name in classy_aesop.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        classy_aesop.nothing  # noqa: B018


def test_the_version_stands_in_one_place():
    import tomllib

    from classy_aesop.version import __version__

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "classy_aesop.version.__version__"}
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text()


def places_of(name):
    """Give where code has to say an option's name: parameters, keywords of calls, fields, and keys of tables."""
    for module, path in MODULES.items():
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef):
                names = [argument.arg for argument in (*node.args.args, *node.args.kwonlyargs)]
            elif isinstance(node, ast.Call):
                names = [keyword.arg for keyword in node.keywords]
            elif isinstance(node, ast.AnnAssign):
                names = [getattr(node.target, "id", "")]
            elif isinstance(node, ast.Dict):
                names = [getattr(key, "value", "") for key in node.keys]
            else:
                continue
            yield from [module] * names.count(name)


@pytest.mark.slow
@pytest.mark.parametrize("option", ["only", "limit_words"])
def test_an_option_costs_at_most_four_places(option):
    """It is declared, a field of what it chooses or changes, and, of a command alone, taken by it and handed on."""
    assert 2 <= len(list(places_of(option))) <= 4
