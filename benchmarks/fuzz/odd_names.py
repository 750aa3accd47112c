"""Names that a terminal would obey, in place of some of those in a file."""

import json

from benchmarks.fuzz.readers import json_lines

_OTHER = {"2": "2\x1b[31m", "B": "B\x9b2J", "n": "n\x07", "P": "P\x7f", "One.": "One.\x1b]0;x\x07"}
"""What stands for the names of a system, a human, a metric and an assessor, and for a text."""


def with_odd_names(name: str, content: bytes) -> bytes:
    """Give a file with other names in it, if it is a table or holds rows of JSON."""
    if name.endswith(".jsonl"):
        return json_lines(*(_renamed(json.loads(line)) for line in content.splitlines()))
    if name == "table.json":
        return json.dumps(_renamed(json.loads(content))).encode()
    if name.endswith(".tsv"):
        header, *lines = (line.split("\t") for line in content.decode().splitlines())
        named = [
            [cell if column == "score" else _other(cell) for column, cell in zip(header, cells, strict=True)]
            for cells in lines
        ]
        return "".join("\t".join(cells) + "\n" for cells in (header, *named)).encode()
    return content


def _renamed(value: object) -> object:
    if isinstance(value, dict):
        return {key: _renamed(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_renamed(one) for one in value]
    return _other(value) if isinstance(value, str) else value


def _other(name: str) -> str:
    return _OTHER.get(name, name)
