"""Where parser tables are kept: beside an installed package, or in the user's cache.

They are two lines of JSON: what `table_parser` needs, which reads every text first, and what lark needs,
which reads only texts with a fault.  Tables are data; damaged ones are worked out again.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from typing import Any, TypeVar

from rulekit.base import cache, resources

_KIND = "parser-tables"
_P = TypeVar("_P")


def key_of(grammar: str) -> str:
    """Return what tables must carry to be used for this grammar."""
    return hashlib.sha256(f"6:{grammar}".encode()).hexdigest()


def load_tables(grammar: str, line: int, load: Callable[[dict[str, Any]], _P]) -> _P | None:
    """Return the result of `load` on one line of the first sound tables; None if this grammar has none."""
    wanted = key_of(grammar)
    for tables in (resources.parser_tables(), cache.get(_KIND, wanted)):
        try:
            loaded = json.loads(tables.split(b"\n")[line]) if tables else {}
            if loaded.get("key") == wanted:
                return load(loaded)
        except (ValueError, KeyError, TypeError, AttributeError, IndexError, re.error):
            continue
    return None


def store_tables(grammar: str, tables: bytes) -> None:
    """Keep the tables of a grammar."""
    cache.put(_KIND, key_of(grammar), tables)
