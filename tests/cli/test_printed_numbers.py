"""No printed number contradicts another: 500 drawn tables of every design, through the commands that answer them."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from classy_aesop.cli import program

N_TABLES = 500
DESIGNS = ("grades", "passes", "skewed", "missing", "raters", "attempts", "preferences", "judged part")

WITHOUT_INTERVAL = ("own_comparisons", "sign_flips")
"""Exact tests of signs, which need no variance: all comparisons of two systems may have one winner."""

NUMBER = r"[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?"
END = rf"(?:above |below )?{NUMBER}"
BOUNDED = re.compile(rf"({NUMBER}) \[({END}), ({END})[\],]")
GATE = re.compile(
    rf"gate (passed|failed|undecided): .* is ({NUMBER}) \((\d+) % interval ({NUMBER}) to ({NUMBER})\), "
    rf"(not )?significantly (above|below) ({NUMBER})"
)
DIFFERENCE = re.compile(
    rf"(\S+) minus (\S+) is ({NUMBER}) \[({END}), ({END})\], which is (not )?significant \(p ([<=]) ({NUMBER})"
)
COUNTED = re.compile(
    r"(\d+) of (?:the )?(\d+) differences(?: of win rates| between \w+)? (?:is|are) significant"
)
BEST = re.compile(rf"^(\S+) has the highest (?:mean|win rate|strength)[^(]*\(({NUMBER})")


def end_of(text):
    return float(text.split()[-1])


def draw_scores(rng, design):
    """A table of scores: topic, system, then a rater or an attempt where the design has them, and the score."""
    n_systems = int(rng.choice([2, 2, 2, 3, 5]))
    n_topics = int(rng.choice([2, 3, 5, 10, 20, 40, 80]))
    systems = [f"s{i}" for i in range(n_systems)]
    true = rng.normal(0, rng.choice([0, 0.3, 1]), n_systems)
    level = rng.normal(0, 0.7, n_topics)
    base = rng.choice([3, 4.6])
    pass_rate = rng.choice([0.5, 0.8, 0.95, 1])

    def score(topic, system, leniency=0.0):
        if design in ("passes", "attempts"):
            return float(rng.random() < np.clip(pass_rate + 0.15 * true[system] + 0.1 * level[topic], 0, 1))
        if design == "skewed":
            return round(float(np.exp(true[system] + level[topic] + rng.normal())), 3)
        return float(
            np.clip(np.rint(base + true[system] + level[topic] + leniency + rng.normal(0, 0.8)), 1, 5)
        )

    rows = []
    for topic in range(n_topics):
        for system, name in enumerate(systems):
            if design == "missing" and rng.random() < 0.25:
                continue
            row = (f"t{topic:03}", name)
            if design == "raters":
                for rater in rng.choice(3, rng.integers(1, 4), replace=False):
                    rows.append((*row, "xyz"[rater], score(topic, system, 0.5 * rater)))
            elif design == "attempts":
                rows.extend(
                    (*row, attempt, score(topic, system)) for attempt in range(int(rng.choice([3, 5])))
                )
            else:
                rows.append((*row, score(topic, system)))
    extra = {"raters": ["rater"], "attempts": ["run"]}.get(design, [])
    return pd.DataFrame(rows, columns=["topic", "system", *extra, "grade"])


def draw_preferences(rng):
    n_systems = int(rng.choice([2, 3, 5]))
    strength = rng.normal(0, rng.choice([0, 1, 3]), n_systems)
    pairs = [(a, b) for a in range(n_systems) for b in range(n_systems) if a != b]
    if rng.random() < 0.4:
        pairs = [pair for pair in pairs if rng.random() < 0.6] or pairs[:1]
    rows = []
    for topic in range(int(rng.choice([2, 5, 12, 40]))):
        for first, second in pairs:
            if rng.random() < 0.5:
                wins = rng.random() < 1 / (1 + np.exp(strength[second] - strength[first]))
                winner = "tie" if rng.random() < 0.1 else f"s{first if wins else second}"
                rows.append((f"t{topic:03}", f"s{first}", f"s{second}", winner))
    rows = rows or [("t000", "s0", "s1", "s0")]
    return pd.DataFrame(rows, columns=["topic", "system_a", "system_b", "winner"])


class Screens:
    """Runs commands, keeps what they print, and names each contradiction in it."""

    def __init__(self, run, json_path):
        self.run, self.json_path, self.contradictions = run, json_path, []

    def say(self, what, line):
        self.contradictions.append(f"{' '.join(map(str, line))}: {what}")

    def screen(self, *line):
        """Check the bounded numbers and the differences of a screen; give its first paragraph, and its rows if any."""
        self.json_path.unlink(missing_ok=True)
        code, out, err = self.run(*line)
        if code not in (0, 1, 3):
            self.say(f"exit {code}: {err}", line)
        paragraphs = [" ".join(part.split()) for part in out.split("\n\n")] + [" ".join(err.split())]
        for text in paragraphs:
            self.check_text(text, line)
        for gate in err.splitlines():
            self.check_gate(gate, code, line)
        rows = (
            pd.DataFrame(json.loads(self.json_path.read_text())["rows"]) if self.json_path.exists() else None
        )
        return paragraphs[0], rows

    def check_text(self, text, line):
        if re.search(r"\be-\d{3}\b|\bnan\b|\binf\b|-0\.000\b(?!\d)", text):
            self.say(f"a number that is none: {text}", line)
        for estimate, low, high in BOUNDED.findall(text):
            if not end_of(low) <= float(estimate) <= end_of(high):
                self.say(f"{estimate} is outside of [{low}, {high}]", line)
        for first, second, value, low, high, negated, relation, p in DIFFERENCE.findall(text):
            excludes = end_of(low) > 0 or end_of(high) < 0 or "above" in low or "below" in high
            edge = 0 in (end_of(low), end_of(high)) or float(p) == 0.05
            if not edge and excludes == bool(negated):
                self.say(f"{first} minus {second} is {value} [{low}, {high}], {negated}significant", line)
            if not edge and (float(p) <= 0.05 or relation == "<") == bool(negated):
                self.say(f"p {relation} {p}, {negated}significant", line)

    def check_gate(self, text, code, line):
        for result, value, _, low, high, negated, side, margin in GATE.findall(text):
            value, low, high, margin = map(float, (value, low, high, margin))
            if not low <= value <= high:
                self.say(f"{value} is outside of {low} to {high}", line)
            beyond = low > margin if side == "above" else high < margin
            if margin not in (low, high) and beyond == bool(negated):
                self.say(f"{low} to {high} is {negated}significantly {side} {margin}", line)
            if (result == "passed") != (code == 0):
                self.say(f"gate {result}, exit {code}", line)


def check_rows(rows, estimate, screens, line, scale=None):
    low, high = rows["low"].astype(float), rows["high"].astype(float)
    value = rows[estimate].astype(float)
    given = low.notna() & value.notna()
    if not (low[given].le(value[given] + 1e-12) & value[given].le(high[given] + 1e-12)).all():
        screens.say(f"{estimate} outside of its interval in the table", line)
    if scale:
        for name in (value, low, high):
            if not name.dropna().between(*scale).all():
                screens.say(f"{estimate} or its interval is beyond the scale {scale}", line)


def check_pairs(rows, screens, line, alone):
    check_rows(rows, "difference", screens, line)
    for row in rows.itertuples():
        if pd.isna(row.low):
            if row.significant and row.test not in WITHOUT_INTERVAL:
                screens.say(f"{row.first} and {row.second} significant without an interval", line)
            continue
        excludes = row.low > 0 or row.high < 0
        if (row.significant and not excludes) or (alone and excludes and not row.significant):
            screens.say(
                f"{row.first} and {row.second}: [{row.low}, {row.high}], significant {row.significant}", line
            )


def check_systems(path, design, screens, rng):
    scale = {"passes": (0, 1), "attempts": (0, 1)}.get(design)
    sentence, ranking = screens.screen("compare", path)
    _, pairs = screens.screen("compare", path, "--pairs")
    if ranking is None or pairs is None:
        return None
    check_rows(ranking, "mean", screens, ("compare", path), scale)
    check_pairs(pairs, screens, ("compare", path, "--pairs"), len(pairs) == 1)
    best = BEST.match(sentence)
    if best:
        top = ranking.loc[ranking["rank"] == 1, "summarizer"].tolist()
        if best[1].strip(",") not in top:
            screens.say(f"{best[1]} is best, rank 1 has {top}", ("compare", path))
    counted = COUNTED.search(sentence)
    if counted and int(counted[1]) != int(pairs["significant"].astype(bool).sum()):
        screens.say(f"{counted[0]}, the table has {pairs['significant'].sum()}", ("compare", path))
    margin = float(rng.choice([0.05, 0.2, 0.5]))
    ends = rng.choice([f"--equivalence={margin}", f"--equivalence=-{margin},inf"])
    line = ("compare", path, "--pairs", ends)
    _, rows = screens.screen(*line)
    if rows is not None and "verdict" in rows:
        limits = (-margin, np.inf if "inf" in ends else margin)
        for row in rows.itertuples():
            if row.verdict == "equivalent" and not (
                limits[0] < row.low_equivalence and row.high_equivalence < limits[1]
            ):
                screens.say(f"equivalent, [{row.low_equivalence}, {row.high_equivalence}]", line)
            if not pd.isna(row.low_equivalence) and not (
                row.low_equivalence - 1e-12 <= row.difference <= row.high_equivalence + 1e-12
            ):
                screens.say("difference outside of the interval of equivalence", line)
    gate = rng.choice(["worse", "not-better", "not-as-good"])
    margins = [f"--equivalence=-{margin},inf"] if gate == "not-as-good" else []
    screens.screen("compare", path, "--baseline", "s0", "--fail-if", gate, *margins)
    check_plans(path, pairs, screens)
    return pairs


def check_plans(path, pairs, screens):
    only = ["--only", "s0", "s1"]
    compared = pairs if len(pairs) == 1 else screens.screen("compare", path, "--pairs", *only)[1]
    _, plans = screens.screen("power", path, *only)
    if plans is None or compared is None:
        return
    if not np.allclose(
        np.abs(plans["observed"].astype(float)), abs(compared["difference"].iloc[0]), rtol=0, atol=1e-12
    ):
        screens.say(
            f"observed {plans['observed'].iloc[0]}, compared {compared['difference'].iloc[0]}",
            ("power", path),
        )
    planned = plans.dropna(subset="n_topics")
    n = planned["n_topics"].astype(float)
    if not (
        n.ge(planned["low"].astype(float).fillna(0)) & n.le(planned["high"].astype(float).fillna(np.inf))
    ).all():
        screens.say("topics outside of their interval", ("power", path))
    if not (planned["n_more"] == np.maximum(0, n - planned["n_observed"])).all():
        screens.say("topics more are not topics less those at hand", ("power", path))
    ordered = planned.sort_values("difference")
    if not ordered["n_topics"].astype(float).is_monotonic_decreasing:
        screens.say("a larger difference takes more topics", ("power", path))


def check_judged(path, scores, screens, compared):
    """Every cell is judged: estimates are what `compare` says."""
    _, estimated = screens.screen("estimate", path, "--scores", scores, "--target", "grade", "--differences")
    screens.screen("estimate", path, "--scores", scores, "--target", "grade")
    if compared is None or estimated is None:
        return
    simultaneous = {"low": "low_all", "high": "high_all", "p": "p_adjusted"} if len(compared) > 1 else {}
    pairs = compared.set_index(["first", "second"])
    estimates = estimated.set_index(["first", "second"]).loc[pairs.index]
    for name in ("difference", "low", "high", "p"):
        values = pairs[simultaneous.get(name, name)].astype(float)
        if not np.array_equal(values, estimates[name].astype(float), equal_nan=True):
            screens.say(f"{name} of compare and of estimate differ", ("estimate", path))


@pytest.fixture
def screens(run, tmp_path, monkeypatch):
    """Screens beside which each answer is written as `-f json -o` writes it: one run of a command gives both."""
    path = tmp_path / "rows.json"

    def write_twice(result, command_line):
        write_output(result, command_line)
        command_line.format, command_line.output = "json", str(path)
        write_output(result, command_line)

    write_output = program.write_output
    monkeypatch.setattr(program, "write_output", write_twice)
    return Screens(run, path)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.slow(after=1)
@pytest.mark.parametrize("seed", range(N_TABLES))
def test_no_printed_number_contradicts_another(seed, screens, tmp_path):
    rng = np.random.default_rng([20, seed])
    design = DESIGNS[seed % len(DESIGNS)]
    path = tmp_path / "table.csv"
    if design == "preferences":
        draw_preferences(rng).to_csv(path, index=False)
        _, rows = screens.screen("compare", path, "--pairs")
        screens.screen("compare", path)
        if rows is not None:
            check_pairs(rows, screens, ("compare", path, "--pairs"), len(rows) == 1)
        baseline = pd.read_csv(path)["system_a"].iloc[0]
        screens.screen(
            "compare", path, "--baseline", baseline, "--fail-if", rng.choice(["worse", "not-better"])
        )
    else:
        scores = draw_scores(rng, "grades" if design == "judged part" else design)
        scores.to_csv(path, index=False)
        pairs = check_systems(path, design, screens, rng)
        if design in ("grades", "passes", "missing", "judged part"):
            metric = scores.assign(bleu=np.round(scores["grade"] + rng.normal(0, 1, len(scores)), 3))
            metric[["topic", "system", "bleu"]].to_csv(tmp_path / "metric.csv", index=False)
            screens.screen("evaluate", tmp_path / "metric.csv", path, "--target", "grade")
            check_judged(path, tmp_path / "metric.csv", screens, pairs)
        if design == "judged part":
            judged = scores["topic"].isin(
                rng.choice(scores["topic"].unique(), max(2, scores["topic"].nunique() // 3))
            )
            scores[judged].to_csv(tmp_path / "part.csv", index=False)
            part, metric_path = tmp_path / "part.csv", tmp_path / "metric.csv"
            for more in ([], ["--differences"]):
                screens.screen("estimate", part, "--scores", metric_path, "--target", "grade", *more)
            screens.screen("power", part, "--scores", metric_path, "--target", "grade")
        if design == "raters":
            screens.screen("assessors", path)
    assert not screens.contradictions, "\n".join(screens.contradictions)
