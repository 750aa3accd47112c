"""Folders of tables: those below a folder, which belong together, and whether each is of a system or of a rater."""

import io
import json
import shlex

import pandas as pd
import pytest

from classy_aesop.cli import main
from classy_aesop.errors import InputError, UsageError
from classy_aesop.reading import file_groups, read_scores
from classy_aesop.reading.file_groups import choose_name_rule

GRADES = {"ada": [1, 2, 1, 2, 1, 2], "bob": [4, 3, 4, 2, 4, 3], "cyd": [5, 5, 4, 5, 5, 4]}


def write_lines(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def write_table(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    pd.DataFrame(rows).to_csv(path, index=False)


def validate(folder, capsys):
    """Give what is printed, and the means of the first command."""
    assert main(["validate", str(folder)]) == 0
    report = capsys.readouterr().out
    command = next(line for line in report.splitlines() if line.startswith("    classy-aesop"))
    assert main([*shlex.split(command)[1:], "-f", "tsv", "-q"]) == 0
    table = pd.read_csv(io.StringIO(capsys.readouterr().out), sep="\t", comment="#")
    return report, dict(zip(table["summarizer"], table["mean"].round(3), strict=True))


def write_runs(folder, task="arc", shift=0):
    """Write samples of a model in its folder, as lm-evaluation-harness does, and totals beside them."""
    for number, (model, grades) in enumerate(GRADES.items()):
        rows = [
            {"doc_id": n, "doc": {"q": "?"}, "resps": [["x"]], "filtered_resps": ["x"], "metrics": ["acc"]}
            | {"target": 0, "arguments": {}, "acc": float(grade + shift > 2)}
            for n, grade in enumerate(grades)
        ]
        write_lines(folder / model / f"samples_{task}_2024-11-0{number}T14.jsonl", rows)
        totals = {"results": {task: {"acc,none": 0.5, "acc_stderr,none": 0.1}}, "n-shot": {task: 0}}
        (folder / model / f"results_2024-11-0{number}T14.json").write_text(json.dumps(totals))


def test_files_of_the_same_name_but_for_a_date_are_named_by_their_folders(tmp_path, capsys, monkeypatch):
    write_runs(tmp_path / "out")
    (tmp_path / "out" / "README.md").write_text("Runs of three models.\n")
    write_lines(tmp_path / "out" / ".cache" / "samples_arc_2024-11-09T14.jsonl", [{"doc_id": 0}])
    monkeypatch.chdir(tmp_path)
    report, means = validate("out", capsys)
    assert means == {"cyd": 1.0, "bob": 0.833, "ada": 0.0}
    assert "left out, of other columns: ada/results_2024-11-00T14.json, bob/results_" in report
    assert "out, 3 files; the first is shown" in report
    assert "if each is of one system, it is named by its folder" in report
    assert "--columns 'system=#folder,topic=doc_id,scores=acc'" in report
    assert ".cache" not in report


def test_of_folders_with_files_of_several_names_one_name_is_read(tmp_path, capsys):
    write_runs(tmp_path)
    write_runs(tmp_path, "boolq", 1)
    report, means = validate(tmp_path, capsys)
    assert means == {"cyd": 1.0, "bob": 0.833, "ada": 0.0}
    assert "left out, of other names (if they are the systems, validate a folder of them): ada/" in report


def write_judge(folder, shift=0):
    for model, grades in GRADES.items():
        rows = [
            {"session": f"s{n}", "model": f"org/{model}", "output": f"{model} wrote {n}", "score": str(grade + shift)}
            for n, grade in enumerate(grades)
        ]  # fmt: skip
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{model}.json").write_text(json.dumps(rows))


def test_files_below_a_folder_are_one_table_if_a_column_names_their_owners(tmp_path, capsys):
    write_judge(tmp_path / "scores" / "judge=one")
    means_of_systems = {"org/cyd": 4.667, "org/bob": 3.333, "org/ada": 1.5}
    report, means = validate(tmp_path, capsys)
    assert means == means_of_systems
    assert "the files share session, which is the topic, and have outputs of their own" in report
    assert "topic=session,system=model" in report
    write_judge(tmp_path / "scores" / "judge=two", 1)
    report, means = validate(tmp_path, capsys)
    assert means == means_of_systems
    assert "left out, in other folders (validate takes each): scores/judge=two/ada.json" in report


def test_a_folder_may_be_of_a_rater(tmp_path, capsys):
    for rater, shift in (("mia", 0), ("tom", 1)):
        rows = [
            {"item": n, "model": model, "response": f"{model} wrote {n}", "fluency": grades[n] + shift}
            for model, grades in GRADES.items()
            for n in range(6)
        ]
        write_table(tmp_path / rater / "ratings.csv", rows)
    report, means = validate(tmp_path, capsys)
    assert means == {"cyd": 5.167, "bob": 3.833, "ada": 2.0}
    assert "'rater=#folder,topic=item,system=model,measures=fluency'" in report


def test_files_with_the_same_outputs_are_of_raters_though_each_lacks_a_row(tmp_path, capsys):
    rows = [
        {"id": 3 * n + k, "text": f"{model} wrote {n}", "doc_id": f"d{n}", "model": model, "label": [str(grades[n])]}
        for n in range(6)
        for k, (model, grades) in enumerate(GRADES.items())
    ]  # fmt: skip
    for rater, place in (("admin", 0), ("second", 10)):
        labels = [{**row, "label": row["label"] if n != place else []} for n, row in enumerate(rows)]
        write_lines(tmp_path / f"{rater}.jsonl", labels)
    report, _ = validate(tmp_path, capsys)
    assert "they differ in judgments of the same outputs, so that each is of one rater" in report
    assert f"compare {tmp_path / 'admin.jsonl'} {tmp_path / 'second.jsonl'} --metric label" in report
    short_rows = [{**row, "text": f"another {row['text']}"} for row in rows[1:]]
    write_lines(tmp_path / "second.jsonl", short_rows)
    assert main(["validate", str(tmp_path)]) == 0
    assert "one rater" not in capsys.readouterr().out


def test_files_that_share_some_outputs_may_be_of_raters(tmp_path, capsys):
    for rater, items in (("mia", range(4)), ("tom", range(2, 6)), ("una", range(4, 6))):
        rows = [
            {"docid": n, "model": model, "answer": f"{rater}'s {model} {n}", "fluency": grades[n]}
            for model, grades in GRADES.items()
            for n in items
        ]
        write_table(tmp_path / f"annotations {rater}.csv", rows)
    report, means = validate(tmp_path, capsys)
    assert (
        "3 files have these columns; they have scores of some of the same outputs; if each is of one rater:"
        in report
    )
    assert "assessors" in report
    assert "'rater=#file,topic=docid,system=model,measures=fluency'" in report
    assert means.keys() == GRADES.keys()


def test_files_of_other_outputs_on_the_same_topics_are_of_systems(tmp_path, capsys):
    expected = {}
    for number, system in enumerate(GRADES):
        labels = [["Incorrect", "Correct"][n % 6 > number] for n in range(18)]
        expected[f"test_{system}"] = round(labels.count("Correct") / len(labels), 3)
        items = {
            f"article{n}": {
                "label": labels[n],
                "sents": {
                    place: {"label": labels[3 * n + int(place)], "text": f"{system} {n} {place}"}
                    for place in "012"
                },
            }
            for n in range(6)
        }
        (tmp_path / f"test_{system}.json").write_text(json.dumps(items))
    report, means = validate(tmp_path, capsys)
    assert means == expected
    assert "the files share key + sents_name, which is the topic" in report
    assert "'system=#file,topic=key,sents_name,measures=inner.label'" in report


def test_systems_that_only_other_files_name_are_asked_for(tmp_path, capsys):
    for model in GRADES:
        rows = [
            {
                "answer_id": f"{model}x{n}",
                "question": n,
                "model_id": model,
                "text": f"what {model} wrote on {n}",
            }
            for n in range(6)
        ]
        write_lines(tmp_path / "answer" / f"answer_{model}.jsonl", rows)
    rows = [
        {"review": f"r{n}", "first_id": f"adax{n}", "other_id": f"bobx{n}", "score": n % 5} for n in range(6)
    ]
    write_lines(tmp_path / "review" / "review_ada_bob.jsonl", rows)
    write_lines(tmp_path / "review" / "review_bob_ada.jsonl", rows[::-1])
    assert main(["validate", str(tmp_path)]) == 1
    message = capsys.readouterr().err
    assert (
        "first_id, other_id in review/review_ada_bob.jsonl, review/review_bob_ada.jsonl gives the answer_id"
        in message
    )
    assert "answer/answer_cyd.jsonl, where model_id names the system; expected one table with both" in message


def test_one_file_of_judgments_is_read_among_others(tmp_path, capsys):
    rows = [{"item": n, "model": m, "fluency": g[n]} for m, g in GRADES.items() for n in range(6)]
    write_table(tmp_path / "study" / "ratings.csv", rows)
    write_table(tmp_path / "people.csv", [{"name": "mia", "town": "Ulm"}, {"name": "tom", "town": "Bern"}])
    report, means = validate(tmp_path, capsys)
    assert means == {"cyd": 4.667, "bob": 3.333, "ada": 1.5}
    assert f"folder: {tmp_path}, 1 file\n  folder: left out, of other columns: people.csv" in report


def test_a_folder_of_corpora_is_refused(tmp_path, capsys):
    for year in ("2020", "2021"):
        summary = {"instance_id": "D1-A", "year": year, "summarizer_id": "a", "summary": {"text": ["One."]}}
        write_lines(tmp_path / year / "summaries.jsonl", [summary])
    assert main(["validate", str(tmp_path)]) == 1
    assert "2020 is a corpus; expected a folder of tables" in capsys.readouterr().err


def test_a_folder_with_too_many_files_below_is_refused(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(file_groups, "MAX_FILES_BELOW", 3)
    write_runs(tmp_path)
    assert main(["validate", str(tmp_path)]) == 1
    assert "more than 3 files; expected a folder with fewer, such as one in it" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("files", "rule"),
    [
        (["x/ada.csv", "x/bob.csv"], "#file"),
        (["x/a1.csv", "x/a2.csv"], "#file"),
        (["/x/a1.csv", "/x/a2.csv"], "#file"),
        (["ada/1.csv", "bob/2.csv"], "#folder"),
        (["ada/run/out.csv", "bob/run/out.csv"], "#folder2"),
        (["one/ada.csv", "two/bob.csv"], "#file"),
    ],
)
def test_files_are_named_by_the_first_part_of_their_path_that_tells_them_apart(files, rule):
    assert choose_name_rule(files) == rule


def test_files_that_nothing_tells_apart_are_refused():
    with pytest.raises(InputError, match=r"x/ada.csv: another file has its name"):
        choose_name_rule(["x/ada.csv", "x/ada.json"])


def test_the_name_of_a_folder_may_stand_for_a_column(tmp_path, capsys):
    files = [tmp_path / name / "run" / "grades.csv" for name in GRADES]
    for file, grades in zip(files, GRADES.values(), strict=True):
        write_table(file, [{"item": n, "fluency": grade} for n, grade in enumerate(grades)])
    scores = read_scores(files[0], columns={"system": "#folder2", "topic": "item"})
    assert {*scores["summarizer"]} == {"ada"}
    assert main(["compare", *map(str, files), "--columns", "system=#file,topic=item"]) == 1
    assert "--columns system=#folder if each file is of one system" in capsys.readouterr().err
    (tmp_path / "x.csv").write_text("item,fluency\n1,2\n2,3\n")
    with pytest.raises(UsageError, match=r"#folder9: the name x has \d folders"):
        read_scores(tmp_path / "x.csv", columns={"system": "#folder9", "topic": "item"})


def test_files_without_a_header_are_of_one_kind(tmp_path, capsys):
    for number, (system, grades) in enumerate(GRADES.items()):
        rows = [
            f"r{number},{system},{n},TGT,en,de,{20 * grade},text,False,1.5,2.5"
            for n, grade in enumerate(grades)
        ]
        (tmp_path / f"scores.{system}.csv").write_text("\n".join(rows) + "\n")
    _, means = validate(tmp_path, capsys)
    assert means == {"ada": 30.0, "bob": 66.667, "cyd": 93.333}


def test_files_that_are_called_as_raters_are_of_raters(tmp_path, capsys):
    for rater in (1, 2):
        rows = [{"ann_id": n, "preview": f"text {n}", "annotator_label": (n + rater) % 2} for n in range(9)]
        write_table(tmp_path / f"eval_annotator{rater}.csv", rows)
    assert main(["validate", str(tmp_path)]) == 0
    report = capsys.readouterr().out
    assert "each is of one rater" in report
    assert "assessors" in report
    assert "system=#file" not in report


def test_several_files_of_just_the_same_outputs_are_asked_about_as_raters(tmp_path, capsys):
    for person in ("kim", "lee", "max"):
        items = {
            str(n): {name: grades[n] + len(person) % 2 for name, grades in GRADES.items()} for n in range(6)
        }
        (tmp_path / f"{person}.json").write_text(json.dumps({"ratings": items, "id": person}))
    assert main(["validate", str(tmp_path)]) == 0
    report = capsys.readouterr().out
    [command] = [line for line in report.splitlines() if "systems=" in line and " compare " in line]
    assert all(f"{person}.json" in command for person in ("kim", "lee", "max"))
    assert "rater=#file" in command


def test_files_of_human_judgments_of_a_system_each_are_of_no_raters(tmp_path, capsys):
    for system, grades in GRADES.items():
        rows = [{"item": n, "preview": f"text {n}", "relevant": grade} for n, grade in enumerate(grades)]
        write_table(tmp_path / f"human_eval_{system}.csv", rows)
    report, means = validate(tmp_path, capsys)
    assert "system=#file" in report
    assert sorted(means.values()) == [1.5, 3.333, 4.667]
