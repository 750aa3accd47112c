import gzip
import io
import math
import shutil
import tarfile
import warnings
from pathlib import Path

import pandas as pd
import pytest

from classy_aesop.data import key_table, matrix
from classy_aesop.errors import DataWarning, InputError
from classy_aesop.reading import align_scores, nist, read_aesop, read_corpus, read_nist, read_nist_output
from classy_aesop.work.files import protect_inputs, refuse_input

FIXTURES = Path(__file__).parent / "fixtures"
ROOT_2008, ROOT_2010 = FIXTURES / "UpdateSumm08_eval", FIXTURES / "GuidedSumm2010_eval"


@pytest.fixture
def release(tmp_path):
    """Give a copy to be spoilt; as 2009's it has the same layout with other names."""

    def copy(year="2010"):
        if year == "2008":
            return Path(shutil.copytree(ROOT_2008, tmp_path / ROOT_2008.name))
        root = Path(shutil.copytree(ROOT_2010, tmp_path / f"GuidedSumm{year}_eval"))
        for file in [file for file in root.rglob("*") if file.is_file()]:
            text = file.read_text(encoding="utf-8").replace("D10", f"D{year[2:]}")
            file.unlink()
            (file.parent / file.name.replace("D10", f"D{year[2:]}")).write_text(text, encoding="utf-8")
        return root

    return copy


def edit(file, at, old, new):
    lines = file.read_text(encoding="utf-8").splitlines()
    assert old in lines[at]
    lines[at] = lines[at].replace(old, new)
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def judgment(corpus, *key):
    rows = corpus.judgments.set_index(["topic", "task", "summarizer", "metric"])["score"]
    return rows[key]


@pytest.mark.parametrize(
    ("root", "year", "topics"),
    [(ROOT_2008, "2008", ("D0801", "D0802")), (ROOT_2010, "2010", ("D1001", "D1002"))],
)
def test_release_by_counts_and_first_tenth_last(root, year, topics):
    corpus = read_nist(root)
    summaries = [(*topic.key, summary.summarizer) for topic, summary in corpus.summaries()]
    assert [topic.key for topic in corpus] == [(year, name, task) for name in topics for task in "AB"]
    assert len(summaries) == 28
    assert summaries[0] == (year, topics[0], "A", "A")
    assert summaries[9] == (year, topics[0], "B", "C")
    assert summaries[-1] == (year, topics[1], "B", "10")
    assert len(corpus.judgments) == 12 * 4 + 16 * 3  # no pyramid with four references for humans
    assert set(corpus.judgments[corpus.judgments["metric"] == "pyramid"]["summarizer"]) == {"0", "2", "10"}


@pytest.mark.parametrize(
    ("root", "topic", "summarizer", "scores"),
    [
        (ROOT_2008, "D0801", "0", [0.488, 0.512, 2, 2]),  # D0801-A 0 0.488 3 1 F 0.512 2 2
        (ROOT_2010, "D1001", "0", [0.269, 0.282, 1, 4]),  # D1001-A 0 0.269 5 2 15 12 0.282 1 4
        (ROOT_2010, "D1001", "C", [None, 0.577, 4, 5]),  # D1001-A C 6 18 10 0.577 4 5
    ],
)
def test_columns_of_manual_scores(root, topic, summarizer, scores):
    measures = ("pyramid", "pyramid_jackknifed", "readability", "responsiveness")
    for measure, score in zip(measures, scores, strict=True):
        if score is not None:
            assert judgment(read_nist(root), topic, "A", summarizer, measure) == score


def test_humans_meet_the_other_three_and_systems_all_four():
    corpus = read_nist(ROOT_2008)
    for topic in corpus:
        for summary in topic.summaries:
            assert sum(topic.meets(summary)) == (3 if summary.human else 4)
            assert summary.human == summary.summarizer.isalpha()
        assert len(topic.earlier_references) == (4 if topic.task == "B" else 0)
    first, *_, last = (summary.text for _, summary in corpus.summaries())
    assert (len(first), last) == (3, ())  # line breaks are sentence breaks, and empty summaries stay


