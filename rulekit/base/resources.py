"""Where grammar, rule sets, schemas and pages of findings are: in a checkout, or inside an installed package.

They live at the top of the project; a wheel carries them as `rulekit/_share/`.  Parser tables are written
when rulekit is installed: into the package, or for an editable install beside the environment's other data.
Nothing here looks at the working directory.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

GRAMMAR = "grammar/rules.lark"
PACKAGE = Path(__file__).resolve().parents[1]


def share(path: str) -> Path:
    """Return the file or folder shipped with rulekit under `path` (`/` between parts); it may not exist."""
    installed = PACKAGE / "_share"
    return (installed if installed.is_dir() else PACKAGE.parent) / path


def grammar_text() -> str:
    """Return the one grammar."""
    return share(GRAMMAR).read_text(encoding="utf-8")


def own_version() -> str | None:
    """Return the installed version; None in a checkout that is not installed."""
    from importlib.metadata import PackageNotFoundError, version  # slow to load, and seldom asked

    try:
        return version("rulekit")
    except PackageNotFoundError:
        return None


def parser_tables() -> bytes | None:
    """Return the parser tables written when rulekit was installed; None if there are none.

    The reader must compare the grammar and the versions that they were made for with its own.
    """
    for tables in (share("parser-tables"), Path(sys.prefix, "share", "rulekit", "parser-tables")):
        if tables.is_file():
            return tables.read_bytes()
    return None


def rules_folder() -> Path:
    """Return the folder of the rule sets that come with rulekit; a rule set's id is its folder's name."""
    return share("rules")


def contract(name: str) -> dict[str, Any]:
    """Return the OpenRPC document `schemas/<name>.openrpc.json`, read anew."""
    loaded: dict[str, Any] = json.loads(share(f"schemas/{name}.openrpc.json").read_text(encoding="utf-8"))
    return loaded


def schema(name: str) -> dict[str, Any]:
    """Return the JSON schema `schemas/<name>.schema.json`, read anew.

    Raises:
        FileNotFoundError: There is none of that name.
    """
    loaded: dict[str, Any] = json.loads(share(f"schemas/{name}.schema.json").read_text(encoding="utf-8"))
    return loaded
