"""Layouts in which public data sets and tools have human judgments, on small made-up tables."""

import json
import shlex
import zipfile

import numpy as np
import pytest

from classy_aesop import InputError, read_preferences, read_scores
from classy_aesop.cli import main
from classy_aesop.errors import DataWarning, UsageError
from classy_aesop.reading.column_names import are_measures, topic_evidence
from classy_aesop.reading.file_report import inspect_file, inspect_scores
from classy_aesop.reading.given_tables import read_score_table
from tests.reading.judged_files import columns_of

ITEMS = ("i1", "i2", "i3", "i4")
GRADES = {"alpha": (5, 4, 5, 4), "beta": (3, 3, 4, 2), "gamma": (1, 2, 2, 3)}
MEANS = {"alpha": 4.5, "beta": 3.0, "gamma": 2.0}


def outputs():
    """Give number, system and grade of each output."""
    return [(number, system, grades[number]) for number in range(4) for system, grades in GRADES.items()]


def write(path, content):
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return str(path)


def first_command(path):
    report = inspect_file(path)
    return shlex.split(report.commands[0]), str(report)


def means_of(path, words, metric):
    scores = read_scores(path, columns=columns_of(words))
    return scores[scores["metric"] == metric].groupby("summarizer")["score"].mean().to_dict()


def test_systems_may_have_names_of_several_words(tmp_path):
    names = {
        "alpha": "Nucleus Decoding (p = 0.3)",
        "beta": "Original Ground Truth",
        "gamma": "Argmax Decoding X",
    }
    documents = [
        {
            "context": f"Context {number} of a talk.",
            "annotators": ["r1", "r2"],
            "responses": [
                {"response": f"{s} {number} said so.", "model": names[s], "Overall": [g[number], g[number]]}
                for s, g in GRADES.items()
            ],
        }
        for number in range(4)
    ]
    path = write(tmp_path / "usr.json", documents)
    words, text = first_command(path)
    assert "3 systems, 2 raters" in text
    assert means_of(path, words, "Overall") == {names[system]: mean for system, mean in MEANS.items()}


def test_a_number_of_annotators_is_no_rater(tmp_path):
    rows = "".join(f"src {n},{s},{g},{1 + n % 3}\n" for n, s, g in outputs())
    words, text = first_command(write(tmp_path / "da.csv", f"src,system,score,annotators\n{rows}"))
    assert "rater=" not in str(words)
    assert "no raters named" in text


def test_one_column_for_each_winner_holds_preferences_with_ties(tmp_path):
    header = "id,model_a,model_b,winner_model_a,winner_model_b,winner_tie\n"
    path = write(tmp_path / "arena.csv", f"{header}1,a,b,1,0,0\n2,b,a,1,0,0\n3,a,b,0,0,1\n4,a,b,0,1,0\n")
    assert "4 preferences between 2 systems" in str(inspect_file(path))
    assert read_preferences(path).wins.tolist() == [1, 1, 0.5, 0]


def test_two_ticks_in_a_row_are_no_winner(tmp_path):
    header = "id,model_a,model_b,winner_model_a,winner_model_b\n"
    path = write(tmp_path / "arena.csv", f"{header}1,a,b,1,1\n2,b,a,1,0\n")
    assert "preferences between" not in str(inspect_file(path))


def test_objects_named_by_measures_are_measures(tmp_path):
    lines = [
        {
            "instruction": f"Do {number}.",
            "completions": [
                {
                    "model": system,
                    "annotations": {
                        name: {"Rating": str(grades[number]), "Rationale": "So it is."}
                        for name in ("helpfulness", "honesty", "truthfulness")
                    },
                }
                for system, grades in GRADES.items()
            ],
        }
        for number in range(4)
    ]
    path = write(tmp_path / "feedback.json", lines)
    words, text = first_command(path)
    assert "no raters named" in text
    assert means_of(path, words, "annotations.honesty.Rating") == MEANS


def test_raters_within_measures(tmp_path):
    lines = [
        {
            "dialogue_id": number,
            "model_id": system,
            "fluency": {"a1": g, "a2": g},
            "relevance": {"a1": g, "a2": g},
        }
        for number, system, g in outputs()
    ]
    path = write(tmp_path / "nested.json", lines)
    words, text = first_command(path)
    assert "3 systems, 2 raters" in text
    assert means_of(path, words, "fluency") == MEANS


def test_names_that_are_mostly_of_measures():
    assert are_measures(["annotations.helpfulness", "annotations.honesty"])
    assert are_measures(["rouge_1", "bleu"])
    assert not are_measures(["gpt4", "llama"])
    assert not are_measures(["human", "bart"])
    assert not are_measures(["fluency"])


def test_an_application_is_a_system_and_its_record_no_topic(tmp_path):
    rows = "".join(f"{s},rec{n}{s},Question {n}?,{g},{1.5 + n}\n" for n, s, g in outputs())
    path = write(tmp_path / "t.csv", f"app_id,record_id,input,Groundedness,latency\n{rows}")
    words, _ = first_command(path)
    assert columns_of(words)["topic"] == ["input"]
    assert means_of(path, words, "Groundedness") == MEANS


