"""Dependency parses in CoNLL-U, as needed for basic elements: universaldependencies.org/format.html."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from classy_aesop.data.sources import Where, numbered_lines
from classy_aesop.data.values import shown

N_COLUMNS = 10
_NO_WORD = re.compile("[0-9]+[-.][0-9]+")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a sentence.

    Parameters
    ----------
    text : str
        Its lemma, or its form if the lemma is ``_``.
    tag : str
        Universal part of speech, or ``_``.
    head : int
        Number of its head within the sentence, from 1; 0 for a root.
    relation : str
        Universal relation to the head, without a subtype: ``nsubj`` for ``nsubj:pass``.
    """

    text: str
    tag: str
    head: int
    relation: str


def read_conllu(path: str | Path) -> list[list[Word]]:
    """Read the sentences of a file; a sentence begins where the words are numbered from 1 again.

    Comments, multiword tokens (``3-4``) and empty nodes (``3.1``) are ignored. An empty file has no sentence.

    Raises
    ------
    InputError
        If a line does not have ten columns, words are not numbered in order, or a head does not exist; with file
        and line.
    """
    if not Path(path).read_bytes().strip():
        return []
    sentences: list[list[tuple[Where, Word]]] = []
    for where, line in numbered_lines(path):
        columns = line.split("\t")
        if line.startswith("#") or (len(columns) == N_COLUMNS and _NO_WORD.fullmatch(columns[0])):
            continue
        if len(columns) != N_COLUMNS:
            raise where.error(f"{len(columns)} columns; expected {N_COLUMNS}, separated by tabs")
        if columns[0] == "1":
            sentences.append([])
        place = len(sentences[-1]) + 1 if sentences else 1
        if columns[0] != str(place):
            raise where.error(f"word number {shown(columns[0])}; expected {place} or 1")
        sentences[-1].append((where, _word(columns, where)))
    return [_checked(sentence) for sentence in sentences]


def _word(columns: list[str], where: Where) -> Word:
    _, form, lemma, tag, _, _, head, relation, _, _ = columns
    if not (head.isascii() and head.isdigit() and len(head) < 10):
        raise where.error(f"head is {shown(head)}; expected the number of a word, or 0")
    return Word(form if lemma == "_" else lemma, tag, int(head), relation.partition(":")[0])


def _checked(sentence: list[tuple[Where, Word]]) -> list[Word]:
    for where, word in sentence:
        if word.head > len(sentence):
            raise where.error(
                f"head is {word.head}; expected 0 to {len(sentence)}, the words of its sentence"
            )
    return [word for _, word in sentence]
