"""What a column's name says of its role. Words only, no data.

In a table of scores a name gives evidence from 0 to 3, which the data must bear out. In a table of texts a column has
the role (`ROLES`) of which its name is a usual one, or, where no other column has this role, a further one
(`FURTHER_NAMES`). Columns of references and documents may be numbered there (``reference_1``, ``reference_2``).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from functools import cache, lru_cache
from os.path import commonprefix
from string import ascii_lowercase
from unicodedata import combining, normalize

from classy_aesop.data.clusters import BY_PREFIX
from classy_aesop.errors import UsageError

BY_FILE = "#file"
"""In place of a column: the name of the file; ``#file2`` is its second word, between ``_``, ``-`` or points."""
BY_FOLDER = "#folder"
"""In place of a column: the name of the folder of the file; ``#folder2`` is the one above it."""
RULES = frozenset(
    {
        "#",
        BY_PREFIX,
        *(f"{rule}{number}" for rule in (BY_FILE, BY_FOLDER) for number in ("", *range(1, 10))),
    }
)
"""What stands for no column."""
CONTAINERS = re.compile(
    r"^(?:input|output|assignment|answers?|metadata|meta|data|values?|fields|vars|scores|ratings|metrics|test_?case|namedscores|dimensions|aspects|feedback)[.:](?=.)",
    re.IGNORECASE,
)
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def strip_container(name: str) -> str:
    """Strip what exports put before a name: ``Input.doc_id`` is ``doc_id``."""
    while (stripped := CONTAINERS.sub("", name)) != name:
        name = stripped
    return name


@lru_cache(2**18)
def words_of(name: str) -> tuple[str, ...]:
    """Give the words of a name in lower case and without accents: ``DialogModèle`` is ``dialog``, ``modele``."""
    spaced = CAMEL.sub(" ", strip_container(name.strip()))
    plain = "".join(letter for letter in normalize("NFD", spaced.lower()) if not combining(letter))
    return tuple(word for word in re.split(r"[\W_]+", plain) if word)


def spell(name: str) -> str:
    """Give the words of a name joined by underscores."""
    return "_".join(words_of(name))


@cache
def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


SURE = 3.0
"""The most evidence that a name gives."""
OF_OUTPUTS = 0.5
"""Evidence of a topic in names of outputs, which people may have rated each."""