@pytest.mark.slow(after=4)
@pytest.mark.parametrize("mode", ["w", "w:gz", "w:xz"])
@pytest.mark.parametrize("arcname", [ROOT_2008.name, f"./{ROOT_2008.name}", f"tac/{ROOT_2008.name}"])
def test_archive_reads_as_folder(tmp_path, mode, arcname):
    with tarfile.open(tmp_path / "eval.tar", mode) as archive:
        archive.add(ROOT_2008, arcname=arcname)
    archived, unpacked = read_nist(tmp_path / "eval.tar"), read_nist(ROOT_2008)
    assert archived.topics == unpacked.topics
    pd.testing.assert_frame_equal(archived.judgments, unpacked.judgments)
    assert [file.name for file in tmp_path.iterdir()] == ["eval.tar"]


def test_an_archive_that_is_read_is_not_written_over(tmp_path):
    """However it was named: by a configuration, for example."""
    path = tmp_path / "UpdateSumm08_eval.tar"
    with tarfile.open(path, "w") as archive:
        archive.add(ROOT_2008, ROOT_2008.name)
    with protect_inputs([]):
        read_nist(path)
        with pytest.raises(FileExistsError, match="is read by this command"):
            refuse_input(path)


def packed(tmp_path, mode):
    """Pack a release as its own tools would; give the file and what it reads as."""
    path = tmp_path / "UpdateSumm08_eval.tar.gz"
    with tarfile.open(path, mode) as archive:
        archive.add(ROOT_2008, arcname=ROOT_2008.name)
    return path, read_nist(path).topics


def refused(path):
    """Read an archive; give its topics, or the one line that refuses it."""
    try:
        return read_corpus(path, year="2008").topics
    except InputError as error:
        message = str(error)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return message


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::classy_aesop.errors.DataWarning")
@pytest.mark.parametrize("mode", ["w:gz", "w:bz2", "w:xz"])
def test_every_flipped_bit_of_a_compressed_archive_is_found_or_harmless(tmp_path, mode):
    path, topics = packed(tmp_path, mode)
    whole = path.read_bytes()
    n_bits, n_found = 8 * len(whole), 0
    for bit in range(0, n_bits, n_bits // 388):
        flipped = bytearray(whole)
        flipped[bit // 8] ^= 1 << bit % 8
        path.write_bytes(flipped)
        found = refused(path)
        assert found == topics or isinstance(found, str), bit
        n_found += isinstance(found, str)
    assert n_found > 350


@pytest.mark.filterwarnings("ignore::classy_aesop.errors.DataWarning")
def test_a_flipped_bit_in_a_header_or_in_the_end_of_a_plain_archive_is_found(tmp_path):
    """The texts of a plain archive have no checksum; its headers and its end have."""
    path, topics = packed(tmp_path, "w")
    whole = path.read_bytes()
    with tarfile.open(path) as archive:
        headers = [member.offset for member in archive]
        end = archive.offset
    for at, block in enumerate([*headers[::7], end, end + 512]):
        flipped = bytearray(whole)
        flipped[block + 37 * at % 500] ^= 1 << at % 8
        path.write_bytes(flipped)
        found = refused(path)
        assert isinstance(found, str) or found == topics, block
    for block in (headers[3], headers[-1], end):  # in a name, and in the first zeros
        flipped = bytearray(whole)
        flipped[block + 5] ^= 1
        path.write_bytes(flipped)
        assert "not a whole tar archive" in refused(path)


def test_links_and_paths_upwards_in_an_archive_are_never_followed(tmp_path):
    (secret := tmp_path / "secret").write_text("not for the corpus", encoding="utf-8")
    with tarfile.open(tmp_path / "eval.tar", "w") as archive:
        archive.add(ROOT_2008, arcname=ROOT_2008.name)
        link = tarfile.TarInfo(f"{ROOT_2008.name}/ROUGE/peers/D0801-A.M.100.F.77")
        link.type, link.linkname = tarfile.SYMTYPE, str(secret)
        archive.addfile(link)
        up = tarfile.TarInfo("../outside")
        up.size = 1
        archive.addfile(up, io.BytesIO(b"x"))
    assert read_nist(tmp_path / "eval.tar").topics == read_nist(ROOT_2008).topics
    assert not (tmp_path.parent / "outside").exists()


def test_extra_letter_of_document_sets_is_dropped(release):
    root = release("2010")
    for file in [file for part in ("models", "peers") for file in (root / "ROUGE" / part).iterdir()]:
        file.rename(file.parent / file.name.replace("-", "C-"))
    assert read_nist(root).topics == read_nist(ROOT_2010).topics


def test_ten_points_in_2009_and_five_in_other_years(release):
    for year in ("2009", "2011"):
        root = release(year)
        edit(root / "manual/manual.peer.A", 0, " 1 4", " 1 10")
        if year == "2009":
            assert judgment(read_nist(root), "D0901", "A", "0", "responsiveness") == 10
        else:
            place = rf"{root.name}/manual/manual\.peer\.A, line 1"
            with pytest.raises(InputError, match=f"{place}: responsiveness is 10; expected 1 to 5"):
                read_nist(root)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("0.269", "-0.1", "pyramid is -0.1; expected 0 or more"),
        ("0.269", "high", "pyramid is 'high'; expected a number"),
        (" 1 4", " 0 4", "readability is 0; expected 1 to 5"),
        (" 1 4", " 1", "9 columns; expected at least 10"),
        ("D1001-A", "D1001", "'D1001' is not a document set; expected one like D0845-A"),
    ],
)
def test_bad_manual_score_is_refused_with_its_line(release, old, new, says):
    root = release()
    edit(root / "manual/manual.peer.A", 0, old, new)
    with pytest.raises(InputError) as caught:
        read_nist(root)
    assert str(caught.value) == f"{root}/manual/manual.peer.A, line 1: {says}"


