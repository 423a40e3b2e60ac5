"""The output of `check --proofs`: what is proved, contradicted, undecided or not checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulekit.cli import shared

if TYPE_CHECKING:
    from rulekit.analysis.proofs.record import Proof

FORMATS = ("full", "concise", "json")


def located(proofs: Sequence[Proof] | None, folder: Path) -> tuple[Proof, ...]:
    """Return the proofs of one rule set, with places as the user would type them; none if it has errors."""
    if proofs is None:
        shared.say(f"no proofs for `{folder}`: fix the errors first")
        return ()
    return tuple(replace(each, span=replace(each.span, file=str(folder / each.span.file))) for each in proofs)


def tell(proofs: Mapping[str, Sequence[Proof]], output_format: str) -> None:
    """Print the proofs of each rule set, by its name."""
    from rulekit.analysis.proofs import render

    for name, found in proofs.items():
        if output_format == "full":
            lines = render.full(name, found)
        else:
            lines = render.concise(found)
        for line in lines:
            click.echo(line)


def as_json(proofs: Mapping[str, Sequence[Proof]]) -> dict[str, Any]:
    """Return the proofs as a property of the JSON report."""
    from rulekit.analysis.proofs import render

    return {"proofs": [render.plain(each) for found in proofs.values() for each in found]}
