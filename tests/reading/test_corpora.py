import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from classy_aesop.errors import InputError
from classy_aesop.reading import READERS, read_corpus, read_jsonl, read_nist

FIXTURES = Path(__file__).parent / "fixtures"


def test_layouts_are_recognized(tmp_path):
    folder, root = FIXTURES / "jsonl", FIXTURES / "UpdateSumm08_eval"
    with tarfile.open(tmp_path / "UpdateSumm08_eval.tar.gz", "w:gz") as archive:
        archive.add(root, arcname=root.name)
    assert read_corpus(folder).topics == read_jsonl(folder).topics
    assert read_corpus(folder / "summaries.jsonl").topics == read_jsonl(folder / "summaries.jsonl").topics
    assert read_corpus(root).topics == read_nist(root).topics
    assert read_corpus(tmp_path / "UpdateSumm08_eval.tar.gz").topics == read_nist(root).topics
    assert read_corpus(str(root), layout="nist").years == ("2008",)


def test_options_are_handed_on():
    folder = FIXTURES / "jsonl"
    assert read_corpus(folder, year="2008").years == ("2008",)


def test_unknown_layouts_and_paths_are_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere: no such file or folder"):
        read_corpus(tmp_path / "nowhere")
    with pytest.raises(
        InputError, match=r"a folder of no files; expected a file, or a folder of summaries.jsonl"
    ):
        read_corpus(tmp_path)
    (tmp_path / "text.txt").write_text("words", encoding="utf-8")
    with pytest.raises(InputError, match=r"text\.txt: neither"):
        read_corpus(tmp_path / "text.txt")
    assert set(READERS) == {"jsonl", "lines", "nist", "rouge", "table"}


def test_importing_corpora_loads_no_pandas():
    code = "import classy_aesop.data, sys; print({'pandas', 'numpy', 'scipy', 'nltk'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_a_reader_that_gives_no_corpus_is_named(tmp_path, monkeypatch):
    (tmp_path / "it").write_text("")
    monkeypatch.setitem(READERS, "probe", lambda path: [1])
    with pytest.raises(TypeError, match="the reader of layout probe gives list; expected a Corpus"):
        read_corpus(tmp_path / "it", "probe")