def test_a_few_values_of_an_unknown_identifier_may_be_systems(tmp_path):
    rows = "".join(f"{s},{n},{g}\n" for n, s, g in outputs())
    words, text = first_command(write(tmp_path / "t.csv", f"pipeline_id,item_id,quality\n{rows}"))
    assert columns_of(words)["system"] == ["pipeline_id"]
    assert "no name says that pipeline_id is the system" in text


@pytest.mark.parametrize(
    ("name", "is_topic"), [("bbcid", True), ("docid", True), ("qid", True), ("grid", False), ("valid", False)]
)
def test_identifiers_in_one_word(name, is_topic):
    assert (topic_evidence(name) >= 1) == is_topic


def test_large_numbers_that_identify_documents_are_the_topic(tmp_path):
    rows = "".join(
        f"{29_750_031 + n},{s},{s} wrote {n} of it.,{'yes' if g > 3 else 'no'},w{w}\n"
        for n, s, g in outputs()
        for w in (1, 2)
    )
    path = write(tmp_path / "f.csv", f"bbcid,system,summary,is_factual,worker_id\n{rows}")
    words, _ = first_command(path)
    assert columns_of(words)["topic"] == ["bbcid"]
    assert means_of(path, words, "is_factual") == {"alpha": 1.0, "beta": 0.25, "gamma": 0.0}


def test_a_column_without_a_name_that_counts_rows_is_no_measure(tmp_path):
    rows = "".join(f"{k},{n},{s},{g}\n" for k, (n, s, g) in enumerate(outputs()))
    path = write(tmp_path / "f.csv", f",id,model_name,label\n{rows}")
    words, text = first_command(path)
    assert "12 scores" in text
    assert means_of(path, words, "label") == MEANS


@pytest.mark.slow
def test_texts_in_a_column_called_human_mark_no_humans(tmp_path):
    rows = "".join(
        f"{n},A human story of {n}.,{s},{g},w1\n{n},A human story of {n}.,{s},{g},w2\n"
        for n, s, g in outputs()
    )
    path = write(tmp_path / "h.csv", f"Prompt ID,Human,Model,Relevance,Worker ID\n{rows}")
    words, _ = first_command(path)
    assert main(words[1:]) == 0


def test_seconds_since_1970_are_no_measure(tmp_path):
    lines = [{"question_id": n, "model": s, "score": g, "moment": 1.6862e9 + n} for n, s, g in outputs()]
    assert "moment," not in str(inspect_file(write(tmp_path / "s.json", lines)))


def test_places_of_outputs_are_no_raters(tmp_path):
    order = ("alpha", "beta", "gamma")
    documents = {
        f"T{n}": {
            "document": ["A text."],
            **{
                f"summary {k + 1}": {"score": GRADES[order[(k + n) % 3]][n], "model": order[(k + n) % 3]}
                for k in range(3)
            },
        }
        for n in range(4)
    }
    path = write(tmp_path / "a1.json", documents)
    words, text = first_command(path)
    assert "readings are possible" not in text
    assert "no raters named" in text
    assert means_of(path, words, "score") == MEANS


def test_systems_first_then_questions(tmp_path):
    content = {
        system: {
            f"q{n}": {"question": f"What is {n}?", "output": "So.", "utility": grades[n]} for n in range(4)
        }
        for system, grades in GRADES.items()
    }
    path = write(tmp_path / "u.json", content)
    words, _ = first_command(path)
    assert means_of(path, words, "utility") == MEANS


@pytest.mark.slow
def test_outputs_by_system_beside_their_judgments(tmp_path):
    lines = [
        {
            "reference": "A reference text of words.",
            "facts": ["One fact is stated here.", "Another fact is stated."],
            "example_id": f"x{n}",
            "annotations": {s: {"labels": [1, 0], "acu": g[n]} for s, g in GRADES.items()},
            "system_outputs": {s: f"{s} wrote {n}." for s in GRADES},
        }
        for n in range(4)
    ]
    path = write(tmp_path / "rose.json", lines)
    words, _ = first_command(path)
    assert means_of(path, words, "acu") == MEANS


def test_rows_without_a_topic_are_described_and_not_refused(tmp_path):
    lines = [
        {"spec": {"run": 1}},
        *({"sample_id": n, "type": t, "ok": n % 2} for n in range(4) for t in ("x", "y")),
    ]
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert "1 of 9 rows left out: sample_id is empty (first: line 1)" in str(inspect_file(str(path)))


def test_one_score_beside_a_list_of_ratings_has_no_rater(tmp_path):
    lines = [{"doc_id": n, "model": s, "label": g, "annotations": [g, g, 6 - g]} for n, s, g in outputs()]
    words, text = first_command(write(tmp_path / "s.json", lines))
    scores = read_scores(str(tmp_path / "s.json"), columns=columns_of(words))
    assert "48 scores: 4 topics, 3 systems, 3 raters" in text
    assert scores.groupby("metric").size().to_dict() == {"annotations": 36, "label": 12}
    assert scores.loc[scores["metric"] == "label", "assessor"].tolist() == [""] * 12