def test_repeated_and_homeless_judgments_are_refused(release):
    root = release()
    manual = root / "manual/manual.peer.A"
    edit(manual, 0, "0.269", "NaN")
    assert pd.isna(judgment(read_nist(root), "D1001", "A", "0", "pyramid"))  # is kept missing
    edit(manual, 1, "D1001-A 2 ", "D1001-A 0 ")
    with pytest.raises(InputError, match=r"line 2: 2010 D1001-A 0: pyramid is given again"):
        read_nist(root)
    edit(manual, 1, "D1001-A 0 ", "D1001-A 99 ")
    with pytest.raises(InputError, match="1 judgments without a summary: 2010 D1001-A 99"):
        read_nist(root)


def test_stray_bytes_are_replaced_and_counted(release):
    root = release("2008")
    file = root / "ROUGE/peers/D0801-A.M.100.F.2"
    file.write_bytes(b"The caf\xe9 \xff closed.\nIt rained.\n")
    says = r"2 bytes that are not UTF-8 replaced in 1 files: ROUGE/peers/D0801-A\.M\.100\.F\.2"
    with pytest.warns(DataWarning, match=says):
        corpus = read_nist(root)
    texts = {(topic.topic, topic.task, one.summarizer): one.text for topic, one in corpus.summaries()}
    assert texts["D0801", "A", "2"] == ("The caf\ufffd \ufffd closed.", "It rained.")


def test_strange_files_and_missing_tables_are_warned_of(release):
    root = release("2008")
    (root / "ROUGE/peers/notes.txt").touch()
    with pytest.warns(DataWarning, match=r"not those of summaries: ROUGE/peers/notes\.txt"):
        read_nist(root)
    (root / "ROUGE/peers/notes.txt").unlink()
    (root / "manual/manual.model").unlink()
    with pytest.warns(DataWarning, match=r"no manual/manual\.model: these summaries have no judgments"):
        corpus = read_nist(root)
    assert not any(summary.human for _, summary in corpus.summaries())
    assert all(len(topic.references) == 4 for topic in corpus)


def test_year_is_recognized_or_given(release, tmp_path):
    unnamed = release("2010").rename(tmp_path / "release")
    with pytest.raises(InputError, match="year is ''; expected 2008 to 2011"):
        read_nist(unnamed)
    assert read_nist(unnamed, year="2010").topics == read_nist(ROOT_2010).topics


