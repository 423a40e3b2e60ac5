"""Put the files beside the package into a wheel: grammar, rule sets, schemas, pages, parser tables.

An editable install gets only the parser tables, which name their grammar: rulekit ignores them after a change
of the grammar.  `rulekit.base.resources` reads the other files in the checkout, so nothing becomes stale.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SHARED = ("grammar", "rules", "schemas", "docs/diagnostics", "hosts/js", "hosts/page")
TABLES = "rulekit/syntax/parse/write_tables.py"


class ShareHook(BuildHookInterface):  # type: ignore[type-arg]
    """The hook `[tool.hatch.build.hooks.custom]` names."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the shared folders, and the parser tables when this checkout can write them."""
        if self.target_name != "wheel":
            return
        root = Path(self.root)
        if version != "editable":
            for name in SHARED:
                if (root / name).is_dir():
                    build_data["force_include"][str(root / name)] = f"rulekit/_share/{name}"
        if (root / TABLES).is_file():
            self._scratch = tempfile.TemporaryDirectory(prefix="rulekit-build-")
            tables = Path(self._scratch.name) / "parser-tables"
            command = [sys.executable, "-m", "rulekit.syntax.parse.write_tables", str(tables)]
            subprocess.run(command, cwd=root, check=True)
            if version == "editable":
                build_data["shared_data"][str(tables)] = "share/rulekit/parser-tables"
            else:
                build_data["force_include"][str(tables)] = "rulekit/_share/parser-tables"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the scratch folder; the tables are in the wheel by now."""
        scratch = getattr(self, "_scratch", None)
        if scratch is not None:
            scratch.cleanup()
