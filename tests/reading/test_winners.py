"""Which side a winner names: words, degrees of preference, and numbers from 1 to 2."""

import json

import pytest

from classy_aesop import compare, read_scores
from classy_aesop.errors import InputError
from classy_aesop.reading.byte_sources import Source
from classy_aesop.reading.file_report import inspect_file
from classy_aesop.reading.given_tables import find_contents, read_preferences
from classy_aesop.reading.judged_scores import open_table, votes_of, votes_of_table
from classy_aesop.reading.shapes import find_readings
from classy_aesop.reading.sides import side_of


@pytest.mark.parametrize(
    ("winner", "side"),
    [
        ("A>>B", 0.0),
        ("a > b", 0.0),
        ("[[A>B]]", 0.0),
        ("[[A=B]]", 0.5),
        ("B>A", 1.0),
        ("[[B>>A]]", 1.0),
        ("A much better", 0.0),
        ("B is a bit better", 1.0),
        ("About the same", 0.5),
        (">", 0.0),
        ("<<", 1.0),
        ("=", 0.5),
        ("a>a", None),
        ("Definitely left", 0.0),
        ("NEUTRAL", 0.5),
        ("Unsure", None),
        ("1.0", 0.0),
        (1.5, 0.5),
        (2.0, 1.0),
        (1.25, 0.25),
        ("1.9999", pytest.approx(0.9999)),
        ("2.5", None),
        ("-1.3", None),
    ],
)
def test_sides_of_degrees_and_numbers(winner, side):
    assert side_of(winner, ()) == side


def test_many_different_shares_are_preferences(tmp_path):
    path = tmp_path / "weighted.csv"
    rows = [f"i{number},base,mine,{1 + number / 100:.2f}" for number in range(101)]
    path.write_text("\n".join(["instruction,generator_1,generator_2,preference", *rows]) + "\n")
    preferences = find_contents(path, votes_of_table)
    assert preferences.systems == ("base", "mine")
    # of 1.00 the first wins surely, of 2.00 the second; the mean is a half
    assert preferences.wins[[0, 30, 100]].tolist() == pytest.approx([1.0, 0.7, 0.0])
    assert preferences.wins.mean() == pytest.approx(0.5)