def test_no_release_is_refused(tmp_path):
    with pytest.raises(InputError, match="no summaries in ROUGE/peers; expected one TAC release"):
        read_nist(tmp_path)
    with tarfile.open(tmp_path / "two.tar", "w") as archive:
        for root in (ROOT_2008, ROOT_2010):
            archive.add(root, arcname=root.name)
    with pytest.raises(InputError, match="several releases"):
        read_nist(tmp_path / "two.tar")
    with pytest.raises(FileNotFoundError, match="nowhere"):
        read_nist(tmp_path / "nowhere")


# --- hostile archives: what no release holds is refused before it takes memory or time ---

NAME = "UpdateSumm08_eval/ROUGE/peers/D0801-A.M.100.A.1"


def archive(size, content=b"", name=NAME):
    header = tarfile.TarInfo(name)
    header.size = size
    return header.tobuf(tarfile.GNU_FORMAT) + content


@pytest.mark.parametrize(
    ("data", "name", "message"),
    [
        (archive(10**13, bytes(10240)), "", f"{NAME} has {10**13} bytes; expected at most 16777216"),
        (archive(2**32, bytes(10240), "x"), "", f"x has {2**32} bytes; expected at most 2147483648"),
        (
            gzip.compress(archive(2, b"x.".ljust(512, b"\0") + bytes(2**22))),
            ".gz",
            "is larger than 65536 bytes",
        ),
    ],
)
def test_what_is_larger_than_any_release_is_refused(tmp_path, monkeypatch, data, name, message):
    if name:
        monkeypatch.setattr(nist, "MAX_ARCHIVE_BYTES", 2**16)
    (path := tmp_path / f"UpdateSumm08_eval.tar{name}").write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_corpus(path, layout="nist")
    assert str(caught.value).startswith(f"{path}: {message}") or message in str(caught.value)


