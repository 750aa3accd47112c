"""The command baselines, evaluate on texts, and scores beside a corpus."""

import json

import pytest

from classy_aesop.reading import read_scores


@pytest.mark.slow
def test_baselines_are_scored_and_read_back(run, printed, folder):
    code, out, err = run(f"baselines {folder}/2021 -m rouge,js --jackknife -o {folder}/s.tsv")
    assert (code, out, err) == (0, "", "")
    frame = read_scores(folder / "s.tsv")
    assert frame["metric"].unique().tolist() == ["ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-SU4", "JS-1", "JS-2"]
    said = "command:baselines|peers:all_peers|baselines:rouge+js|jackknife:True|"
    assert said in (folder / "s.tsv").read_text()
    out = printed(
        "evaluate", folder / "s.tsv", folder / "2021" / "judgments.jsonl", "--interval", "none", "-q"
    )
    assert "JS-2" in out


@pytest.mark.slow
def test_names_that_are_none_of_a_baseline_are_refused(refused, folder):
    refused(2, "error: no baseline 'bleurt'; expected one of rouge, ", f"baselines {folder}/2021 -m bleurt")
    refused(2, "nothing to compare", "evaluate", folder / "2023", "--target", "pyramid", "-m", "none")
    refused(
        2,
        "none cannot be combined with names; expected none or names",
        f"baselines {folder}/2023 -m rouge,none",
    )
    refused(2, "no baseline is named; expected one or more of rouge, ", f"baselines {folder}/2023 -m none")
    refused(2, "share is 0.0; expected", f"study metric-power {folder}/2023 --target pyramid --share 0 -q")
    refused(2, "--names: ''; expected one or more names", "features", folder / "2023", "--names", "")


PARSE = "1\tcat\t_\tNOUN\t_\t_\t0\troot\t_\t_\n2\tblack\t_\tADJ\t_\t_\t1\tamod\t_\t_\n"


def test_a_baseline_with_a_folder(run, printed, refused, tmp_path):
    (tmp_path / "be").mkdir()
    for name in "1A":
        (tmp_path / "be" / f"T-A.M.100.T.{name}").write_text(PARSE)
    row = {"instance_id": "T-A", "summarizer_id": "1", "references": {"A": "y"}}
    row["summary"] = {"text": "x"}
    (tmp_path / "summaries.jsonl").write_text(json.dumps(row) + "\n")
    out = printed("baselines", tmp_path / "summaries.jsonl", "-m", f"basic_elements={tmp_path / 'be'}")
    assert "\tBE-like-HM\t1.0\t" in out
    assert run("baselines", tmp_path / "summaries.jsonl", "-m", "basic_elements")[0] == 1
    refused(2, "baseline js has no folder; found 'js=be'", f"baselines {tmp_path}/summaries.jsonl -m js=be")
