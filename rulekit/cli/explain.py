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

    WHAT is the code or name of a kind of finding (`RK402`, `table-overlap`).  With a SET it may be the
    number of a printed rule (`7.55`): then it says what is printed, which lines encode it and which examples
    show it.  Or it is a name that the rules or the data declare: then it shows that.
    """
    from rulekit.diagnostics import pages

    page = pages.find(what)
    if page is not None:
        click.echo(page.rstrip())
        return
    if set_name is None:
        raise shared.Failure(_unknown(what))
    if what in shared.known_sets() and set_name not in shared.known_sets() and not Path(set_name).is_dir():
        what, set_name = set_name, what  # the set was named first, as everywhere else
    from rulekit.cli.entry import Entries

    folder = shared.locate(set_name)
    entries = Entries(shared.compiled(folder, options, overlays), folder)
    lines = [*entries.printed_rule(what), *entries.named(what)]
    if not lines:
        near = entries.near(what)
        hint = f"; near: {', '.join(near)}" if near else ""
        raise shared.Failure(f"`{what}` is neither a printed rule nor a name of `{set_name}`{hint}")
    for line in lines:
        click.echo(click.style(line, bold=True) if line and not line.startswith(" ") else line)


def _unknown(what: str) -> str:
    from difflib import get_close_matches

    from rulekit.diagnostics.pages import pages

    known = [name for page in pages() for name in (page.code, page.name)]
    code = what.upper().startswith("RK")
    near = get_close_matches(what.upper() if code else what.lower(), known, n=1, cutoff=0.8 if code else 0.6)
    hint = f"did you mean `{near[0]}`?" if near else "name a SET too, to ask for a rule's number or a name"
    return f"no kind of finding is called `{what}`; {hint}"