def test_a_name_that_is_not_utf8_is_refused_release(tmp_path):
    """It would become a summarizer's, in rows that nothing can read."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w") as made:
        for name in (NAME, NAME.replace("peers", "models")[:-1] + "caf\udce9"):
            header = tarfile.TarInfo(name)
            header.size = 3
            made.addfile(header, io.BytesIO(b"One"))
    (tmp_path / "UpdateSumm08_eval.tar").write_bytes(whole.getvalue())
    with (
        pytest.raises(InputError, match=r"caf.udce9'; expected whole characters"),
        pytest.warns(DataWarning, match="have no judgments"),
    ):
        read_corpus(tmp_path / "UpdateSumm08_eval.tar")


# --- NIST's output and AESOP's tables ---

ROUGE = FIXTURES / "GuidedSumm2010_eval" / "ROUGE"


AESOP = FIXTURES / "AESOP09_eval" / "data" / "aesop_allpeers_A"


def test_rouge_output_by_count_and_first_tenth_last():
    frame = read_nist_output(ROUGE / "rouge_A.m.out")
    assert len(frame) == 3 * 2 * 3  # systems, metrics, statistics
    assert frame.iloc[0].tolist() == ["2010", "D1001", "A", "0", "rouge-2.recall", 0.13106]
    assert frame.iloc[9].tolist() == ["2010", "D1001", "A", "0", "rouge-su4.recall", 0.06961]
    assert frame.iloc[-1].tolist() == ["2010", "D1001", "A", "10", "rouge-su4.f1", 0.16102]


def test_jackknifed_output_is_averaged():
    plain, frame = (read_nist_output(ROUGE / f"rouge{kind}_A.m.out") for kind in ("", "jk"))
    assert len(frame) == 4 * 2 * 3  # a person too
    assert "assessor" not in frame
    values, summarizers, _ = matrix(frame, "rouge-2.recall")
    assert summarizers == ("0", "2", "10", "A")
    # left-out values are 0, .01, .02 and .03 above the plain one, so their mean is .015 above
    assert values[:3] == pytest.approx(matrix(plain, "rouge-2.recall")[0] + 0.015)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (
            "Eval D1001.M.1.F.1 R:0.1 P:0.1 F:0.1",
            ", line 2: 'D1001.M.1.F.1' is not the file name of a summary",
        ),
        (
            "Eval D1001-A.M.1.F.1 R:0.1 R:0.1 F:0.1",
            ", line 2: found '1 ROUGE-2 Eval D1001-A.M.1.F.1 R:0.1 R:0.1 F",
        ),
        ("Eval D1001-A.M.1.F.1 R:0.1 P:x F:0.1", ", line 2: rouge-2.precision is 'x'; expected a number"),
        ("Average_R: 0.1 (95%-conf.int. 0.1 - 0.1)", ": no lines of single summaries"),
    ],
)
def test_bad_output_is_refused_with_its_line(tmp_path, line, says):
    (path := tmp_path / "rouge_A.m.out").write_text(f"-----\n1 ROUGE-2 {line}\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_nist_output(path)
    assert str(caught.value).startswith(f"{path}{says}")


def test_aesop_table_by_count_and_first_tenth_last():
    frame = read_aesop(AESOP)
    assert len(frame) == 27
    assert frame.iloc[0].tolist() == ["2009", "D0901", "A", "A", "1", 0.27494]
    assert frame.iloc[9].tolist() == ["2009", "D0901", "A", "1", "1", 0.07531]
    assert frame.iloc[-1].tolist()[:5] == ["2009", "D0944", "A", "12", "3"]
    assert math.isnan(frame["score"].iloc[-1])


def test_aesop_topics_of_other_years(tmp_path):
    folder = tmp_path / "AESOP2011_eval_V1.2" / "data"
    folder.mkdir(parents=True)
    path = folder / "aesop_allpeers_B"
    path.write_text("peer topic scores\nS7 T5 0.25 0.5\n", encoding="utf-8")
    frame = read_aesop(path)
    assert frame.iloc[0].tolist() == ["2011", "D1105", "B", "7", "1", 0.25]
    assert frame["metric"].tolist() == ["1", "2"]
    path.write_text("peer topic r2 su4\nS7 T5 0.25 0.5\n", encoding="utf-8")
    assert read_aesop(path)["metric"].tolist() == ["r2", "su4"]
    assert read_aesop(path, year="2010")["topic"].tolist() == ["D1005", "D1005"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("S7 T5 0.25", "1 scores; expected 2"),
        ("7 T5 0.25 1", "expected S<summarizer> T<number> and scores"),
        ("S7 Tx 0.25 1", "expected S<summarizer> T<number> and scores"),
        ("S7", "expected S<summarizer> T<number> and scores"),
        ("S7 T5 0.25 x", "metric 2 is 'x'; expected a number"),
        ("S7 T4 1 1", "given again"),
    ],
)
def test_bad_aesop_line_is_refused(tmp_path, line, says):
    path = tmp_path / "aesop_allpeers_A"
    path.write_text(f"peer topic 1 2\nS7 T4 0 0\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_aesop(path, year="2009")
    assert str(caught.value).startswith(f"{path}, line 3: ")
    assert says in str(caught.value)


def test_aesop_year_and_task_must_be_known(tmp_path):
    with pytest.raises(InputError, match="year is '2008' and task is 'e'; expected 2009 to 2011, and A or B"):
        read_aesop(tmp_path / "table", year="2008")


def test_output_joins_the_release_that_it_is_of():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        corpus = read_corpus(FIXTURES / "GuidedSumm2010_eval").select(tasks=["A"])
    instances = key_table((*topic.key, one.summarizer) for topic, one in corpus.summaries())
    frame = read_nist_output(ROUGE / "rougejk_A.m.out")
    with pytest.warns(DataWarning, match=r"missing: rouge-2.recall of "):
        wide = align_scores(instances, frame)
    joined = instances.assign(score=wide["rouge-2.recall"]).dropna()
    expected = frame[frame["metric"] == "rouge-2.recall"].set_index("summarizer")["score"].to_dict()
    assert len(joined) > 0
    for name, score in zip(joined["summarizer"], joined["score"], strict=True):
        assert score == expected[name]
