"""Texts in any script: equal texts are equal however they are coded, and dropped letters are warned of."""

import pytest

from classy_aesop import Corpus
from classy_aesop.baselines import Rouge, rouge
from classy_aesop.baselines.baseline_scores import score_baselines
from classy_aesop.errors import DataWarning
from classy_aesop.reading.corpus_report import report_corpus
from tests.baselines.conftest import score_one

SCRIPTS = {
    "Latin": "Été à l'école : le café où naît l'idée était fermé.",
    "Greek": "Το παλιό σπίτι δίπλα στη θάλασσα πουλήθηκε χθες.",
    "Cyrillic": "Старый дом у моря вчера продали, и йод кончился.",
    "Arabic": "بيع البيت القديم بجانب البحر أمس، هل رأيته؟",
    "Hebrew": "הבית הישן ליד הים נמכר אתמול לשכנים.",
    "Devanagari": "समुद्र के पास का पुराना घर कल बिक गया। क्या देखा?",
    "Hangul": "바닷가의 오래된 집이 어제 팔렸다. 보았습니까?",
    "Han": "海边的老房子昨天卖掉了。你看见了吗？",
    "Japanese": "海辺の古い家が昨日売れました。ガラスを見ましたか？",
    "Thai": "บ้านเก่าริมทะเลถูกขายไปเมื่อวานนี้ เห็นไหม",
    "Vietnamese": "Ngôi nhà cũ bên bờ biển đã được bán hôm qua.",
    "Burmese": "ပင်လယ်ကမ်းခြေရှိ အိမ်ဟောင်းကို မနေ့က ရောင်းလိုက်သည်။",
}


def corpus_of(summary, reference):
    return Corpus.from_rows([{"topic": "1", "system": "a", "summary": summary, "reference": reference}])


def test_different_texts_do_not_score_1():
    scores = Rouge(tokenizer="unicode", metrics="ROUGE-1").score_all(["海边的房子"], ["海边的老屋"])
    assert scores[0]["ROUGE-1"].recall == 0.6


@pytest.mark.parametrize("script", ["Cyrillic", "Han", "Thai"])
def test_dropped_letters_are_warned_of_wherever_texts_are_scored(script):
    text = SCRIPTS[script]
    corpus = corpus_of(text, text)
    scorer = Rouge(metrics="ROUGE-1")
    lost = "100% of the letters are outside ASCII, and ROUGE's tokenizer drops them"
    for score in (
        lambda: score_one(scorer, [text], [[text]]),
        lambda: scorer.score_all([text], [text]),
        lambda: scorer.table(corpus, jackknife=False),
        lambda: rouge(corpus, jackknife=False),
        lambda: score_baselines(corpus, "rouge", jackknife=False),
    ):
        with pytest.warns(DataWarning, match=lost):
            score()
    assert any(lost in message for message in report_corpus(corpus)["found"])


def test_copies_are_found_in_any_script():
    text = SCRIPTS["Cyrillic"]
    rows = [{"topic": "1", "system": name, "summary": text, "reference": "Тихий день."} for name in "ab"]
    report = report_corpus(Corpus.from_rows(rows)).set_index("what")["found"]
    assert report["near copies"] == "a and b on 1 of 1 topics"
    report = report_corpus(corpus_of(SCRIPTS["Han"], SCRIPTS["Han"])).set_index("what")["found"]
    assert "repeats 100% of reference" in report["leak"]


def test_stems_are_english_unless_asked_for():
    texts = ["Running dogs"], [["run dog"]]
    assert score_one(Rouge(metrics="ROUGE-1", tokenizer="unicode"), *texts)["ROUGE-1"].recall == 0.0
    stemmed = Rouge(metrics="ROUGE-1", tokenizer="unicode", stemming="porter")
    assert score_one(stemmed, *texts)["ROUGE-1"].recall == 1.0
    without = Rouge(metrics="ROUGE-1", tokenizer="unicode", stop_words=True)
    assert score_one(without, ["of the дом"], [["a дом"]])["ROUGE-1"] == (1.0, 1.0, 1.0)
