"""The sample that comes with the package: the committed files are what the generator writes."""

import json
from collections import Counter
from pathlib import Path

import pytest

from classy_aesop.data.generator.__main__ import main
from classy_aesop.data.generator.sample import SEED, YEARS

SAMPLE = Path(__file__).parents[3] / "data_samples"


def rows(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.slow
def test_committed_sample_is_what_the_command_writes(tmp_path):
    main(["-o", str(tmp_path)])
    written = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*.jsonl"))
    assert written == sorted(path.relative_to(SAMPLE) for path in SAMPLE.glob("2*/*.jsonl"))
    for name in ("topics.tsv", "units.tsv"):
        assert (tmp_path / name).read_text() == (SAMPLE / name).read_text()
    for path in written:
        assert (tmp_path / path).read_bytes() == (SAMPLE / path).read_bytes(), path


@pytest.mark.slow
def test_other_seed_writes_another_sample(tmp_path):
    main(["-o", str(tmp_path), "--seed", str(SEED + 1)])
    name = "2021/summaries.jsonl"
    assert (tmp_path / name).read_bytes() != (SAMPLE / name).read_bytes()


def test_negative_seed_is_refused(tmp_path, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["-o", str(tmp_path / "new"), "--seed", "-1"])
    assert stop.value.code == 2
    assert "--seed is -1; expected 0 or more" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("year", YEARS)
def test_counts_of_a_year(year):
    summaries = rows(SAMPLE / year / "summaries.jsonl")
    # 12 topics x 2 tasks x (12 systems + 4 persons)
    assert len(summaries) == 384
    assert {row["year"] for row in summaries} == {year}
    by_instance = Counter((row["instance_id"], row["summarizer_type"]) for row in summaries)
    assert len({instance for instance, _ in by_instance}) == 24
    assert all(n == {"peer": 12, "reference": 4}[kind] for (_, kind), n in by_instance.items())
    written = Counter(row["summarizer_id"] for row in summaries)
    assert written == {**dict.fromkeys("ABCDEFGH", 12), **{str(i): 24 for i in range(1, 13)}}


@pytest.mark.parametrize("year", YEARS)
def test_judgments_have_the_keys_of_the_summaries(year):
    def keys(name):
        return [
            (r["year"], r["instance_id"], r["summarizer_id"], r["summarizer_type"])
            for r in rows(SAMPLE / year / name)
        ]

    assert keys("summaries.jsonl") == keys("judgments.jsonl")
    assert len(set(keys("summaries.jsonl"))) == 384


def test_sample_is_small_and_ascii():
    data = b"".join(path.read_bytes() for path in SAMPLE.rglob("*.jsonl"))
    assert len(data) < 4_000_000
    assert data.isascii()
