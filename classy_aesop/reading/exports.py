"""Exports of tools that people rate and evaluate with, whose rows plain unfolding does not find.

Each has a short reader from the parsed document to flat rows, in `EXPORTS`, and names the page that documents its form.
A row whose call failed, or whose annotation was rejected, says so as `LEFT_OUT`, and is counted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from classy_aesop.reading.columns import LEFT_OUT
from classy_aesop.reading.nesting import JsonObject, are_objects, plain_fields

FAILED = {LEFT_OUT: "the call failed"}

MAX_PROMPT_LABEL = 60
"""Longest label of a prompt that names it; a longer one is the prompt itself."""


@dataclass(frozen=True)
class Export:
    """A tool's export: its name, where its form is documented, how it is recognized, and its rows."""

    name: str
    documented: str
    recognizes: Callable[[Any], bool]
    rows: Callable[[Any], Iterator[JsonObject]]


def _begins_with(document: Any, *fields: str) -> bool:
    """Whether a document is a list of objects, the first of which has these fields."""
    return are_objects(document) and document[0].keys() >= {*fields}


_LABEL_STUDIO_ANSWERS = ("rating", "number", "choices", "pairwise", "selected", "text")
"""Fields of a result's value, one of which has the answer."""


def _label_studio_rows(document: Any) -> Iterator[JsonObject]:
    for task in document:
        for annotation in task.get("annotations") or ():
            annotator = annotation.get("completed_by")
            if isinstance(annotator, dict):
                annotator = annotator.get("email", annotator.get("id"))
            row = {"task_id": task.get("id"), **task.get("data", {}), "annotator": annotator}
            for result in annotation.get("result", ()):
                value = result.get("value", {})
                answer = next((value[kind] for kind in _LABEL_STUDIO_ANSWERS if kind in value), None)
                ranked = [*value.get("ranker", {}).values()]
                answers = ranked or (answer if isinstance(answer, list) else [answer])
                row[result.get("from_name", "rating")] = next(iter(answers), None)
            yield {LEFT_OUT: "the annotation was cancelled"} if annotation.get("was_cancelled") else row


def _argilla_rows(document: Any) -> Iterator[JsonObject]:
    """Give a row a user: of answers by question in version 2, of submitted responses in version 1."""
    for record in _argilla_records(document):
        shared = {
            **plain_fields(record),
            **(record.get("metadata") or {}),
            **(record.get("fields") or {}),
        }
        by_user: dict[Any, JsonObject] = {}
        left_out: dict[Any, str] = {}
        for number, (answer, values) in enumerate(_argilla_answers(record.get("responses") or ())):
            user = answer.get("user_id")
            if (status := answer.get("status", "submitted")) == "submitted":
                by_user.setdefault(user, {}).update(values)
            else:
                left_out[number if user is None else user] = status
        yield from ({LEFT_OUT: f"the response is {status}"} for status in left_out.values())
        yield from ({**shared, "user_id": user, **values} for user, values in by_user.items())


def _argilla_records(document: Any) -> Any:
    return document.get("records") if isinstance(document, dict) else document


def _argilla_answers(responses: Any) -> list[tuple[JsonObject, JsonObject]]:
    """List answers with their values by question."""
    if isinstance(responses, dict):
        return [
            (answer, {question: answer.get("value")})
            for question, answers in responses.items()
            for answer in answers
        ]
    return [
        (answer, {question: value.get("value") for question, value in (answer.get("values") or {}).items()})
        for answer in responses
    ]


def _prodigy_rows(document: Any) -> Iterator[JsonObject]:
    """Give the choices and numbers (of sliders) of accepted tasks, or else whether a task was accepted.

    Where the texts of options differ between tasks they are outputs of systems, and a row says whether it was chosen.
    """
    is_rated = any(task.get("accept") or _numbers_of_task(task) for task in document)
    texts = {json.dumps([option.get("text") for option in task.get("options") or []]) for task in document}
    are_outputs = len(texts) > 1 and all(task.get("options") for task in document)
    for task in document:
        answer = task.get("answer")
        row = {
            name: value
            for name, value in plain_fields({**task, **(task.get("meta") or {})}).items()
            if not name.startswith("_") and name != "answer"
        }
        row["annotator"] = task.get("_annotator_id") or task.get("_session_id") or ""
        accepted = task.get("accept") or []
        if are_outputs and answer == "accept":
            ids = [option.get("id") for option in task["options"]]
            yield from ({**row, "system": name, "chosen": int(name in accepted)} for name in ids)
            continue
        if accepted:
            row["rating"] = accepted[0]
        if not is_rated:
            row["accepted"] = int(answer == "accept")
        is_left_out = answer != "accept" if is_rated else answer == "ignore"
        yield {LEFT_OUT: f"the answer is {answer}"} if is_left_out else row


def _numbers_of_task(task: JsonObject) -> list[str]:
    """Name the fields of a task of Prodigy that hold numbers and are not its own."""
    return [
        name
        for name, value in task.items()
        if isinstance(value, int | float) and not isinstance(value, bool) and name[0] != "_" and name != "id"
    ]