def test_a_number_of_a_document_is_no_score_of_its_outputs(tmp_path):
    documents = [
        {
            "doc_id": f"d{n}",
            "difficulty": n % 3 + 1,
            "outputs": {s: {"quality": g[n], "text": "So."} for s, g in GRADES.items()},
        }
        for n in range(4)
    ]
    words, text = first_command(write(tmp_path / "d.json", documents))
    assert "measure: difficulty" not in text
    assert means_of(str(tmp_path / "d.json"), words, "quality") == MEANS


def test_questions_within_a_passage_are_topics(tmp_path):
    passages = [
        {
            "passage-id": f"p{start}",
            "questions": [
                {
                    s: {"response": "So.", "reviews": [{"worker_id": w, "rating": g[n]} for w in ("5", "9")]}
                    for s, g in GRADES.items()
                }
                for n in (start, start + 1)
            ],
        }
        for start in (0, 2)
    ]
    words, text = first_command(write(tmp_path / "q.json", passages))
    assert "4 topics, 3 systems, 2 raters" in text
    assert columns_of(words)["topic"] == ["passage-id", "position"]
    assert means_of(str(tmp_path / "q.json"), words, "rating") == MEANS


def win_rates_by_reading(path):
    """Give the report of a file of preferences, and what the command printed for each reading compares."""
    report = inspect_file(path)
    readings = []
    for command in report.commands:
        preferences = read_preferences(path, columns=columns_of(shlex.split(command)))
        wins = {name: [] for name in preferences.systems}
        for first, second, win in zip(preferences.first, preferences.second, preferences.wins, strict=True):
            wins[preferences.systems[first]].append(win)
            wins[preferences.systems[second]].append(1 - win)
        readings.append({name: round(sum(values) / len(values), 3) for name, values in wins.items()})
    return str(report), readings


def test_winners_of_zero_and_one_have_two_readings(tmp_path):
    pairs = [("ppo", "ref"), ("ref", "ppo"), ("ppo", "ref"), ("ppo", "ref")]
    lines = [
        {
            "id": f"t{n}",
            "summaries": [{"text": "X.", "policy": a}, {"text": "Y.", "policy": b}],
            "choice": n % 2,
        }
        for n, (a, b) in enumerate(pairs)
    ]
    text, rates = win_rates_by_reading(write(tmp_path / "tldr.json", lines))
    assert rates == [{"ppo": 0.75, "ref": 0.25}, {"ppo": 0.25, "ref": 0.75}]
    assert "here 0 is policy_1 and 1 is policy_2" in text
    assert "here 0 is policy_2 and 1 is policy_1" in text


def test_a_slider_between_two_outputs_is_no_score(tmp_path):
    rows = "1,x,y,-57\n2,y,x,40\n3,x,y,0\n"
    path = write(tmp_path / "slider.csv", f"id,hyp_a_id,hyp_b_id,score\n{rows}")
    text, rates = win_rates_by_reading(path)
    assert rates == [{"x": 0.833, "y": 0.167}, {"x": 0.167, "y": 0.833}]
    assert "it does not say which side is meant; here those below 0 prefer" in text


def test_signed_preferences_of_unnamed_answers_are_doubtful(tmp_path):
    rows = "".join(f"q{n},A {n}.,B {n}.,{p}\n" for n, p in enumerate((-1, 1, 0, -1)))
    path = write(tmp_path / "l.csv", f"question,answer_a,answer_b,overall_preference\n{rows}")
    assert "4 preferences between 2 systems" in str(inspect_file(path))
    with pytest.raises(InputError, match="no column names the systems"):
        read_preferences(path)


def test_the_opponents_of_one_system_stand_in_a_column(tmp_path):
    rows = "w1,1,turk,asset\nw1,2,hsplit,similar\nw2,1,turk,turk\nw2,2,hsplit,asset\n"
    path = write(tmp_path / "pairs.csv", f"worker_id,sentence_id,other_dataset,winner\n{rows}")
    preferences = read_preferences(path)
    assert preferences.systems == ("asset", "hsplit", "turk")
    words, _ = first_command(path)
    assert columns_of(words)["second"] == ["other_dataset"]
    assert read_preferences(path, columns=columns_of(words)).wins.tolist() == preferences.wins.tolist()


