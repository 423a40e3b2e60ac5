"""`rulekit explain WHAT [SET]`."""

from __future__ import annotations

from pathlib import Path

import click

from rulekit.cli import shared


@click.command("explain")
@click.argument("what")
@click.argument("set_name", metavar="[SET]", required=False)
@shared.with_options
def command(what: str, set_name: str | None, options: tuple[str, ...], overlays: tuple[Path, ...]) -> None:
    """Explain a finding, a printed rule or a name.

    WHAT is the code or name of a kind of finding (RK402, table-overlap); or, with a SET, the number of a
    printed rule (7.55) or a name the rules declare: then it says what is printed and which lines encode it.
    """
    from rulekit.diagnostics import pages

    page = pages.find(what)
    if page is not None:
        click.echo(page.rstrip())
        return
    if set_name is None:
        hint = "a rule's number or a name is explained with its set: `rulekit explain 7.55 SET`"
        raise shared.Failure(f"no kind of finding is called `{what}`; {hint}")
    click.echo(_in_set(what, shared.locate(set_name), options, overlays))


def _in_set(what: str, folder: Path, options: tuple[str, ...], overlays: tuple[Path, ...]) -> str:
    """What a set says of a rule's number or a name."""
    from rulekit.diagnostics import Report, RulesError
    from rulekit.driver import compile_rule_set

    report = Report()
    try:
        compiled = compile_rule_set(folder, report, options=options, overlays=overlays)
    except RulesError as error:
        shared.stop_with(error.diagnostics, folder)
    prefix = compiled.rule_set.manifest.prefix
    wanted = {what, f"{prefix}.{what}"}
    lines = []
    for rules in compiled.printed:
        lines += [f"{rule.id}  {rule.kind}: {rule.summary}" for rule in rules.rules if rule.id in wanted]
    excuses = [e for e in compiled.rule_set.manifest.not_encodable if {e.what, f"{prefix}.{e.what}"} & wanted]
    lines += [f"  not encoded: {excuse.reason}" for excuse in excuses]
    name = "_".join(what.split())
    places: dict[tuple[str, int], str] = {}
    for site in compiled.program.sites:
        named = site.owner == name or site.owner.split(".")[-1] == name
        if wanted & set(site.rules) or named:
            places.setdefault((site.file, site.line), site.owner)
    for (file, number), owner in sorted(places.items()):
        path = folder / file
        text = shared.text_of(str(path)).split("\n")
        line = text[number - 1].rstrip() if number <= len(text) else ""
        lines.append(f"  {path}:{number} ({owner})\n      {line.strip()}")
    if not lines:
        raise shared.Failure(f"`{what}` is neither a printed rule nor a name of `{folder}`")
    return "\n".join(lines)
