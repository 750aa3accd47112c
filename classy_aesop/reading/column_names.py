"""What the name of a column says of its role: evidence, no more."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

_CONTAINERS = re.compile(
    r"^(?:input|answer|answers|metadata|meta|data|value|values|fields|vars|scores|ratings|metrics|test_?case|namedscores|dimensions|aspects)\.(?=.)",
    re.IGNORECASE,
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def strip_container(name: str) -> str:
    """Strip what exports put before a name: ``Input.doc_id`` is ``doc_id``."""
    while (stripped := _CONTAINERS.sub("", name)) != name:
        name = stripped
    return name


@lru_cache(2**14)
def words_of(name: str) -> tuple[str, ...]:
    """Give the words of a name in lower case: ``DialogModel`` is ``dialog``, ``model``."""
    spaced = _CAMEL.sub(" ", strip_container(name.strip()))
    return tuple(word for word in re.split(r"[\W_]+", spaced.lower()) if word)


def spell_name(name: str) -> str:
    """Give the words of a name joined by underscores."""
    return "_".join(words_of(name))


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


TOPIC_NAMES = _set(
    "topic topic_id doc doc_id docid document_id article_id item item_id example_id instance_id input_id prompt_id "
    "question_id story_id source_id segment_id segment seg seg_id sent_id sentence_id sample_id case case_id test_case "
    "case_name case_number mr_id dialog_id dialogue_id conversation_id query_id original_id qid unit unit_id "
    "request_id passage_id "
    "summary_set instruction_id entry_id cluster_id example_number item_number video_id image_id post_id utterance_id"
)
GENERIC_ID_NAMES = _set(
    "id idx index uid hash row row_id no nr number key uuid task_id data_id record_id inner_id"
)
"""Names of identifiers that may be those of rows."""
TOPIC_TEXT_NAMES = _set(
    "question prompt query instruction input source source_text src document article context dialogue dialog mr "
    "meaning_representation original original_text passage post story user_input input_text request reference "
    "ref title topic_text "
    "source_document docs reviews sentence premise goal reference_text gold target"
)
SYSTEM_NAMES = _set(
    "summarizer summarizer_id system system_id system_name sys sys_id sys_name model model_id model_name model_version "
    "dialog_model peer peer_id version policy condition architecture generator candidate candidate_id method variant "
    "bot engine team submission submission_id provider agent arm llm run_id checkpoint configuration approach "
    "model_type system_label chatbot algorithm mt_system model_key setting treatment group "
    "app app_id app_name app_version experiment experiment_id experiment_name run run_name"
)
RATER_NAMES = _set(
    "annotator annotator_id rater rater_id assessor assessor_id worker worker_id coder coder_id participant "
    "participant_id completed_by user user_id judge judge_id reviewer reviewer_id evaluator evaluator_id expert "
    "expert_id respondent respondent_id labeler labeler_id grader ann annotators annotators_ids annotator_ids "
    "annotator_name rater_name evaluator_name reviewer_name expert_name worker_name "
    "prolific_id prolific_pid username email email_address session_id "
    "response_id annotated_by rated_by person subject subject_id evaluators raters human_id login"
)
_ATTEMPT_WORDS = ("attempt", "sample", "run", "trial", "seed", "epoch", "repetition")
ATTEMPT_NAMES = tuple(f"{word}{ending}" for word in _ATTEMPT_WORDS for ending in ("", "s", "_id"))
"""Names of columns that number the outputs of a system on one topic, of which the mean counts; no persons."""
SCORE_OR_RATER_NAMES = _set("judge human expert evaluator annotator_score")
"""Names of raters that are those of a score where they hold numbers that separate no rows."""
MAX_EVIDENCE = 3.0
SUBSET_NAMES = _set(
    "dataset data_set corpus test_set testset task domain split track lang language lp lang_pair subset "
    "dataset_name benchmark set genre year"
)
MEASURE_NAME_NAMES = _set(
    "aspect attribute dimension criterion criteria criteria_id criterion_id measure metric metric_name measure_name "
    "aspect_name dimension_name quality_dimension rating_type score_type"
)
SCORE_NAMES = _set(
    "score scores value rating ratings judgment judgement annotation answer label grade points mark result "
    "response_value"
)
TEXT_NAMES = _set(
    "text summary output prediction predictions predicted candidate_text decoded hypothesis hyp generated "
    "generated_summary system_summary system_output model_output response completion generation "
    "generated_text output_text pred model_response system_response actual_output translation target "
    "simplification out answer_text reply simplified_text resps filtered_resps answer"
)
REFERENCE_NAMES = _set(
    "reference references ref refs target gold ground_truth reference_text expected_output reference_summary "
    "highlights ideal expected"
)
_NAMES_OF_TEXTS_AND_SCORES = _set("predicted target gold")
COMMENT_WORDS = _set(
    "comment comments feedback note notes explanation reason reasoning rationale justification remark remarks "
    "evidence suggestion suggestions"
)
ADMINISTRATION_WORDS = _set(
    "time times seconds duration created updated submitted date timestamp hit hits hittype assignment "
    "assignments reward status "
    "approve reject lifetime approval ip ipaddress latitude longitude browser progress finished recorded seed "
    "age gender "
    "payment lead url link keywords consent uuid expiration requester feedback bonus channel distribution cost "
    "tokens latency "
    "year month day size length len count words chars characters bytes index position order fold page step agreement "
    "batch "
    "lr epoch turn tstamp ts confidence native education country finish start end elapsed trust "
    "recipient reference_id temperature"
)
HUMAN_WORDS = _set(
    "relevance coherence consistency fluency faithfulness factuality responsiveness readability pyramid "
    "informativeness "
    "redundancy focus grammaticality grammar structure quality rating human judgment judgement overall naturalness "
    "helpfulness interest interestingness simplicity adequacy conciseness usefulness meaning correctness accuracy "
    "coverage faithful fluent coherent relevant consistent complexity engagement engagingness empathy surprise "
    "understandability specificity appropriateness likability safety style clarity completeness ease annotation rank "
    "errors error aspect grade stars satisfaction harmlessness groundedness "
    "honesty truthfulness creativity originality novelty diversity persuasiveness toxicity verbosity humor "
    "trustworthiness intelligibility comprehensibility informative depth"
)
TOTAL_NAMES = _set("total totals sum mean average avg overall all median grand_total mean_score subtotal")
METRIC_PATTERN = re.compile(
    r"""(?:^|_)(?:(sacre)?(rouge|bleu|bleurt|chrf|ter|cider|spice|meteor|nist|wer|cer)(\d|_|$|[wlsn]|su|pp)
    |(bert|bart|mover|prism|align|uni|ctc|gpt|qa)_?score
    |(bertscore|bartscore|moverscore|comet|bewte|supert|estime|gruen|lerc|autosummeng|memog|npower)(_|\d|$)
    |(qa|summa_?qa|quest|fe_?qa)_?eval|summaqa|feqa|qags|blanc|factcc|summac|unieval|perplexity|ppl(_|$)
    |(chat)?gpt|llm|claude|gemini|llama|mistral|qwen|deepseek|g_?eval(_|$)|exact_match|acc(_|$|uracy_norm)|f1(_|$)|metric|cosine|similarity
    |context_(precision|recall)|answer_relevancy|semantic_similarity|lepor|autojudge|auto_judge|pass_at|logprob|(^|_)(sari|fkgl|samsa|embedding))""",
    re.VERBOSE,
)


_GLUED_ID = re.compile(
    r"(?!(?:bid|did|grid|hid|kid|lid|mid|rid)$)[b-df-hj-np-tv-z]{1,4}id"
    r"|(?:article|case|dialog|doc|example|image|img|item|news|post|prompt|query|sample|sent|story|text|video)id"
)
"""Words that end with an identifier's ``id``: ``bbcid``, ``docid``."""


