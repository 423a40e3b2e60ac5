"""Names in message files and in `sheet.yaml` that nothing in the rules has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final

from rulekit.base.source import Span
from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import Diagnostic, kinds
from rulekit.ruleset.files import read_if_text
from rulekit.ruleset.findings import did_you_mean
from rulekit.ruleset.folder import option_sources
from rulekit.syntax.parse.builder import RESERVED

NUMBERED: Final = frozenset(("rule", "cell"))
"""First words of keys that go on with a printed rule, which may be one of a chapter without a list."""

TITLED: Final = frozenset(
    (
        "phase segment step choice norm roll modifier table value define track state flag kind group enum "
        "space piece scenario option variant preset reading procedure sequence deck invariant result "
        "off-board"
    ).split()
)
"""First words of keys that go on with a name."""

_DATA_FILE: Final = re.compile(r'"([^"\n]+\.yaml)"')
_NOT_NAMES: Final = re.compile(r'"[^"\n]*"|#.*')
_QUOTED: Final = re.compile(r"'([^'\n]+)'")
_WORD: Final = re.compile(r"\w+")
_OWN_NAME: Final = re.compile(r"(forbid|require|permit)_\d+\Z")
"""Names of norms that have none of their own."""
_NUMBER: Final = re.compile(r"[\w.-]*\d[\w.:-]*\Z")


class StrayNames:
    """The check of keys against the names of a rule set, which are collected once, when a key is there."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled

    def findings(self, keys: Mapping[str, Span]) -> Iterator[Diagnostic]:
        """A finding for each key that is for nothing in the rules, with the nearest name."""
        for key, span in keys.items():
            name = next((name for name in _names_of(key, self._known) if name not in self._known), None)
            if name is not None:
                message = f"unknown name `{name[:40]}`"
                yield Diagnostic(kinds.STRAY_MESSAGE, message, span, hint=did_you_mean(name, self._known))

    @cached_property
    def _known(self) -> frozenset[str]:
        """Every name that the rules have, those of options that are turned off too, and all members."""
        compiled, rule_set = self._compiled, self._compiled.rule_set
        sources = [*rule_set.sources, *(source for _, source in option_sources(rule_set.manifest))]
        written = _find_names("\n".join(_NOT_NAMES.sub("", source.text) for source in sources))
        members = {member for domain in compiled.program.domains for member in domain.members}
        columns: set[str] = set()
        for file in {file for source in sources for file in _DATA_FILE.findall(source.text)}:
            data = compiled.data.files.get(file)
            if data is not None:
                columns.update(column for part in data.populations.values() for column in part.columns)
                columns.update(column for part in data.tables.values() for column in part.columns)
            else:  # of an option that is turned off, or of the owner
                text = read_if_text(rule_set.folder, file)
                columns.update(_find_names(text.text) if text is not None else ())
        return frozenset((written | members | columns) - RESERVED)


def _find_names(text: str) -> set[str]:
    """Return the words of a text, except numbers, and the names in quotes."""
    return {word for word in set(_WORD.findall(text)) if not word[0].isdigit()}.union(_QUOTED.findall(text))


def _names_of(key: str, known: frozenset[str]) -> Iterator[str]:
    """The names that a key needs: `norm aim.far` both of them, `off-board 7.61` none."""
    first, _, rest = key.partition(" ")
    if {key, key.removesuffix(" none")} & known or first in NUMBERED:
        return
    if first.rpartition(".")[2] in known and rest in known:  # a state that has a value
        return
    if first in TITLED and rest:
        name = rest.partition(" ")[0] if rest not in known else rest
        if first == "off-board" and _NUMBER.match(name):
            return
        yield from (part for part in _parts(name, known) if not (first == "norm" and _OWN_NAME.match(part)))
        return
    yield from _parts(key.removesuffix(" none").removesuffix(" not"), known)


def _parts(name: str, known: frozenset[str]) -> list[str]:
    """Split a key into names: one name, with spaces or underscores, or an owner and its part (`aim.far`)."""
    one = name.replace(" ", "_")
    return [one] if one in known else name.split(".")
