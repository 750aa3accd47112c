"""Settings files of ROUGE-1.5.5: the scores are the original's, and what is wrong in them is one line."""

import json
import shlex
from pathlib import Path

import pytest

from classy_aesop import DataWarning, InputError, Rouge, read_corpus, read_scores
from classy_aesop.cli import main
from classy_aesop.reading import rouge_settings

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "rouge155_settings.json").read_text("utf-8"))
OPTIONS = {  # how ROUGE-1.5.5.pl was called: our options
    "-a settings.xml": {},
    "-l 12 -a settings.xml": {"limit_words": 12},
    "-b 50 -a settings.xml": {"limit_bytes": 50},
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Give a folder with the settings and texts of the oracle, from which they are named."""
    for name, content in ORACLE["files"].items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content.encode())
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("call", OPTIONS)
def test_scores_are_those_of_the_original(folder, call):
    """Also where a reference has the name of a summary, in which the original sees nothing special."""
    assert ORACLE["files"]["settings.xml"].count('<M ID="1">') == 6
    corpus = read_corpus(call.split()[-1])
    metrics = ("ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-W-1.2", "ROUGE-S4", "ROUGE-SU4")
    table = Rouge(metrics=metrics, **OPTIONS[call]).table(corpus, jackknife=False, statistics=("R", "P", "F"))
    scores = {
        (metric, f"{topic}.{system}"): f"{score:.5f}"
        for topic, system, metric, score in table[["topic", "summarizer", "metric", "score"]].itertuples(
            index=False
        )
    }
    expected = {
        (f"{metric}-{statistic}", name): f"{value:.5f}"
        for metric, name, *values in ORACLE["output"][call]
        for statistic, value in zip("RPF", values, strict=True)
    }
    assert scores == expected


@pytest.mark.slow
def test_validate_names_the_command_that_reads_them(folder, capsys):
    assert main(["validate", "settings.xml"]) == 0
    printed = capsys.readouterr().out
    assert "18, 0 of them by humans" in printed
    command = printed.partition("next: ")[2].splitlines()[0]
    assert command == "classy-aesop rouge settings.xml"
    assert main([*shlex.split(command)[1:], "--per-summary"]) == 0
    output = capsys.readouterr().out
    assert "1 ROUGE-1 Eval t1.1 R:" in output
    Path("ours.out").write_text(output)
    scores = read_scores("ours.out")  # our output is read as the original's is
    assert set(scores["topic"]) == {f"t{number}" for number in range(1, 7)}


def test_paths_are_of_the_current_folder_or_beside_the_settings(folder, monkeypatch):
    topics = read_corpus("settings.xml").topics
    monkeypatch.chdir("/")
    assert read_corpus(folder / "settings.xml").topics == topics


def settings_of(body, folder):
    """Write settings with one evaluation, with texts."""
    for name in ("a.txt", "b.txt"):
        (folder / name).write_text("Rain fell.\n")
    path = folder / "settings.xml"
    path.write_text(f'<ROUGE-EVAL version="1.0">\n<EVAL ID="1">\n{body}\n</EVAL>\n</ROUGE-EVAL>\n')
    return path


PEER = '<P ID="1">a.txt</P>'
MODEL = '<M ID="A">b.txt</M>'


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('<P ID="1">a.txt</P>\n<P ID="1">b.txt</P>', "xml, line 4: P 1 of EVAL 1 is given again"),
        ("<P>a.txt</P>", "xml, line 3: P without an ID"),
        ('<P ID=" ">a.txt</P>', "xml, line 3: the ID of P is ' '; expected text"),
        ('<P ID="1"> </P>', "xml, line 3: P 1 names no file"),
        (MODEL, "xml: no summaries; a corpus needs at least one"),
        (f'{PEER}\n</EVAL><EVAL ID="1">', "xml, line 4: EVAL 1 is given again; the first is line 2"),
        (
            f'<INPUT-FORMAT TYPE="SIMPLE"/>{PEER}',
            "line 3: INPUT-FORMAT is 'SIMPLE'; expected one of SEE, ISI, SPL",
        ),
        (
            f'{PEER}\n<M ID="A">no.txt</M>',
            r"xml, line 4: M A is \S*no\.txt, which is no file; expected its text",
        ),
        (f'{PEER}\n<M ID="A">{"x" * 3000}</M>', r"xml, line 4: M A is .{200,400}, which is no file"),
        (f"<PEER-ROOT>nowhere</PEER-ROOT>{PEER}{MODEL}", r"P 1 is \S*nowhere/a\.txt, which is no file"),
        (f'<INPUT-FORMAT TYPE="SEE"/>{PEER}', r"a\.txt: no sentence in the format SEE"),
        (f"{PEER}<PEERS>", r"line 4: not well-formed XML \(mismatched tag\)"),
        ("<P ID='1'>&file;</P>", r"line 3: not well-formed XML \(undefined entity\)"),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path, body, message):
    with pytest.raises(InputError, match=message):
        read_corpus(settings_of(body, tmp_path))


def test_no_entity_is_defined_and_no_device_is_read(tmp_path):
    path = settings_of(PEER + MODEL, tmp_path)
    document_type = '<!DOCTYPE x [<!ENTITY file SYSTEM "/etc/passwd">]>\n'
    path.write_text(document_type + path.read_text().replace("b.txt", "&file;"))
    with pytest.raises(InputError, match="line 1: a document type; expected settings of ROUGE without one"):
        read_corpus(path)
    with pytest.raises(InputError, match="M A is /dev/zero, which is no file"):
        read_corpus(settings_of(f"{PEER}<M ID='A'>/dev/zero</M>", tmp_path))


def test_sizes_are_limited(tmp_path, monkeypatch):
    path = settings_of(PEER + MODEL, tmp_path)
    monkeypatch.setattr(rouge_settings, "MAX_TEXT_BYTES", 5)
    with pytest.raises(InputError, match=r"\.txt: a text that is too large"):
        read_corpus(path)
    monkeypatch.setattr(rouge_settings, "MAX_SETTINGS_BYTES", 50)
    with pytest.raises(InputError, match="settings of more than 50 bytes"):
        read_corpus(path)


def test_a_summary_that_is_a_reference_of_other_topics_is_by_a_human(tmp_path):
    """As in evaluations that leave one reference out."""
    path = settings_of(f'{PEER}<P ID="B">b.txt</P>{MODEL}', tmp_path)
    [topic] = read_corpus(path)
    assert [summary.human for summary in topic.summaries] == [False, True]


def test_bytes_that_are_not_utf_8_are_counted(tmp_path):
    path = settings_of(PEER + MODEL, tmp_path)
    (tmp_path / "a.txt").write_bytes(b"caf\xe9 rain\n")
    with pytest.warns(DataWarning, match=r"1 bytes that are not UTF-8 replaced in 1 files: \S*a\.txt"):
        read_corpus(path)


@pytest.mark.filterwarnings("ignore")
def test_our_own_output_is_read_with_year_and_task(tmp_path):
    """The scores are those of the table that is written for programs."""
    corpus = str(Path(__file__).parent / "fixtures" / "UpdateSumm08_eval")
    command = ["rouge", corpus, "--metric", "2", "--per-summary", "-q"]
    assert main([*command, "-f", "text", "-o", str(tmp_path / "rouge.out")]) == 0
    assert main([*command, "-o", str(tmp_path / "rouge.csv")]) == 0
    keys = ["year", "topic", "task", "summarizer"]
    ours = read_scores(tmp_path / "rouge.out")
    table = read_scores(tmp_path / "rouge.csv")
    recalls = [
        frame[frame["metric"] == name].set_index(keys)["score"].sort_index()
        for frame, name in ((ours, "rouge-2.recall"), (table, "ROUGE-2-R"))
    ]
    assert len(recalls[0]) > 10
    assert recalls[0].to_dict() == recalls[1].to_dict()


def test_a_name_with_a_blank_in_output_is_refused(tmp_path):
    """Before, its lines were skipped in silence."""
    path = tmp_path / "rouge.out"
    path.write_text(
        "1 ROUGE-1 Eval t1.1 R:0.1 P:0.1 F:0.1\nmy one ROUGE-1 Eval t1.my one R:0.1 P:0.1 F:0.1\n"
    )
    with pytest.raises(InputError, match=r"line 2: found .*; expected seven words, 'peer metric Eval"):
        read_scores(path)
