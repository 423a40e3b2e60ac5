"""The manifest, `ruleset.yaml`: a rule set's names, entry, options, exemptions and accepted findings."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from rulekit.base.frozen import frozen
from rulekit.base.source import Source, Span
from rulekit.diagnostics import Diagnostic, Report, kinds
from rulekit.ruleset import yaml
from rulekit.ruleset.files import read_text
from rulekit.ruleset.findings import did_you_mean, duplicate, short, wrong_shape
from rulekit.ruleset.reading import Entries, Node, Reading

FILE = "ruleset.yaml"

_REQUIRED = ("id", "title", "language")
_KEYS = (
    *_REQUIRED,
    *("prefix", "edition", "authors", "licence", "about", "sequence", "sides", "options", "presets", "data"),
    *("not_encodable", "accept", "check"),
)
WAYS = ("as-printed", "all-options", "play")
"""Ways of checking, which an acceptance may name as it names options."""
LEVELS = ("error", "warning", "note")
"""The severities that a manifest may give a finding."""
_ID = re.compile(r"[a-z][a-z0-9]*([_-][a-z0-9]+)*")
_LANGUAGE = re.compile(r"[0-9]{1,4}\.[0-9]{1,4}")


@frozen
class Listed:
    """A name with its place."""

    name: str
    span: Span


@frozen
class Excuse:
    """Why a printed rule is not encoded, or a finding is accepted; `what` is its id.

    `under`: the options, presets and ways of checking (`WAYS`) that the finding is met with, if it needs any.
    """

    what: str
    reason: str
    span: Span
    under: tuple[str, ...] = ()


@frozen
class CheckSettings:
    """The findings that a check of the set reports: kinds by code, name or the beginning of a code.

    `select`: these alone, if there are any.  `ignore`: not these.  `level`: the severity of these.
    """

    select: tuple[Listed, ...] = ()
    ignore: tuple[Listed, ...] = ()
    level: tuple[tuple[Listed, Listed], ...] = ()


@frozen
class Manifest:
    """A rule set's manifest; absent keys are empty.

    `language`: version of the rule language it is written in, `major.minor`.  `prefix`: the word before
    the ids of printed rules (`DUEL.7.55`); by default the id in capitals.  `sequence`: the entry to
    play; a set without one can be checked and tested, not played.  `sides`: the enum whose members play.
    `options`: ids of `options/<id>.rules`.  `presets` name some of them; `in_presets` says where.  `data`:
    data files laid over those the rules name, in this order.  `places`: where the value of each key stands,
    for findings.  `home`: the folder it was read from; None for text in hand.
    """

    id: str
    title: str
    edition: str
    language: str
    authors: tuple[str, ...]
    licence: str
    about: str
    prefix: str
    sequence: Listed | None
    sides: Listed | None
    options: tuple[Listed, ...]
    presets: Mapping[str, tuple[str, ...]]
    data: tuple[Listed, ...]
    not_encodable: tuple[Excuse, ...]
    accept: tuple[Excuse, ...]
    check: CheckSettings
    places: Mapping[str, Span]
    in_presets: Mapping[str, tuple[Listed, ...]]
    home: Path | None = None

    @property
    def sides_name(self) -> str:
        """The enum whose members play; `Side` if the manifest names none."""
        return self.sides.name if self.sides else "Side"

    def rule_id(self, cited: str) -> str:
        """Return the id of a printed rule as a citation writes it: with the prefix, unless it has its own."""
        return cited if " " in cited else f"{self.prefix}.{cited}"


def read_manifest(folder: Path, report: Report) -> Manifest | None:
    """The manifest of the rule set in `folder`; None if it cannot be had, in doubt ask `report`."""
    source = read_text(folder, FILE, report)
    manifest = None if source is None else parse_manifest(source, report)
    return None if manifest is None else replace(manifest, home=folder)


def parse_manifest(source: Source, report: Report) -> Manifest | None:
    """The same, from text in hand."""
    reading = Reading(report, source.file)
    tree = yaml.parse(source, reading)
    if tree is None:
        return None
    keys = reading.keys(tree, "a rule set's manifest", _KEYS, _REQUIRED)
    return _ManifestReader(reading, keys).manifest() if all(name in keys for name in _REQUIRED) else None


@frozen
class _ManifestReader:
    """Reads one manifest that has all it must have."""

    reading: Reading
    keys: Mapping[str, Node]

    def manifest(self) -> Manifest:
        options = self._list("options", _ID)
        presets = self._presets({option.name: option.span for option in options})
        ways = (*WAYS, *(option.name for option in options), *presets)
        return Manifest(
            id=self._match("id", _ID, "lower-case letters, digits, `-` and `_`, starting with a letter"),
            title=self._text("title"),
            edition=self._text("edition"),
            language=self._match("language", _LANGUAGE, 'a version in quotes, such as `"0.2"`'),
            authors=_names(self._list("authors")),
            licence=self._text("licence"),
            about=self.reading.text(self.keys.get("about"), "`about`"),
            prefix=self._text("prefix") or self._text("id").upper(),
            sequence=self._read_list("sequence"),
            sides=self._read_list("sides"),
            options=options,
            presets={name: _names(listed) for name, listed in presets.items()},
            data=self._list("data"),
            not_encodable=self._excuses("not_encodable", "rule"),
            accept=self._excuses("accept", "finding", ways),
            check=self._check(),
            places={key: node.span for key, node in self.keys.items()},
            in_presets=presets,
        )

    def _read_list(self, name: str) -> Listed | None:
        return Listed(self._text(name), self.keys[name].span) if name in self.keys else None

    def _text(self, name: str) -> str:
        return self.reading.line(self.keys.get(name), f"`{name}`")

    def _match(self, name: str, pattern: re.Pattern[str], what: str) -> str:
        text = self._text(name)
        if text and not pattern.fullmatch(text):
            self.reading.add(
                wrong_shape(f"invalid `{name}`: {short(text)}", self.keys[name].span, f"expected {what}")
            )
        return text

    def _list(self, name: str, pattern: re.Pattern[str] | None = None) -> tuple[Listed, ...]:
        listed = self._texts(self.keys.get(name), name)
        for text, span in ((entry.name, entry.span) for entry in listed):
            if pattern and not pattern.fullmatch(text):
                hint = "an id has lower-case letters, digits, `-` and `_`, and starts with a letter"
                self.reading.add(wrong_shape(f"invalid id {short(text)}", span, hint))
        return listed

    def _texts(self, node: Node | None, name: str) -> tuple[Listed, ...]:
        texts = self.reading.texts(node, f"`{name}`")
        return tuple([Listed(text, span) for text, span in texts.items()])

    def _check(self) -> CheckSettings:
        if "check" not in self.keys:
            return CheckSettings()
        keys = self.reading.keys(self.keys["check"], "`check`", ("select", "ignore", "level"))
        level = []
        if "level" in keys:
            for key, node in self.reading.mapping(keys["level"], "`level`"):
                word = self.reading.text(node, f"the level of {short(key.text)}")
                if word and word not in LEVELS:
                    hint = f"write {', '.join(f'`{level_name}`' for level_name in LEVELS)}"
                    self.reading.add(wrong_shape(f"invalid level {short(word)}", node.span, hint))
                elif word:
                    level.append((Listed(key.text, key.span), Listed(word, node.span)))
        select, ignore = (self._texts(keys.get(name), name) for name in ("select", "ignore"))
        return CheckSettings(select, ignore, tuple(level))

    def _presets(self, options: Mapping[str, Span]) -> dict[str, tuple[Listed, ...]]:
        if "presets" not in self.keys:
            return {}
        presets: dict[str, tuple[Listed, ...]] = {}
        for key, node in self.reading.mapping(self.keys["presets"], "`presets`"):
            chosen = self.reading.texts(node, f"preset {short(key.text)}")
            for name, span in chosen.items():
                if name not in options:
                    message = f"preset {short(key.text)} has {short(name)}, which `options` does not list"
                    hint = did_you_mean(name, options) or "add it to `options`"
                    self.reading.add(Diagnostic(kinds.PRESET_UNKNOWN_OPTION, message, span, hint=hint))
            if key.text in options:
                self.reading.add(duplicate(key.text, key.span, options[key.text]))
            presets[key.text] = tuple([Listed(name, span) for name, span in chosen.items()])
        return presets

    def _excuses(self, name: str, what: str, ways: Collection[str] = ()) -> tuple[Excuse, ...]:
        """Entries with a reason each; `ways`: what `with` may name, where an entry may have it."""
        excuses: dict[str, Excuse] = {}
        for node in self.reading.items(self.keys.get(name), f"`{name}`"):
            where = f"an entry of `{name}`"
            more = ("with",) if ways else ()
            keys = self.reading.keys(node, where, (what, "reason", *more), (what, "reason"))
            text = self.reading.text(keys.get(what), f"`{what}`")
            before = self.reading.count
            reason = self.reading.text(keys.get("reason"), "`reason`")
            if not isinstance(node, Entries) or not text:
                continue
            if "reason" in keys and not reason.strip() and self.reading.count == before:
                hint = "give a reason that another reader would accept"
                self.reading.add(wrong_shape(f"{where} must give its reason", keys["reason"].span, hint))
            if text in excuses:
                self.reading.add(duplicate(text, keys[what].span, excuses[text].span))
            else:
                excuses[text] = Excuse(text, reason, keys[what].span, self._ways(keys.get("with"), ways))
        return tuple(excuses.values())

    def _ways(self, node: Node | None, known: Collection[str]) -> tuple[str, ...]:
        named = self._texts(node, "with")
        for way in named:
            if way.name not in known:
                message = f"{short(way.name)} is neither an option nor a way of checking"
                self.reading.add(wrong_shape(message, way.span, did_you_mean(way.name, known)))
        return _names(named)


def _names(listed: Iterable[Listed]) -> tuple[str, ...]:
    return tuple([entry.name for entry in listed])
