"""Output of commands on pages of the documentation, made when they are built.

A block of the kind `terminal` holds one command, with `lines=20-40` the lines shown.  It runs where
the files are that the page shows (`# file: NAME`), and its colours are those of a terminal.
"""

from __future__ import annotations

import html
import os
import re
import shlex
import subprocess
import sys
import tempfile
from io import StringIO
from pathlib import Path
from typing import Any

_TERMINAL = re.compile(r"^```terminal(?: lines=(\d+)-(\d+))?\n\$ (rulekit .*)\n```$", re.MULTILINE)
_FILE = re.compile(r"^```\w+\n# file: (\S+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
MANIFEST = 'id: {name}\ntitle: {title}\nlanguage: "0.2"\nsides: Side\n'
"""The manifest of a rule set of which a page shows a file only."""
COLUMNS = "92"


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Put what commands print in their place."""
    return with_output(markdown)


def with_output(markdown: str) -> str:
    """A page with what its commands print, in colour, run where the files are that the page shows."""
    if not _TERMINAL.search(markdown):
        return markdown
    with tempfile.TemporaryDirectory() as folder:
        for name, text in _FILE.findall(markdown):
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            manifest = MANIFEST.format(name=path.parent.name, title=path.parent.name.capitalize())
            (path.parent / "ruleset.yaml").write_text(manifest, encoding="utf-8")
            path.write_text(text, encoding="utf-8")
        return _TERMINAL.sub(lambda match: _output(match[3], match[1], match[2], folder), markdown)


def _output(command: str, first: str | None, last: str | None, folder: str) -> str:
    run = subprocess.run(
        [sys.executable, "-m", *shlex.split(command)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder, check=False,
        env={**os.environ, "FORCE_COLOR": "1", "COLUMNS": COLUMNS, "TERM": "xterm"},
    )  # fmt: skip
    lines = run.stdout.decode().rstrip().split("\n")
    if first and last:
        lines = ["…", *lines[int(first) - 1 : int(last)], "…"]
    shown = _in_colour("\n".join(lines))
    prompt = f'<span class="p">$</span> {html.escape(command)}'
    about = f'class="terminal" tabindex="0" role="group" aria-label="{html.escape(command)}"'
    return f"<pre {about}>{prompt}\n{shown}</pre>"


def _in_colour(text: str) -> str:
    from rich.console import Console
    from rich.terminal_theme import TerminalTheme
    from rich.text import Text

    theme = TerminalTheme(
        (20, 24, 31), (230, 233, 238),
        [(20, 24, 31), (255, 138, 128), (158, 211, 168), (240, 200, 120), (138, 184, 245), (216, 168, 232),
         (128, 216, 216), (230, 233, 238)],
        [(163, 173, 187), (255, 138, 128), (158, 211, 168), (240, 200, 120), (138, 184, 245), (216, 168, 232),
         (128, 216, 216), (255, 255, 255)],
    )  # fmt: skip
    console = Console(record=True, file=StringIO(), width=int(COLUMNS) + 40, force_terminal=True)
    console.print(Text.from_ansi(text), soft_wrap=True, end="")
    return console.export_html(theme=theme, code_format="{code}", inline_styles=True).rstrip()