def test_named_sides_are_names_of_systems_though_each_is_always_the_same(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text(
        "story,left_sys,right_sys,vote\n1,alpha,beta,left\n2,alpha,beta,right\n3,alpha,beta,tie\n"
    )
    columns = {"topic": "story", "first": "left_sys", "second": "right_sys", "winner": "vote"}
    assert find_contents(path, votes_of_table, columns=columns).systems == ("alpha", "beta")


def test_zero_and_one_do_not_say_which_side_is_meant(tmp_path):
    path = tmp_path / "coded.csv"
    path.write_text("topic,model_a,model_b,winner\n1,x,y,0\n2,x,y,1\n3,y,x,1\n")
    with pytest.raises(InputError, match="winner holds 0, 1: it does not say which side is meant"):
        read_preferences(path)


@pytest.mark.parametrize(
    "rows", [["1,champ,a,champ", "1,b,a,b", "2,champ,a,champ"], ["1,old,new,old", "2,old,new,new"]]
)
@pytest.mark.parametrize("sides", ["first,second", "left,right"])
def test_columns_that_are_called_by_the_side_alone_name_systems(tmp_path, rows, sides):
    path = tmp_path / "plain.csv"
    path.write_text("\n".join([f"topic,{sides},winner", *rows]) + "\n")
    preferences = find_contents(path, votes_of_table)
    first, second, winner = zip(*(row.split(",")[1:] for row in rows), strict=True)
    named = [preferences.systems[code] for code in preferences.first]
    assert {*preferences.systems} == {*first, *second}
    assert (
        preferences.wins == [name == preferred for name, preferred in zip(named, winner, strict=True)]
    ).all()


@pytest.mark.parametrize("results", [("win", "loss", "draw"), ("won", "lost", "tie")])
def test_an_opponent_and_a_result(tmp_path, results):
    path = tmp_path / "x.csv"
    rows = [f"t{number},x,y,{result}" for number, result in enumerate(results)]
    path.write_text("\n".join(["item,model,opponent,outcome", *rows]))
    preferences = find_contents(path, votes_of_table)
    assert preferences.systems == ("x", "y")
    assert preferences.wins.tolist() == [1.0, 0.0, 0.5]


def test_a_cell_names_both_systems_and_another_the_better(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text(
        "story,comparison,judge,result\n1,x vs y,j,x\n2,y vs z,j,draw\n3,z vs x,j,x\n4,z vs y,j,z\n"
    )
    preferences = find_contents(path, votes_of_table)
    assert preferences.table().drop(columns=["rater"]).to_numpy().tolist() == [
        ["1", "x", "y", "first"],
        ["2", "y", "z", "tie"],
        ["3", "z", "x", "second"],
        ["4", "z", "y", "first"],
    ]


def test_words_of_other_languages_for_ties(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("Satz;System A;System B;Bevorzugt\n1;x;y;A\n2;y;x;B\n3;x;y;gleich\n4;x;y;B\n")
    assert find_contents(path, votes_of_table).wins.tolist() == [1.0, 0.0, 0.5, 0.0]


def test_the_order_of_chosen_and_rejected_is_not_that_in_which_they_were_shown(tmp_path, recwarn):
    """A system that is chosen 33 times of 36 wins this share, though it stands first in as many rows."""
    path = tmp_path / "x.csv"
    rows = [f"p{number},{'x,y' if number % 12 else 'y,x'}" for number in range(36)]
    path.write_text("\n".join(["prompt,chosen_model,rejected_model", *rows]))
    preferences = find_contents(path, votes_of_table)
    assert not preferences.is_order_shown
    assert preferences.wins.sum() == 33
    rates = compare(preferences).table.set_index("summarizer")["win_rate"]
    assert rates["x"] == pytest.approx(33 / 36)
    assert not recwarn.list


def vote_file(path, votes):
    rows = [f"i{number},x,y,{vote}" for number, vote in enumerate(votes)]
    path.write_text("\n".join(["item,model_a,model_b,preference", *rows]) + "\n")
    return path


@pytest.mark.parametrize(
    ("unsaid", "hint"),
    [("", ""), ("Unsure", ""), ("", "; write a tie as tie"), ("unsure", "; write a tie as tie")],
)
def test_who_writes_ties_left_nothing_empty_to_say_one(tmp_path, recwarn, unsaid, hint):
    """An empty vote may be meant as a tie only where no other is written as one."""
    votes = ["A", "B", "B", "B" if hint else "=", unsaid]
    preferences = read_preferences(vote_file(tmp_path / "x.csv", votes))
    assert preferences.wins.tolist() == [1, 0, 0, 0 if hint else 0.5]
    assert [str(warning.message).partition(": ")[2] for warning in recwarn] == [
        f"1 of 5 rows left out: no winner in preference{hint} (first: line 6)"
    ]


def test_a_vote_for_no_side_is_refused_by_its_cell(tmp_path):
    path = vote_file(tmp_path / "x.csv", ["A", "B", "Tie", "Invalid", "B", "Invalid"])
    with pytest.raises(InputError, match="line 5: preference is 'Invalid'; expected x, y or a tie"):
        read_preferences(path)


def test_raters_called_a_and_b_are_no_votes(tmp_path):
    path = tmp_path / "x.csv"
    rows = [f"{item},{rater},{1 + item % 5},{5 - item % 4}" for item in range(6) for rater in "AB"]
    path.write_text("\n".join(["item,annotator,Model 1,Model 2", *rows]) + "\n")
    scores = read_scores(path)
    assert {*scores["assessor"]} == {"A", "B"}
    assert {*scores["summarizer"]} == {"Model 1", "Model 2"}


SYSTEMS_OF_ROWS = [("x", "y"), ("y", "z"), ("z", "x"), ("y", "x")] * 3


def write_judged_pairs(path, columns):
    """Write a table of pairs of systems, with the cells of further columns."""
    header = ",".join(["item", "model_a", "model_b", *columns])
    cells = zip(SYSTEMS_OF_ROWS, *columns.values(), strict=True)
    rows = [
        f"i{number // 2},{','.join(map(str, [*pair, *of_row]))}"
        for number, (pair, *of_row) in enumerate(cells)
    ]
    path.write_text("\n".join([header, *rows]) + "\n")


@pytest.mark.parametrize(
    ("degrees", "tie", "wins"),
    [
        ([1, 3, 4, 5, 7, 3] * 2, 4, [1, 1, 0.5, 0, 0, 1]),  # a scale from 1 to 7
        ([0, 48, 50, 52, 97, 0] * 2, 50, [1, 1, 0.5, 0, 0, 1]),  # a slider
        ([1, 2, 3, 4, 1, 3] * 2, 2.5, [1, 1, 0, 0, 1, 0]),  # no number for a tie
        ([0.1, 0.4, 0.5, 0.9, 0.8, 0.1] * 2, 0.5, [0.9, 0.6, 0.5, 0.1, 0.2, 0.9]),  # shares
        ([-1, -3, 0, 2, 1, -3] * 2, 0, [1, 1, 0.5, 0, 0, 1]),
    ],
)
@pytest.mark.parametrize("name", ["preference", "Quality", "strength_of_it"])
def test_numbers_beside_two_systems_are_degrees_whose_sides_are_asked(tmp_path, degrees, tie, wins, name):
    path = tmp_path / "x.csv"
    write_judged_pairs(path, {name: degrees})
    with pytest.raises(InputError, match=f"which side is meant; here those below {tie:g} prefer"):
        find_contents(path, votes_of_table)
    columns = {"topic": "item", "first": "model_a", "second": "model_b", "winner": name}
    preferences = find_contents(path, votes_of_table, columns=columns)
    assert preferences.wins.tolist() == pytest.approx(wins * 2)


def test_zero_beside_a_word_for_ties_is_a_side_and_no_tie(tmp_path):
    path = tmp_path / "x.csv"
    write_judged_pairs(path, {"preference": [0, 1, "tie"] * 4})
    with pytest.raises(InputError, match="preference holds 0, 1: it does not say which side is meant"):
        find_contents(path, votes_of_table)


def test_each_of_several_questions_is_a_measure(tmp_path):
    path = tmp_path / "x.csv"
    votes = {"More fluent": ["A", "B", "A"] * 4, "Which is better overall?": ["B", "A", "tie"] * 4}
    write_judged_pairs(path, votes)
    commands = [command for command in inspect_file(path).commands if " compare " in command]
    assert ["fluent" in command for command in commands] == [False, True]


@pytest.mark.parametrize(
    "pairs",
    [
        ["x-1|y-1", "y-1|z-1", "z-1|x-1"],
        ["x-1/y-1", "y-1/z-1", "z-1/x-1"],
        ["x-1-y-1", "y-1-z-1", "z-1-x-1"],
    ],
)
def test_pairs_are_split_where_their_halves_are_names_again(tmp_path, pairs):
    path = tmp_path / "x.csv"
    rows = [f"{number},{pair},{number % 2 + 1}" for number, pair in enumerate(pairs * 4)]
    path.write_text("\n".join(["item,systems,winner", *rows]) + "\n")
    preferences = find_contents(path, votes_of_table)
    assert preferences.systems == ("x-1", "y-1", "z-1")
    assert preferences.wins.tolist() == [1.0, 0.0] * 6


def wins_of(path):
    """Count what each system gains by the first reading of a file."""
    table, roles = open_table(Source.from_path(path), None)
    preferences = votes_of(table, find_readings(table, roles)[0])
    gains = dict.fromkeys(preferences.systems, 0.0)
    for first, second, win in zip(preferences.first, preferences.second, preferences.wins, strict=True):
        gains[preferences.systems[first]] += win
        gains[preferences.systems[second]] += 1 - win
    return gains


def text_of(system):
    return f"as {system} told it to all of us"


# x wins twice against y and ties with it once, and loses once against z
COMPARISONS = [("x", "y", "x"), ("y", "x", "x"), ("x", "y", "tie"), ("z", "x", "z")]
TABLES_OF_WINNERS = {
    "the text that is preferred": "prompt,model_a,model_b,response_a,response_b,preferred\n"
    + "".join(
        f"p{n},{a},{b},{text_of(a)},{text_of(b)},{c if c == 'tie' else text_of(c)}\n"
        for n, (a, b, c) in enumerate(COMPARISONS)
    ),
    "ranks of both": "item,sys1,sys2,sys1rank,sys2rank\n1,x,y,1,2\n2,y,x,3,1\n3,x,y,2,2\n4,z,x,1,4\n",
    "counts of votes": "left_model,right_model,left wins,right wins,ties\n"
    "x,y,1,0,1\ny,x,0,1,0\nz,x,2,0,0\nx,z,0,0,0\n",
    "counts of votes on items": "item,model_a,model_b,votes_a,votes_b,votes_tie\n"
    "1,x,y,2,0,0\n2,y,x,0,3,1\n3,x,y,0,0,1\n4,x,z,0,2,0\n",
    "two names in a list": json.dumps(
        [{"item": n, "models": [a, b], "winner": c} for n, (a, b, c) in enumerate(COMPARISONS)]
    ),
    "two votes in objects": json.dumps(
        [
            {"item": n, "model_a": a, "model_b": b, "votes": [{"worker": w, "label": c} for w in "pq"]}
            for n, (a, b, c) in enumerate(COMPARISONS)
        ]
    ),
    "names of two sides unheard of": "item,ours,theirs,winner\n"
    + "".join(f"{n},{','.join(names)}\n" for n, names in enumerate(COMPARISONS * 3)),
}


@pytest.mark.parametrize("kind", TABLES_OF_WINNERS)
def test_winners_of_many_forms(tmp_path, kind):
    text = TABLES_OF_WINNERS[kind]
    path = tmp_path / ("x.json" if text.startswith("[") else "x.csv")
    path.write_text(text)
    gains = wins_of(path)
    if kind == "counts of votes on items":  # x wins five times against y and ties twice
        assert gains == {"x": 6.0, "y": 1.0, "z": 2.0}
        return
    n_times = gains["y"] / 0.5
    assert gains == {"x": 2.5 * n_times, "y": 0.5 * n_times, "z": (2 if "counts" in kind else 1) * n_times}


@pytest.mark.parametrize(
    ("header", "names", "gains"),
    [
        # the names of columns of texts; the first wins twice, the second once
        ("item,base_hi,tuned_hi,choice", ["base", "tuned", "base", "same"], {"base": 2.5, "tuned": 1.5}),
        ("item,base,tuned_hi,winner", ["base", "tuned_hi", "base", "same"], {"base": 2.5, "tuned_hi": 1.5}),
        # a column that the winner names, and the name that no column has
        ("item,base,note,preferred", ["ours", "base", "ours", "tie"], {"ours": 2.5, "x": 1.0, "y": 0.5}),
    ],
)
def test_a_winner_may_name_columns(tmp_path, header, names, gains):
    path = tmp_path / "x.csv"
    texts = [f"{text_of('x')},{text_of('y')}"] * 4 if "hi" in header else ["x,-", "x,-", "y,-", "y,-"]
    rows = [f"{n},{cells},{name}" for n, (cells, name) in enumerate(zip(texts, names, strict=True))]
    path.write_text("\n".join([header, *rows]) + "\n")
    assert wins_of(path) == gains


@pytest.mark.parametrize(("name", "marks"), [("swapped", "01"), ("order", ["AB", "BA"])])
def test_sides_that_never_change_are_doubted_beside_a_column_of_swaps(tmp_path, name, marks):
    path = tmp_path / "x.csv"
    rows = f"1,{marks[0]},x,y,left\n2,{marks[1]},x,y,right\n" * 3
    path.write_text(f"item,{name},left_model,right_model,winner\n{rows}")
    with pytest.raises(InputError, match=f"{name} may say in which rows the two outputs were exchanged"):
        find_contents(path, votes_of_table)


PLACES = [["ada", "bob", "cyd"], ["bob", "cyd", "ada"], ["cyd", "ada", "bob"], ["ada", "cyd", "bob"]]
ORDERS = [["ada", "bob", "cyd"], ["ada", "cyd", "bob"], ["ada", "bob", "cyd"], ["bob", "ada", "cyd"]]


@pytest.mark.parametrize("ends", ["ABC", "123", "abc"])
@pytest.mark.parametrize("word", ["", "System ", "Option_"])
def test_places_of_the_best_and_the_worst_are_those_of_names_in_columns(tmp_path, ends, word):
    path = tmp_path / "x.csv"
    places = [
        [f"{word}{ends[names.index(order[place])]}" for place in (0, -1)]
        for names, order in zip(PLACES, ORDERS, strict=True)
    ]
    rows = [
        ",".join([f"t{n}", *names, *marks])
        for n, (names, marks) in enumerate(zip(PLACES, places, strict=True))
    ]
    header = ",".join(["topic", *(f"sys_{end}" for end in ends), "best", "worst"])
    path.write_text("\n".join([header, *rows]) + "\n")
    # ada is best in 3 of 4 rows, bob best in one and worst in one, cyd worst in 3
    means = read_scores(path).groupby("summarizer")["score"].mean()
    assert means.to_dict() == {"ada": 0.75, "bob": 0.0, "cyd": -0.75}


@pytest.mark.parametrize("form", ["names", "objects"])
def test_indices_of_the_best_and_of_an_order_are_those_of_a_list(tmp_path, form):
    path = tmp_path / "x.json"
    rows = [
        {
            "topic": f"t{n}",
            "models": names
            if form == "names"
            else [{"model": name, "text": text_of(name)} for name in names],
            "ranking": [names.index(name) for name in order],
        }
        for n, (names, order) in enumerate(zip(PLACES, ORDERS, strict=True))
    ]
    path.write_text(json.dumps(rows))
    ranks = read_scores(path).groupby("summarizer")["score"].mean()
    assert ranks.to_dict() == {"ada": 1.25, "bob": 2.0, "cyd": 2.75}
    for row in rows:
        first, *_, last = row.pop("ranking")
        row |= {"best_index": first, "worst_index": last}
    path.write_text(json.dumps(rows))
    means = read_scores(path).groupby("summarizer")["score"].mean()
    assert means.to_dict() == {"ada": 0.75, "bob": 0.0, "cyd": -0.75}


def test_ranks_that_are_an_order_in_every_row_are_those_of_systems(tmp_path):
    path = tmp_path / "x.csv"
    names = ["ada", "bob", "cyd"]
    lines = [
        f"t{n},{','.join(str(order.index(name) + 1) for name in names)}" for n, order in enumerate(ORDERS)
    ]
    for header in ([f"rank_{name}" for name in names], [f"{name} rank" for name in names]):
        path.write_text("\n".join([",".join(["topic", *header]), *lines]) + "\n")
        ranks = read_scores(path)
        assert {*ranks["metric"]} == {"rank"}
        assert ranks.groupby("summarizer")["score"].mean().to_dict() == {"ada": 1.25, "bob": 2.0, "cyd": 2.75}


def test_lists_in_a_list_are_ties(tmp_path):
    path = tmp_path / "x.json"
    orders = [[["ada"], ["bob", "cyd"]], [["bob"], ["ada"], ["cyd"]]]
    path.write_text(json.dumps([{"topic": n, "ranking": orders[n % 2]} for n in range(4)]))
    ranks = read_scores(path).groupby("summarizer")["score"].mean()
    assert ranks.to_dict() == {"ada": 1.5, "bob": 1.75, "cyd": 2.75}


def test_the_winner_comes_before_measures(tmp_path):
    path = tmp_path / "x.csv"
    sides = ["A", "B", "tie"] * 4
    write_judged_pairs(path, {"Coherence": sides, "Preferred": sides[::-1]})
    commands = [command for command in inspect_file(path).commands if " compare " in command]
    assert ["winner=Preferred" in command for command in commands] == [True, False]


def test_orders_of_letters_and_by_commas(tmp_path):
    path = tmp_path / "x.csv"
    rows = [
        f"t{n},{','.join(names)},{'>'.join('ABC'[names.index(name)] for name in order)}"
        for n, (names, order) in enumerate(zip(PLACES, ORDERS, strict=True))
    ]
    path.write_text("\n".join(["topic,model A,model B,model C,ranking", *rows]) + "\n")
    ranks = {"ada": 1.25, "bob": 2.0, "cyd": 2.75}
    assert read_scores(path).groupby("summarizer")["score"].mean().to_dict() == ranks
    rows = [f't{n},"{", ".join(order)}"' for n, order in enumerate(ORDERS)]
    path.write_text("\n".join(["topic,ranking", *rows]) + "\n")
    assert read_scores(path).groupby("summarizer")["score"].mean().to_dict() == ranks


@pytest.mark.parametrize(
    ("columns", "gains"),
    [
        # x is better in row 1 of three against y, which is in row 3
        (
            {"a_better": [1, 0, 0], "b_better": [0, 0, 1]},
            {"x": 1.5, "y": 1.5},
        ),
        ({"preferred": ["one", "tie", "two"]}, {"x": 1.5, "y": 1.5}),
        ({"preferred": ["L", "T", "L"]}, {"x": 2.5, "y": 0.5}),
    ],
)
def test_words_and_flags_of_sides(tmp_path, columns, gains):
    path = tmp_path / "x.csv"
    rows = zip(range(3), "xxx", "yyy", *columns.values(), strict=True)
    lines = [",".join(["item", "model_a", "model_b", *columns]), *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n")
    assert wins_of(path) == gains


def test_sides_without_systems_are_no_comparison_and_raters_of_them_agree(tmp_path):
    path = tmp_path / "x.csv"
    texts = ",".join(map(text_of, "xy"))
    rows = [f"p{number // 2},{texts},r{number % 2},{'AB'[number % 3 > 0]}" for number in range(12)]
    path.write_text("\n".join(["prompt,response_a,response_b,annotator,preferred", *rows]) + "\n")
    report = inspect_file(path)
    assert "no comparison: no column names the systems of response_a, response_b" in str(report)
    assert [command.split()[1] for command in report.commands] == ["assessors"]


def test_questionnaires_of_sides_name_no_systems(tmp_path):
    path = tmp_path / "x.csv"
    rows = [f"r{row},{','.join('AB='[(row * item) % 3] for item in range(1, 6))}" for row in range(12)]
    path.write_text("\n".join(["ResponseId,Q1,Q2,Q3,Q4,Q5", *rows]) + "\n")
    assert "compare" not in str(inspect_file(path))


def test_each_criterion_has_its_best_and_worst_and_its_ranking(tmp_path):
    path = tmp_path / "x.csv"
    rows = [
        [f"t{n}", *names, order[0], order[-1], order[-1], order[1]]
        for n, (names, order) in enumerate(zip(PLACES, ORDERS, strict=True))
    ]
    header = ["topic", "sys_1", "sys_2", "sys_3", "best_style", "worst_style", "best_facts", "worst_facts"]
    path.write_text("\n".join(map(",".join, [header, *rows])) + "\n")
    means = read_scores(path).groupby(["metric", "summarizer"])["score"].mean()
    assert means["style"].to_dict() == {"ada": 0.75, "bob": 0.0, "cyd": -0.75}
    # cyd is last in style three times, and bob once; second are bob twice, cyd once and ada once
    assert means["facts"].to_dict() == {"ada": -0.25, "bob": -0.25, "cyd": 0.5}
    lines = [f"t{n},{'>'.join(order)},{'>'.join(order[::-1])}" for n, order in enumerate(ORDERS)]
    path.write_text("\n".join(["topic,rank style,rank facts", *lines]) + "\n")
    means = read_scores(path).groupby(["metric", "summarizer"])["score"].mean()
    assert means["rank style"].to_dict() == {"ada": 1.25, "bob": 2.0, "cyd": 2.75}
    assert means["rank facts"].to_dict() == {"ada": 2.75, "bob": 2.0, "cyd": 1.25}


def test_orders_of_some_of_all_systems(tmp_path):
    path = tmp_path / "x.csv"
    orders = ["a1 > a2 > a3", "a2 > a3 > a4", "a4 > a1 = a3", "a1 > a4 > a2"] * 2
    path.write_text("\n".join(["topic,order", *(f"t{n},{order}" for n, order in enumerate(orders))]) + "\n")
    ranks = read_scores(path).groupby("summarizer")["score"].mean().round(4)
    assert ranks.to_dict() == {"a1": 1.5, "a2": 2.0, "a3": 2.5, "a4": 2.0}


def test_a_row_without_its_pair_is_left_out_and_counted(tmp_path):
    path = tmp_path / "x.csv"
    rows = ["1,x1 vs y1,A", "2,y1 vs x1,A", "3,,A", "4,x1 vs y1,B"]
    path.write_text("\n".join(["item,comparison,winner", *rows]) + "\n")
    assert wins_of(path) == {"x1": 1.0, "y1": 2.0}
    assert "1 of 4 rows left out: comparison is empty" in str(inspect_file(path))


@pytest.mark.parametrize("cells", [["A", ["A", "B"]], [{"model": "x"}, "A"]])
def test_lists_and_objects_among_names_are_no_choices(tmp_path, cells):
    path = tmp_path / "x.json"
    rows = [{"id": n, "best": cells[n % 2], "worst": "B", "rank_1": cells[n % 2]} for n in range(8)]
    path.write_text(json.dumps(rows))
    assert "compare" not in str(inspect_file(path))
