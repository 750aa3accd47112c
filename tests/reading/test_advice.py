"""Every option that a message advises is one that works: each piece of advice is taken, and run."""

import re
import shlex
from pathlib import Path

import pytest

from classy_aesop.cli import main
from classy_aesop.cli.program import GATE_EXIT_CODE

openpyxl = pytest.importorskip("openpyxl", reason="advice on workbooks: pip install openpyxl")

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
            "doc_id,rater,alpha,beta",
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


@pytest.mark.slow(after=1)
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


@pytest.mark.slow
def test_the_tables_are_asked_about_and_some_advice_is_taken(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    n_options = 0
    for text in TABLES.values():
        (tmp_path / "x.csv").write_text(text + "\n")
        main(["compare", "x.csv", "--metric", "fluency"])
        n_options += len(commands_in(capsys.readouterr().err))
    assert n_options >= 10


@pytest.mark.slow
def test_columns_that_may_name_the_systems_are_advised(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, option in (
        ("systems as a part of the topic", "system=prompt"),
        ("systems without names of systems", "systems=alpha,beta"),
    ):
        (tmp_path / "x.csv").write_text(TABLES[name] + "\n")
        assert main(["compare", "x.csv"]) == 1
        assert option in capsys.readouterr().err.rpartition("; expected --columns ")[2]
        assert main(["compare", "x.csv", "--columns", option]) == 0


def write_grades(name, header, row, items=ITEMS, encoding="utf-8"):
    """Write a file with a row for each item and system."""
    rows = [row(item, system, n) for item in items for n, system in enumerate(("alpha", "beta", "gamma"))]
    Path(name).write_text("\n".join([header, *rows]) + "\n", encoding=encoding)


def write_files():
    """Write files about which the program advises options."""
    write_grades("wer.csv", "doc_id,system,wer", lambda i, s, n: f"d{i},{s},{i * (n + 2) % 7}")
    write_grades(
        "copies.csv", "doc_id,system,fluency", lambda i, s, n: f"d{i},{s},{grade(i, n % 2)}", range(12)
    )
    ends = [f"d{i},s{n},{(5, 4, 2, 1, 3)[(2 * i + n) % 5]}" for i in range(3) for n in range(12)]
    Path("ends.csv").write_text("\n".join(["doc_id,system,fluency", *ends]) + "\n")
    for rater in "ab":
        write_grades(f"r_{rater}.csv", "doc_id,system,fluency", lambda i, s, n: f"d{i},{s},{grade(i, n)}")
    write_grades(
        "latin.csv", "doc_id,system,fluency", lambda i, s, n: f"é{i},{s},{grade(i, n)}", encoding="cp1252"
    )
    write_grades("words.csv", "doc_id,system,quality", lambda i, s, n: f"d{i},{s},{'uvw'[(i + n) % 3]}")
    write_grades("ranks.csv", "doc_id,system,place", lambda i, s, n: f"d{i},{s},{(i * i + n) % 3 + 1}")
    write_grades(
        "both.csv",
        "doc_id,system,fluency,rouge1,rouge2",
        lambda i, s, n: f"d{i},{s},{grade(i, n)},0.{grade(i, n)}3,0.{grade(n, i)}1",
    )
    write_grades(
        "texts.csv", "doc_id,system,said", lambda i, s, n: f"d{i},{s},Rain fell on day {i} in town {n}."
    )
    sheets = {
        "one": [f"d{i},{s},{grade(i, n)}" for i in ITEMS for n, s in enumerate("ab")],
        "two": ["no,scores,here"],
    }
    book = openpyxl.Workbook()
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in ["doc_id,system,fluency" if title == "one" else "who,what,when", *rows]:
            sheet.append([int(cell) if cell.isdigit() else cell for cell in row.split(",")])
    book.remove(book.worksheets[0])
    book.move_sheet("two", -1)
    book.save("book.xlsx")
    topics = "".join(f"D210{n}\t{'PQ'[n % 2]}\tx\n" for n in range(1, 6))
    Path("topics.tsv").write_text(f"topic\tassessor\tcategory\n{topics}")
    places = "\n".join(f"d{i},{(i + 1) % 3 + 1},{(i + 2) % 3 + 1},{i % 3 + 1}" for i in ITEMS)
    Path("places.csv").write_text(f"doc_id,alpha,beta,gamma\n{places}\n")
    pairs = ("alpha,beta", "gamma,alpha", "beta,gamma", "beta,alpha", "alpha,gamma", "gamma,beta")
    votes = "\n".join(f"q{i},{pairs[i % 6]},{'AB'[i % 5 > 2]}" for i in range(60))
    Path("votes.csv").write_text(f"item_id,model_a,model_b,winner\n{votes}\n")


ADVISED_TO = {
    "compare wer.csv": ("--lower-is-better wer", ""),
    "compare copies.csv": ("--exclude gamma", ""),
    "compare ends.csv": ("--scale 1,5", ""),
    "compare r_a.csv r_b.csv": ("--columns rater=#file", ""),
    "compare latin.csv": ("--encoding, such as cp1252", "--encoding cp1252"),
    "compare words.csv --columns topic=doc_id,system=system,measures=quality": (
        "--scale 'LEAST<...<MOST'",
        "--scale 'u<v<w'",
    ),
    "validate words.csv": ("--scale 'LEAST<...<MOST'", "--scale 'u<v<w'"),
    "validate wer.csv": ("--lower-is-better", "compare wer.csv --lower-is-better wer"),
    "validate places.csv": (
        "--lower-is-better METRIC",
        "compare places.csv --columns systems=alpha,beta,gamma --lower-is-better score",
    ),
    "compare both.csv --metric fluency --fail-if worse": ("--baseline NAME", "--baseline alpha"),
    "compare both.csv --metric fluency --baseline alpha --fail-if not-as-good": (
        "--equivalence=-0.1,inf",
        "",
    ),
    "evaluate both.csv --target fluency --correction bh": ("--correction needs --pairs", "--pairs"),
    "compare votes.csv --n-resamples 9": ("--n-resamples", "compare votes.csv --n-resamples 999"),
    "compare votes.csv --fail-if worse": ("--baseline NAME", "--baseline alpha"),
    "convert texts.csv -o out": ("--columns text=NAME", "--columns text=said"),
    "estimate both.csv --target fluency --baseline alpha": ("--differences", ""),
    "estimate both.csv": ("--target is missing; expected one of fluency", "--target fluency"),
    "estimate copies.csv --metric rouge1": ("--metric needs --scores", "--scores both.csv"),
    "estimate 2021/judgments.jsonl --target responsiveness --predictor published/news-relevance": (
        "expected --corpus IN",
        "--corpus 2021",
    ),
    "estimate 2021/judgments.jsonl --target responsiveness": (
        "peers no_models leaves them out",
        "--peers no_models",
    ),
    "estimate copies.csv": ("--exclude gamma", ""),
    "estimate r_a.csv r_b.csv": ("--columns rater=#file", ""),
    "estimate words.csv": ("--scale 'LEAST<...<MOST'", "--scale 'u<v<w'"),
    "power both.csv": ("--metric is missing; expected one of fluency", "--metric fluency"),
    "power both.csv --metric fluency --scores both.csv": ("--target is missing", "--target fluency"),
    "power wer.csv": ("--lower-is-better wer", ""),
    "power words.csv": ("--scale 'LEAST<...<MOST'", "--scale 'u<v<w'"),
    "power latin.csv": ("--encoding, such as cp1252", "--encoding cp1252"),
    "predict published/news-relevance": ("required: IN", "2021"),
    "predict published/news-relevance 2021 --groups": ("--groups needs --explain", "--explain"),
    "predict published/news-relevance --scores both.csv --join": (
        "--join needs a corpus; expected IN",
        "predict published/news-relevance 2021/summaries.jsonl --scores both.csv --join",
    ),
    "predict published/news-relevance texts.csv": ("--columns text=NAME", "--columns text=said"),
    "study label-agreement 2021/judgments.jsonl --target responsiveness": (
        "expected --scores FILE",
        "--scores 2021/judgments.jsonl",
    ),
    "study consistency 2021/judgments.jsonl": ("(--topic-labels)", "--topic-labels topics.tsv"),
    "validate book.xlsx": ("(--sheet NAME)", "--sheet one"),
}


@pytest.mark.slow(after=1)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("line", ADVISED_TO)
def test_an_option_that_a_message_advises_is_taken(line, folder, monkeypatch, capsys):
    """The message is there without the option, and gone with it; the command with it runs."""
    monkeypatch.chdir(folder)
    write_files()
    main(shlex.split(line))
    advice, option = ADVISED_TO[line]
    said = capsys.readouterr()
    assert advice in " ".join((said.err + said.out).split())
    taken = option if option.startswith(("compare ", "predict ")) else f"{line} {option or advice}"
    code = main(shlex.split(taken))
    said = capsys.readouterr()
    assert code == 0 or (code == GATE_EXIT_CODE and "--fail-if" in line), said.err
    assert advice not in said.err
