"""The settings files of ROUGE-1.5.5, which say which summaries are compared with which references.

They are XML, as the program's ``README.txt`` describes it: an ``<EVAL ID="...">`` for each topic, with the folders
``<PEER-ROOT>`` and ``<MODEL-ROOT>``, the format ``<INPUT-FORMAT TYPE="...">`` of its texts, a summary a
``<P ID="system">file</P>`` and a reference a ``<M ID="author">file</M>``. Any other element is ignored, as the program
does.

Texts are in one of the formats of `TEXT_FORMATS`. A path that is not absolute is looked for in the current folder, as
the program does, and then beside the settings.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from classy_aesop.data.cells import read_identifier
from classy_aesop.data.summary_records import Record
from classy_aesop.data.topics import Reference, Text
from classy_aesop.data.where import Where
from classy_aesop.errors import InputError, join_names
from classy_aesop.reading.byte_sources import ReplacedBytes, Source, refuse_damaged
from classy_aesop.reading.corpus import Corpus, assemble_corpus
from classy_aesop.work.files import note_input

MAX_SETTINGS_BYTES = 2**26
"""Maximum bytes of a settings file: 64 MiB."""

MAX_TEXT_BYTES = 2**24
"""Maximum bytes of a file that it names: 16 MiB."""

_ROOT = re.compile(rb"<\s*ROUGE[-_]EVAL\b", re.I)

# --- texts ---

TEXT_FORMATS = {
    "SEE": re.compile(
        r'<a (?:size="[0-9]+" )?name="[0-9]+">\[[0-9]+\]</a>\s+<a href="#[0-9]+" id=[0-9]+>([^<]+)', re.ASCII
    ),
    "ISI": re.compile(r'<S SNTNO="[0-9a-z,]+">([^<]+)</S>'),
    "SPL": re.compile("(.+)"),
}
"""The sentence of a line: of a page of SEE, of marked sentences of ISI, or all of it."""


def parse_sentences(content: str, text_format: str | None, where: Where) -> Text:
    """Give the sentences of a text as ROUGE-1.5.5 reads them; markup in them is kept, and lines are not stripped.

    Parameters
    ----------
    content : str
        The text.
    text_format : str, optional
        A key of `TEXT_FORMATS`; by default the first that gives sentences.
    where : Where
        The file, for messages.

    Raises
    ------
    InputError
        The text is not in its format: it has no markup at all.

    Examples
    --------
    >>> page = '<body>\\n<a name="1">[1]</a> <a href="#1" id=1>Rain fell.</a>\\n</body>'
    >>> parse_sentences(page, "SEE", Where("page.html"))
    ('Rain fell.',)
    >>> parse_sentences("Rain fell.\\nIt stopped.\\n", None, Where("text.txt"))
    ('Rain fell.', 'It stopped.')
    """
    lines = [line.removesuffix("\r") for line in content.split("\n")]
    formats = TEXT_FORMATS if text_format is None else (text_format,)
    by_format = ([*filter(None, map(TEXT_FORMATS[name].match, lines))] for name in formats)
    sentences = next(filter(None, by_format), [])
    if text_format and not sentences and content.strip() and "<" not in content:
        raise where.error(
            f"no sentence in the format {text_format}; expected its markup, or INPUT-FORMAT SPL"
        )
    return tuple(match[1] for match in sentences)


# --- settings ---


@dataclass(frozen=True)
class Evaluation:
    """A topic of the settings: the format of its texts, and their files by the names of their authors."""

    topic: str
    where: Where
    peers: Mapping[str, Path]
    models: Mapping[str, Path]
    text_format: str | None = None


def read_rouge_settings(path: str | Path | Source) -> Corpus:
    """Read the summaries and references that a settings file of ROUGE-1.5.5 names.

    Parameters
    ----------
    path : path-like
        The settings.

    Returns
    -------
    Corpus
        A topic an evaluation, a summary a peer, a reference a model. A reference that has the name of a summary of its
        topic is called ``model NAME``, since it is compared with that summary too.

    Raises
    ------
    InputError
        If the settings are damaged, say something twice, or name files that are missing; with file and line.

    Warns
    -----
    DataWarning
        If bytes of texts are not UTF-8 (they are replaced and counted).

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> folder = Path(mkdtemp())
    >>> _ = (folder / "peer.txt").write_text("Rain fell.\\n"), (folder / "model.txt").write_text("It rained.\\n")
    >>> _ = (folder / "settings.xml").write_text(
    ...     '<ROUGE_EVAL version="1.55"><EVAL ID="1"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT>'
    ...     '<INPUT-FORMAT TYPE="SPL"/><PEERS><P ID="mine">peer.txt</P></PEERS>'
    ...     '<MODELS><M ID="A">model.txt</M></MODELS></EVAL></ROUGE_EVAL>'
    ... )
    >>> [topic] = read_rouge_settings(folder / "settings.xml")
    >>> topic.summaries[0].summarizer, topic.summaries[0].text, topic.references[0].text
    ('mine', ('Rain fell.',), ('It rained.',))
    """
    source = Source.from_path(path)
    replaced = ReplacedBytes()
    corpus = assemble_corpus(_records(_parse_xml(source), replaced), path=source.name)
    replaced.warn_of_them()
    return corpus


def is_rouge_settings(source: Source) -> bool:
    """Whether a file begins as settings do."""
    start = source.start()
    return start.startswith(b"<") and bool(_ROOT.search(start))


def _find_file(root: str, name: str, settings: Source) -> Path:
    """Give the path of a file below a root: from the current folder, or else from that of the settings."""
    path = Path(f"{root}/{name}" if root else name)
    return path if settings.content is not None or os.path.exists(path) else settings.path.parent / path


def _records(evaluations: Sequence[Evaluation], replaced: ReplacedBytes) -> Iterator[Record]:
    """Make a row of each summary, with the references of its topic; each file is read once."""

    @cache
    def read(path: Path, text_format: str | None) -> Text:
        note_input(path)
        if path.stat().st_size > MAX_TEXT_BYTES:
            raise InputError(f"a text that is too large; expected at most {MAX_TEXT_BYTES} bytes", path=path)
        text = replaced.decode(path.read_bytes(), str(path))
        return parse_sentences(text, text_format, Where(str(path)))

    models = {path for evaluation in evaluations for path in evaluation.models.values()}
    for evaluation in evaluations:
        references = tuple(
            Reference(
                f"model {author}" if author in evaluation.peers else author,
                read(path, evaluation.text_format),
            )
            for author, path in evaluation.models.items()
        )
        for system, path in evaluation.peers.items():
            yield Record(
                key=("", evaluation.topic, ""),
                summarizer=system,
                text=read(path, evaluation.text_format),
                human=path in models,
                is_reference=False,
                where=evaluation.where,
                references=references,
            )


# --- XML ---


def _parse_xml(source: Source) -> list[Evaluation]:
    """Read settings in XML; names of elements may have any case, as the program allows."""
    evaluations: dict[str, Evaluation] = {}
    for element in _read_elements(source).iter("EVAL"):
        topic, where = _identify(element, source)
        if topic in evaluations:
            first = evaluations[topic].where.describe_within(source.name)
            raise where.error(f"EVAL {topic} is given again; the first is {first}")
        formats = [_read_text_format(inner, source) for inner in element.iter("INPUT-FORMAT")]
        peers = _read_files(element, "P", "PEER-ROOT", source)
        models = _read_files(element, "M", "MODEL-ROOT", source)
        evaluations[topic] = Evaluation(topic, where, peers, models, formats[-1] if formats else None)
    return [*evaluations.values()]


def _read_elements(source: Source) -> Element:
    """Read XML, each element with its line; a document type, with which a file could define entities, is refused."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    builder = TreeBuilder()

    def start(tag: str, attributes: Mapping[str, str]) -> None:
        values = {name.upper(): value for name, value in attributes.items()}
        builder.start(tag.upper(), {**values, _LINE: str(parser.CurrentLineNumber)})

    def refuse_document_type(*_: object) -> None:
        where = Where(source.name, parser.CurrentLineNumber)
        raise where.error("a document type; expected settings of ROUGE without one")

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda tag: builder.end(tag.upper())
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = refuse_document_type
    if source.count_bytes(MAX_SETTINGS_BYTES) > MAX_SETTINGS_BYTES:
        raise InputError(
            f"settings of more than {MAX_SETTINGS_BYTES} bytes; expected fewer", path=source.name
        )
    try:
        with refuse_damaged(source.name), source.stream() as stream:
            parser.ParseFile(stream)
    except expat.ExpatError as error:
        message = f"not well-formed XML ({expat.ErrorString(error.code)}); expected settings of ROUGE"
        raise Where(source.name, error.lineno).error(message) from None
    return builder.close()


