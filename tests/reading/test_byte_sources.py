"""JSON lines read as Python reads them, however they are decoded."""

import io

import pytest

from classy_aesop.errors import InputError
from classy_aesop.reading import byte_sources
from classy_aesop.reading.byte_sources import Source, compress, open_bytes, refuse_damaged
from classy_aesop.reading.summary_rows import json_lines


def records(text):
    data = text if isinstance(text, bytes) else text.encode()
    return [record for _, record in json_lines(Source("x", byte_sources._read_pipe(io.BytesIO(data), "x")))]


def test_blank_lines_and_the_byte_order_mark_are_ignored():
    assert records(b'\xef\xbb\xbf{"a": 1}\r\n\n \xc2\xa0 \n{"a": 2}') == [{"a": 1}, {"a": 2}]


def test_a_short_pipe_takes_little_memory(monkeypatch):
    """No read asks for more than a piece, whatever a pipe may hold."""
    asked = []

    class Pipe(io.BytesIO):
        def read(self, size=-1):
            asked.append(size)
            return super().read(size)

    content = byte_sources._read_pipe(Pipe(b"x" * 3_000_000), "-")
    assert byte_sources.Source("-", content).text() == "x" * 3_000_000
    assert max(asked) <= 1 << 20
    assert min(asked) > 0


zstd = pytest.importorskip("backports.zstd", reason="backports.zstd is not installed (extra zstd)")
TEXT = b"".join(b"%d\tsome row\n" % at for at in range(300))


def read(path):
    with refuse_damaged(path), open_bytes(path) as stream:
        return stream.read()


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_no_flipped_bit_is_read(tmp_path, ending):
    """Where the text is another one; bits of a gzip header say nothing of it."""
    path = tmp_path / f"x.tsv{ending}"
    packed = compress(TEXT, path) + compress(b"more", path)
    path.write_bytes(packed)
    assert read(path) == TEXT + b"more"
    for at in range(0, len(packed), 7):
        for bit in (1, 128):
            path.write_bytes(packed[:at] + bytes([packed[at] ^ bit]) + packed[at + 1 :])
            try:
                assert read(path) == TEXT + b"more", at
            except InputError:
                continue


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "utf-8"])
def test_a_mark_says_the_encoding_of_a_table(encoding, tmp_path):
    """A spreadsheet saves Unicode text in UTF-16 with a mark, from either end."""
    path = tmp_path / "scores.txt"
    path.write_text("item\tscore\ncafé\t3\n", encoding=encoding)
    assert Source.from_path(path).text() == "item\tscore\ncafé\t3\n"