@pytest.mark.parametrize("is_wide", [False, True])
@pytest.mark.filterwarnings("ignore:.*3 of 6 rows left out")
def test_preferences_by_aspects_are_asked_about_one_by_one(tmp_path, is_wide):
    header = "item,A,B,Fluency,Meaning" if is_wide else "item,system_a,system_b,aspect,better"
    long = "1,a,b,fluency,a\n1,a,b,meaning,b\n2,b,a,fluency,a\n2,b,a,meaning,a\n"
    long += "3,b,a,fluency,a\n3,b,a,meaning,b\n"
    rows = "1,a,b,A>B,A<<B\n2,b,a,A<B,A<B\n3,b,a,A<B,A>B\n" if is_wide else long
    path = write(tmp_path / "pairs.csv", f"{header}\n{rows}")
    names = ["Fluency", "Meaning"] if is_wide else ["fluency better", "meaning better"]
    assert f"is the winner {' or '.join(names)}?" in str(inspect_file(path))
    with pytest.raises(InputError):
        read_preferences(path)
    for name, wins_of_a in zip(names, ([1, 1, 1], [0, 1, 0]), strict=True):
        sides = {"first": "A", "second": "B"} if is_wide else {"first": "system_a", "second": "system_b"}
        preferences = read_preferences(path, columns={"topic": "item", **sides, "winner": name})
        wins = np.where(preferences.first == 0, preferences.wins, 1 - preferences.wins)
        assert wins.tolist() == wins_of_a


def test_a_leaderboard_is_named_and_not_compared(tmp_path):
    path = write(
        tmp_path / "l.csv", "model_type,fluency,relevance\nGOLD,3.3,3.1\nBART,3.1,3.4\nPGN,3.0,3.2\n"
    )
    report = inspect_file(path)
    assert "a row a system, as a leaderboard has" in str(report)
    assert not report.commands


def test_values_that_name_measures_name_no_systems(tmp_path):
    lines = [
        {
            "instance_id": f"id{n}",
            "model": s,
            "stats": [{"name": {"name": k}, "mean": g[n] * w} for k, w in (("rouge_1", 1), ("rouge_l", 2))],
        }
        for n in range(4)
        for s, g in GRADES.items()
    ]
    path = write(tmp_path / "stats.json", lines)
    words, text = first_command(path)
    assert "name.name names the measure" in text
    assert means_of(path, words, "rouge_1") == MEANS


def test_a_table_without_systems_says_what_is_missing(tmp_path):
    path = write(
        tmp_path / "h.csv", "prompt,response,helpfulness,verbosity\np1,So.,3,1\np1,No.,2,2\np2,Yes.,1,2\n"
    )
    assert "no comparison: no column names the systems" in str(inspect_file(path))


def test_places_of_systems_become_ranks(tmp_path):
    rows = "d1,j1,bart,lead,t5\nd1,j2,bart,t5,lead\nd2,j1,lead,bart,t5\nd2,j2,bart,lead,t5\n"
    path = write(tmp_path / "r.csv", f"doc_id,judge,best,second,worst\n{rows}")
    words, text = first_command(path)
    assert words[-2:] == ["--lower-is-better", "rank"]
    assert "2 topics, 3 systems, 2 raters" in text
    assert means_of(path, words, "rank") == {"bart": 1.25, "lead": 2.0, "t5": 2.75}


@pytest.mark.parametrize("rows", ["d1,a,b,c\nd2,a,b,d\n", "d1,a,b,c\nd2,a,b,c\n", "d1,a,a,c\nd2,c,b,a\n"])
def test_other_names_in_places_are_no_ranks(tmp_path, rows):
    assert "became ranks" not in str(
        inspect_file(write(tmp_path / "r.csv", f"doc_id,rank1,rank2,rank3\n{rows}"))
    )


@pytest.mark.slow
def test_two_lines_of_headers_are_joined(tmp_path):
    rows = "".join(f"d{n},{GRADES['alpha'][n]},5,{GRADES['beta'][n]},5\n" for n in range(4))
    path = write(tmp_path / "m.csv", f"doc_id,alpha,,beta,\n,fluency,adequacy,fluency,adequacy\n{rows}")
    words, text = first_command(path)
    assert "two lines of headers are joined by a point" in text
    assert means_of(path, words, "fluency") == {"alpha": 4.5, "beta": 3.0}
    assert main(words[1:]) == 0


def test_headerless_items_and_systems_are_found_by_data(tmp_path):
    rows = "".join(f"u{n % 2},{s},{n},eng,{50 + n + k * 7}\n" for n in range(9) for k, s in enumerate(GRADES))
    words, text = first_command(write(tmp_path / "a.csv", rows))
    assert (columns_of(words)["topic"], columns_of(words)["system"]) == (["3"], ["2"])
    assert "no name says that 2 is the system" in text


def test_chosen_and_rejected_models_are_preferences(tmp_path):
    lines = [
        {
            "prompt_id": n,
            "chosen": "Yes.",
            "rejected": "No.",
            "chosen_model": a,
            "rejected_model": b,
            "chosen_rating": 5,
        }
        for n, (a, b) in enumerate([("x", "y"), ("x", "z"), ("y", "z"), ("z", "x")])
    ]
    path = write(tmp_path / "chosen.json", lines)
    preferences = read_preferences(path)
    assert preferences.table()["first"].tolist() == ["x", "x", "y", "x"]
    assert preferences.wins.tolist() == [1, 1, 1, 0]
    words, text = first_command(path)
    assert "4 preferences between 3 systems" in text
    assert read_preferences(path, columns=columns_of(words)).table().equals(preferences.table())


