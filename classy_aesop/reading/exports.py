"""Exports of tools that people rate and evaluate with, whose rows plain unfolding does not find.

Each has a short reader from the parsed document to flat rows, in `EXPORTS`, and names the page that documents its form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from classy_aesop.reading.columns import LEFT_OUT
from classy_aesop.reading.nesting import are_objects

FlatRow = dict[str, Any]


@dataclass(frozen=True)
class Export:
    """A tool's export: its name, where its form is documented, how it is recognized, and its rows."""

    name: str
    documented: str
    recognizes: Callable[[Any], bool]
    rows: Callable[[Any], Iterator[FlatRow]]


def _first_record(document: Any) -> FlatRow:
    first = document[0] if isinstance(document, list) and document else document
    return first if isinstance(first, dict) else {}


def _label_studio_rows(document: Any) -> Iterator[FlatRow]:
    for task in document:
        for annotation in task.get("annotations") or task.get("completions") or ():
            annotator = annotation.get("completed_by")
            row = {
                "task_id": task.get("id"),
                **task.get("data", {}),
                "annotator": annotator.get("email", annotator.get("id"))
                if isinstance(annotator, dict)
                else annotator,
            }
            for result in annotation.get("result", ()):
                value = result.get("value", {})
                kind = next(
                    (
                        name
                        for name in ("rating", "number", "choices", "pairwise", "selected", "text")
                        if name in value
                    ),
                    None,
                )
                answer = value.get(kind) if kind else None
                row[result.get("from_name", "rating")] = (
                    answer[0] if isinstance(answer, list) and answer else answer
                )
            yield {LEFT_OUT: "the annotation was cancelled"} if annotation.get("was_cancelled") else row


def _argilla_rows(document: Any) -> Iterator[FlatRow]:
    records = document if isinstance(document, list) else document["records"]
    for record in records:
        shared = {"id": record.get("id"), **(record.get("metadata") or {}), **(record.get("fields") or {})}
        responses = record.get("responses") or ()
        by_user: dict[Any, FlatRow] = {}
        if isinstance(responses, dict):
            for question, answers in responses.items():
                for answer in answers:
                    by_user.setdefault(answer.get("user_id"), {})[question] = answer.get("value")
        else:
            for answer in responses:
                if (status := answer.get("status", "submitted")) != "submitted":
                    yield {LEFT_OUT: f"the response is {status}"}
                    continue
                values = answer.get("values") or {answer.get("question_name"): {"value": answer.get("value")}}
                of_user = by_user.setdefault(answer.get("user_id"), {})
                of_user |= {
                    question: value.get("value") if isinstance(value, dict) else value
                    for question, value in values.items()
                }
        for user, values in by_user.items():
            yield {**shared, "user_id": user, **values}


def _prodigy_rows(document: Any) -> Iterator[FlatRow]:
    for task in document:
        if task.get("answer") != "accept" and task.get("accept"):
            yield {LEFT_OUT: f"the answer is {task.get('answer')}"}
            continue
        accepted = task.get("accept")
        row = {
            name: value
            for name, value in task.items()
            if isinstance(value, str | int | float)
            and name not in ("_input_hash", "_task_hash", "_timestamp", "_view_id")
        }
        row |= {
            name: value
            for name, value in (task.get("meta") or {}).items()
            if isinstance(value, str | int | float)
        }
        session = row.pop("_session_id", "")
        row["annotator"] = row.pop("_annotator_id", "") or session
        if accepted:
            row["rating"] = accepted[0]
            row.pop("answer", None)
        yield row


def _promptfoo_rows(document: Any) -> Iterator[FlatRow]:
    results = document["results"]
    for number, result in enumerate(results["results"] if isinstance(results, dict) else results):
        provider = result.get("provider")
        provider = (provider.get("label") or provider.get("id")) if isinstance(provider, dict) else provider
        prompt = (
            result.get("promptId") or (result.get("prompt") or {}).get("label")
            if isinstance(result.get("prompt"), dict)
            else result.get("prompt")
        )
        case = result.get("testIdx")
        row = {
            **(result.get("vars") or {}),
            "test_case": number if case is None else case,
            "provider": provider,
            "prompt_label": prompt,
        }
        row |= {
            "score": result.get("score"),
            "success": result.get("success"),
            **(result.get("namedScores") or {}),
        }
        yield row