_LINE = "line"
"""The attribute with the line of an element; those of the file are in capitals."""


def _identify(element: Element, source: Source) -> tuple[str, Where]:
    """Give the ID of an element, and its place."""
    where = Where(source.name, int(element.attrib[_LINE]))
    if "ID" not in element.attrib:
        raise where.error(f"{element.tag} without an ID; expected one")
    return read_identifier(element.attrib["ID"], f"the ID of {element.tag}", where), where


def _read_files(evaluation: Element, tag: str, tag_of_root: str, source: Source) -> dict[str, Path]:
    """Give the files of the peers or models of an evaluation by the names of their authors."""
    roots = ["".join(element.itertext()).strip() for element in evaluation.iter(tag_of_root)]
    files: dict[str, Path] = {}
    for element in evaluation.iter(tag):
        author, where = _identify(element, source)
        name = "".join(element.itertext()).strip()
        if author in files:
            message = f"{tag} {author} of EVAL {evaluation.attrib['ID']} is given again; expected each once"
            raise where.error(message)
        if not name:
            raise where.error(f"{tag} {author} names no file")
        files[author] = _find_file(roots[-1] if roots else "", name, source)
        if not os.path.isfile(files[author]):  # which is false of a name that is too long, too
            raise where.error(
                f"{tag} {author} is {files[author]!s:.300}, which is no file; expected its text"
            )
    return files


def _read_text_format(element: Element, source: Source) -> str:
    name = element.attrib.get("TYPE", "")
    if name.upper() not in TEXT_FORMATS:
        where = Where(source.name, int(element.attrib[_LINE]))
        raise where.error(f"INPUT-FORMAT is {name!r:.40}; expected one of {join_names(TEXT_FORMATS)}")
    return name.upper()