TOPICS = _set(
    "stim stimulus stimulus_id text_id review_id comment_id tweet_id headline_id paper_id "
    "topic topic_id doc doc_id docid document_id article_id item item_id example_id instance_id input_id prompt_id "
    "question_id story_id source_id segment_id segment seg seg_id sent_id sentence_id sample_id case case_id test_case "
    "case_name case_number mr_id dialog_id dialogue_id conversation_id query_id original_id qid unit unit_id "
    "request_id passage_id summary_set instruction_id entry_id cluster_id example_number item_number video_id "
    "image_id post_id utterance_id sujet thema tema 文id 文番号 問題番号 问题编号 样本编号"
)
ROW_IDS = _set(
    "id idx index uid hash row row_id no nr number key uuid task_id data_id record_id inner_id identifiant kennung"
)
SOURCES = _set(
    "image video audio clip utterance "
    "question prompt query instruction input source source_text src document article context dialogue dialog mr "
    "meaning_representation original original_text passage post story user_input input_text request reference ref "
    "title topic_text source_document docs reviews sentence premise goal reference_text gold target "
    "sent frage satz beitrag dokument artikel texte phrase"
)
SYSTEMS = _set(
    "summarizer summarizer_id system system_id system_name sys sys_id sys_name model model_id model_name model_version "
    "dialog_model peer peer_id version policy condition cond architecture framework generator candidate candidate_id "
    "method variant bot engine team submission submission_id provider agent arm llm run_id checkpoint configuration "
    "approach model_type system_label chatbot algorithm algo config config_id mt_system model_key setting treatment "
    "rating_stimulus group app app_id app_name app_version engine_id candidate_name experiment experiment_id "
    "experiment_name run run_name generated_by written_by "
    "modell modele modelo systeme sistema verfahren модель система システム 模型 系统"
)
RATERS = _set(
    "annotatorid raterid workerid participantid userid "
    "annotator annotator_id rater rater_id assessor assessor_id worker worker_id wid coder coder_id participant "
    "participant_id completed_by user user_id judge judge_id reviewer reviewer_id evaluator evaluator_id expert "
    "expert_id respondent respondent_id labeler labeler_id grader ann annotators annotators_ids annotator_ids "
    "annotator_name rater_name evaluator_name reviewer_name expert_name worker_name prolific_id prolific_pid username "
    "email email_address session_id session_uuid response_id annotated_by rated_by evaluated_by judged_by "
    "person subject subject_id "
    "evaluators raters human_id login listener listener_id bewerter bewerterin gutachter kurzel ihr_kurzel token "
    "evaluateur evaluatrice judger vp versuchsperson proband "
    "annotateur juge evaluador anotador juez 評価者 评分人 评价者 标注者"
)
SCORES_OR_RATERS = _set("judge human expert evaluator annotator_score")
COUNTS_OF_PEOPLE = SCORES_OR_RATERS | _set("annotators raters workers evaluators judges experts")
SUBSETS = _set(
    "dataset data_set corpus test_set testset task domain split track lang language lp lang_pair subset dataset_name "
    "benchmark set genre year filter"
)
MEASURE_COLUMNS = _set(
    "aspect attribute dimension criterion criteria criteria_id criterion_id measure metric metric_name measure_name "
    "aspect_name dimension_name quality_dimension rating_type score_type"
)
SCORES = _set(
    "score scores value rating ratings judgment judgement annotation answer label grade points mark result "
    "response_value bewertung punkte puntuacion calificacion nota"
)
LONG_SCORES = ("score", "value", "rating", "judgment")
"""Usual names of the column of scores beside one of measures."""
_ATTEMPT_WORDS = _set("attempt sample run trial seed epoch repetition repeat rep session round wave")
ATTEMPT_NAMES = tuple(
    name
    for word in sorted(_ATTEMPT_WORDS)
    for name in (word, f"{word}s", f"{word}_id", f"{word}_idx")
    if name not in RATERS
)
"""Names of columns that number the outputs of a system on one topic, of which the mean counts; no persons."""
_CLUSTER_WORDS = (
    "cluster passage paragraph document doc article context conversation dialogue dialog thread story"
)
CLUSTERS = frozenset(f"{word}{ending}" for word in _CLUSTER_WORDS.split() for ending in ("", "_id"))
"""Names of what several topics may lie in, such as the questions on a passage: errors are clustered by it."""
CLUSTERS_IF_MANY = _set("group group_id source source_id")
"""The same where they have many values: few are of kinds of topics, such as their origins."""
TEXTS = _set(
    "text summary output prediction predictions predicted candidate_text decoded hypothesis hyp generated "
    "generated_summary summary_text candidate_summary decoded_summary system_summary system_output model_output "
    "response completion generation generated_text "
    "output_text pred model_response system_response actual_output translation target simplification out answer_text "
    "reply simplified_text resps filtered_resps answer"
)
REFERENCES = _set(
    "reference references ref refs target gold ground_truth target_summary gold_summary human_summary "
    "reference_text expected_output reference_summary reference_summaries human_summaries targets target_text "
    "gold_reference ideal_summary expert_summary label_summary highlights ideal expected"
)
DOCUMENTS = _set(
    "document documents source sources article articles source_text context input input_text passage dialogue "
    "source_document original_text"
)
"""Names of texts that are summarized; as `SOURCES` they name topics too, by their equal texts."""
NUMBERS_OR_TEXTS = _set("predicted target gold")
"""Names of scores where they have numbers, and of texts where they have texts."""
COMMENTS = _set(
    "comment comments feedback note notes explanation reason reasoning rationale justification remark remarks "
    "evidence suggestion suggestions"
)
COUNTS = _set(
    "time times seconds duration created updated submitted date timestamp hit hits hittype assignment assignments "
    "approve reject lifetime approval ip ipaddress latitude longitude browser progress finished recorded "
    "seed payment url link keywords consent uuid expiration requester bonus channel distribution "
    "cost tokens tok latency year month day hour size count words chars characters bytes index position order fold "
    "page step batch lr epoch pos turn tstamp ts country finish start end elapsed "
    "interviewtime revision latest rt ms msec sec secs std sd stdev stderr variance adjudicated "
    "recipient reference_id temperature submitdate lastpage startlanguage tainted missed"
)
OF_PERSONS = _set("age gender sex education nationality occupation native alter geschlecht edad sexo")
"""Words in names of columns that say who gave the answers of a row."""
SWAPS = _set("swap swapped flipped reversed inverted exchanged switched mirrored")
"""Words in names of columns that say in which rows two outputs changed their sides."""
ADMINISTRATION = COMMENTS | COUNTS | SWAPS | OF_PERSONS | _set("agreement confidence certainty margin")
SCALE_IN_NAME = re.compile(r"[(\[]\s*\d+\s*(?:[-\u2013/]|to)\s*\d+\s*[)\]]$")
"""The grades that may be given, at the end of a name: ``style (1-5)``."""
STANDARD_ERROR = _set("standard error")
PLACES = _set("n num number rank judge")
"""What says in a name that numbers are counts, places or of a model that judges."""
HUMAN = _set(
    "gold relevance coherence consistency fluency faithfulness factuality responsiveness readability pyramid "
    "informativeness redundancy focus grammaticality grammar structure quality rating human judgment judgement overall "
    "naturalness helpfulness interest interestingness simplicity adequacy conciseness usefulness meaning correctness "
    "accuracy coverage faithful fluent coherent relevant consistent complexity engagement engagingness empathy "
    "interesting engaging empathic helpful correct passed hallucination hallucinations "
    "surprise understandability specificity appropriateness likability safety style clarity completeness ease "
    "annotation rank errors error err aspect grade stars satisfaction harmlessness groundedness honesty truthfulness "
    "creativity originality novelty diversity persuasiveness toxicity verbosity humor trustworthiness intelligibility "
    "comprehensibility natural readable "
    "informative depth verstandlichkeit flussigkeit korrektheit richtigkeit lesbarkeit qualitat "
    "fluidite adequation qualite pertinence exactitude fluidez coherencia relevancia claridad calidad"
)
QUALITIES = _set("score scores rating ratings") | HUMAN - _set("human gold")
"""Words by which a column holds scores, and of which none names a system or a person."""
TOTALS = _set(
    "total totals sum mean average avg overall all median grand_total mean_score subtotal mittelwert moyenne"
)
AGGREGATES = _set("final adjudicated majority gold consensus aggregate aggregated resolved agreed")
"""Words for what the ratings of several people were joined to."""
REJECTED = _set(
    "rejected cancelled canceled discarded returned timed_out failed error spam preview survey_preview draft invalid"
)
"""What a status says of rows that are no judgments."""
NAMES_OF_MEANS = _set("mean average avg mean_score mittelwert moyenne std stdev sd standard_deviation")
"""The names of rows of means and spreads, which stand at the end."""
OUTPUT_WORDS = TEXTS | _set(
    "outputs summaries responses predictions completions generations candidates systems models translations"
)
THINGS = _set(
    "q question item criterion dimension aspect level step section part option k top r m metric measure system model "
    "reference ref candidate topic doc task year"
)
"""Words by which numbered columns are no raters'."""
PEOPLE = _set(
    "rater grader annotator assessor coder worker expert judge evaluator reviewer human ann participant r"
)
WINNERS = _set(
    "winner preference preferred choice chosen vote better result verdict human_preference outcome win best label "
    "annotation judgment judgement answer preferred_output preferred_model rating human_label prefer which_is_better "
    "pick selection bevorzugt prefere"
)
SURE_WINNERS = _set(
    "winner preference preferred better vote human_preference which_is_better preferred_model preferred_output prefer"
)
BEST = _set("best most")
WORST = _set("worst worse least loser rejected")
METRIC_NAME = re.compile(
    r"""^r_?(?:1|2|3|l|l_?sum|su_?4)(?:_[fpr]|_f1)?$|(?:^|_)(?:(sacre)?(rouge|bleu|bleurt|chrf|ter|cider|spice|meteor|nist|wer|cer)(\d|_|$|[wlsn]|su|pp)
    |(bert|bart|mover|prism|align|uni|ctc|gpt|qa)_?score
    |(bertscore|bartscore|moverscore|comet|bewte|supert|estime|gruen|lerc|s3|js\d?d?|autosummeng|memog|npower)(_|\d|$)
    |(qa|summa_?qa|quest|fe_?qa)_?eval|summaqa|feqa|qags|blanc|factcc|summac|unieval|perplexity|ppl(_|$)
    |(chat)?gpt|llm|claude|gemini|llama|mistral|qwen|deepseek|g_?eval(_|$)|exact_match|acc(_|$|uracy_norm)|f1(_|$)
    |metric|cosine|similarity|(^|_)sim$|context_(precision|recall)|answer_relevancy|semantic_similarity|lepor|autojudge
    |(^|_)(tifa|clip|clips|pick|image_?reward|hps|fid|lpips|ssim|psnr|pesq|stoi|utmos|nisqa|dnsmos|vmaf)(_?score)?(_|$)
    |auto_judge|pass_at|logprob|(^|_)(sari|fkgl|samsa|embedding)|(length|len)$)""",
    re.VERBOSE,
)
MODEL = re.compile(
    r"(?:^|_)(?:(chat)?gpt|llm|claude|gem(ini|ma)|llama|mi[sx]tral|qwen|deepseek|grok|phi_?\d)"
)
COMPUTED = re.compile(
    r"(?:^|_)(predict(ed|ion|ions)?|auto(matic)?|metrics?|(model|system)(?=_scores?(_|$)))(?:_|$)"
)
"""What says in a name that a number was computed: ``predict_scores``."""
CONTROLS = _set(
    "bad badref ref repeat control attention attention_check catch gold_check qc check trap duplicate dup"
)
"""Values that mark rows of quality control beside the usual kind of row."""
MARKS_OF_CONTROLS = _set("golden is_gold is_golden is_control is_check attention_check is_attention_check")
"""Names of columns that say of each row, by yes or no, whether it is one of quality control."""
MARKS_OF_PASSING = _set(
    "attention_pass attention_passed passed_attention attention_check_passed passed_attention_check"
)
"""Names of columns that say of each row, by yes or no, whether its rater was attentive."""
GLUED_ID = re.compile(
    r"(?!(?:bid|did|grid|hid|kid|lid|mid|rid)$)[b-df-hj-np-tv-z]{1,4}id"
    r"|(?:article|case|dialog|doc|seg|sent|example|image|img|item|news|post|prompt|query|sample|sent|story|text|video)id"
)
PERSON = re.compile(
    r"(?:[a-z]{0,3}[ _-]?)?(?:annot|annotator|rater|worker|coder|judge|expert|user|participant|assessor|evaluator|ann"
    r"|reviewer|turker|crowd)s?[ _.-]*\d+|A[A-Z0-9]{9,15}",
    re.IGNORECASE,
)
VERSION = re.compile(
    r"(.*[\W_])?(v|version|variant|prompt|system|sys|model)(?:[\W_]?\d[\w.]*|[\W_][a-h])", re.IGNORECASE
)
"""What is a version: ``v2``, ``prompt_v1``, ``prompt 2``, ``Version B``."""
NUMBERED_OUTPUT = re.compile(
    r"(?:summary|output|response|candidate|answer|option|text|version|translation|story|reply)[ _.-]*(?:\d{1,3}|[a-z])",
    re.IGNORECASE,
)
ERRORS = frozenset({"severity", "error_type", "hallucination_type"})
"""Names of what a row an error says of it."""
KINDS_OF_ERRORS = _set("type kind category label class error severity")
"""Words in names of what is said of a span that is marked as an error."""
POSITION = re.compile(r"position\d?")
PLACE_OF_KEY = re.compile(r"key\d*")
SEPARATORS = " _.-:|/"
"""What stands between the words of a name."""
COUNTERS = _set("index level_0 unnamed_0 index_level_0") | {""}