def test_both_good_is_a_tie(tmp_path):
    rows = "left,w1,q1,a,b\nboth_good,w2,q1,a,b\nboth_bad,w1,q2,b,a\nright,w2,q2,b,a\n"
    path = write(tmp_path / "sides.csv", f"result,worker_id,id,left_model,right_model\n{rows}")
    assert read_preferences(path).wins.tolist() == [1, 0.5, 0.5, 0]


def test_two_winners_of_one_comparison(tmp_path):
    rows = "1,a,b,model_1,tie,1\n1,b,a,model_1,model_1,2\n2,a,b,model_2,model_1,1\n2,b,a,tie,tie,2\n"
    path = write(tmp_path / "pair.csv", f"question_id,model_1,model_2,g1_winner,g2_winner,turn\n{rows}")
    preferences = read_preferences(path)
    assert len(preferences) == 8
    assert preferences.raters == ("1", "2")


def test_sides_without_systems_say_what_is_missing(tmp_path):
    path = write(tmp_path / "choices.csv", "annotator,pair_id,choice\nx,1,A\ny,1,B\nx,2,Tie\ny,2,A\n")
    assert "choice says which side is preferred (A, B, Tie), but no column names the systems" in str(
        inspect_file(path)
    )


def test_raters_beside_a_resolved_score(tmp_path):
    rows = "".join(
        f"{n},{a},{b},{a + b}\n" for n, (a, b) in enumerate([(1, 2), (4, 4), (3, 2), (5, 6), (2, 2)])
    )
    words, text = first_command(
        write(tmp_path / "essays.csv", f"essay_id,rater1_domain1,rater2_domain1,domain1_score\n{rows}")
    )
    assert words[1] == "assessors"
    assert columns_of(words)["ratings"] == ["rater1_domain1", "rater2_domain1"]
    assert "readings are possible" not in text


@pytest.mark.slow
def test_measures_of_models_that_are_called_like_judges(tmp_path):
    rows = "".join(f"e{n},{n % 2},{n % 3},{(n + 1) % 2},{n % 2}\n" for n in range(6))
    header = "example_id,gpt-4o.correctness,gpt-4o.conciseness,haiku.correctness,haiku.conciseness\n"
    words, text = first_command(write(tmp_path / "compare.csv", header + rows))
    assert "systems x measures as columns" in text
    assert columns_of(words)["cells"] == ["{system}.{measure}"]


def test_the_system_of_nested_dialogues(tmp_path):
    dialogues = [
        {
            "dialog_id": f"{s}-{n}",
            "bot_id": s,
            "turns": [{"text": "So.", "ratings": [{"rater": r, "sensible": g[n] > 2} for r in ("u1", "u2")]}]
            * 2,
        }
        for n in range(4)
        for s, g in GRADES.items()
    ]
    text = str(inspect_file(write(tmp_path / "ssa.json", dialogues)))
    assert "; system = bot_id; " in text


@pytest.mark.slow
def test_a_text_without_a_header_and_with_tabs_is_a_table(tmp_path, capsys):
    rows = "".join(f"image{n // 2}.jpg\tcaption{n}\t{1 + n % 4}\t{1 + (n + 1) % 4}\n" for n in range(12))
    assert main(["validate", write(tmp_path / "expert.txt", rows)]) == 0
    assert "12 rows, 4 columns" in capsys.readouterr().out


def in_rows(row, *, header, extra=""):
    """Write a row for each rating by two people of what each system wrote on eight items."""
    rows = [
        row(item, system, rater, 1 + (item * 3 + n * 2 + rater) % 5)
        for rater in range(2)
        for item in range(8)
        for n, system in enumerate(("alpha", "beta", "gamma"))
    ]
    return "\n".join([header, *rows]) + f"\n{extra}"


