"""Making a failing input smaller: parts are left out as long as it fails for the same reason."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator

_LINES = re.compile(rb"[^\n]*\n|[^\n]+")
_TOKENS = re.compile(rb"\w+|\s+|[^\w\s]")


def shrink(data: bytes, fails: Callable[[bytes], bool], seconds: float) -> bytes:
    """Return the smallest input that still fails, within so many seconds: lines, then tokens, then bytes."""
    end = time.monotonic() + seconds
    before = b""
    while before != data and time.monotonic() < end:
        before = data
        for pattern in (_LINES, _TOKENS):
            data = _without(data, pattern.findall, fails, end)
        if len(data) <= 400:
            data = _without(data, _bytes, fails, end)
    return data


def _bytes(data: bytes) -> list[bytes]:
    return [data[at : at + 1] for at in range(len(data))]


def _without(
    data: bytes, cut: Callable[[bytes], list[bytes]], fails: Callable[[bytes], bool], end: float
) -> bytes:
    """Leave out stretches of parts, the longest first."""
    parts = cut(data)
    size = max(1, len(parts) // 2)
    while True:
        for start in _backwards(len(parts), size):
            if time.monotonic() > end:
                return b"".join(parts)
            shorter = parts[:start] + parts[start + size :]
            if len(shorter) < len(parts) and fails(b"".join(shorter)):
                parts = shorter
        if size == 1:
            return b"".join(parts)
        size //= 2


def _backwards(count: int, size: int) -> Iterator[int]:
    return iter(range(max(0, count - size), -1, -size))