JUDGES = _set("judge evaluator grader")
"""Words for who judges, in names of models that do: ``judge_model``."""


def topic_evidence(name: str) -> float:
    """Say how far a name is that of a topic."""
    spelled = "no" if name.strip() in ("№", "#") else spell(name)
    for names, evidence in ((TOPICS, SURE), (ROW_IDS, 1.5), (SOURCES, 1.0)):
        if spelled in names:
            return evidence
    if spelled in ATTEMPT_NAMES:
        return 0.0
    words = words_of(name) or ("",)
    is_id = words[-1] in _set("id idx index hash number") or GLUED_ID.fullmatch(words[-1]) or words[0] == "id"
    if is_id and not is_administration(name, but=("index", "order")):
        return 1.0
    return OF_OUTPUTS if spelled in TEXTS else 0.0


def system_evidence(name: str) -> float:
    """Say how far a name is that of a system."""
    spelled = spell(name)
    if spelled in SYSTEMS:
        return SURE
    base, _, ending = spelled.rpartition("_")
    if base in SYSTEMS and ending in _set("id name key label"):
        return 2.0
    words = {*words_of(name)}
    if words & JUDGES:
        return 0.0
    is_other = words & (TEXTS - {"out"} | _set("type outputs a b c d e f g h score scores rating"))
    is_system = ending == "sys" or words & _set("system model summarizer architecture engine version variant")
    return 1.5 if is_system and not is_other else 0.0


