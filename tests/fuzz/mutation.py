"""Spoiling texts at random: characters, tokens, lines.  No knowledge of what they mean."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from typing import Final

ODD_TEXTS: Final = (
    *("\t", "\0", "\r", "\n", "\r\n", " ", "  ", "    ", "\x1b[31m", "\x7f", "\x85", "\x9b2J"),
    *("\u2028", "\u2029", "\ufeff", "\u202e", "\u2066", "\u200b", "\u0301", "é", "ﬁ", "ß", "İ", "٣"),
    *("“", "’", "—", "†", "😀", "\ud7ff", "\ue000", "\uffff", "\U0010ffff", "漢", "א", "а"),
    *("[", "]", "(", ")", "{", "}", "'", '"', ":", ",", "|", "-", "#", "..", "?", "=", "\\", "/", "<", "&"),
    *(
        "&a",
        "*a",
        "!!",
        "!!python/object:os.system",
        "<<: ",
        "---\n",
        "...\n",
        "%YAML 1.1\n",
        "? ",
        "~",
        "|-\n",
    ),
    *(
        "0",
        "-1",
        "1",
        "00",
        "0x10",
        "1e3",
        "1_000",
        "9" * 19,
        "9" * 30,
        "-" + "9" * 19,
        "9223372036854775808",
    ),
    *("none", "true", "false", "null", "of", "where", "it", "its", "not", "or", "and", "d6", "0d0", "1:0"),
    *("Jan 1942", "[1]", "''", "'a b'", '"', "\\ud800", "\\u0000", "{0}", "%s", "$HOME", "__class__", "None"),
    *("import", "print", "lambda", "<script>", "={1+1}", "](x)", "#read", "S", "M", "T", "x" * 200),
)
"""Characters of all planes, layout, brackets, the odder parts of YAML and JSON, numbers, words of Python."""
TOKEN: Final = re.compile(r"\w+|[^\w\s]|\s+")


def spoil(text: str, chance: random.Random, most: int = 3) -> str:
    """Return a text after one to `most` mishaps."""
    for _ in range(chance.randint(1, most)):
        text = chance.choice(_MISHAPS)(text, chance)
    return text


def to_bytes(text: str, chance: random.Random) -> bytes:
    """Return a text as UTF-8; now and then with a byte of another encoding in it."""
    data = text.encode("utf-8", "surrogatepass")
    if chance.random() < 0.01:
        at = chance.randint(0, len(data))
        data = data[:at] + bytes([chance.randint(0, 255)]) + data[at:]
    return data


def _part(text: str, chance: random.Random) -> tuple[int, int]:
    low = chance.randint(0, len(text))
    return low, min(len(text), low + chance.choice((1, 1, 2, 5, 20, 200)))


def _cut(text: str, chance: random.Random) -> str:
    low, high = _part(text, chance)
    return text[:low] + text[high:]


def _double(text: str, chance: random.Random) -> str:
    low, high = _part(text, chance)
    return text[:high] + text[low:high] + text[high:]


def _move(text: str, chance: random.Random) -> str:
    low, high = _part(text, chance)
    rest = text[:low] + text[high:]
    to = chance.randint(0, len(rest))
    return rest[:to] + text[low:high] + rest[to:]


def _put_in(text: str, chance: random.Random) -> str:
    low = chance.randint(0, len(text))
    return text[:low] + chance.choice(ODD_TEXTS) + text[low:]


def _end(text: str, chance: random.Random) -> str:
    return text[: chance.randint(0, len(text))]


def _indent(text: str, chance: random.Random) -> str:
    start = text.rfind("\n", 0, chance.randint(0, len(text))) + 1
    if chance.random() < 0.5:
        return text[:start] + " " * chance.randint(1, 8) + text[start:]
    return text[:start] + text[start:].removeprefix(" ").removeprefix(" ")


def _line(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    at, to = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(3):
        case 0:
            del lines[at]
        case 1:
            lines.insert(to, lines[at])
        case _:
            lines[at], lines[to] = lines[to], lines[at]
    return "\n".join(lines)


def _token(text: str, chance: random.Random) -> str:
    """Exchange a token for another of the text, or for an odd one."""
    tokens = TOKEN.findall(text)
    if not tokens:
        return chance.choice(ODD_TEXTS)
    at = chance.randrange(len(tokens))
    tokens[at] = chance.choice(tokens) if chance.random() < 0.7 else chance.choice(ODD_TEXTS)
    return "".join(tokens)


_MISHAPS: Final[Sequence[Callable[[str, random.Random], str]]] = (
    _cut, _double, _move, _put_in, _put_in, _end, _indent, _line, _line, _token, _token, _token, _token,
)  # fmt: skip
