"""Modules for the web: an ES module with its types, and a folder with a page that plays.

Both hold the module as text, beside the host of `hosts/js/`: a page fetches nothing, and plays from a disk.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from typing import Any

from rulekit.base.resources import share
from rulekit.runtime.native.sections import names_of

HOST = "hosts/js"
PAGE = "hosts/page"


def es_module(module: bytes) -> tuple[bytes, bytes]:
    """Return an ES module that opens a WebAssembly module, and its types in TypeScript."""
    names = names_of(module)
    opening = f"""
const MODULE = "{b64encode(module).decode()}";

/** {_comment(names["title"])}, ready to play. */
export async function open() {{
  return load(Uint8Array.from(atob(MODULE), (one) => one.charCodeAt(0)));
}}
"""
    kind = "Session" if names["stops"] else "Game"
    types = f"""
{_union("Side", dict.fromkeys(name for domain in _sides(names) for name in names["domains"][domain]))}
{_union("Choice", (choice["name"] for choice in names["choices"]))}
{_union("Scenario", (scenario["name"] for scenario in names["scenarios"]))}

/** {_comment(names["title"])}, ready to play. */
export function open(): Promise<{kind}>;
"""
    return (_host("rulekit.mjs") + opening).encode(), (_host("rulekit.d.ts") + types).encode()


def page(module: bytes) -> Mapping[str, bytes]:
    """Return the files of a folder with a page that plays a module that stops."""
    classic = re.sub(r"^export ", "", _host("rulekit.mjs"), flags=re.MULTILINE)
    return {
        "index.html": _read(f"{PAGE}/page.html").encode(),
        "page.js": _read(f"{PAGE}/page.js").encode(),
        "rulekit.js": classic.encode(),
        "module.js": f'const RULEKIT_MODULE = "{b64encode(module).decode()}";\n'.encode(),
    }


def _host(name: str) -> str:
    return _read(f"{HOST}/{name}")


def _read(path: str) -> str:
    return share(path).read_text(encoding="utf-8")


def _sides(names: Mapping[str, Any]) -> Iterable[str]:
    """The domains of those who decide."""
    return dict.fromkeys(choice["side"] for choice in names["choices"] if choice["side"])


def _union(name: str, values: Iterable[str]) -> str:
    """A type that is one of some texts."""
    return f"export type {name} = {' | '.join(map(json.dumps, values)) or 'never'};"


def _comment(text: str) -> str:
    return text.replace("*/", "* /")
