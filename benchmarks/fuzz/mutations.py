"""Ways to spoil a file: bit by bit, byte by byte, line by line, cell by cell, or in the values of its JSON."""

import json
import random

TOKENS: tuple[bytes, ...] = (
    b"\x00", b"\xff", b"\xef\xbb\xbf", b"\t", b"\n", b"\r\n", b'"', b"'", b"\\", b"{", b"}", b"[", b"]", b",", b"=",
    b"\\ud800", b"\\u0000", b"NaN", b"-Infinity", b"1e400", b"1e200", b"-0", b"1_000", b"0x1", b"null", b"true", b"{}",
    "１２".encode(), "\u2028".encode(), "\u202e".encode(), b"9" * 30, b"9" * 400, b"9" * 5000, b"[" * 3000, b"../..",
)  # fmt: skip
VALUES: tuple[object, ...] = (
    None, True, False, 0, -1, 1.5, 1e308, float("nan"), float("inf"), 2**63, 2**64, 10**400, "", "x", "\ud800", "\x00",
    "1", "a\tb", "a\nb", " ", "é" * 300, [], {}, [[]], [None], {"": None}, {"kind": "trees"}, "../x",
)  # fmt: skip


def spoiled(content: bytes, rng: random.Random) -> bytes:
    """Give a file with one to four changes."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        content = rng.choice((_bytes, _bytes, _lines, _cells, _values))(content, rng)
    return content


def damaged(content: bytes, rng: random.Random) -> bytes:
    """Give a file of bytes as a bad disk or a broken transfer leaves it."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        content = rng.choice((_bit, _bit, _zeros, _bytes))(content, rng)
    return content


def _bit(content: bytes, rng: random.Random) -> bytes:
    """Turn one bit over."""
    changed = bytearray(content)
    if changed:
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _zeros(content: bytes, rng: random.Random) -> bytes:
    """Put zeros over some bytes, as a file system does that lost a block."""
    at = rng.randrange(len(content) + 1)
    n_bytes = min(rng.choice((1, 16, 512)), len(content) - at)
    return content[:at] + bytes(n_bytes) + content[at + n_bytes :]


def _bytes(content: bytes, rng: random.Random) -> bytes:
    """Take out, put in, repeat or replace some bytes, or cut the rest off."""
    at, end = sorted(rng.randrange(len(content) + 1) for _ in range(2))
    end = min(end, at + rng.choice((0, 1, 2, 8, 64, 10**9)))
    token = rng.choice((rng.choice(TOKENS), rng.randbytes(rng.choice((1, 4)))))
    return rng.choice(
        (
            content[:at] + content[end:],
            content[:at] + token + content[at:],
            content[:at] + token + content[end:],
            content[:end] + content[at:],
            content[:at],
        )
    )


def _lines(content: bytes, rng: random.Random) -> bytes:
    """Take out, repeat or move a line."""
    lines = content.split(b"\n")
    line = lines.pop(rng.randrange(len(lines)))
    for _ in range(rng.choice((0, 1, 2))):
        lines.insert(rng.randrange(len(lines) + 1), line)
    return b"\n".join(lines)


def _cells(content: bytes, rng: random.Random) -> bytes:
    """Take out, repeat or replace what stands between two separators."""
    separator = rng.choice((b"\t", b" ", b"\n", b'"', b"= "))
    cells = content.split(separator)
    at = rng.randrange(len(cells))
    cells[at : at + 1] = rng.choice(([], [cells[at]] * 2, [rng.choice(TOKENS)], [b""], [rng.choice(cells)]))
    return separator.join(cells)


def _values(content: bytes, rng: random.Random) -> bytes:
    """Change the JSON of the file, or of one of its lines; bytes if there is none."""
    lines = [content] if rng.random() < 0.5 else content.split(b"\n")
    at = rng.randrange(len(lines))
    try:
        value = json.loads(lines[at])
    except (ValueError, RecursionError):
        return _bytes(content, rng)
    lines[at] = json.dumps(changed(value, rng)).encode()
    return b"\n".join(lines)


def changed(value: object, rng: random.Random) -> object:
    """Change one part of a value: replaced, taken out, wrapped, or put under another key."""
    if not isinstance(value, dict | list) or not value or rng.random() < 0.15:
        return rng.choice((rng.choice(VALUES), [value], {"kind": value}))
    if isinstance(value, list):
        at = rng.randrange(len(value))
        new = rng.choice(([changed(value[at], rng)], [changed(value[at], rng)], [], [value[at]] * 2))
        return [*value[:at], *new, *value[at + 1 :]]
    key = rng.choice(list(value))
    rest = {name: one for name, one in value.items() if name != key}
    if rng.random() < 0.8:
        return {**value, key: changed(value[key], rng)}
    return rng.choice((rest, {**rest, rng.choice(("", "x", "kind", key + " ")): value[key]}))
