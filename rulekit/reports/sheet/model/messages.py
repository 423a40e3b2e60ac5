"""The words of sheets and of play, by language: rulekit's own, and message files.

`messages/de.yaml` beside a rule set has the wording of its printed rules, its names and all other text on its
sheets; rulekit's own message files have the words of sheets and of play.  This module reads both.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from string import Formatter
from typing import Any, Literal

from rulekit.base.files import exists_inside
from rulekit.base.frozen import frozen
from rulekit.base.source import Source, Span
from rulekit.base.spelling import suggestion
from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import Diagnostic, Report, kinds
from rulekit.reports.sheet.model.document import SheetError
from rulekit.reports.sheet.model.stray_names import StrayNames
from rulekit.ruleset import list_names, read_text, yaml
from rulekit.ruleset.findings import did_you_mean, unknown_key, wrong_shape
from rulekit.ruleset.reading import Node, Reading
from rulekit.runtime.support.wording import ENGLISH as ENGLISH_PLAY
from rulekit.runtime.support.wording import Speech

ENGLISH: Mapping[str, str] = {
    "reference": "Reference sheets",
    "one-page": "Everything on one page",
    "one-sheet": "On both sides of a sheet",
    "left-out": "Left out; see the full form",
    "needed-most": "At most",
    "needed-least": "At least",
    "chance": "Chance",
    "chances": "Chances",
    "mean": "mean",
    "mean-of": "mean: {}",
    "key": "Key",
    "sign": "Sign",
    "key-die": "a roll of this name",
    "key-ref": "a printed rule",
    "key-odds": "an exact chance",
    "key-circled": "a circled factor",
    "key-ticked": "holds; a light box does not",
    "sheet": "Sheet",
    "of": "of",
    "continued": "continued",
    "sequence": "Sequence of play",
    "step": "Step",
    "who": "Who",
    "do": "Do this",
    "roll": "Roll",
    "see": "See",
    "instead": "{} instead",
    "then": "{}, then {}",
    "turns": "by turns",
    "together": "together",
    "either": "the owner",
    "tables": "Tables",
    "modifiers": "Modifiers by roll",
    "value": "",
    "applies": "Applies when",
    "always": "always",
    "add": "Add all that apply.",
    "sum": "{}: add all",
    "highest": "{}: the highest only",
    "lowest": "{}: the lowest only",
    "once": "{}: counts once",
    "exclusive": "{}: one at most",
    "at-most": "at most {}",
    "at-least": "at least {}",
    "beyond-left": "shifted beyond the first column:",
    "beyond-right": "shifted beyond the last column:",
    "doubled": "× {}",
    "halved": "½",
    "choices": "Choices and their limits",
    "case": "Case",
    "allowed": "May and must",
    "limits": "Only if, and cannot",
    "mood-may": "may",
    "mood-must": "must",
    "mood-only": "only if",
    "mood-not": "cannot",
    "required": "Required: {}",
    "not-allowed": "Not allowed: {}",
    "options": "Options in force",
    "none": "none",
    "in-force": "Options in force",
    "changed": "changed by an option in force; the tag names it",
    "owner": "values in your own copy",
    "made-up": "made up, until your own copy is laid over",
    "many-made-up": "made up: {}",
    "many-kinds": "{} kinds",
    "many-tables": "{} tables",
    "soft": "reconstructed: check against your own copy",
    "errata": "Where the booklet contradicts itself",
    "printed": "Printed",
    "played": "Played",
    "point": "Question",
    "why": "Why",
    "glossary": "Glossary",
    "meaning": "Meaning",
    "index": "Printed rules",
    "pieces": "Pieces",
    "piece": "Name",
    "touches": "Adjacent to",
    "tracks": "Tracks",
    "track": "Track",
    "from": "From",
    "to": "To",
    "begins": "Begins",
    "otherwise": "otherwise",
    "or-less": "{} or less",
    "or-more": "{} or more",
    "until": "until {}",
    "since": "from {}",
    "yes": "yes",
    "no": "no",
    "addition": "addition",
    "change": "change",
    "optional_rule": "optional rule",
    "reason": "Why",
    "turn": "Turn",
    "leaves": "leaves",
    "scenario": "Scenario",
    "map": "Schematic map.",
    "map-touches": "{} is adjacent to {}",
    "by": "by",
    "authors": "Authors",
    "examples": "Examples",
    "tag": "Tag",
    "in-force-here": "In force here",
    "meeting": "Where options interact",
    "prevails": "{} takes precedence over {}",
    "beside": "{} and {} combine",
    "contents": "Contents",
    "follows": "Then",
    "find": "Find",
    "top": "Back to the top",
    "months": "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    "month": "{} {}",
    "as-table": "As a table",
    "amount": "Value",
    "may-or-not": "Choices",
    "area": "Area",
    "sites": "Places",
    "type": "Type",
    "front": "Front",
    "back": "Back",
    "text": "Text",
    "count": "Number",
    "group": "Group",
    "is-changed": "changed",
    "is-added": "added",
    "is-removed": "removed",
    "and": "{} and {}",
    "or": "{} or {}",
    "not": "not {}",
    "is": "{} is {}",
    "is-not": "{} is not {}",
    "in": "{} in {}",
    "not-in": "{} not in {}",
    "at": "at {}",
    "within-of": "within {} of {} ({})",
    "of-what": "{} of {}",
    "its": "its {}",
    "empty": "empty",
    "if": "if {}",
    "unless": "unless {}",
    "not-if": "not if {}",
}

RIGHT_TO_LEFT = ("ar", "fa", "he", "ur", "yi")


@frozen
class SetMessages:
    """A rule set's own wording in one language.

    Attributes:
        names: Wordings of its names, and of titles of its items (`table effect`).
        rules: Its printed rules, by their numbers.
        texts: All other wording of its sheets, by the English.
        direction: Which way it is read; empty for the usual one.
        quiet: States whose changes the game log leaves out; that of English holds in all languages.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    rules: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    direction: str = ""
    quiet: frozenset[str] = frozenset()