MODEL_PATTERN = re.compile(r"(?:^|_)(?:(chat)?gpt|llm|claude|gemini|llama|mistral|qwen|deepseek)")
"""Names of models, which are systems as often as they judge."""


def topic_evidence(name: str) -> float:
    """Say how far a name is that of a topic: 0 to 3."""
    spelled = spell_name(name)
    if spelled in TOPIC_NAMES:
        return 3.0
    if spelled in GENERIC_ID_NAMES:
        return 1.5
    if spelled in TOPIC_TEXT_NAMES:
        return 1.0
    if spelled in ATTEMPT_NAMES:
        return 0.0
    words = words_of(name)
    is_identifier = bool(words) and (
        words[-1] in ("id", "idx", "index", "hash", "number") or _GLUED_ID.fullmatch(words[-1]) is not None
    )
    if is_identifier and not is_administration(name, but=("index",)):
        return 1.0
    return 0.5 if spelled in TEXT_NAMES else 0.0


def system_evidence(name: str) -> float:
    """Say how far a name is that of a system: 0 to 3."""
    spelled = spell_name(name)
    if spelled in SYSTEM_NAMES:
        return 3.0
    base, _, ending = spelled.rpartition("_")
    if base in SYSTEM_NAMES and ending in ("id", "name", "key", "label"):
        return 2.0
    words = set(words_of(name))
    is_text = words & (TEXT_NAMES - {"out"}) or words & {"type", "outputs", "a", "b"}
    return 1.5 if words & {"system", "model", "summarizer", "architecture", "engine"} and not is_text else 0.0


