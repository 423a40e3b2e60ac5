"""The playground of the documentation: Python for browsers, from npm, with rulekit and what it needs.

The repository has only its own sources (`docs/_playground/`): the build fetches Pyodide with npm, once, into
`build/playground/`.  Where npm is not installed, the page says so.
"""

from __future__ import annotations

import importlib.util
import io
import logging
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

OWN = Path(__file__).with_name("_playground")
ROOT = OWN.parents[1]
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
NEEDED = ("lark", "click", "ruamel.yaml")
"""Packages that a check and a game need; all are pure Python."""
SHARED = ("grammar", "schemas", "docs/diagnostics")
MISSING = "\n!!! note\n    These pages were built without npm, so there is no playground here.\n"
_log = logging.getLogger("mkdocs.hooks.playground")


def on_files(files: Files, config: Any) -> Files:
    """Add the worker, the page's script, Python and the archive of rulekit."""
    folder = fetched()
    if folder is not None:
        for name in PYODIDE:
            content = (folder / "node_modules" / "pyodide" / name).read_bytes()
            files.append(File.generated(config, f"assets/playground/{name}", content=content))
        for name in ("worker.mjs", "page.mjs"):
            files.append(
                File.generated(config, f"assets/playground/{name}", content=(OWN / name).read_bytes())
            )
        files.append(File.generated(config, "assets/playground/rulekit.zip", content=archive()))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Say on the page of the playground if there is none."""
    if (
        page.file.src_uri == "playground.md"
        and files.get_file_from_path("assets/playground/rulekit.zip") is None
    ):
        return markdown.partition("<div id=")[0] + MISSING
    return markdown


def fetched() -> Path | None:
    """The folder with Pyodide, of the version that the lock names; None without npm."""
    folder, lock = ROOT / "build" / "playground", OWN / "package-lock.json"
    kept = folder / "package-lock.json"
    if kept.is_file() and kept.read_bytes() == lock.read_bytes() and (folder / "node_modules").is_dir():
        return folder
    npm = shutil.which("npm")
    if npm is None:
        _log.info("npm is not installed: no playground")
        return None
    folder.mkdir(parents=True, exist_ok=True)
    for path in OWN.glob("package*.json"):
        shutil.copy(path, folder)
    subprocess.run([npm, "ci", "--no-audit", "--no-fund", "--silent"], cwd=folder, check=True)
    return folder


def archive() -> bytes:
    """rulekit, the packages that it needs, and the page's own module."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for name, content in sorted(_contents()):
            out.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _contents() -> Iterator[tuple[str, bytes]]:
    for package in NEEDED:
        spec = importlib.util.find_spec(package)
        assert spec is not None and spec.origin is not None
        top = Path(spec.origin).parent
        base = top.parents[package.count(".")]
        yield from ((path.relative_to(base).as_posix(), path.read_bytes()) for path in _sources(top))
    for path in _sources(ROOT / "rulekit"):
        yield path.relative_to(ROOT).as_posix(), path.read_bytes()
    for name in SHARED:
        for path in (ROOT / name).rglob("*"):
            if path.is_file():
                yield f"rulekit/_share/{path.relative_to(ROOT).as_posix()}", path.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        tables = Path(folder) / "parser-tables"
        command = [sys.executable, "-m", "rulekit.syntax.parse.write_tables", str(tables)]
        subprocess.run(command, cwd=ROOT, check=True)
        yield "rulekit/_share/parser-tables", tables.read_bytes()
    yield "table.py", (OWN / "table.py").read_bytes()


def _sources(top: Path) -> Iterator[Path]:
    return (path for path in top.rglob("*") if path.suffix in (".py", ".lark") and path.is_file())