class Messages:
    """The words of one language; those that it lacks are English, and listed by `missing`."""

    def __init__(
        self,
        language: str = "en",
        words: Mapping[str, str] | None = None,
        messages: SetMessages | None = None,
    ) -> None:
        self.language = language
        self.messages = messages or SetMessages()
        self._words = ENGLISH if words is None else words
        self.fell_back: dict[str, dict[str, str]] = {"names": {}, "rules": {}, "texts": {}}

    def lacks(self, part: str, key: str, english: str) -> str:
        """The English wording of something that the language has none for; kept in mind."""
        if self.language.partition("-")[0] != "en":
            self.fell_back[part].setdefault(key, english)
        return english

    def __call__(self, key: str, *parts: object) -> str:
        """The words for a key, with what belongs into their gaps."""
        text = self._words.get(key) or ENGLISH[key]
        return text.format(*parts) if parts else text

    @property
    def direction(self) -> Literal["ltr", "rtl"]:
        """Which way the language is read."""
        words = self.messages.direction
        turned = words == "rtl" or not words and self.language.partition("-")[0] in RIGHT_TO_LEFT
        return "rtl" if turned else "ltr"

    def month(self, month: int) -> str:
        """A month, `12 * year + month - 1`."""
        return self("month", self("months").split()[month % 12], month // 12)

    def small(self, title: str) -> str:
        """A title inside a sentence; German nouns keep their capitals."""
        return title if self.language.partition("-")[0] == "de" else title.lower()

    def missing(self) -> Iterator[str]:
        """Keys that this language has no words for."""
        return (key for key, english in ENGLISH.items() if english and key not in self._words)

    def all(self) -> tuple[tuple[str, str], ...]:
        """Every word with its key, for renderers."""
        return tuple((key, self(key)) for key in ENGLISH)


HOME = Path(__file__).parent / "messages"
FOLDER = "messages"
FORMAT = "1"
SOURCE = "en"
"""The language that rule sets and the register of keys are written in."""
_KEYS = ("format", "language", "direction", "names", "rules", "texts", "words", "play", "quiet")
REGISTERS: Mapping[str, Mapping[str, str]] = {"words": ENGLISH, "play": ENGLISH_PLAY}
"""The parts of a message file that have rulekit's own words, each with the English ones."""
_CODE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}\Z")
_LONGEST = 20_000
"""Characters of one wording."""


@dataclass(slots=True)
class _File:
    """A message file as read; `rules` has the node of each, `keys` the place of each name and quiet state."""

    words: Mapping[str, str] = field(default_factory=dict)
    play: Mapping[str, str] = field(default_factory=dict)
    messages: SetMessages = field(default_factory=SetMessages)
    rules: Mapping[str, Node] = field(default_factory=dict)
    keys: Mapping[str, Span] = field(default_factory=dict)


def languages(folder: Path | None = None) -> tuple[str, ...]:
    """The languages there are: English, those of rulekit, those of a rule set."""
    own = [path.stem for path in HOME.glob("*.yaml")]
    return tuple(sorted({SOURCE, *own, *(_languages_of(folder) if folder is not None else ())}))


