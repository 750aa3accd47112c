"""Ways to corrupt a file: bit by bit, byte by byte, cell by cell, or in the values of its JSON."""

import json
import random

TOKENS: tuple[bytes, ...] = (
    b"\x00", b"\xff", b"\xef\xbb\xbf", b"\t", b"\n", b"\r\n", b'"', b"'", b"\\", b"{", b"[", b"]", b",", b"=", b"-",
    b"\\ud800", b"NaN", b"N/A", b"-Infinity", b"1e400", b"1e200", b"3,5", b"1_000", b"0x1", b"null", b"true", b"{}",
    "１２".encode(), "\u2028".encode(), b"\x1b[31m", b"9" * 400, b"9" * 5000, b"[" * 3000, b"../..", b" ",
)  # fmt: skip
VALUES: tuple[object, ...] = (
    None, True, 0, -1, 1e308, float("nan"), float("inf"), 2**64, 10**400, "", "x", "\ud800", "\x00", "1", "a\tb",
    "a\nb", "é" * 300, [], {}, [[]], {"": None}, {"kind": "trees"}, "../x", "\x1b[31m",
)  # fmt: skip


def corrupt_text(content: bytes, rng: random.Random) -> bytes:
    """Give a file of text with one to four changes."""
    return _change(content, (change_bytes, change_bytes, change_cells, change_values), rng)


def corrupt_bytes(content: bytes, rng: random.Random) -> bytes:
    """Give a file of bytes as a bad disk or a broken transfer leaves it."""
    return _change(content, (flip_bit, flip_bit, change_bytes), rng)


def _change(content: bytes, changes: tuple, rng: random.Random) -> bytes:  # type: ignore[type-arg]
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        content = rng.choice(changes)(content, rng)
    return content


def flip_bit(content: bytes, rng: random.Random) -> bytes:
    """Flip one bit."""
    changed = bytearray(content)
    if changed:
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def change_bytes(content: bytes, rng: random.Random) -> bytes:
    """Remove, insert, repeat or replace some bytes, or cut the file."""
    start, end = sorted(rng.randrange(len(content) + 1) for _ in range(2))
    end = min(end, start + rng.choice((0, 1, 2, 8, 64, 10**9)))
    token = rng.choice((rng.choice(TOKENS), rng.randbytes(4), bytes(512)))
    inserted = rng.choice((b"", token, token, content[start:end] * 2))
    return content[:start] + inserted + rng.choice((content[end:], content[end:], content[start:], b""))


def change_cells(content: bytes, rng: random.Random) -> bytes:
    """Remove, repeat or replace what stands between two separators; between line ends this is a line."""
    separator = rng.choice((b"\t", b";", b" ", b"\n", b"\n", b'"', b"= "))
    cells = content.split(separator)
    position = rng.randrange(len(cells))
    cell = cells[position]
    cells[position : position + 1] = rng.choice(([], [cell] * 2, [rng.choice(TOKENS)], [rng.choice(cells)]))
    return separator.join(cells)


def change_values(content: bytes, rng: random.Random) -> bytes:
    """Change the JSON of the file, or of one of its lines; bytes if there is none."""
    lines = [content] if rng.random() < 0.5 else content.split(b"\n")
    position = rng.randrange(len(lines))
    try:
        value = json.loads(lines[position])
    except (ValueError, RecursionError):
        return change_bytes(content, rng)
    lines[position] = json.dumps(change_value(value, rng)).encode()
    return b"\n".join(lines)


def change_value(value: object, rng: random.Random) -> object:
    """Change one part of a value: replaced, removed, wrapped, or put under another key."""
    if not isinstance(value, dict | list) or not value or rng.random() < 0.15:
        return rng.choice((rng.choice(VALUES), [value], {"kind": value}))
    if isinstance(value, list):
        position = rng.randrange(len(value))
        part = value[position]
        changed = rng.choice(([change_value(part, rng)], [change_value(part, rng)], [], [part] * 2))
        return [*value[:position], *changed, *value[position + 1 :]]
    key = rng.choice(list(value))
    if rng.random() < 0.8:
        return {**value, key: change_value(value[key], rng)}
    others = {name: part for name, part in value.items() if name != key}
    return rng.choice((others, {**others, rng.choice(("", "x", "kind")): value[key]}))