def rater_evidence(name: str) -> float:
    """Say how far a name is that of a rater."""
    spelled = spell(name)
    if spelled in RATERS:
        return SURE
    if spelled.endswith(("_user_id", "_annotator_id", "_worker_id", "_rater_id")):
        return 2.0
    words = {*words_of(name)}
    if words >= {"model"} and words & JUDGES:
        return 2.0
    people = _set("annotator rater worker assessor annotators reviewer")
    is_other = (
        words & (COMMENTS | QUALITIES | SCORES | _set("type agreement count")) or words - people & ERRORS
    )
    return 1.5 if words & people and not is_other else 0.0


def numbers_attempts(name: str) -> bool:
    """Whether numbered columns of this name hold attempts: ``run_1``, ``score_seed2``, or what they have in common."""
    return any(word.rstrip("0123456789") in ATTEMPT_NAMES for word in words_of(name))


def is_identifier(name: str) -> bool:
    """Whether a name is that of what tells rows apart."""
    return bool({*words_of(name)} & _set("id ids idx index uuid hash row")) or spell(name) in TOPICS | ROW_IDS


def is_administration(name: str, but: Collection[str] = ()) -> bool:
    """Whether a name is that of a date, a price, a counter or a comment."""
    words = {*words_of(name)}
    is_number = (len(words) > 1 and words_of(name)[0] == "n") or words >= STANDARD_ERROR
    return (
        bool((words - {*but}) & ADMINISTRATION) or is_number or words == {"trust"}
    )  # of an annotator, on Figure Eight


