"""The samples: the committed files are what the command writes."""

from pathlib import Path

import pytest

from benchmarks.made_up.__main__ import SEED, main

ROOT = Path(__file__).parents[3]


def files_of(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_committed_sample_is_what_the_command_writes(tmp_path):
    main(["-o", str(tmp_path)])
    written, committed = files_of(tmp_path), files_of(ROOT / "data_samples")
    assert len(written) == 8
    assert {name: committed.get(name) for name in written} == written


@pytest.mark.slow
def test_the_sample_of_the_package_is_its_first_four_topics(tmp_path):
    main(["-o", str(tmp_path), "--topics", "4"])
    shipped = files_of(ROOT / "classy_aesop" / "sample")
    assert files_of(tmp_path) == {name: of for name, of in shipped.items() if "tutorial" not in name}


@pytest.mark.slow
def test_other_seed_writes_another_sample(tmp_path):
    main(["-o", str(tmp_path), "--seed", str(SEED + 1), "--topics", "1"])
    name = "2021/summaries.jsonl"
    first = (ROOT / "data_samples" / name).read_text().partition("\n")[0]
    assert first not in (tmp_path / name).read_text()
