"""What `check --proofs` tells beside findings: the answers to all questions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulekit.cli import shared

if TYPE_CHECKING:
    from rulekit.proofs.record import Proof

FORMATS = ("full", "concise", "json")


def known(folder: Path, options: Iterable[str], overlays: Sequence[Path]) -> tuple[Proof, ...]:
    """The answers for one rule set, at their places as the user would type them; none where it has errors."""
    from rulekit.diagnostics import Report, RulesError
    from rulekit.driver import compile_rule_set
    from rulekit.once import Once
    from rulekit.proofs.asking import asked
    from rulekit.proofs.pairs import offered

    once, chosen = Once(), tuple(options)
    try:
        compiled = compile_rule_set(
            folder, Report(), options=chosen, overlays=overlays, once=once, settled=True
        )
    except RulesError:
        shared.say(f"nothing is proved of `{folder}`: errors must be mended first")
        return ()
    found = [*asked(compiled), *(() if chosen else offered(compiled, folder, overlays, once))]
    return tuple(replace(each, span=replace(each.span, file=str(folder / each.span.file))) for each in found)


def tell(proofs: Mapping[str, Sequence[Proof]], output_format: str) -> None:
    """Write the answers for each rule set, by its name."""
    from rulekit.proofs import telling

    for name, found in proofs.items():
        if output_format == "full":
            lines = telling.full(name, found)
        else:
            lines = telling.concise(found)
        for line in lines:
            click.echo(line)


def as_json(proofs: Mapping[str, Sequence[Proof]]) -> dict[str, Any]:
    """The answers as a property of the report."""
    from rulekit.proofs import telling

    return {"proofs": [telling.plain(each) for found in proofs.values() for each in found]}