@lru_cache(2**14)
def is_metric(name: str) -> bool:
    """Whether a name is that of an automatic metric or of a model that judges."""
    return bool(METRIC_NAME.search(spell(name)) or METRIC_NAME.search(strip_container(name).lower()))


def is_computed(name: str) -> bool:
    """Whether a name says that its numbers were computed: ``predict_scores.overall``, and not ``predicted`` alone."""
    words = "_".join(re.findall("[a-z]+", name.lower()))
    return "_" in words and bool(COMPUTED.search(words))


def is_human(name: str) -> bool:
    """Whether a name is that of a human measure."""
    if {*words_of(name)} >= STANDARD_ERROR:
        return False
    has_scale = SCALE_IN_NAME.search(name) is not None and not system_evidence(name)
    return (has_scale or bool({*words_of(name)} & HUMAN)) and not is_metric(name)


def is_measure(name: str) -> bool:
    """Whether a name is that of a measure, a metric or a score."""
    return is_human(name) or is_metric(name) or spell(name) in SCORES


def is_bare_measure(name: str) -> bool:
    """Whether each word of a name is that of a human measure, and none names people."""
    words = {*words_of(name)} - {"is"}
    return bool(words) and words <= HUMAN - _set("human annotation ease style structure")


MAX_NAMES_LOOKED_AT = 200
"""Names that are looked at: of more, those of the others are like them."""


