"""Start a lint from a template: `python -m rulekit.analysis.new lint NAME --code RKnnn`.

Writes the module, the kind of finding, its page, its row in the specification, a language test, a unit test
and a pair of seeded faults.  All of it passes at once: the lint finds states named `todo`.  Then replace that
by what the lint is to find, in each of these files.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from rulekit.base.frozen import frozen
from rulekit.base.resources import PACKAGE

TOPICS: Mapping[str, str] = {
    "citations": "01-rule-set",
    "declarations": "04-components",
    "norms": "08-choices",
    "sequence": "09-procedures",
    "tables": "06-tables",
    "views": "13-sessions",
}
"""The folders of lints, and the chapter of the specification that each belongs to."""

_KINDS = Path("rulekit/diagnostics/kinds.py")
_CODE = re.compile(r"RK[1-6]\d\d")
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")

AVOID = "state todo: 0..9"
PREFER = "state fuel: 0..9"


@frozen
class NewLint:
    """A lint to be written.

    `name`: words with hyphens, as in "accept NAME".  `title`: one line without a full stop.
    """

    name: str
    code: str
    topic: str
    title: str
    since: str

    @property
    def module(self) -> str:
        return self.name.replace("-", "_")

    @property
    def chapter(self) -> str:
        return TOPICS[self.topic]


class NotPossible(Exception):
    """The lint cannot be written, and why not."""


def write_lint(lint: NewLint, root: Path) -> tuple[Path, ...]:
    """Write all that a lint needs into a working copy; the files that were made or changed.

    Raises:
        NotPossible: Its name or code is malformed or taken.
    """
    if not _CODE.fullmatch(lint.code) or not _NAME.fullmatch(lint.name):
        raise NotPossible("a code is, for example, `RK449`; a name is words with hyphens")
    files = dict(_new_files(lint, root))
    taken = [path for path in files if (root / path).exists()]
    if taken or re.search(rf'"{lint.code}"|"{lint.name}"', (root / _KINDS).read_text(encoding="utf-8")):
        raise NotPossible(f"`{lint.code}` or `{lint.name}` is taken")
    chapter = Path("docs/spec", f"{lint.chapter}.md")
    files[_KINDS] = _with_kind((root / _KINDS).read_text(encoding="utf-8"), lint)
    files[chapter] = _with_row((root / chapter).read_text(encoding="utf-8"), lint)
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return tuple(files)


def _with_kind(registry: str, lint: NewLint) -> str:
    """The registry with the kind at the place of its code."""
    constant = lint.name.upper().replace("-", "_")
    line = f'{constant} = _warning("{lint.code}", "{lint.name}", "{lint.title}", since="{lint.since}")\n'
    entries = list(re.finditer(r'^\w+ = _\w+\(\s*"(RK\d{3})"', registry, re.MULTILINE))
    before = [entry for entry in entries if entry[1] < lint.code]
    end = registry.index(")\n", before[-1].end()) + 2
    return registry[:end] + line + registry[end:]


def _with_row(chapter: str, lint: NewLint) -> str:
    """The chapter with the kind at the end of its table of findings."""
    last = list(re.finditer(r"^\| `RK.*\n", chapter, re.MULTILINE))[-1]
    return chapter[: last.end()] + f"| `{lint.code}` | {lint.title} (a warning) |\n" + chapter[last.end() :]


def _new_files(lint: NewLint, root: Path) -> Iterator[tuple[Path, str]]:
    yield Path("rulekit/analysis/lints", lint.topic, f"{lint.module}.py"), _module(lint)
    yield Path("docs/diagnostics", f"{lint.code}-{lint.name}.md"), _page(lint, root)
    yield Path("tests/language", lint.chapter, f"{lint.name}.rules"), _language_test(lint)
    yield Path("tests/unit/analysis/lints", f"test_{lint.module}.py"), _unit_test(lint)
    pair = f"# A state is named `todo`.\n{AVOID}\n---\n{PREFER}\n"
    yield Path("benchmarks/faults", lint.code, f"{lint.name}.rules"), pair


def _module(lint: NewLint) -> str:
    constant = lint.name.upper().replace("-", "_")
    return f'''"""{lint.title[:1].upper()}{lint.title[1:]}."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.analysis.uses import in_scope
from rulekit.diagnostics import Diagnostic, kinds

WHEN = Occasion()


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """One finding for each state named `todo`."""
    for name, state in rules.compiled.declared.stores.items():
        if name == "todo" and in_scope(rules.compiled, state.span):
            message = f"the state `{{name}}` needs a name"
            key = (f"state {{name}}",)
            yield Diagnostic(kinds.{constant}, message, state.name.span, hint="name it", key=key)
'''


def _page(lint: NewLint, root: Path) -> str:
    """The template, with the words of the first version in the place of its own."""
    template = (root / "docs/diagnostics/_template.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## .+$", template, re.MULTILINE)
    number, title = _chapter(lint, root)
    parts = (
        "Finds states named `todo`.",
        "A reader cannot tell what the state is for. Usually the name was left for later.",
        f"```rules\n{AVOID}                        #! {lint.code}\n```",
        f"```rules\n{PREFER}\n```",
        f"Specification {number}, {title}.",
    )
    sections = "\n".join(f"{heading}\n\n{part}\n" for heading, part in zip(headings, parts, strict=True))
    return f"# {lint.code} {lint.name}\n\n{sections}"


def _chapter(lint: NewLint, root: Path) -> tuple[str, str]:
    """The number and the title of the chapter."""
    first = (root / "docs/spec" / f"{lint.chapter}.md").read_text(encoding="utf-8").partition("\n")[0]
    number, _, title = first.removeprefix("# ").partition(" ")
    return number, title


def _language_test(lint: NewLint) -> str:
    return (
        f'# a state named `todo`\n{AVOID}                        #! {lint.code} "needs a name"\n'
        f"---\n# any other name will do\n{PREFER}\n"
    )


def _unit_test(lint: NewLint) -> str:
    return f'''"""The lint {lint.name}."""

from __future__ import annotations

from rulekit.testing import mismatches


def test_it_is_found_where_it_is() -> None:
    """The finding begins at the name."""
    assert [] == mismatches("{AVOID}  #! {lint.code}\\n")


def test_nothing_else_is_found() -> None:
    """Any other name will do."""
    assert [] == mismatches("{PREFER}\\n")
'''


def main() -> None:
    """Read the command line and write."""
    parser = argparse.ArgumentParser(prog="python -m rulekit.analysis.new", description=__doc__)
    what = parser.add_subparsers(required=True).add_parser("lint", help="Start a lint.")
    what.add_argument("name", help="Words with hyphens, as in `accept NAME`.")
    what.add_argument("--code", required=True, help="The code of its findings, for example RK449.")
    what.add_argument("--topic", choices=sorted(TOPICS), default="declarations", help="The folder.")
    what.add_argument("--title", default="", help="What it finds, in a few words, without a full stop.")
    what.add_argument("--since", default="0.2.0", help="The release that will first report it.")
    given = parser.parse_args()
    title = given.title or given.name.replace("-", " ")
    lint = NewLint(given.name, given.code, given.topic, title, given.since)
    try:
        files = write_lint(lint, PACKAGE.parent)
    except NotPossible as error:
        parser.error(str(error))
    print("\n".join(map(str, files)))


if __name__ == "__main__":
    main()