def _languages_of(folder: Path) -> list[str]:
    """The languages of the message files of a rule set."""
    files = list_names(folder, Report(), FOLDER, (".yaml",))
    codes = (file.removeprefix(f"{FOLDER}/").removesuffix(".yaml") for file in files)
    return [code for code in codes if _CODE.match(code)]


def speak(language: str, compiled: Compiled, report: Report) -> Messages:
    """The words of a language for the sheets of a rule set; `de-AT` has those of `de` where it has no others.

    Each fault of a message file of the set is a finding with its place.

    Raises:
        SheetError: There is no such language.
    """
    general, own = _files(language, compiled.rule_set.folder, report)
    _report_stray([own], compiled, StrayNames(compiled), report)
    words = {**general.words, **own.words}
    english = language.partition("-")[0] == SOURCE and not words
    return Messages(language, ENGLISH if english else words, own.messages)


def look_over_messages(compiled: Compiled, stray: StrayNames, report: Report) -> None:
    """Report the faults of all message files of a rule set, and wordings for what its rules do not have."""
    folder = compiled.rule_set.folder
    files = [_own(code, folder, report) for code in _languages_of(folder)]
    _report_stray(files, compiled, stray, report)


def _report_stray(files: Sequence[_File], compiled: Compiled, stray: StrayNames, report: Report) -> None:
    prefix = compiled.rule_set.manifest.prefix + "."
    printed = {rule.id.removeprefix(prefix) for rules in compiled.printed for rule in rules.rules}
    for own in files:
        for id_, node in own.rules.items():
            if id_ not in printed:
                message, hint = f"unknown rule number `{id_[:40]}`", did_you_mean(id_, printed)
                report.add(Diagnostic(kinds.STRAY_MESSAGE, message, node.span, hint=hint))
        for finding in stray.findings(own.keys):
            report.add(finding)


def speech(language: str, folder: Path) -> Speech:
    """The words of a language for the play of the rule set in a folder, as far as it has any.

    Raises:
        SheetError: There is no such language.
        RulesError: The message file has faults.
    """
    report = Report()
    general, own = _files(language, folder, report)
    english = own if language == SOURCE else _own(SOURCE, folder, report)
    report.stop_on_error()
    texts = own.messages
    direction = Messages(language, messages=texts).direction
    play = {**general.play, **own.play}
    return Speech(language, play, texts.names, texts.rules, texts.texts, direction, english.messages.quiet)


def _files(language: str, folder: Path, report: Report) -> tuple[_File, _File]:
    """The message files of a language: rulekit's own, and that of a rule set.

    Raises:
        SheetError: There is no such language.
    """
    known = languages(folder)
    code = next((name for name in (language, language.partition("-")[0]) if name in known), None)
    if code is None or not _CODE.match(language):
        more = f", or write `{FOLDER}/{language}.yaml` beside the rule set" if _CODE.match(language) else ""
        raise SheetError(f"unknown language `{language[:40]}`; {suggestion(language, known)}{more}")
    general = _read(HOME, f"{code}.yaml", code, Report()) if (HOME / f"{code}.yaml").is_file() else _File()
    return general, _own(code, folder, report)


def _own(code: str, folder: Path, report: Report) -> _File:
    """A rule set's message file for a language; empty if it has none."""
    name = f"{FOLDER}/{code}.yaml"
    return _read(folder, name, code, report) if exists_inside(folder, name) else _File()


def _read(folder: Path, name: str, language: str, report: Report) -> _File:
    source = read_text(folder, name, report)
    if source is None:
        return _File()
    return read_messages(source, language, report)


def read_messages(source: Source, language: str, report: Report) -> _File:
    """A message file from text in hand."""
    reading = Reading(report, source.file)
    tree = yaml.parse(source, reading)
    if tree is None:
        return _File()
    keys = reading.keys(tree, "a message file", _KEYS, ("format", "language"))
    reading.format(keys, FORMAT)
    if "language" in keys and reading.text(keys["language"], "`language`") not in ("", language):
        hint = f"a file `{language}.yaml` has `language: {language}`"
        reading.add(wrong_shape(f"the name of this file says `{language}`", keys["language"].span, hint))
    direction = reading.text(keys.get("direction"), "`direction`", "")
    if direction not in ("", "ltr", "rtl"):
        reading.add(
            wrong_shape(f"invalid direction `{direction[:20]}`", keys["direction"].span, "ltr or rtl")
        )
    texts = {part: _texts(reading, keys.get(part), part) for part in ("names", "rules", "texts")}
    quiet = reading.texts(keys.get("quiet"), "`quiet`")
    numbers = reading.mapping(keys["rules"], "`rules`") if "rules" in keys else ()
    names = reading.mapping(keys["names"], "`names`") if "names" in keys else ()
    return _File(
        _words(reading, keys.get("words"), "words"),
        _words(reading, keys.get("play"), "play"),
        SetMessages(texts["names"], texts["rules"], texts["texts"], direction, frozenset(quiet)),
        {key.text: key for key, _ in numbers},
        {**quiet, **{key.text: key.span for key, _ in names}},
    )


