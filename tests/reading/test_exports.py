"""Exports of tools and files of scores in their documented forms, made up: `validate` shows and commands read them."""

import json
import shlex

import pytest

from classy_aesop import read_corpus, read_scores
from classy_aesop.cli import main
from classy_aesop.errors import NOTE, InputError
from classy_aesop.reading.exports import EXPORTS
from classy_aesop.reading.file_report import inspect_file, inspect_scores
from tests.reading.judged_files import scores_by

GRADES = {"alpha": (5, 4, 5, 4), "beta": (3, 3, 4, 2)}
MEANS = {"alpha": 4.5, "beta": 3.0}
ITEMS = ("i1", "i2", "i3", "i4")
ROWS = [(item, system, GRADES[system][n]) for n, item in enumerate(ITEMS) for system in GRADES]


def csv_of(header, line):
    return "\n".join([header, *(line(*row) for row in ROWS)]) + "\n"


QUALTRICS = (
    "StartDate,ResponseId,item,model,Q1\nStart Date,Response ID,item,model,How good is it?\n"
    '"{""ImportId"":""startDate""}","{""ImportId"":""_recordId""}","{""ImportId"":""item""}",'
    '"{""ImportId"":""model""}","{""ImportId"":""QID1""}"\n'
    + "\n".join(f"2024-01-02 10:00:00,R_1,{i},{s},{g}" for i, s, g in ROWS)
    + "\n"
)
FILES = {  # tool, version: the file
    ("label-studio-min.json", "1.13"): json.dumps(
        [
            {
                "id": n,
                "doc_id": i,
                "model": s,
                "quality": g,
                "annotator": 1,
                "annotation_id": n + 9,
                "lead_time": 3.1,
            }
            for n, (i, s, g) in enumerate(ROWS)
        ]
    ),
    ("label-studio.csv", "1.13"): csv_of(
        "id,doc_id,model,quality,annotator,annotation_id,created_at,lead_time",
        lambda i, s, g: f"{i}{s},{i},{s},{g},1,{i}{s}9,2024-01-02T10:00:00,3.1",
    ),
    ("mturk.csv", "2024"): csv_of(
        "HITId,AssignmentId,WorkerId,WorkTimeInSeconds,Input.doc,Input.system,Answer.quality",
        lambda i, s, g: f"H{i}{s},A{i}{s},W1,33,{i},{s},{g}\nH{i}{s},B{i}{s},W2,41,{i},{s},{g}",
    ),
    ("qualtrics.csv", "2024"): QUALTRICS,
    ("mqm.tsv", "MQM-core"): "\n".join(
        ["system\tdoc\tseg_id\trater\tcategory\tseverity"]
        + [f"{s}\td1\t{i}\tr1\tAccuracy\tminor" for i, s, g in ROWS for _ in range(g)]
    )
    + "\n",
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", FILES)
def test_flat_exports_are_tables(tmp_path, name):
    path = tmp_path / name[0]
    path.write_text(FILES[name])
    words = shlex.split(inspect_file(path).commands[0])
    scores = scores_by(words)
    assert scores.groupby("summarizer")["score"].mean().to_dict() == MEANS


def test_a_grid_of_google_forms_is_asked_about(tmp_path):
    path = tmp_path / "forms.csv"
    header = "Timestamp," + ",".join(
        f"Rate the {m} [{s}]" for m in ("fluency", "style") for s in ("alpha", "beta")
    )
    path.write_text(header + "\n" + "".join(f"2024/01/02 10:0{n}:00,5,{n},4,3\n" for n in range(1, 5)))
    assert "doubtful" in str(inspect_file(path))
    with pytest.raises(InputError):
        read_scores(path)


LOGS = {
    "harness.jsonl": [
        {
            "doc_id": n,
            "doc": {"q": "Why?"},
            "target": "x",
            "arguments": [],
            "resps": [["y"]],
            "exact_match": n % 2,
        }
        for n in range(4)
    ],
    "inspect.json": {
        "version": 2,
        "eval": {"model": "alpha", "task": "qa"},
        "samples": [{"id": i, "epoch": 1, "scores": {"match": {"value": "C"}}} for i in ITEMS],
    },
    "deepeval.json": {
        "test_results": [
            {"name": i, "metrics_data": [{"name": "Faithfulness", "score": 0.5 + n / 10}]}
            for n, i in enumerate(ITEMS)
        ]
    },
    "ragas.csv": "user_input,response,reference,faithfulness,answer_relevancy\n"
    + "".join(f"Why is {i} so?,It is {i} again.,It is so.,0.{n},0.9{n}\n" for n, i in enumerate(ITEMS, 1)),
}


@pytest.mark.parametrize("name", LOGS)
def test_logs_of_one_system_give_means_and_no_comparison(tmp_path, name):
    path = tmp_path / name
    log = LOGS[name]
    lines = [json.dumps(row) for row in log] if name.endswith("jsonl") else [json.dumps(log)]
    path.write_text(log if isinstance(log, str) else "\n".join(lines))
    report = inspect_file(path)
    assert report.is_judged
    assert "4 scores" in str(report) or "8 scores" in str(report)
    assert not [command for command in report.commands if " compare " in command]


def written(document, path):
    is_lines = path.suffix == ".jsonl"
    lines = [json.dumps(row) for row in document] if is_lines else [json.dumps(document)]
    path.write_text("\n".join(lines))
    return path


def means_by_system(path, metric):
    """Give the means by system of a measure, as the printed command reads the file."""
    words = next(
        shlex.split(command) for command in inspect_file(path).commands if f"--metric {metric}" in command
    )
    scores = scores_by(words)
    return scores[scores["metric"] == metric].groupby("summarizer")["score"].mean().round(6).to_dict()


def promptfoo_of(calls):
    """Give results of version 3: a provider, a prompt, a case and a score each; a call without a score has failed."""
    return {
        "evalId": "e",
        "results": {
            "version": 3,
            "results": [
                {
                    "promptIdx": 0,
                    "testIdx": case,
                    "promptId": f"hash of {prompt}",
                    "prompt": {"raw": f"{prompt} {{{{doc}}}}", "label": prompt},
                    "provider": {"id": provider},
                    "vars": {"doc": f"text {case}"},
                    "success": score is not None and score > 0.5,
                    "score": score or 0,
                    "failureReason": 2 if score is None else int(score <= 0.5),
                    "error": "429 Too Many Requests"
                    if score is None
                    else "expected more"
                    if score <= 0.5
                    else None,
                    "namedScores": {},
                    "gradingResult": None if score is None else {"pass": True, "score": score},
                }
                for provider, prompt, case, score in calls
            ],
        },
    }


def test_failed_calls_of_promptfoo_are_missing_and_counted(tmp_path, caplog):
    caplog.set_level(NOTE, "classy_aesop")
    scores = {"alpha": [0.5, 0.7, 0.9], "beta": [0.4, None, 0.8]}
    calls = [(name, "Sum up", n, score) for name, values in scores.items() for n, score in enumerate(values)]
    path = written(promptfoo_of(calls), tmp_path / "errors.json")
    assert "rows: 1 of 6 rows left out: the call failed (first: record 5)" in str(inspect_file(path))
    assert means_by_system(path, "score") == {"alpha": 0.7, "beta": 0.6}
    assert "1 of 6 rows left out: the call failed" in caplog.text
    for call in (document := promptfoo_of(calls))["results"]["results"]:
        del call["failureReason"]  # of older versions, where an assertion that failed is an error, too
    assert means_by_system(written(document, path), "score") == {"alpha": 0.7, "beta": 0.6}


@pytest.mark.parametrize(
    ("providers", "prompts", "expected"),
    [
        ("v", ["long", "short"], {"long": 0.55, "short": 0.45}),
        ("v", ["x" * 70, "y"], {"prompt 1": 0.55, "prompt 2": 0.45}),
        ("vw", ["long", "short"], {"v + long": 0.55, "v + short": 0.45, "w + long": 0.65, "w + short": 0.55}),
    ],
)
def test_prompts_of_promptfoo_are_systems(tmp_path, providers, prompts, expected):
    calls = [
        (provider, prompt, case, (5 + case - n + m) / 10)
        for m, provider in enumerate(providers)
        for n, prompt in enumerate(prompts)
        for case in (-1, 0, 1, 2)
    ]
    assert means_by_system(written(promptfoo_of(calls), tmp_path / "prompts.json"), "score") == expected


def test_the_latest_test_run_of_deepeval(tmp_path):
    metrics = [("Answer Relevancy", [0.6, 0.8, None]), ("Faithfulness", [0.9, 0.7, 0.5])]
    cases = [
        {
            "name": f"test_case_{n}",
            "input": "How deep?",
            "actualOutput": f"About {n} metres.",
            "success": False,
            "metricsData": [
                {"name": name, "threshold": 0.5, "success": True, "score": scores[n], "evaluationCost": 0.0}
                for name, scores in metrics
            ],
            "runDuration": 1.5 + n,
            "order": n,
        }
        for n in range(3)
    ]
    document = {"testRunData": {"testCases": cases, "conversationalTestCases": [], "testPassed": 3}}
    scores = read_scores(
        written(document, tmp_path / ".latest_test_run.json"), columns={"topic": "test_case"}
    )
    assert scores.groupby("metric")["score"].mean().round(6).to_dict() == {
        "Answer Relevancy": 0.7,
        "Faithfulness": 0.7,
    }
    assert scores["topic"].unique().tolist() == ["test_case_0", "test_case_1", "test_case_2"]


def test_test_cases_of_deepeval_share_their_input(tmp_path):
    cases = [
        {
            "name": f"test_{n}",
            "input": f"How deep is lake {n // 2}?",
            "metricsData": [{"name": "Faithfulness", "score": n / 8}],
            "additionalMetadata": {"model": "ab"[n % 2]},
        }
        for n in range(8)
    ]
    scores = read_scores(written({"testCases": cases}, tmp_path / "x.json"), columns=None)
    assert scores["topic"].nunique() == 4
    assert scores.groupby("summarizer")["score"].mean().to_dict() == {"a": 0.375, "b": 0.5}


def test_samples_of_several_filters_are_tasks(tmp_path):
    for system, offset in (("alpha", 0), ("beta", 1)):
        rows = [
            {
                "doc_id": n,
                "doc": {"question": "Why?"},
                "resps": [["x"]],
                "filter": name,
                "metrics": ["exact_match"],
                "exact_match": float((n + offset) % (2 + shift) == 0),
            }
            for n in range(6)
            for shift, name in enumerate(("strict-match", "flexible-extract"))
        ]
        written(rows, tmp_path / f"samples_qa_{system}.jsonl")
    words = shlex.split(inspect_file(tmp_path / "samples_qa_alpha.jsonl").commands[0])
    means = scores_by(words).groupby(["task", "summarizer"])["score"].mean().round(3)
    assert means.to_dict() == {
        ("flexible-extract", "samples_qa_alpha"): 0.333,
        ("flexible-extract", "samples_qa_beta"): 0.333,
        ("strict-match", "samples_qa_alpha"): 0.5,
        ("strict-match", "samples_qa_beta"): 0.5,
    }


def test_epochs_of_inspect_are_averaged_and_failed_samples_missing(tmp_path):
    answers = {"alpha": ["C", "I", "C", "C", None, None], "beta": ["I", "I", "C", "I", "N", "P"]}
    for model, values in answers.items():
        samples = [
            {
                "id": f"d{n // 2}",
                "epoch": 1 + n % 2,
                "scores": {} if value is None else {"match": {"value": value}},
                "error": {"message": "rate limit"} if value is None else None,
            }
            for n, value in enumerate(values)
        ]
        document = {"version": 2, "eval": {"model": model}, "samples": samples}
        written(document, tmp_path / f"log_{model}.json")
    report = inspect_file(tmp_path / "log_alpha.json")
    assert "2 of 6 rows left out: the call failed" in str(report)
    assert means_by_system(tmp_path / "log_alpha.json", "match") == {"alpha": 0.75, "beta": 0.25}


def prodigy_task(item, system, answer, **fields):
    hashes = {"_input_hash": hash(item) % 97, "_task_hash": hash((item, system)) % 97, "_timestamp": 17}
    meta = {"doc_id": item, "model": system}
    return {
        "text": f"About {item}.",
        "meta": meta,
        **fields,
        **hashes,
        "answer": answer,
        "_session_id": "s-ann",
    }


def test_sliders_of_prodigy_without_rejected_tasks(tmp_path):
    tasks = [prodigy_task(item, system, "accept", rating=grade) for item, system, grade in ROWS]
    tasks += [prodigy_task("i5", "alpha", "reject", rating=1), prodigy_task("i5", "beta", "ignore", rating=1)]
    path = written(tasks, tmp_path / "slider.jsonl")
    assert "1 of 10 rows left out: the answer is reject (first: record 9)" in str(inspect_file(path))
    assert "1 of 10 rows left out: the answer is ignore (first: record 10)" in str(inspect_file(path))
    assert means_by_system(path, "rating") == MEANS


def test_answers_of_prodigy_are_the_judgment_where_there_is_no_other(tmp_path):
    answers = {"alpha": ["accept", "accept", "reject"], "beta": ["reject", "accept", "reject"]}
    tasks = [
        prodigy_task(f"i{n}", system, answer)
        for system, of_system in answers.items()
        for n, answer in enumerate(of_system)
    ]
    path = written([*tasks, prodigy_task("i3", "alpha", "ignore")], tmp_path / "binary.jsonl")
    assert means_by_system(path, "accepted") == {"alpha": 0.666667, "beta": 0.333333}


def test_every_export_names_its_form_and_version():
    assert {export.name for export in EXPORTS} == {
        *("Label Studio", "Argilla", "Prodigy", "promptfoo", "Inspect", "DeepEval", "lm-evaluation-harness")
    }
    assert all(any(sign.isdigit() for sign in export.documented) for export in EXPORTS)


@pytest.mark.slow
def test_records_of_sacrerouge(tmp_path, capsys):
    path = tmp_path / "metrics.jsonl"
    rows = [
        {
            "instance_id": i,
            "summarizer_id": s,
            "summarizer_type": "peer",
            "metrics": {"rouge-1": {"precision": g / 10}, "rouge-1_jk": {"precision": g / 20}, "overall": g},
        }
        for i, s, g in ROWS
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    report = inspect_scores(str(path))
    assert "metric: rouge-1_jk.precision" in str(report)
    words = [shlex.split(command) for command in report.commands]
    assert [word[1] for word in words] == ["compare", "evaluate"]
    assert all(main(word[1:]) == 0 for word in words)
    flat = tmp_path / "flat.csv"
    flat.write_text(
        csv_of(
            "instance_id,summarizer_id,rouge-1_precision,rouge-1_jk_precision,overall",
            lambda i, s, g: f"{i},{s},{g / 10},{g / 20},{g}",
        )
    )
    assert "metric: rouge-1_jk_precision" in str(inspect_file(flat))


def test_output_of_rouge_for_any_data(tmp_path):
    path = tmp_path / "rouge.out"
    lines = [f"{s} ROUGE-1 Eval {i}.{s} R:0.{g} P:0.{g} F:0.{g}" for i, s, g in ROWS]
    path.write_text("alpha ROUGE-1 Average_R: 0.4 (95%-conf.int. 0.3 - 0.5)\n" + "\n".join(lines) + "\n")
    scores = read_scores(path)
    assert scores[scores["metric"] == "rouge-1.f1"].groupby("summarizer")["score"].mean().round(
        3
    ).to_dict() == {
        "alpha": 0.45,
        "beta": 0.3,
    }
    assert "4 topics, 2 systems" in str(inspect_scores(str(path)))
    path.write_text("alpha ROUGE-1 Eval i1.beta R:0.1 P:0.1 F:0.1\n")
    with pytest.raises(InputError, match="or an evaluation and its peer"):
        read_scores(path)


def test_a_folder_of_mt_metrics_eval(tmp_path, capsys):
    (tmp_path / "human-scores").mkdir()
    (tmp_path / "metric-scores" / "en-de").mkdir(parents=True)
    for place, sign in (
        ("human-scores/en-de.mqm.seg.score", "-"),
        ("metric-scores/en-de/BLEU-refA.seg.score", "0."),
    ):
        lines = [f"{system}\t{sign}{grade}" for system, grades in GRADES.items() for grade in grades]
        (tmp_path / place).write_text("\n".join(lines) + "\n")
    assert main(["validate", str(tmp_path)]) == 0
    commands = [line for line in capsys.readouterr().out.splitlines() if line.startswith("    ")]
    assert [command.split()[1] for command in commands] == ["compare", "evaluate"]
    assert all(main(shlex.split(command)[1:]) == 0 for command in commands)


def test_a_folder_of_one_file_a_system(tmp_path, capsys):
    for system, grades in GRADES.items():
        rows = "".join(f"{i},{g}\n" for i, g in zip(ITEMS, grades, strict=True))
        (tmp_path / f"{system}.csv").write_text(f"qid,score\n{rows}")
    assert main(["validate", str(tmp_path)]) == 0
    [command] = [line for line in capsys.readouterr().out.splitlines() if line.startswith("    ")]
    scores = scores_by(shlex.split(command))
    assert scores.groupby("summarizer")["score"].mean().to_dict() == MEANS
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    assert main(["validate", str(tmp_path)]) == 0
    assert "left out, of other columns: other.csv" in capsys.readouterr().out
    for name in "abc":
        (tmp_path / f"{name}.csv").write_text(f"{name},b\n1,2\n2,1\n")
    assert main(["validate", str(tmp_path)]) == 1


def test_outputs_and_references_a_line(tmp_path, capsys):
    for name in ("alpha", "beta", "reference"):
        (tmp_path / f"{name}.txt").write_text(f"A line of {name}.\nAnother line of {name}.\n")
    corpus = read_corpus(tmp_path)
    assert [(topic.topic, len(topic.summaries), len(topic.references)) for topic in corpus] == [
        ("1", 2, 1),
        ("2", 2, 1),
    ]
    assert main(["rouge", str(tmp_path), "--metric", "1"]) == 0
    (tmp_path / "beta.txt").write_text("One line.\n")
    with pytest.raises(InputError, match=r"1 lines, and 2 in alpha\.txt"):
        read_corpus(tmp_path)


@pytest.mark.parametrize("has_texts", [True, False])
def test_questions_of_limesurvey_are_named_by_their_codes(tmp_path, has_texts):
    codes = {
        "id": "Response ID",
        "submitdate": "Date submitted",
        "lastpage": "Last page",
        "startlanguage": "Start language",
        "fluency[alpha]": "How fluent is each text? [alpha]",
        "fluency[beta]": "How fluent is each text? [beta]",
        "meaning[alpha]": "How much of the meaning is kept? [alpha]",
        "meaning[beta]": "How much of the meaning is kept? [beta]",
    }
    header = [f'"{code}. {text}"' if has_texts else code for code, text in codes.items()]
    rows = [
        f"{n},2024-01-02 10:0{n}:00,5,en,{a},{b},{6 - a},{6 - b}"
        for n, (a, b) in enumerate(((4, 3), (5, 1), (3, 2)))
    ]
    path = tmp_path / "lime.csv"
    path.write_text("\n".join([",".join(header), *rows]) + "\n")
    assert "; rater = response_id; cells = {measure}.{system}" in str(inspect_file(path))
    scores = scores_by(shlex.split(inspect_file(path).commands[0]))
    assert scores.groupby(["metric", "summarizer"])["score"].mean().to_dict() == {
        ("fluency", "alpha"): 4,
        ("fluency", "beta"): 2,
        ("meaning", "alpha"): 2,
        ("meaning", "beta"): 4,
    }


def test_codes_of_answers_of_limesurvey_are_grades_and_unfinished_responses_left_out(tmp_path):
    texts = [f"{text}[{system}]" for text in ("T01", "T02") for system in ("GPT4", "LLAMA", "MIX")]
    header = ["id", "submitdate", "startlanguage", *texts]
    rows = [["1", "2024-05-01 10:11", "de", "AO05", "AO03", "AO01", "AO04", "AO02", "AO01"]]
    rows += [["2", "2024-05-01 10:12", "de", "AO03", "AO03", "AO01", "AO04", "AO02", "AO03"]]
    rows += [["3", "", "de", "AO01", "AO05", "AO05", "", "", ""]]
    path = tmp_path / "survey.csv"
    path.write_text("\n".join(";".join(f'"{cell}"' for cell in row) for row in [header, *rows]) + "\n")
    report = inspect_file(path)
    assert "1 of 3 rows left out: submitdate is empty (first: line 4)" in str(report)
    means = scores_by(shlex.split(report.commands[0])).groupby("summarizer")["score"].mean().to_dict()
    assert means == {"GPT4": 4.0, "LLAMA": 2.5, "MIX": 1.5}


def test_a_question_that_a_form_repeats_is_numbered_and_names_no_rater(tmp_path):
    path = tmp_path / "forms.csv"
    question = "How fluent is this summary?"
    rows = [f"2024/01/02 10:0{n}:00,p{n},{1 + n % 5},{1 + n % 3}" for n in range(6)]
    path.write_text(f"Timestamp,Your name,{question},{question}\n" + "\n".join(rows) + "\n")
    report = inspect_file(path)
    assert f"{question} [1]" in str(report)
    assert not [command for command in report.commands if " assessors " in command]
    path.write_text("doc_id,system,score,score\n1,a,1,2\n1,b,2,2\n")
    with pytest.raises(InputError, match="columns score appear twice"):
        read_scores(path)


def test_options_of_prodigy_with_other_texts_in_each_task_are_outputs(tmp_path):
    tasks = [
        {
            "text": f"t{n}",
            "options": [{"id": s, "text": f"{s}{n}"} for s in ("v1", "v2", "v3")],
            "_input_hash": n,
        }
        | {
            "accept": ["v2" if n else "v3"],
            "answer": "accept" if n < 3 else "ignore",
            "_annotator_id": "ines",
        }
        for n in range(4)
    ]
    path = tmp_path / "x.jsonl"
    path.write_text("".join(json.dumps(task) + "\n" for task in tasks))
    scores = read_scores(path)
    assert scores.groupby("summarizer")["score"].sum().to_dict() == {"v1": 0, "v2": 2, "v3": 1}
