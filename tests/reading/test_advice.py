"""Every option that a message advises is one that works: each piece of advice is taken, and run."""

import re
import shlex

import pytest

from classy_aesop.cli import main

ITEMS = range(8)


def grade(item, system):
    return 1 + (item * 3 + system * 2) % 5


def wide(names):
    """Write a row an item, with a column of grades for each name."""
    rows = [[f"d{item}", *(str(grade(item, n)) for n, _ in enumerate(names))] for item in ITEMS]
    return "\n".join(",".join(row) for row in [["doc_id", *names], *rows])


def long(header, row):
    """Write a row for each item and system."""
    rows = [row(item, system, grade(item, n)) for item in ITEMS for n, system in enumerate(("alpha", "beta"))]
    return "\n".join([header, *rows])


TABLES = {
    "systems, raters or measures": wide(["alpha", "beta", "gamma"]),
    "systems or raters, by measures": wide(
        [f"{name}_{measure}" for name in ("dense", "lexical") for measure in ("fluency", "coherence")]
    ),
    "a measure of each of several": wide(["score_alpha", "score_beta", "score_gamma"]),
    "systems or raters": long("doc_id,who,fluency", lambda i, s, g: f"d{i},{s},{g}"),
    "raters without names": long("doc_id,system,fluency", lambda i, s, g: f"d{i},{s},{g}\nd{i},{s},{6 - g}"),
    "no topic": long("system,fluency", lambda i, s, g: f"{s},{g}"),
    "an unknown topic": long("zz,system,fluency", lambda i, s, g: f"z{i},{s},{g}").rsplit("\n", 1)[0],
    "numbers by no name of scores": long(
        "doc_id,system,fluency,qqq", lambda i, s, g: f"d{i},{s},{g},{g * 7 % 4}.5"
    ),
    "systems as a part of the topic": long(
        "doc_id,prompt,rater,fluency", lambda i, s, g: f"d{i},{s},ann,{g}\nd{i},{s},bob,{6 - g}"
    ),
    "systems without names of systems": "\n".join(
        [
            "doc_id,rater,v1,v2",
            *(f"d{i},{rater},{grade(i, 1)},{grade(i, 2)}" for i in ITEMS for rater in ("ann", "bob")),
        ]
    ),
    "two topics": long("doc_id,prompt_id,system,fluency", lambda i, s, g: f"d{i // 2},p{i},{s},{g}"),
    "sides without systems": long(
        "item_id,output_a,output_b,winner", lambda i, s, g: f"{i}{s},x{i},y{i},{'AB'[g % 2]}"
    ),
    "control rows": long(
        "doc_id,system,kind,fluency", lambda i, s, g: f"d{i},{s},main,{g}" + f"\nd{i},{s},check,1" * (i < 2)
    ),
}
ADVISED = re.compile(r"--columns ((?:'[^']*'|[^\s;'])+)((?: --scale \S+)?)|(--task \S+)")


def commands_in(text):
    """Give the options that a text advises."""
    return [shlex.split(match[0].replace("=NAME", "=qqq").rstrip(").;")) for match in ADVISED.finditer(text)]


@pytest.mark.parametrize("name", TABLES)
def test_what_is_advised_works(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.csv").write_text(TABLES[name] + "\n")
    code = main(["compare", "x.csv", "--metric", "fluency"])
    said = capsys.readouterr()
    advice = commands_in(said.err)
    assert advice or code == 0 or "validate x.csv shows" in said.err, said.err
    main(["validate", "x.csv"])
    printed = [
        shlex.split(line)[1:]
        for line in capsys.readouterr().out.splitlines()
        if line.startswith("    classy-aesop ")
    ]
    for words in [
        *(["validate", "x.csv", *options] for options in advice if "--task" not in options),
        *printed,
    ]:
        assert main(words) == 0, (words, capsys.readouterr().err)
        assert "given again" not in capsys.readouterr().out
    for options in advice:
        if "--task" in options:
            assert main(["compare", "x.csv", "--metric", "fluency", *options]) == 0


def test_the_tables_are_asked_about_and_some_advice_is_taken(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    n_options = 0
    for text in TABLES.values():
        (tmp_path / "x.csv").write_text(text + "\n")
        main(["compare", "x.csv", "--metric", "fluency"])
        n_options += len(commands_in(capsys.readouterr().err))
    assert n_options >= 10


def test_columns_that_may_name_the_systems_are_advised(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, option in (
        ("systems as a part of the topic", "system=prompt"),
        ("systems without names of systems", "systems=v1,v2"),
    ):
        (tmp_path / "x.csv").write_text(TABLES[name] + "\n")
        assert main(["compare", "x.csv"]) == 1
        assert option in capsys.readouterr().err.rpartition("; expected --columns ")[2]
        assert main(["compare", "x.csv", "--columns", option]) == 0