def are_measures(names: Sequence[str]) -> bool:
    """Whether several names, or what they have after their last point, are mostly those of measures or metrics."""
    last = [name.rpartition(".")[2] for name in names[:MAX_NAMES_LOOKED_AT]]
    n = sum((is_metric(name) and not MODEL.search(spell(name))) or is_bare_measure(name) for name in last)
    return len(last) > 1 and 2 * n >= len(last)


def are_people(values: Sequence[str]) -> bool:
    """Whether values are those that tools give to raters: ``worker_12``, identifiers of MTurk."""
    return bool(values) and all(map(PERSON.fullmatch, values[:200]))


def base_of_numbered(values: Sequence[str]) -> str:
    """Give the word that all values have before a code or a letter: ``doc`` of ``doc_1, doc_2``; else nothing."""
    names = [value.lower() for value in values[:MAX_NAMES_LOOKED_AT]]
    base = re.match(r"[a-z]*", commonprefix(names))[0]  # type: ignore[index]  # noqa: RUF071
    are_coded = all(re.fullmatch(r"[ _.-]*(?:[a-z]|[a-z]*\d\w*)", name[len(base) :]) for name in names)
    return base if are_coded and len({*names}) > 1 else ""


def are_raters(names: Iterable[str]) -> bool:
    """Whether names are those of raters: ``rater 1``, ``annotator2``."""
    return all(PEOPLE & {re.sub(r"\d+$", "", word) for word in words_of(name)} for name in names)


def group_numbered(names: Iterable[str]) -> dict[str, dict[str, str]]:
    """Give names that differ by a number or a letter at their end, or in the middle, by what they have in common."""
    groups: dict[str, dict[str, str]] = defaultdict(dict)
    for name in names:
        match = re.fullmatch(r"(.*?[^\d])[ _.#-]*(\d{1,3})([ _.-].*|[A-Za-z]{2,})?", name) or re.fullmatch(
            r"(.+[ _.-](?=.$)|.*[a-z](?=[A-H]$))([a-hA-H])()", name
        )
        if match:
            groups[f"{match[1].rstrip(SEPARATORS + '#')}{match[3] or ''}"][match[2].lower()] = name
    return {base: group for base, group in groups.items() if len(group) > 1 and _are_in_turn(group)}


def _are_in_turn(ends: Collection[str]) -> bool:
    """Whether ends of names are numbers, or the first letters of the alphabet."""
    letters = sorted(end for end in ends if end.isalpha())
    return "".join(letters) == ascii_lowercase[: len(letters)]


def is_doubtful(name: str) -> bool:
    """Whether a name says that numbers are no judgments: that of a metric, an identifier, a date or a rank."""
    is_key = is_identifier(name) or spell(name) in ATTEMPT_NAMES
    return is_metric(name) or is_administration(name) or is_key or bool({*words_of(name)} & PLACES)


def is_human_measure(name: str) -> bool:
    """Whether a column's name is that of a human measure, and of nothing else."""
    return is_human(name) and not is_doubtful(name)


# --- roles that a name has by itself ---

IDENTIFIERS = ("topic", "summarizer", "year", "task", "assessor")
OWN_IDENTIFIERS = frozenset({*IDENTIFIERS, "instance_id", "summarizer_id"})
"""The names that our own files give to identifiers."""