TICKS = [f"fluency:::scale_{number}" for number in range(1, 6)]
FILES_OF_TOOLS = {
    "a listening test": in_rows(
        lambda i, s, r, g: f"{s}/sent{i}.wav,L{r},{g}", header="filename,listener,MOS"
    ),
    "webMUSHRA": in_rows(
        lambda i, s, r, g: f"t1,u{r},trial{i},{s},{g},{3000 + i},",
        header="session_test_id,session_uuid,trial_id,rating_stimulus,rating_score,rating_time,rating_comment",
    ),
    "Potato": in_rows(
        lambda i, s, r, g: f"u{r},d{i}__{s},{','.join('true' * (n == g) for n in range(1, 6))}",
        header=f"user,instance_id,{','.join(TICKS)}",
    ),
    "MT-bench": "".join(
        json.dumps(
            {"question_id": item, "model": system, "judge": ["gpt-4", "v1"], "turn": rater, "score": grade}
        )
        + "\n"
        for line in in_rows(lambda *row: ",".join(map(str, row)), header="").split()
        for item, system, rater, grade in [
            [int(cell) if cell.isdigit() else cell for cell in line.split(",")]
        ]
    ),
    "stars": in_rows(
        lambda i, s, r, g: f"d{i},{s},r{r},{'★' * g}{'☆' * (5 - g)}", header="doc,system,rater,rating"
    ),
    "Appen": in_rows(
        lambda i, s, r, g: f"false,0.9{r},w{r},{g},,{s},d{i}",
        header="_golden,_trust,_worker_id,fluent,fluent_gold,model,source_id",
        extra="true,0.9,w0,1,1,alpha,g1\ntrue,0.9,w1,1,1,alpha,g2\n",
    ),
    "Toloka": in_rows(
        lambda i, s, r, g: f"{s},{i},{g},,w{r}",
        header="INPUT:system,INPUT:doc,OUTPUT:fluency,GOLDEN:fluency,ASSIGNMENT:worker_id",
        extra=",g1,5,5,w0\n,g2,5,5,w1\n",
    ),
}


@pytest.mark.filterwarnings("ignore:.*2 of 50 rows left out. INPUT.system is empty")
@pytest.mark.parametrize("name", FILES_OF_TOOLS)
def test_files_of_tools_for_listening_and_crowds(name, tmp_path):
    """The means of the command that is printed, without rows of quality control."""
    path = write(tmp_path / ("x.jsonl" if name == "MT-bench" else "x.csv"), FILES_OF_TOOLS[name])
    words, text = first_command(path)
    scores = read_scores(path, columns=columns_of(words))
    kept = scores[scores["metric"] == words[words.index("--metric") + 1]]
    if "--task" in words:
        kept = kept[kept["task"] == words[words.index("--task") + 1]]
    means = kept.groupby("summarizer")["score"].mean().to_dict()
    assert means == {"alpha": 2.9375, "beta": 3.0625, "gamma": 2.875}
    assert kept["topic"].nunique() == (16 if name == "MT-bench" else 8)
    assert ("rows of quality control (true) are left out by --task false" in text) == (name == "Appen")
    assert "--metric GOLDEN:fluency" not in text


def test_sentences_of_documents_that_people_rated_are_no_systems(tmp_path):
    rows = "".join(
        f"d{d}_s{s},r{r},{1 + (d + s + r) % 5}\n" for d in range(4) for s in range(3) for r in range(2)
    )
    path = write(tmp_path / "x.csv", f"unit,rater,fluency\n{rows}")
    assert {*read_scores(path, columns={"topic": "unit"})["summarizer"]} == {"system"}
    assert "12 topics, 1 systems, 2 raters" in str(inspect_file(path))


def test_tied_ranks_are_numbers(tmp_path):
    rows = "".join(f"d{n},{'1=' if n % 2 else '1'},{'1=' if n % 2 else '2'},3\n" for n in range(4))
    path = write(tmp_path / "x.csv", f"doc_id,alpha,beta,gamma\n{rows}")
    scores = read_scores(path, columns={"systems": ["alpha", "beta", "gamma"]})
    assert scores.groupby("summarizer")["score"].mean().to_dict() == {"alpha": 1.0, "beta": 1.5, "gamma": 3.0}


def test_appraise_exports_no_header(tmp_path):
    rows = [
        f"eng01,{system},{item},{kind},eng,deu,{score},doc{item // 3},False,1598000{item}.5,1598001{item}.5"
        for item in range(6)
        for system, kind, score in (("alpha", "TGT", 80), ("beta", "TGT", 60 + item), ("alpha", "BAD", 9))
    ]
    path = write(tmp_path / "scores.csv", "\n".join(rows) + "\n")
    words, report = first_command(path)
    assert "Appraise" in report
    assert words[-2:] == ["--task", "TGT"]
    scores = read_scores(path, columns=columns_of(words))
    means = scores[scores["task"] == "TGT"].groupby("summarizer")["score"].mean()
    assert means.to_dict() == {"alpha": 80.0, "beta": 62.5}


@pytest.mark.parametrize("corner", ["", "system"])
def test_a_square_of_wins_says_what_it_is(tmp_path, corner):
    path = write(tmp_path / "wins.csv", f"{corner},a,b,c\na,0,12,15\nb,8,0,11\nc,5,9,0\n")
    with pytest.raises(InputError, match="a table of a, b, c by themselves, as counts of wins are"):
        read_scores(path)
    if corner:
        assert len(read_scores(path, columns={"systems": ["a", "b", "c"], "topic": corner})) == 9


