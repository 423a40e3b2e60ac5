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
    """The file or folder shipped with rulekit under `path` (`/` between parts); it may not exist."""
    installed = PACKAGE / "_share"
    return (installed if installed.is_dir() else PACKAGE.parent) / path


def grammar_text() -> str:
    """The one grammar."""
    return share(GRAMMAR).read_text(encoding="utf-8")


def own_version() -> str | None:
    """The version that is installed; None in a checkout that is not."""
    from importlib.metadata import PackageNotFoundError, version  # slow to load, and seldom asked

    try:
        return version("rulekit")
    except PackageNotFoundError:
        return None


def parser_tables() -> bytes | None:
    """The parser tables written when rulekit was installed; None where they did not come with it.

    They are as good as the reader finds them to be: it must compare the grammar and the versions they were
    made for with its own.
    """
    for tables in (share("parser-tables"), Path(sys.prefix, "share", "rulekit", "parser-tables")):
        if tables.is_file():
            return tables.read_bytes()
    return None


def rules_folder() -> Path:
    """The folder of the rule sets that come with rulekit; a rule set's id is its folder's name."""
    return share("rules")


def schema(name: str) -> dict[str, Any]:
    """The JSON schema `schemas/<name>.schema.json`, read anew.

    Raises:
        FileNotFoundError: There is none of that name.
    """
    loaded: dict[str, Any] = json.loads(share(f"schemas/{name}.schema.json").read_text(encoding="utf-8"))
    return loaded
