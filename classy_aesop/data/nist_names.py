"""Year, topic, task and summarizer, read from NIST's names of releases, document sets and summaries."""

from __future__ import annotations

import re

YEARS = ("2008", "2009", "2010", "2011")


def year_of_name(name: str) -> str | None:
    """Read the year from the name of a release's folder; None if it names none, or several.

    Examples
    --------
    >>> year_of_name("UpdateSumm08_eval"), year_of_name("AESOP2011_eval_V1.2"), year_of_name("tac")
    ('2008', '2011', None)
    """
    years = re.findall(r"(?<![0-9])(?:20)?(08|09|10|11)(?![0-9])", name)
    return f"20{years[0]}" if len(set(years)) == 1 else None


def document_set(name: str) -> tuple[str, str] | None:
    """Split the name of a document set into topic and task, dropping the extra letter of 2010 and 2011.

    Examples
    --------
    >>> document_set("D0845-A"), document_set("D1001A-B"), document_set("D1001")
    (('D0845', 'A'), ('D1001', 'B'), None)
    """
    match = re.fullmatch("(D[0-9]+)[A-Z]?-([AB])", name)
    return (match[1], match[2]) if match else None


def summary_name(name: str) -> tuple[str, str, str] | None:
    """Read topic, task and summarizer from a summary's file name of five parts.

    Examples
    --------
    >>> summary_name("D0845-A.M.100.H.E")
    ('D0845', 'A', 'E')
    """
    parts = name.split(".")
    key = document_set(parts[0]) if len(parts) == 5 and parts[4] else None
    return (*key, parts[4]) if key else None


def is_human_name(summarizer: str) -> bool:
    """Whether a summarizer is human by its name: NIST gives systems numbers and humans letters.

    Examples
    --------
    >>> is_human_name("D"), is_human_name("43")
    (True, False)
    """
    return not summarizer.isdigit()
