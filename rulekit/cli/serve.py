"""`rulekit serve [SET]...`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

import click

from rulekit.cli import shared

if TYPE_CHECKING:
    from rulekit.runtime.serve import Host


@click.command("serve")
@click.argument("sets", metavar="[SET]...", nargs=-1)
@shared.flag("--stdio", "Speak JSON-RPC on standard input and output, one message a line.")
def command(sets: tuple[str, ...], stdio: bool) -> None:
    """Let programs in any language play, over JSON-RPC 2.0.

    Without SET, all rule sets that come with rulekit can be played. `schemas/session.openrpc.json` describes
    the methods. The command ends when its input does.
    """
    from rulekit.runtime.serve import stdio as transport

    if not stdio:
        raise click.UsageError("say how programs connect: --stdio is the only way so far")
    source, sink = getattr(sys.stdin, "buffer", None), getattr(sys.stdout, "buffer", None)
    if source is None or sink is None:
        raise click.UsageError("standard input or output is closed: no message can pass")
    transport.serve(_host(sets), source, sink)


def _host(sets: Sequence[str]) -> Host:
    """A host of the rule sets named, or of all that come with rulekit."""
    from rulekit import load
    from rulekit.diagnostics import Report
    from rulekit.ruleset import read_manifest
    from rulekit.runtime.play import Game
    from rulekit.runtime.serve import Host

    folders, titles = {}, {}
    for name in sets or shared.known_sets():
        folder = shared.locate(name)
        report = Report()
        manifest = read_manifest(folder, report)
        if manifest is None:
            shared.stop_with(tuple(report), folder, "full")
        folders[manifest.id], titles[manifest.id] = folder, manifest.title

    @cache
    def loaded(name: str, options: tuple[str, ...]) -> Game:
        return load(folders[name], options=options)

    return Host(titles, lambda name, options: loaded(name, tuple(options)))
