"""Blocks of lines: where they end depends on the bytes alone, and compressed files are read as plain ones."""

import gzip
import json
from functools import partial
from random import Random

import pytest

from classy_aesop.data import Stream, read_corpus
from classy_aesop.data import blocks as data_blocks
from classy_aesop.data.blocks import Span
from classy_aesop.errors import InputError


def lines(random):
    """Rows of topics of any number, with blank lines, wrong lines and both line ends among them."""
    for topic in range(random.randrange(1, 12)):
        for summarizer in range(random.randrange(1, 6)):
            text = "x" * random.randrange(30)
            row = {"topic": f"D{topic}", "summarizer": str(summarizer), "text": text}
            yield json.dumps(row).encode() + random.choice([b"\n", b"\n", b"\r\n"])
            if random.random() < 0.2:
                yield random.choice([b"\n", b"  \n", b"{\n", b"\xff\n"])


def blocks(path):
    """All blocks of a file, each with the number of its first line."""
    return [block.placed() for piece in Stream(path).pieces() for block in piece]


def test_blocks_do_not_depend_on_who_reads_them(tmp_path, monkeypatch):
    path, n_spans = tmp_path / "some.jsonl", 0
    for seed in range(30):
        random = Random(seed)
        monkeypatch.setattr(data_blocks, "SIZE", random.choice([40, 150, 400]))
        written = b"".join(lines(random)).rstrip(b"\n" if seed % 2 else b"")
        path.write_bytes(b"\xef\xbb\xbf" * (seed % 3 == 0) + written)
        expected = list(Span(str(path)))
        assert b"".join(block.data for block in expected) == path.read_bytes()
        n_spans += sum(isinstance(piece, Span) for piece in Stream(path).pieces())
        assert [block.line for block in expected[1:]] == [
            1 + b"".join(block.data for block in expected[:at]).count(b"\n") for at in range(1, len(expected))
        ]
        assert blocks(path) == expected
    assert n_spans > 50


def test_a_block_ends_where_the_topic_changes(tmp_path, monkeypatch):
    path = tmp_path / "some.jsonl"
    row = '{{"topic": "{}", "summarizer": "{}", "text": "x"}}\n'.format
    path.write_text("".join(row(topic, at) for topic in "ABC" for at in range(4)))
    monkeypatch.setattr(data_blocks, "SIZE", 60)  # in the second line
    found = blocks(path)
    assert [(block.line, len(block.data.splitlines())) for block in found] == [(1, 4), (5, 4), (9, 4)]


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_compressed_files(ending, tmp_path):
    data = b'{"topic": "D1", "summarizer": "1", "text": "x", "references": {"A": "x"}}\n'
    if ending == ".zst":
        zstd = pytest.importorskip("backports.zstd", reason="backports.zstd is not installed (extra zstd)")
        checked = partial(zstd.compress, options={zstd.CompressionParameter.checksum_flag: 1})
    zipped = gzip.compress if ending == ".gz" else checked
    packed = zipped(data)
    named, unnamed, cut = (tmp_path / name for name in (f"a.jsonl{ending}", "b.jsonl", f"c.jsonl{ending}"))
    for path, content in ((named, packed + zipped(b"\n")), (unnamed, packed), (cut, packed[:-6])):
        path.write_bytes(content)
    for path in (named, unnamed):
        [block] = blocks(path)
        assert (block.name, [row.record.instance for row in block.rows()]) == (
            str(path),
            [("", "D1", "", "1")],
        )
    assert read_corpus(named.rename(tmp_path / f"a.json{ending}"), "jsonl").topics[0].references
    with pytest.raises(InputError, match=r"broken (gzip|Zstandard) file \(Compressed file ended before"):
        blocks(cut)
    cut.write_bytes(packed[:12] + b"\xff" * 30)
    with pytest.raises(InputError, match=r"broken (gzip|Zstandard) file"):
        blocks(cut)


def test_a_file_without_line_ends_is_not_read_to_its_end(tmp_path, monkeypatch):
    path = tmp_path / "long.jsonl"
    path.write_bytes(b"x" * 5_000)
    monkeypatch.setattr(data_blocks, "SIZE", 100)
    monkeypatch.setattr(data_blocks, "LONGEST_LINE", 300)
    [first, *_] = Stream(path).pieces()
    [block] = first
    assert len(block.data) < 1_000
    with pytest.raises(InputError, match=r"line 1: longer than 300 bytes"):
        block.corpus(())