def _inspect_rows(document: Any) -> Iterator[FlatRow]:
    letters = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
    for sample in document["samples"]:
        scores = {name: score.get("value") for name, score in (sample.get("scores") or {}).items()}
        numbers = {
            name: letters.get(value, value) if isinstance(value, str) else value
            for name, value in scores.items()
        }
        yield {
            "model": document["eval"].get("model"),
            "sample_id": sample.get("id"),
            "epoch": sample.get("epoch"),
            **numbers,
        }


def _deepeval_rows(document: Any) -> Iterator[FlatRow]:
    results = document.get("test_results") or document.get("testCases")
    for result in results:
        row = {name: value for name, value in result.items() if isinstance(value, str | int | float)}
        row |= result.get("additional_metadata") or result.get("metadata") or {}
        for metric in result.get("metrics_data") or result.get("metricsData") or ():
            row[metric.get("name") or metric.get("metric")] = metric.get("score")
        yield row


def _harness_rows(document: Any) -> Iterator[FlatRow]:
    left_out = (
        "doc",
        "target",
        "arguments",
        "resps",
        "filtered_resps",
        "doc_hash",
        "prompt_hash",
        "target_hash",
        "filter",
        "metrics",
    )
    for sample in document:
        yield {
            name: value
            for name, value in sample.items()
            if name not in left_out and isinstance(value, str | int | float)
        }


EXPORTS: tuple[Export, ...] = (
    Export(
        "Label Studio",
        "labelstud.io/guide/export, JSON of 1.x",
        lambda document: (
            isinstance(document, list)
            and "data" in _first_record(document)
            and ("annotations" in _first_record(document) or "completions" in _first_record(document))
        ),
        _label_studio_rows,
    ),
    Export(
        "Argilla",
        "docs.argilla.io, records of 1.x and 2.x",
        lambda document: (
            ("fields" in _first_record(document) and "responses" in _first_record(document))
            or (
                isinstance(document, dict)
                and are_objects(document.get("records"))
                and "fields" in document["records"][0]
            )
        ),
        _argilla_rows,
    ),
    Export(
        "Prodigy",
        "prodi.gy/docs/api-interfaces, db-out of 1.x",
        lambda document: (
            isinstance(document, list) and {"answer", "_input_hash"} <= {*_first_record(document)}
        ),
        _prodigy_rows,
    ),
    Export(
        "promptfoo",
        "promptfoo.dev/docs/configuration/outputs, results of version 3",
        lambda document: (
            isinstance(document, dict)
            and isinstance(results := document.get("results"), dict | list)
            and (
                (isinstance(results, dict) and are_objects(results.get("results")))
                or "gradingResult" in _first_record(results)
            )
        ),
        _promptfoo_rows,
    ),
    Export(
        "Inspect",
        "inspect.aisi.org.uk/eval-logs.html, logs of version 2",
        lambda document: isinstance(document, dict) and "eval" in document and "samples" in document,
        _inspect_rows,
    ),
    Export(
        "DeepEval",
        "deepeval.com/docs/evaluation-introduction, test results of 1.x to 3.x",
        lambda document: (
            isinstance(document, dict)
            and are_objects(document.get("test_results") or document.get("testCases"))
        ),
        _deepeval_rows,
    ),
    Export(
        "lm-evaluation-harness",
        "lm-evaluation-harness docs, --log_samples of 0.4",
        lambda document: (
            isinstance(document, list) and {"doc_id", "doc", "resps"} <= {*_first_record(document)}
        ),
        _harness_rows,
    ),
)
"""The exports that are known by their fields; what is none of them is unfolded."""