def rater_evidence(name: str) -> float:
    """Say how far a name is that of a rater: 0 to 3."""
    spelled = spell_name(name)
    if spelled in RATER_NAMES:
        return 3.0
    if spelled.endswith(("_user_id", "_annotator_id", "_worker_id", "_rater_id")):
        return 2.0
    words = set(words_of(name))
    is_other = words & {"type", "agreement", "count", "comment", "rating", "score"}
    return (
        1.5
        if words & {"annotator", "rater", "worker", "assessor", "annotators", "reviewer"} and not is_other
        else 0.0
    )


def numbers_attempts(name: str) -> bool:
    """Whether numbered columns of this name hold attempts: ``run_1``, ``score_seed2``, or what they have in common."""
    return any(word.rstrip("0123456789") in ATTEMPT_NAMES for word in words_of(name))


_PERSON = re.compile(
    r"(?:[a-z]{0,3}[ _-]?)?(?:annot|annotator|rater|worker|coder|judge|expert|user|participant|assessor|evaluator|ann"
    r"|reviewer|turker|crowd)s?[ _.-]*\d+|A[A-Z0-9]{9,15}",
    re.IGNORECASE,
)


def are_people(values: list[str]) -> bool:
    """Whether values are those that tools give to raters: ``worker_12``, ``annot1``, identifiers of MTurk."""
    return bool(values) and all(_PERSON.fullmatch(value) for value in values[:200])


def is_administration(name: str, but: tuple[str, ...] = ()) -> bool:
    """Whether a name is that of a date, a price, a counter or a comment."""
    words = set(words_of(name)) - {*but}
    return bool(words & ADMINISTRATION_WORDS or words & COMMENT_WORDS)


def is_metric(name: str) -> bool:
    """Whether a name is that of an automatic metric or of a model that judges."""
    return any(
        METRIC_PATTERN.search(spelling) for spelling in (spell_name(name), strip_container(name).lower())
    )


def is_human_measure_name(name: str) -> bool:
    """Whether a name is that of a human measure."""
    return bool(set(words_of(name)) & HUMAN_WORDS) and not is_metric(name)


MIN_SHARE_OF_MEASURES = 0.5
"""Least share of the names in a column, or of an object's fields, by which they name measures."""


def are_measures(names: Sequence[str]) -> bool:
    """Whether several names, or what they have after their last point, are mostly those of measures or metrics.

    Examples
    --------
    >>> are_measures(["fluency", "honesty", "helpfulness"]), are_measures(["bart", "human"])
    (True, False)
    """
    last_parts = [name.rpartition(".")[2] for name in names]
    n_measures = sum(is_metric_name(name) or is_bare_measure(name) for name in last_parts)
    return len(names) > 1 and n_measures >= MIN_SHARE_OF_MEASURES * len(names)


def is_bare_measure(name: str) -> bool:
    """Whether each word of a name is that of a human measure (``overall quality``), and none names people."""
    words = {*words_of(name)}
    return bool(words) and words <= HUMAN_WORDS - {"human", "annotation", "ease", "style", "structure"}


def is_metric_name(name: str) -> bool:
    """Whether a name is that of an automatic metric, and of no model: ``rouge_1``, not ``llama``."""
    return is_metric(name) and not MODEL_PATTERN.search(spell_name(name))


def is_named_measure(name: str) -> bool:
    """Whether a name is that of a measure, a metric or a score."""
    return is_human_measure_name(name) or is_metric(name) or spell_name(name) in SCORE_NAMES


def leave_out_texts(names: Iterable[str]) -> list[str]:
    """Leave out of columns of numbers those that are named like texts, if there is a named measure beside them.

    Numbers called *predicted* (as `predict` writes them), *target* or *gold* are scores.

    Examples
    --------
    >>> leave_out_texts(["reference", "score"]), leave_out_texts(["output"]), leave_out_texts(["predicted", "score"])
    (['score'], ['output'], ['predicted', 'score'])
    """
    columns = list(names)
    texts = (TEXT_NAMES | REFERENCE_NAMES) - _NAMES_OF_TEXTS_AND_SCORES
    numeric = [name for name in columns if spell_name(name) not in texts]
    return numeric if any(map(is_named_measure, numeric)) else columns
