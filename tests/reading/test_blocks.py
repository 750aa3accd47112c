"""Blocks of lines end where topics change; compressed files are read as plain ones."""

import json
from random import Random

import pytest

from classy_aesop.errors import InputError
from classy_aesop.reading import Stream, byte_sources
from classy_aesop.reading import blocks as data_blocks


def lines(random):
    """Rows of topics of any number, with blank lines and both line ends among them."""
    for topic in range(random.randrange(1, 12)):
        for summarizer in range(random.randrange(1, 6)):
            row = {"topic": f"D{topic}", "summarizer": str(summarizer), "text": "x" * random.randrange(30)}
            yield json.dumps(row).encode() + random.choice([b"\n", b"\n", b"\r\n"])
            if random.random() < 0.2:
                yield random.choice([b"\n", b"  \n"])


@pytest.mark.slow
def test_blocks_end_where_topics_change_and_have_all_lines(tmp_path, monkeypatch):
    path, n_blocks = tmp_path / "some.jsonl", 0
    for seed in range(30):
        random = Random(seed)
        monkeypatch.setattr(data_blocks, "BLOCK_BYTES", random.choice([40, 150, 400]))
        written = b"".join(lines(random)).rstrip(b"\n" if seed % 2 else b"")
        path.write_bytes(written)
        found = list(Stream(path, layout="jsonl").blocks())
        n_blocks += len(found)
        assert b"".join(line for block in found for _, line in block.lines()) == written
        assert [one.start for one in found] == [0, *(one.stop for one in found)][:-1]
        before = [path.read_bytes()[: block.start].count(b"\n") for block in found]
        assert [block.line - 1 for block in found] == before
        topics = [{json.loads(line)["topic"] for _, line in block.lines() if b"D" in line} for block in found]
        assert sum(map(len, topics)) == len(set().union(*topics))
    assert n_blocks > 100


ROW = '{"topic": "D1", "summarizer": "1", "text": "x"}'


@pytest.mark.filterwarnings("ignore:(.*without references|.*ignored fields)")
@pytest.mark.parametrize(
    ("row", "line"),
    [
        (ROW, '{"topic": "D2", "summarizer": "1", "text": "x", "more": NaN}'),
        (f"\ufeff{ROW}", ROW.replace("D1", "D2")),
        (ROW, "{"),
        (ROW, "{}"),
    ],
)
def test_a_file_with_a_line_that_is_no_plain_row_is_sorted(tmp_path, row, line):
    """It is read as Python reads JSON, or refused by whoever sorts it."""
    (path := tmp_path / "some.jsonl").write_text(f"{row}\n{line}\n")
    assert data_blocks.divide_into_blocks(str(path)) is None
    if "D2" in line:
        [block] = Stream(path).blocks()
        assert [topic.topic for topic in block.corpus(())] == ["D1", "D2"]
    else:
        with pytest.raises(InputError, match=r"some.jsonl, line 2: "):
            list(Stream(path).blocks())


@pytest.mark.filterwarnings("ignore:.*without references")
def test_a_line_that_is_too_long_is_named(tmp_path, monkeypatch):
    for module, name in (
        (data_blocks, "MAX_LINE_BYTES"),
        (byte_sources, "MAX_LINE_BYTES"),
        (data_blocks, "BLOCK_BYTES"),
    ):
        monkeypatch.setattr(module, name, 60)
    row = '{"topic": "D%d", "summarizer": "1", "text": "%s"}\n'
    (path := tmp_path / "some.jsonl").write_text("".join(row % (n, "x" * 150 * (n == 7)) for n in range(9)))
    with pytest.raises(InputError, match=r"line 8: longer than 60 bytes"):
        [block.corpus(()) for block in Stream(path).blocks()]


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_compressed_files_are_known_by_their_first_bytes_and_refused_if_cut(ending, tmp_path):
    if ending == ".zst":
        pytest.importorskip("backports.zstd", reason="backports.zstd is not installed (extra zstd)")
    row = b'{"topic": "D1", "summarizer": "1", "text": "x", "references": {"A": "x"}}\n'
    packed = byte_sources.compress(row, f"x{ending}")
    (path := tmp_path / "x.jsonl").write_bytes(packed)
    [block] = Stream(path).blocks()
    assert [(topic.key, one.summarizer) for topic, one in block.corpus(()).summaries()] == [
        (("", "D1", ""), "1")
    ]
    (cut := tmp_path / f"cut.jsonl{ending}").write_bytes(packed[:-6])
    with pytest.raises(InputError, match=r"broken (gzip|Zstandard) file \(Compressed file ended before"):
        list(Stream(cut).blocks())