PRINTED_TABLES = {
    "psql.txt": " item | system | score \n------+--------+-------\n"
    + "".join(f"   {n} | {s}      |     {g} \n" for n in range(4) for s, g in (("a", 1 + n % 3), ("b", 3)))
    + "(8 rows)\n",
    "markdown.md": "# Scores\n\nOf 4 items, in May.\n\n| item | system | score |\n|-----:|:-------|------|\n"
    + "".join(f"| {n} | {s} | {g} |\n" for n in range(4) for s, g in (("a", 1 + n % 3), ("b", 3))),
    "pivot.csv": ",,score,score\nsystem,,a,b\nitem,rater,,\n" + "".join(f"{n},x,{1 + n % 3},3\n" for n in range(4)),
    "split.json": json.dumps(
        {
            "columns": ["item", "system", "score"],
            "data": [[n, s, g] for n in range(4) for s, g in (("a", 1 + n % 3), ("b", 3))],
            "ncols": 3,
            "nrows": 8,
        }
    ),
    "slots.csv": "item,system1Id,system2Id,system1score,system2score\n"
    "0,a,b,1,3\n1,b,a,3,2\n2,a,b,3,3\n3,b,a,3,1\n",
}  # fmt: skip


@pytest.mark.parametrize("name", PRINTED_TABLES)
def test_tables_as_programs_print_them(tmp_path, name):
    path = write(tmp_path / name, PRINTED_TABLES[name])
    words, _ = first_command(path)
    scores = read_scores(path, columns=columns_of(words))
    assert {*scores["metric"]} == {"score"}
    assert scores.groupby("summarizer")["score"].mean().to_dict() == {"a": 1.75, "b": 3}


def test_an_archive_of_tables_is_to_be_unpacked(tmp_path):
    pytest.importorskip("openpyxl")
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("results/a.csv", "item,score\n1,2\n")
    with pytest.raises(InputError, match=r"an archive of results/a.csv; unpack it, and validate its folder"):
        read_scores(tmp_path / "x.zip")


def test_a_table_with_a_row_a_system_has_no_topics(tmp_path):
    rows = "".join(f"m{n},{'AB'[n % 2]},{3 + n % 2}.{n} ± 0.4,{n}.5\n" for n in range(6))
    path = write(tmp_path / "x.csv", f"system,licence,fluency,BLEU\n{rows}")
    printed = str(inspect_file(path, siblings=[]))
    assert "a row a system, as a leaderboard has" in printed
    assert "of fluency the means are read, and not their spreads" in printed


def test_counts_of_votes_on_pairs_are_votes(tmp_path):
    path = write(
        tmp_path / "x.csv",
        "story,pair,wins,losses,ties\n1,ours vs base,2,1,0\n2,ours vs base,0,1,1\n1,ours vs lead,3,0,0\n",
    )
    words, _ = first_command(path)
    preferences = read_preferences(path, columns=columns_of(words))
    assert len(preferences) == 8
    ours = preferences.systems.index("ours")
    wins = np.where(preferences.first == ours, preferences.wins, 1 - preferences.wins)
    assert wins.tolist() == [1, 1, 0, 0, 0.5, 1, 1, 1]


def test_the_names_of_files_combine_systems_and_raters(tmp_path):
    for rater, shift in (("JD", 0), ("KS", 1)):
        for system, grade in (("flan", 2), ("gpt4", 3)):
            rows = "".join(f"{n},{system} {n},{grade + shift}\n" for n in range(4))
            write(tmp_path / f"annot_{rater}_{system}.csv", f"sent,output,simplicity\n{rows}")
    report = inspect_scores(str(tmp_path))
    assert report is not None
    assert "if flan, gpt4 in their names are systems and JD, KS raters" in str(report)
    columns = "system=#file3,rater=#file2,topic=sent,measures=simplicity"
    assert columns in report.commands[0]
    scores = read_score_table([str(path) for path in sorted(tmp_path.glob("*.csv"))], columns=columns)
    assert scores.groupby(["summarizer", "assessor"])["score"].mean().tolist() == [2, 3, 3, 4]
    with pytest.raises(UsageError, match="#file4: the name annot_JD_flan has 3 words"):
        read_scores(tmp_path / "annot_JD_flan.csv", columns={"system": "#file4", "topic": "sent"})


CHOICES = {
    "best_system,worst_system": ["human,lead", "human,lead", "bart,lead"],
    "ranking": ["human > bart = t5 > lead", "human > t5 > bart > lead", "bart > human > t5 > lead"],
}


@pytest.mark.parametrize(
    ("header", "means"),
    [
        ("best_system,worst_system", {"bart": 1 / 3, "human": 2 / 3, "lead": -1.0}),
        ("ranking", {"bart": 6.5 / 3, "human": 4 / 3, "lead": 4.0, "t5": 7.5 / 3}),
    ],
)
def test_choices_among_all_systems_and_tied_ranks(tmp_path, header, means):
    rows = "".join(f"d{n},{choice}\n" for n, choice in enumerate(CHOICES[header]))
    path = write(tmp_path / "x.csv", f"doc_id,{header}\n{rows}")
    scores = read_scores(path)
    assert scores.groupby("summarizer")["score"].mean().to_dict() == pytest.approx(means)


