"""Writing files whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import click

from rulekit.cli.shared import Failure


def write_whole(name: str, text: str) -> None:
    """Write a text to a file (`-`: standard output) by way of a temporary one beside it.

    Raises:
        Failure: It cannot be written; what was there before still is.
    """
    if name == "-":
        click.echo(text, nl=False)
        return
    path = Path(name)
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(temporary, 0o644)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise Failure(f"`{name}` cannot be written: {reason}") from error
