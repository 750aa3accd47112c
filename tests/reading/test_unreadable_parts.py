"""Cells with several things are split; one column or measure that cannot be read leaves the others readable."""

import json

import pytest

from classy_aesop.reading.file_report import inspect_file
from classy_aesop.reading.score_files import read_scores


def write(path, header, rows):
    path.write_text("\n".join(",".join(map(str, row)) for row in [header, *rows]) + "\n")
    return path


def means_by_command(path, metric):
    """Give the means of systems by the first printed command that compares them by a measure, over topics."""
    command = next(text for text in inspect_file(path, siblings=[]).commands if f"--metric {metric} " in text)
    columns = command.split("--columns ")[1].split(" --")[0].strip("'")
    scores = read_scores(path, columns=columns)
    scores = scores[scores["metric"] == metric]
    means = scores.groupby(["topic", "summarizer"])["score"].mean().groupby("summarizer").mean()
    return means.round(3).to_dict()


@pytest.mark.parametrize("order", [(1, 2), (2, 1)], ids=["in order", "second first"])
def test_scores_belong_to_the_system_of_their_number_whichever_stands_first(order, tmp_path):
    systems = ["ada", "bob", "cyd"]
    rows = []
    for n in range(9):
        pair = {1: systems[n % 3], 2: systems[(n + 1) % 3]}
        ranks = {number: systems.index(name) + n // 3 for number, name in pair.items()}
        rows.append((*(ranks[number] for number in order), n // 3, pair[1], pair[2]))
    header = [*(f"system{number}quality" for number in order), "item", "system1Id", "system2Id"]
    path = write(tmp_path / "x.csv", header, rows)
    assert means_by_command(path, "quality") == {"ada": 1.0, "bob": 2.0, "cyd": 3.0}


def test_qualities_are_compared_first_and_errors_are_better_if_fewer(tmp_path):
    rows = [
        (n // 3, ["full", "tuned", "ref"][n % 3], ["yes", "no"][n % 2], n // 9, 1 + n % 5) for n in range(18)
    ]
    path = write(tmp_path / "x.csv", ["id", "cond_sys", "outside", "err_facts", "fluency"], rows)
    commands = inspect_file(path, siblings=[]).commands
    assert "--metric fluency " in commands[0]
    assert "system=cond_sys" in commands[0]
    assert [text.partition("--lower")[2] for text in commands if "--metric err_facts" in text] == [
        "-is-better err_facts"
    ]


def write_records(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def rate(n):
    """Give a grade that is the higher the later its system, and varies by item and rater."""
    return 1 + n % 3 + n // 3 % 2


MODELS = ["claude-4", "gpt-5", "llama-3"]


def test_the_places_of_a_list_become_columns_of_which_several_name_the_topic(tmp_path):
    records = [
        {
            "key": [f"q{item}", MODELS[n % 3], persona, 1],
            "annotator": rater,
            "tone": rate(n),
            "kind": 2 + n % 3,
        }
        for item in range(5)
        for persona in ("teen", "adult")
        for rater in ("ed", "jo")
        for n in range(3)
    ]
    path = write_records(tmp_path / "x.jsonl", records)
    command = inspect_file(path, siblings=[]).commands[0]
    assert "topic=key[0],key[2],system=key[1],rater=annotator" in command
    assert means_by_command(path, "tone") == {"claude-4": 1.0, "gpt-5": 2.0, "llama-3": 3.0}


def test_tags_in_lists_become_columns(tmp_path):
    rows = [
        (n, f"\"['case={n // 3}', 'bot={'abc'[n % 3]}', 'lang:en']\"", 1 + n % 3, 1 + n % 5)
        for n in range(18)
    ]
    path = write(tmp_path / "x.csv", ["trace", "tags", "tone", "fluency"], rows)
    assert means_by_command(path, "tone") == {"a": 1.0, "b": 2.0, "c": 3.0}


def test_two_names_in_a_list_are_the_sides_of_a_comparison(tmp_path):
    pairs = [("ada", "bob"), ("bob", "cyd"), ("cyd", "ada")] * 4
    records = [{"doc": n, "models": pair, "winner": min(pair)} for n, pair in enumerate(pairs)]
    report = inspect_file(write_records(tmp_path / "x.jsonl", records), siblings=[])
    assert report.commands[0].endswith("topic=doc,first=models_1,second=models_2,winner=winner")


@pytest.mark.parametrize(
    "lists", [[["ann1", "bob1"], ["ann2", "bob2"]], [["see it", "a, b"], ["ok"]]], ids=str
)
def test_lists_beside_lists_of_scores_and_of_texts_stay(lists, tmp_path):
    records = [
        {"doc": n // 2, "model": "ab"[n % 2], "annotators": lists[n // 2 % 2], "tone": [1 + n % 4, 2]}
        for n in range(12)
    ]
    report = str(inspect_file(write_records(tmp_path / "x.jsonl", records), siblings=[]))
    assert "things each" not in report


def test_a_topic_that_comes_again_is_joined_with_what_tells_its_rows_apart(tmp_path):
    rows = [
        (item, "xyz"[n // 3], order, MODELS[n % 3], n % 2)
        for item in range(8)
        for order in (1, 2)
        for n in range(9)
    ]
    path = write(tmp_path / "x.csv", ["item_id", "part", "order", "model", "correct"], rows)
    command = inspect_file(path, siblings=[]).commands[0]
    assert "--columns cluster=item_id,topic=item_id,part,order,system=model," in command
    # of nine rows three are of each model, in which n is 0, 3, 6, or 1, 4, 7, or 2, 5, 8
    assert means_by_command(path, "correct") == {"claude-4": 0.333, "gpt-5": 0.667, "llama-3": 0.333}


@pytest.mark.parametrize(
    ("text", "are_clusters"), [("same text of it", True), ("{} is in it", False)], ids=str
)
def test_numbers_that_begin_anew_in_each_corpus_are_no_clusters(text, are_clusters, tmp_path):
    rows = [
        (item, corpus, MODELS[n], rater, n, text.format(f"this of {corpus} {item}"))
        for corpus, n_items in (("news", 8), ("mail", 3))
        for item in range(n_items)
        for rater in ("ed", "jo")
        for n in range(3)
    ]
    path = write(tmp_path / "x.csv", ["item_id", "corpus_file", "model", "rater", "tone", "source"], rows)
    command = inspect_file(path, siblings=[]).commands[0]
    assert "topic=item_id,corpus_file,system=model" in command
    assert ("cluster=" in command) is are_clusters
