"""JSON lines read as Python reads them, however they are decoded."""

import gzip
import io
import json

import pytest

from classy_aesop.data import sources
from classy_aesop.data.records import json_lines
from classy_aesop.data.sources import Source, compress, open_bytes, whole
from classy_aesop.errors import DataWarning, InputError


def records(text):
    data = text if isinstance(text, bytes) else text.encode()
    return [record for _, record in json_lines(Source("x", data))]


@pytest.mark.parametrize(
    "line",
    [
        '{"a": NaN, "b": -Infinity}',
        '{"a": "\\ud800"}',
        '{"references": "\\ud83d"}',
        '{"a": 1e400}',
        '{"a": 1, "a": 2}',
        '{"a": -0}',
        '{"a": 0.1e-7}',
        f'{{"a": {10**40}}}',
        "{}",
    ],
)
def test_what_pythons_json_adds_is_read(line):
    assert repr(records(line)) == repr([json.loads(line)])


def test_blank_lines_and_the_byte_order_mark_are_ignored():
    assert records(b'\xef\xbb\xbf{"a": 1}\r\n\n \xc2\xa0 \n{"a": 2}') == [{"a": 1}, {"a": 2}]


def test_equal_references_of_several_lines_are_one_object():
    line = '{"references": [{"summarizer_id": "A", "text": "x"}]}\n'
    one, other = records(line * 2)
    assert one["references"] is other["references"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b'{"a": "caf\xe9"}', "x, line 2: byte 0xe9 at position 11 is not UTF-8"),
        (b'{"references": "caf\xe9"}', "x, line 2: byte 0xe9 at position 20 is not UTF-8"),
        (
            b'{"a": 1',
            "x, line 2: invalid or truncated JSON (Expecting ',' delimiter: line 1 column 8 (char 7))",
        ),
        (b"[1]", "x, line 2: found [1]; expected one JSON object a line"),
        (b'{"a": ' + b"[" * 10**5, "x, line 2: invalid or truncated JSON (it is nested too deeply)"),
    ],
)
def test_a_broken_line_is_refused_with_its_place(line, says):
    with pytest.raises(InputError) as caught:
        records(b'{"a": 0}\n' + line)
    assert str(caught.value).startswith(says)


def test_a_short_pipe_takes_little_memory(monkeypatch):
    """No read asks for more than a piece, whatever a pipe may hold."""
    asked = []

    class Pipe(io.BytesIO):
        def read(self, size=-1):
            asked.append(size)
            return super().read(size)

    assert sources._kept(Pipe(b"x" * 3_000_000), "-") == b"x" * 3_000_000
    assert max(asked) <= 1 << 20
    assert min(asked) > 0


zstd = pytest.importorskip("backports.zstd", reason="backports.zstd is not installed (extra zstd)")
TEXT = b"".join(b"%d\tsome row\n" % at for at in range(300))


def read(path):
    with whole(path), open_bytes(path) as stream:
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


def test_what_has_no_checksum_is_told(tmp_path, recwarn):
    path = tmp_path / "x.tsv.zst"
    for data in (compress(TEXT, path), b"", gzip.compress(TEXT)):
        path.with_name("x").write_bytes(data)
        read(path.with_name("x"))
    assert not recwarn
    path.write_bytes(zstd.compress(TEXT))
    with pytest.warns(DataWarning, match=r"x\.tsv\.zst: compressed by Zstandard without a checksum"):
        assert read(path) == TEXT
