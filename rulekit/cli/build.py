"""`rulekit build SET`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

import click

from rulekit.analysis.check_inputs import Files, place_key
from rulekit.base import cache
from rulekit.base.files import snapshot
from rulekit.base.frozen import frozen
from rulekit.cli import shared

if TYPE_CHECKING:
    from rulekit.ir import Program
    from rulekit.runtime.native.refusals import BuildRefused

Target = Literal["wasm", "c", "js", "page"]
TARGETS: tuple[Target, ...] = get_args(Target)
_MODULES, _WASM = "modules", b"\0asm\1\0\0\0"
TYPES = {".mjs": ".d.mts", ".cjs": ".d.cts"}
"""The ends of names of types beside those of modules; `.d.ts` beside any other."""


@frozen
class _ModuleKind:
    """The kind of a module: whether it stops at questions, leaves events, and tests invariants."""

    stops: bool
    log: bool
    invariants: bool


@click.command("build")
@shared.with_rule_set
@shared.option(
    "--target",
    TARGETS,
    "Form of the output: a WebAssembly module, a file of C, an ES module with types, or a page that plays.",
    default="wasm",
)
@shared.flag("--stops", "Stop at each question for the host, instead of playing whole games.")
@shared.flag("--log", "Leave the events of the game, each with the rules that it cites; a page always does.")
@shared.flag("--invariants", "Test the invariants after each change, not only after a scenario's set-up.")
@shared.option("-o --output", "FILE", "Output file; of a page the folder.", required=True)
def command(
    rules: shared.ChosenRules, target: Target, stops: bool, log: bool, invariants: bool, output: str
) -> None:
    """Build a rule set as a WebAssembly module, as C, as an ES module, or as a page that plays.

    It plays whole games by random answers, or asks its host for them. It needs neither Python nor
    anything of its host. Chapter 15 of the specification describes what a host calls and reads.

    Exits with 1, and writes nothing, if errors stop it, and with 2 if a rule cannot be built yet.
    """
    from rulekit.cli.files import write_bytes
    from rulekit.runtime.native import web

    page = target == "page"
    kind = _ModuleKind(stops=stops or page, log=log or page, invariants=invariants)
    content = _build(rules, "c", kind) if target == "c" else _module(rules, kind)
    match target:
        case "js":
            module, types = web.es_module(content)
            path = Path(output)
            beside = path.with_name(path.stem + TYPES.get(path.suffix, ".d.ts"))
            write_bytes({output: module, str(beside): types})
        case "page":
            folder = _folder(output)
            write_bytes({str(folder / name): part for name, part in web.page(content).items()})
        case _:
            write_bytes({output: content})


@snapshot()
def _module(rules: shared.ChosenRules, kind: _ModuleKind) -> bytes:
    """A WebAssembly module, from the cache if neither rulekit nor a file of the rule set has changed."""
    try:
        files = Files(rules.folder, rules.overlays).whole()
    except OSError:
        return _build(rules, "wasm", kind)
    key = cache.key_of(place_key(rules.folder), files, str(kind), *sorted(rules.options))
    content = cache.get(_MODULES, key)
    if content is None or not content.startswith(_WASM):
        content = _build(rules, "wasm", kind)
        cache.put(_MODULES, key, content)
    return content


def _build(rules: shared.ChosenRules, form: Literal["wasm", "c"], kind: _ModuleKind) -> bytes:
    from rulekit.runtime.native.build import build
    from rulekit.runtime.native.refusals import BuildRefused

    program = rules.compile().program
    try:
        return build(program, target=form, stops=kind.stops, log=kind.log, invariants=kind.invariants)
    except BuildRefused as refused:
        raise shared.Failure(_explanation(refused, program)) from None


def _folder(name: str) -> Path:
    """The folder for a page, made where there is none."""
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise shared.Failure(f"cannot create `{folder}`: {(error.strerror or '').lower()}") from error
    return folder


def _explanation(refused: BuildRefused, program: Program) -> str:
    """The places that cannot be built, a line each."""
    lines = []
    for refusal in refused.refusals:
        place = ""
        if refusal.site >= 0:
            site = program.sites[refusal.site]
            place = f"{site.file}:{site.line}:{site.column}: "
        lines.append(f"{place}{refusal.what} cannot be built yet")
    return "\n".join(lines)
