"""Hostile archives: what no release holds is refused before it takes memory or time."""

import gzip
import io
import tarfile

import pytest

from classy_aesop import InputError, read_corpus
from classy_aesop.data import nist
from classy_aesop.errors import DataWarning

NAME = "UpdateSumm08_eval/ROUGE/peers/D0801-A.M.100.A.1"


def archive(size, content=b"", name=NAME):
    header = tarfile.TarInfo(name)
    header.size = size
    return header.tobuf(tarfile.GNU_FORMAT) + content


def refused(tmp_path, data, message, name="UpdateSumm08_eval.tar"):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_corpus(tmp_path / name, format="nist")
    assert str(caught.value).startswith(f"{tmp_path / name}: ")
    assert message in str(caught.value)


def test_a_size_beyond_all_memory(tmp_path):
    message = f"{NAME} has {10**13} bytes; expected at most 16777216"
    refused(tmp_path, archive(10**13, bytes(10240)), message)


def test_a_large_file_beside_the_summaries(tmp_path):
    refused(tmp_path, archive(2**32, bytes(10240), "x"), f"x has {2**32} bytes; expected at most 2147483648")


def test_an_archive_that_unpacks_to_more_than_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(nist, "LARGEST_ARCHIVE", 2**16)
    with_tail = archive(2, b"x.".ljust(512, b"\0") + bytes(2**22))
    refused(tmp_path, gzip.compress(with_tail), "it goes on beyond 65536 bytes", "UpdateSumm08_eval.tar.gz")


def test_a_name_that_is_not_utf8_is_refused(tmp_path):
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


@pytest.mark.parametrize("length", [0, 1, 12, 100])
def test_an_archive_that_is_cut(tmp_path, length):
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w:gz") as made:
        header = tarfile.TarInfo(NAME)
        header.size = 3
        made.addfile(header, io.BytesIO(b"One"))
    refused(tmp_path, whole.getvalue()[:length], "not a whole tar archive", "UpdateSumm08_eval.tar.gz")