def _promptfoo_rows(document: Any) -> Iterator[JsonObject]:
    """Give a row a call; where both vary, a system is a prompt with a provider."""
    calls = document["results"]["results"]
    prompts = _name_prompts(calls)
    providers = [_name_provider(call.get("provider")) for call in calls]
    for number, (call, provider, prompt) in enumerate(zip(calls, providers, prompts, strict=True)):
        row = {**(call.get("vars") or {}), "test_case": call.get("testIdx", number)}
        if len({*prompts}) > 1:
            row["system"] = f"{provider} + {prompt}" if len({*providers}) > 1 else prompt
        else:
            row |= {"provider": provider, "prompt_label": prompt}
        scores = {"score": call.get("score"), "success": call.get("success")}
        yield FAILED if _has_failed(call) else row | scores | (call.get("namedScores") or {})


def _name_provider(provider: Any) -> Any:
    return (provider.get("label") or provider.get("id")) if isinstance(provider, dict) else provider


def _name_prompts(calls: list[JsonObject]) -> list[str]:
    """Name the prompt of each call by its label, if that is short, or by its number."""
    prompts = [call.get("prompt") for call in calls]
    labels = [
        str(prompt.get("label", "") if isinstance(prompt, dict) else prompt or "") for prompt in prompts
    ]
    ids = [str(call.get("promptId") or label) for call, label in zip(calls, labels, strict=True)]
    numbers = {prompt_id: number for number, prompt_id in enumerate(dict.fromkeys(ids), 1)}
    are_names = len({*labels}) == len(numbers) and max(map(len, labels)) <= MAX_PROMPT_LABEL
    return labels if are_names else [f"prompt {numbers[prompt_id]}" for prompt_id in ids]


def _has_failed(call: JsonObject) -> bool:
    """Whether a call gave no output; an assertion that failed is an error of promptfoo, too."""
    if "failureReason" in call:
        return bool(call["failureReason"] == 2)
    return bool(call.get("error")) and not call.get("gradingResult")


def _inspect_rows(document: Any) -> Iterator[JsonObject]:
    letters = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
    for sample in document["samples"]:
        row = {
            "model": document["eval"].get("model"),
            "sample_id": sample.get("id"),
            "epoch": sample.get("epoch"),
        }
        scores = sample.get("scores") or {}
        for name, score in scores.items():
            value = score.get("value")
            row[name] = letters.get(value, value) if isinstance(value, str) else value
        yield FAILED if sample.get("error") and not scores else row


def _deepeval_rows(document: Any) -> Iterator[JsonObject]:
    """Give a row a test case, with a column a metric; what passes follows from the thresholds."""
    model = (document.get("testRunData", document).get("hyperparameters") or {}).get("model")
    for case in _deepeval_cases(document):
        row: JsonObject = {"model": model} if model else {}
        row |= {"test_case": case.get("name"), "input": case.get("input")}
        row |= case.get("additional_metadata") or case.get("additionalMetadata") or case.get("metadata") or {}
        for metric in case.get("metrics_data") or case.get("metricsData") or ():
            row[metric.get("name") or metric.get("metric")] = metric.get("score")
        yield row


def _deepeval_cases(document: Any) -> list[JsonObject]:
    run = document.get("testRunData", document)
    names = ("test_results", "testCases", "test_cases", "conversationalTestCases")
    return [case for name in names for case in run.get(name) or ()] if isinstance(run, dict) else []


NO_ANSWERS = {
    "doc",
    "target",
    "arguments",
    "resps",
    "filtered_resps",
    "doc_hash",
    "prompt_hash",
    "target_hash",
    "metrics",
}
"""Fields of the harness that hold the question and what the model wrote; ``target`` may be the number of a choice."""


def _harness_rows(document: Any) -> Iterator[JsonObject]:
    """Give a row a document and filter of answers."""
    for sample in document:
        yield {name: value for name, value in plain_fields(sample).items() if name not in NO_ANSWERS}


EXPORTS: tuple[Export, ...] = (
    Export(
        "Label Studio",
        "labelstud.io/guide/export, JSON of 1.x",
        lambda document: _begins_with(document, "data", "annotations"),
        _label_studio_rows,
    ),
    Export(
        "Argilla",
        "docs.argilla.io, records of 1.x and 2.x",
        lambda document: _begins_with(_argilla_records(document), "fields", "responses"),
        _argilla_rows,
    ),
    Export(
        "Prodigy",
        "prodi.gy/docs/api-interfaces, db-out of 1.x",
        lambda document: _begins_with(document, "answer", "_input_hash"),
        _prodigy_rows,
    ),
    Export(
        "promptfoo",
        "promptfoo.dev/docs/configuration/outputs, results of version 3",
        lambda document: (
            isinstance(document, dict)
            and isinstance(results := document.get("results"), dict)
            and are_objects(results.get("results"))
        ),
        _promptfoo_rows,
    ),
    Export(
        "Inspect",
        "inspect.aisi.org.uk/eval-logs.html, logs of version 2",
        lambda document: isinstance(document, dict) and document.keys() >= {"eval", "samples"},
        _inspect_rows,
    ),
    Export(
        "DeepEval",
        "deepeval.com/docs/evaluation-introduction, test results of 1.x to 3.x",
        lambda document: isinstance(document, dict) and are_objects(_deepeval_cases(document)),
        _deepeval_rows,
    ),
    Export(
        "lm-evaluation-harness",
        "lm-evaluation-harness docs, --log_samples of 0.4",
        lambda document: _begins_with(document, "doc_id", "doc", "resps"),
        _harness_rows,
    ),
)
"""The exports that are known by their fields; what is none of them is unfolded."""