ROLES: dict[str, tuple[str, ...]] = {
    role: tuple(names_of_role.split())
    for role, names_of_role in {
        "topic": "topic topic_id instance_id doc_id docid doc document_id article_id input_id prompt_id example_id id",
        "summarizer": "summarizer summarizer_id system system_id system_name model model_id model_name model_version "
        "peer peer_id",
        "text": "text summary output prediction predictions predicted candidate decoded hypothesis generated "
        "generated_summary system_summary system_output model_output",
        "references": "reference references target targets ref refs gold highlights reference_summary "
        "reference_summaries gold_summary target_summary human_summary human_summaries",
        "documents": "document documents source sources article articles source_text",
        "year": "year",
        "task": "task",
        "human": "human is_human",
        "summarizer_type": "summarizer_type",
        "assessor": "assessor assessor_id annotator annotator_id rater rater_id worker worker_id coder coder_id "
        "evaluator evaluator_id",
        "attempt": " ".join(name for name in ATTEMPT_NAMES if name not in ("sample_id", "run_id")),
        "cluster": "cluster",
        "earlier_references": "earlier_references",
        "measures": "measures measure judgments metrics",
        "scores": "",
        "ratings": "",
    }.items()
}
"""The roles that columns have, each with its usual names.

No name says that a column has a metric's ``scores``; ``ratings`` are known by the numbers at the end of their names.
``sample_id`` and ``run_id`` are of attempts only beside a topic and a system of other names.
"""


def _further_names() -> dict[str, tuple[str, ...]]:
    """Give to each role the names that no role before it has, and that are not usual ones of another."""
    earlier_names = {name for names in ROLES.values() for name in names}
    further: dict[str, tuple[str, ...]] = {}
    for role, names in {
        "topic": TOPICS | {"uid"},
        "summarizer": SYSTEMS,
        "text": TEXTS,
        "references": REFERENCES,
        "documents": DOCUMENTS,
        "assessor": RATERS - SCORES_OR_RATERS - _set("user person subject"),
    }.items():
        further[role] = tuple(sorted(names - earlier_names))
        earlier_names |= names
    return further


FURTHER_NAMES = _further_names()
"""Further names of roles, which count where no column has a usual name of the role."""

MEANING_OF_ROLE = {
    "topic": "what is summarized: rows of one topic share references and documents",
    "summarizer": "who wrote the summary",
    "text": "the summary, a text or a list of sentences",
    "references": "one reference, a list of them, or several columns: ``reference_1``, ``reference_2``",
    "documents": "the source text, or a list of texts",
    "year": "as in the other formats",
    "task": "as in the other formats",
    "human": "whether the row is a reference",
    "summarizer_type": "``reference`` if the row is a reference, else ``peer``",
    "assessor": "who gave the row's scores: a summary may then have several rows",
    "attempt": "in a table of scores, which of several outputs of a system on one topic: their scores are averaged; "
    "several columns number them together; numbered columns (``run_1``, ``run_2``) are attempts too",
    "cluster": "in a table of scores, what several topics lie in (the passage of a question), by which errors are "
    "clustered; also recognized by names like ``passage`` or ``conversation`` where each topic lies in one of fewer",
    "earlier_references": "references of the topic's task ``A``, for an update",
    "measures": "names with numbers; every other column of numbers is a human score too: a number, or a list of "
    "numbers, one an assessor; but for names of metrics, identifiers, dates and counts",
    "scores": "the scores of a metric, such as an LLM judge: only where they are named, since no name says it",
    "ratings": "the scores of one rater each (``rating_1``, ``rating_2``), recognized where names differ by a number "
    "only: the human score is their mean, under the name that they have in common",
}
"""What the columns of each role hold."""

SEVERAL = ("references", "documents", "earlier_references", "measures", "scores", "ratings", "attempt")
"""Roles that several columns may have."""

OF_TEXTS = tuple(role for role in ROLES if role not in ("attempt", "cluster"))
"""The roles in a table of summaries: an attempt is a text of its own, and no errors are clustered."""


def role_of(name: str, roles: Collection[str] = tuple(ROLES)) -> str:
    """Give the role that a name stands for: itself or one of its common names; none of ``roles`` is a `UsageError`."""
    spelled = spell(name)
    for role in roles:
        if spelled == role or spelled in ROLES[role] or spelled in FURTHER_NAMES.get(role, ()):
            return role
    raise UsageError(f"no column is a {name!r}; expected one of {', '.join(roles)}")