def _texts(reading: Reading, node: Node | None, part: str) -> dict[str, str]:
    if node is None:
        return {}
    nodes = {}
    for key, value in reading.mapping(node, f"`{part}`"):
        words = reading.text(value, f"`{key.text[:40]}`")
        if len(words) > _LONGEST:
            reading.add(wrong_shape(f"a wording has at most {_LONGEST:,} characters", value.span))
        elif words:
            nodes[key.text] = words
    return nodes


def _words(reading: Reading, node: Node | None, part: str) -> dict[str, str]:
    """The words of sheets, or of play; each has the gaps that the English has."""
    if node is None:
        return {}
    shown, register = {}, REGISTERS[part]
    for key, value in reading.mapping(node, f"`{part}`"):
        if key.text not in register:
            reading.add(unknown_key(key.text, key.span, register, f"`{part}`"))
            continue
        words = reading.text(value, f"`{key.text}`") if register[key.text] else ""
        if (fault := _gap_fault(words, register[key.text])) and words:
            reading.add(wrong_shape(fault, value.span, f"in English: {register[key.text]}"))
        elif key.text == "months" and len(words.split()) != 12:
            reading.add(wrong_shape("`months` must have twelve words", value.span))
        else:
            shown[key.text] = words
    return shown


def _gap_fault(words: str, english: str) -> str | None:
    """Return the fault in the gaps of a wording, which must be as many as in English; None if it has none."""
    wanted = _gaps(english)
    try:
        gaps = _gaps(words)
    except ValueError:
        return "a brace that opens no gap; a gap is `{}`"
    if any(gap not in ("", *map(str, range(len(wanted)))) for gap in gaps) or len(set(map(bool, gaps))) > 1:
        return "a gap is `{}`, or `{0}`, `{1}` in another order"
    return None if len(gaps) == len(wanted) else f"expected {len(wanted)} gaps, found {len(gaps)}"


def _gaps(words: str) -> list[str]:
    texts = []
    for _, name, form, conversion in Formatter().parse(words):
        if name is not None:
            texts.append(name if not form and not conversion else "?")
    return texts


# ---------------------------------------------------------------- what is not there


def template(language: str, missing: Mapping[str, Mapping[str, str]]) -> str:
    """A file to be filled in: the missing entries, as comments with the English, or as the rules have it."""
    lines = [f"format: {FORMAT}", f"language: {language}"]
    for part, wordings in missing.items():
        if wordings:
            lines.append(f"{part}:")
            lines += (f"  # {json.dumps(key, ensure_ascii=False)}: {json.dumps(english, ensure_ascii=False)}"
                      for key, english in wordings.items())  # fmt: skip
    return "\n".join(lines) + "\n"


def schema() -> dict[str, Any]:
    """The JSON schema of message files."""
    texts = {"type": "object", "additionalProperties": {"type": "string", "maxLength": _LONGEST}}
    words = {
        part: {
            key: {"type": "string", "description": f"In English: {wording}"}
            for key, wording in register.items()
        }
        for part, register in REGISTERS.items()
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:rulekit:schema:messages",
        "title": "A message file",
        "description": "`messages/LANGUAGE.yaml` beside a rule set: the words of its sheets and of its play.",
        "type": "object",
        "required": ["format", "language"],
        "additionalProperties": False,
        "properties": {
            "format": {"const": int(FORMAT)},
            "language": {"type": "string", "pattern": _CODE.pattern.replace(r"\Z", "$")},
            "direction": {"enum": ["ltr", "rtl"]},
            "names": {"description": "Names of the rules, and titles such as `table effect`.", **texts},
            "rules": {"description": "Printed rules by their numbers.", **texts},
            "texts": {"description": "Other wordings, by how they are in English.", **texts},
            "quiet": {
                "description": "In `en.yaml`: states whose changes the game log leaves out, in any language.",
                "type": "array",
                "items": {"type": "string"},
            },
            "words": {
                "description": "The sheet's own words, where the set has others.",
                "type": "object",
                "additionalProperties": False,
                "properties": words["words"],
            },
            "play": {
                "description": "The words of play, in reasons and game logs, where the set has others.",
                "type": "object",
                "additionalProperties": False,
                "properties": words["play"],
            },
        },
    }


def schema_text() -> str:
    """The schema as its file has it."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"