@pytest.mark.filterwarnings("ignore:.*ignored columns")
def test_quotation_marks_of_texts_join_no_rows(tmp_path):
    rows = "".join(
        f"i{n // 2}\t{'ab'[n % 2]}\t{n + 1}\t{'“' if n % 3 else chr(34)}Text {n}\n" for n in range(8)
    )
    path = write(tmp_path / "x.tsv", f"item\tsystem\tscore\ttext\n{rows}")
    assert len(read_scores(path)) == 8
    path = write(tmp_path / "y.tsv", 'item\tsystem\tscore\ttext\ni\ta\t1\t"one\ntwo"\ni\tb\t2\tthree\n')
    assert len(read_scores(path)) == 2


def test_what_people_say_stands_before_what_models_say(tmp_path):
    rows = "".join(f"{n},x,y,{'AB'[n % 2]},{'AB'[n % 3 > 0]}\n" for n in range(6))
    path = write(tmp_path / "x.csv", f"id,model_a,model_b,human_preference,llm_preference\n{rows}")
    assert len(read_preferences(path)) == 6
    rows = "".join(f"d{n // 2},{'ab'[n % 2]},{1 + n % 4},{(n % 5) / 4}\n" for n in range(12))
    path = write(tmp_path / "y.csv", f"doc,system,human_score,prometheus_score\n{rows}")
    assert columns_of(first_command(path)[0])["scores"] == ["prometheus_score"]


def test_objects_of_numbers_in_cells_become_columns(tmp_path):
    rows = "".join(
        f'i{n // 2},{"ab"[n % 2]},{n * 99},"{{""accuracy"": {1 + n % 3}, ""detail"": {2 + n % 2}}}"\n'
        for n in range(6)
    )
    path = write(tmp_path / "x.csv", f"item,system,rt,response\n{rows},,5,0\n")
    assert columns_of(first_command(path)[0])["measures"] == ["accuracy", "detail"]


def test_lists_in_lists_without_numbers_make_no_rows_and_means_come_last(tmp_path):
    """As in SQuALITY: objects of questions, of systems, and reviews with highlights and with their mean."""
    grades = {"bart": (2, 3, 2), "human": (5, 4, 5)}
    questions = {
        str(question): {
            system: {
                "reviews": [
                    {
                        "annotations": [{"annotation": ["x"], "selection": "A part of it."}] * 2,
                        "system": system,
                        "worker_id": f"w{rater}",
                        "correctness-rating": grade + rater % 2,
                        "correctness-rank": 2 - (system == "human"),
                        "overall-rating": grade,
                        "overall-rank": 2 - (system == "human"),
                    }
                    for rater, grade in enumerate(of_system)
                ],
                "overall": {"correctness-rating": sum(of_system) / 3},
            }
            for system, of_system in grades.items()
        }
        for question in (0, 1)
    }
    path = tmp_path / "x.jsonl"
    path.write_text(
        "".join(json.dumps({"passage-id": f"p{n}", "questions": questions}) + "\n" for n in range(4))
    )
    words, text = first_command(path)
    assert words[words.index("--metric") + 1] == "correctness-rating"
    assert "topic=passage-id,questions_name,system=system,rater=worker_id" in words[-1]
    assert "8 topics, 2 systems, 3 raters" in text
    assert "annotations' became rows" not in text
    scores = read_scores(path, columns=words[-1])
    means = scores[scores["metric"] == "correctness-rating"].groupby("summarizer")["score"].mean().round(3)
    assert means.to_dict() == {"bart": 2.667, "human": 5.0}


def test_events_of_a_log_without_a_score_are_no_systems(tmp_path):
    """As in the logs of OpenAI's evals, where each sample has an event of sampling and one with what was correct."""
    for system, wrong in (("one", 3), ("two", 1)):
        lines = [{"spec": {"completion_fns": [system]}}]
        for sample in range(6):
            lines.append({"sample_id": f"dev.{sample}", "type": "sampling", "data": {"prompt": "q"}})
            lines.append(
                {"sample_id": f"dev.{sample}", "type": "match", "data": {"correct": sample >= wrong}}
            )
        path = tmp_path / f"log_{system}.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    words, text = first_command(path)
    assert words[1] == "compare"
    assert "system=#file,topic=sample_id" in words[-1]
    assert "1 of 13 rows left out: sample_id is empty" in text
    assert "6 of 13 rows left out: no score in correct" in text
    with pytest.warns(DataWarning, match="sample_id is empty"):
        scores = read_scores(path, columns=words[-1])
    assert scores["score"].dropna().tolist() == [0, 1, 1, 1, 1, 1]


def test_lists_of_spans_are_refused_by_their_first_cell(tmp_path):
    rows = [
        {"id": n, "sent_id": n // 2, "engine": "ab"[n % 2], "label": [[0, 4, "GRAMMAR"]] * (n % 3)}
        for n in range(1, 9)
    ]
    path = tmp_path / "x.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(
        InputError, match=r"line 1: label is .*, a list of no scores; expected a row of each item"
    ):
        read_scores(path)
