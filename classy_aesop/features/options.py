"""The options that change the values of features, as one frozen object that a predictor can store."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from classy_aesop.errors import DataWarning, InputError
from classy_aesop.text.sentences import SENTENCES, SPLITTER, Sentences
from classy_aesop.text.tokens import TOKENIZERS, Tokenizer

References = Literal["unequal", "jackknife", "none"]
REFERENCES: tuple[References, ...] = get_args(References)
"""What summaries are compared with: all their references, all but one at a time, or no reference at all."""

CHOICES = {"sentences": SENTENCES, "tokenizer": tuple(TOKENIZERS), "references": REFERENCES}
"""The choices of each option."""


@dataclass(frozen=True)
class FeatureOptions:
    """How texts are read and compared.

    Parameters
    ----------
    sentences : {"auto", "given", "split"}
        How sentences are found; see `classy_aesop.text.sentences.sentences`.
    tokenizer : {"rouge", "unicode"}
        ROUGE-1.5.5's tokens, stemmed; or letters and digits of any script, unstemmed.
    references : {"unequal", "jackknife", "none"}
        Whether a system is compared with all references at once, or gets the mean over leaving each of them out.
        With ``"jackknife"`` it is compared with as many references as a human who wrote one of them. References
        of an earlier set are never left out. With ``"none"`` references are not read, and the features that need them
        are left out.

    Raises
    ------
    InputError
        If an option has an unknown value.

    Examples
    --------
    >>> FeatureOptions(tokenizer="unicode")
    FeatureOptions(sentences='auto', tokenizer='unicode', references='unequal')
    >>> FeatureOptions(tokenizer="words")
    Traceback (most recent call last):
    classy_aesop.errors.InputError: tokenizer is 'words'; expected one of rouge, unicode
    """

    sentences: Sentences = "auto"
    tokenizer: Tokenizer = "rouge"
    references: References = "unequal"

    def __post_init__(self) -> None:
        for name, known in CHOICES.items():
            if getattr(self, name) not in known:
                raise InputError(f"{name} is {getattr(self, name)!r}; expected one of {', '.join(known)}")

    def to_dict(self) -> dict[str, str]:
        """Return the options and the version of the sentence splitter, on which linguistic features depend.

        Examples
        --------
        >>> FeatureOptions(references="jackknife").to_dict()["references"]
        'jackknife'
        """
        return asdict(self) | {"splitter": SPLITTER}

    @classmethod
    def from_dict(cls, values: Mapping[str, str]) -> FeatureOptions:
        """Make the options from the result of `to_dict`.

        Warns
        -----
        DataWarning
            If the result names another version of the sentence splitter.
        """
        options: dict[str, Any] = dict(values)
        splitter = options.pop("splitter", SPLITTER)
        if splitter != SPLITTER:
            message = f"made with the sentence splitter {splitter}; this version uses {SPLITTER}"
            warnings.warn(message, DataWarning, stacklevel=2)
        return cls(**options)
