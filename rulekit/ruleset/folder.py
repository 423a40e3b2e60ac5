"""A rule set's folder: its files, read and parsed once, before any of it is understood."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeVar

from rulekit.base.cache import key_of
from rulekit.base.files import MAX_BYTES, exists_inside, read_inside, read_named
from rulekit.base.frozen import frozen
from rulekit.base.resources import grammar_text, rules_folder
from rulekit.base.results import ResultStore, ResultTable, code_digest, plain_table, same
from rulekit.base.source import Source, Span
from rulekit.diagnostics import Diagnostic, Report, kinds
from rulekit.ruleset.datafile import parse_data_file, read_data_file
from rulekit.ruleset.files import list_names, read_if_text, read_owner_text, read_text
from rulekit.ruleset.findings import did_you_mean
from rulekit.ruleset.manifest import Manifest, read_manifest
from rulekit.ruleset.model import DataFile
from rulekit.ruleset.overlay import overlay, overlay_all
from rulekit.ruleset.printed_rules import PrintedRules, read_sources
from rulekit.syntax.parse import parse
from rulekit.syntax.parse.comments import find_swallowed
from rulekit.syntax.tree.items import Module
from rulekit.syntax.tree.walk import citations

_TOP = Span("ruleset.yaml", 1, 1, 1, 1)
MAX_FILES = 1000
"""Files of rules that take part (spec 1.4)."""
T = TypeVar("T")


class Inputs:
    """The files of one folder, each read and parsed once, for callers that compile it several times.

    Findings are reported on every reading.

    Attributes:
        data: The data files without findings, by their path.
        read_inactive: Whether a text has been parsed that is not part of the rules being compiled.
    """

    def __init__(self) -> None:
        self._results: dict[Hashable, tuple[Any, tuple[Diagnostic, ...]]] = {}
        self.data: dict[str, DataFile] = {}
        self.read_inactive = False

    def read(self, key: Hashable, reader: Callable[[Report], T], report: Report) -> T:
        """Return the result of `reader`, which is called only for the first request with this key."""
        if key not in self._results:
            own = Report()
            self._results[key] = reader(own), tuple(own)
        value, findings = self._results[key]
        for finding in findings:
            report.add(finding)
        return value  # type: ignore[no-any-return]  # every request with this key has the same reader

    def parse(self, source: Source, report: Report) -> Module:
        """Return the module of a text."""
        return self.read(source, partial(parse, source), report)

    def parse_inactive(self, source: Source, report: Report) -> Module:
        """Return the module of a text outside the rules being compiled, and note that it was needed."""
        self.read_inactive = True
        return self.parse(source, report)

    def modules(self) -> Iterator[Module]:
        """Yield every module parsed so far."""
        return (value for value, _ in self._results.values() if isinstance(value, Module))


@frozen
class RuleSet:
    """The files of a rule set, and the options chosen.

    `sources` are the rule files that take part, by their path in the folder, sorted; files of options that
    were not chosen do not.
    """

    folder: Path
    manifest: Manifest
    sources: tuple[Source, ...]
    options: tuple[str, ...]
    overlays: tuple[Path, ...]

    def rows(self, span: Span) -> list[str]:
        """The text at a span, line by line; nothing if its file does not take part."""
        return next((source.rows(span) for source in self.sources if source.file == span.file), [])


def read_rule_set(
    folder: Path, options: Iterable[str], overlays: Iterable[Path], report: Report, inputs: Inputs
) -> RuleSet | None:
    """The files of the rule set in `folder`; None, with findings, where it cannot be read.

    Args:
        options: Names of options and variants to lay over the base; their order never matters.
        overlays: The owner's data files, from anywhere.
        inputs: Files of the folder that have been read before.
    """
    here = Span(str(folder), 1, 1, 1, 1)
    if not os.path.isdir(folder):
        hint = "name a folder that holds a `ruleset.yaml`, or the id of a set that comes with rulekit"
        report.add(Diagnostic(kinds.NO_RULE_SET, f"folder `{folder}` not found", here, hint=hint))
        return None
    manifest = inputs.read("manifest", lambda own: read_manifest(folder, own), report)
    if manifest is None:
        return None
    chosen = _choose(folder, manifest, options, report)
    base = inputs.read("files", lambda own: _base_files(folder, own), report)
    files = sorted(base | {f"options/{option}.rules" for option in chosen}, key=lambda name: name.split("/"))
    if len(files) > MAX_FILES:
        report.add(
            Diagnostic(kinds.TOO_MANY_FILES, f"`{folder}` contains more than {MAX_FILES:,} rule files", here)
        )
        return None
    read = (inputs.read(("rules", name), partial(_text, folder, name), report) for name in files)
    sources = [source for source in read if source is not None]
    if not sources and not report.has_errors:
        hint = "write rules in files that end in `.rules`"
        report.add(Diagnostic(kinds.NO_RULES, f"`{folder}` contains no rules", here, hint=hint))
    return RuleSet(folder, manifest, tuple(sources), chosen, tuple(overlays))


def _text(folder: Path, name: str, report: Report) -> Source | None:
    """A file of rules, with what is found of its comments."""
    source = read_text(folder, name, report)
    for finding in find_swallowed(source) if source is not None else ():
        report.add(finding)
    return source


def _choose(folder: Path, manifest: Manifest, options: Iterable[str], report: Report) -> tuple[str, ...]:
    """Return the options that are chosen: presets are spelled out, unknown names reported."""
    known = {option.name for option in manifest.options}
    options_chosen: set[str] = set()
    for name in options:
        if name in manifest.presets:
            options_chosen |= set(manifest.presets[name])
        elif name in known:
            options_chosen.add(name)
        else:
            apart = " ".join(f"--with {part.strip()}" for part in name.split(","))
            hint = f"name each on its own: `{apart}`" if "," in name else None
            hint = hint or _elsewhere(name, manifest) or did_you_mean(name, {*known, *manifest.presets})
            hint = hint or ("`rulekit options` lists them" if known else "this rule set has no options")
            span = manifest.places.get("options", _TOP)
            report.add(Diagnostic(kinds.UNKNOWN_OPTION, f"unknown option `{name}`", span, hint=hint))
    return tuple(sorted(options_chosen))


def _elsewhere(name: str, manifest: Manifest) -> str | None:
    """Return a hint if a rule set that comes with rulekit has this option."""
    for path in sorted(rules_folder().glob("*/ruleset.yaml")):
        other = read_manifest(path.parent, Report())
        if other is not None and other.id != manifest.id:
            theirs = {*(option.name for option in other.options), *other.presets}
            if same := {name, name.replace("_", "-")} & theirs:
                return f"`{min(same)}` is an option of `{other.id}`"
    return None


def _base_files(folder: Path, report: Report) -> frozenset[str]:
    """Return the paths of the rule files that always take part."""
    names = list_names(folder, report, suffixes=(".rules",))
    return frozenset(name for name in names if not name.startswith("options/"))


def read_printed(rule_set: RuleSet, report: Report) -> tuple[PrintedRules, ...]:
    """Read the lists of printed rules, `sources/*.tsv`."""
    names = list_names(rule_set.folder, report, "sources", (".tsv",))
    lists = (read_sources(rule_set.folder, name, report) for name in names if name.count("/") == 1)
    return tuple(rules for rules in lists if rules is not None)


@frozen
class OwnerPart:
    """Where an extern population or table is: in the owner's file, or else in the sampler, a file of the set.

    `sampler` is empty for a table without one.
    """

    owner: str
    sampler: str
    span: Span


class DataFiles:
    """Reads the data files that rules name, each once, with the owner's laid over them.

    Args:
        sound: Files in which nothing was found, by their path; those read so are added.

    Attributes:
        externs: The files with the numbers of extern tables, by the table's name.
        sampled: Whether there are samplers, and no file of the owner is in the place of one.
    """

    def __init__(self, rule_set: RuleSet, report: Report, sound: dict[str, DataFile]) -> None:
        self._set, self._report, self._sound = rule_set, report, sound
        self.files: dict[str, DataFile | None] = {}
        self.externs: dict[str, DataFile] = {}
        self.sampled = False

    def load(self, name: str, at: Span) -> DataFile | None:
        """A data file by its path in the folder; None, with a finding at `at`, where it cannot be had."""
        if name not in self.files:
            before = len(self._report)
            file = self._sound.get(name) or read_data_file(self._set.folder, name, self._report, at=at)
            if file is not None and len(self._report) == before:
                self._sound[name] = file
            self.files[name] = file
        return self.files[name]

    def overlay(self, tables: Mapping[str, OwnerPart], populations: Mapping[str, OwnerPart]) -> None:
        """Lay the owner's files over those read so far, and find where each extern table's numbers are.

        A missing file of extern tables is a fault only when needed: an owner's file may have its tables.

        Args:
            tables: The files of each extern table, by its name.
            populations: The files of each extern population, by its name.
        """
        for part in (*tables.values(), *populations.values()):
            if exists_inside(self._set.folder, part.owner):
                self.load(part.owner, part.span)
        for name, part in populations.items():
            self._replace_sampler(name, part)
        for name, part in tables.items():
            self._mark_sampler(name, part)
        homes = {name: p.owner if p.owner in self.files else p.sampler for name, p in tables.items()}
        absent = {name for name, home in homes.items() if home not in self.files}
        read = {name: file for name, file in self.files.items() if file is not None}
        own_externs: dict[str, DataFile] = {}
        for owner in self._owners():
            laid = overlay_all(tuple(read.values()), owner, self._report, absent)
            read = dict(zip(read, laid, strict=True))
            own_externs.update({name: owner for name in absent if name in owner.tables})
        self.files.update(read)
        self.externs = {name: read[home] for name, home in homes.items() if home in read} | own_externs
        in_use = list(self._samplers_in_use(tables, populations))
        self.sampled = bool(in_use) and all(in_use)

    def _samplers_in_use(
        self, tables: Mapping[str, OwnerPart], populations: Mapping[str, OwnerPart]
    ) -> Iterator[bool]:
        """Yield, for each sampler, whether no file of the owner is in its place."""
        for name, part in populations.items():
            file = self.files.get(part.sampler)
            yield file is None or name not in file.populations or file.populations[name].sampler
        for name, part in tables.items():
            file = self.externs.get(name)
            if part.sampler:
                yield file is None or name not in file.tables or file.tables[name].sampler

    def _replace_sampler(self, name: str, part: OwnerPart) -> None:
        """Mark a sampler's population as one, or replace it by that of the owner's file in the folder."""
        base, owner = self.files.get(part.sampler), self.files.get(part.owner)
        if base is None or name not in base.populations:
            return
        population = replace(base.populations[name], sampler=True)
        base = replace(base, populations={**base.populations, name: population})
        if owner is not None and name not in owner.populations:
            hint = f"`rulekit show owner SET {name}` prints it, to be filled in"
            message = f"`{part.owner}` has no population `{name}`"
            self._report.add(Diagnostic(kinds.NO_MEMBERS, message, part.span, hint=hint))
        elif owner is not None:
            rest, own = dict(owner.populations), {name: owner.populations[name]}
            del rest[name]
            self.files[part.owner] = replace(owner, populations=rest)
            base = overlay(base, replace(owner, populations=own, tables={}, values={}), self._report)
        self.files[part.sampler] = base

    def _mark_sampler(self, name: str, part: OwnerPart) -> None:
        """Mark a sampler's table as one, or leave it out: the owner's file in the folder has the table."""
        base = self.files.get(part.sampler)
        if base is None or name not in base.tables:
            return
        tables = dict(base.tables)
        table = tables.pop(name)
        if part.owner not in self.files:
            tables[name] = replace(table, sampler=True)
        self.files[part.sampler] = replace(base, tables=tables)

    def _owners(self) -> Iterable[DataFile]:
        for listed in self._set.manifest.data:
            file = read_data_file(self._set.folder, listed.name, self._report, at=listed.span)
            if file is not None:
                yield file
        for path in self._set.overlays:
            source = read_owner_text(path, self._report)
            file = None if source is None else parse_data_file(source, self._report)
            if file is not None:
                yield file


def source_hash(rule_set: RuleSet, data: DataFiles, version: str) -> str:
    """A digest of everything a program is made from.

    Raises:
        UnreadableFile: A file cannot be read any more.
    """
    digest = hashlib.sha256(f"{version}\n{','.join(rule_set.options)}\n".encode())
    for source in rule_set.sources:
        digest.update(f"{source.file}\0{source.text}\0".encode())
    for name in sorted(data.files):
        digest.update(name.encode() + b"\0" + read_inside(rule_set.folder, name, MAX_BYTES))
    for path in rule_set.overlays:
        digest.update(read_named(path, MAX_BYTES, keep=True))
    return f"sha256:{digest.hexdigest()}"


def option_sources(manifest: Manifest) -> Iterator[tuple[str, Source]]:
    """Yield each option that the manifest lists with its file; those that cannot be read are left out."""
    for option in manifest.options if manifest.home else ():
        assert manifest.home is not None
        source = read_if_text(manifest.home, f"options/{option.name}.rules")
        if source is not None:
            yield option.name, source


def rules_cited_by_inactive_options(rule_set: RuleSet) -> set[str]:
    """Return the ids of the printed rules that options cite which are turned off.

    They are kept by the text of the option's file, so that it need not be parsed for them again.
    """
    manifest, active = rule_set.manifest, rule_set.options
    code = (code_digest("syntax"), code_digest("base"), grammar_text())
    known = ResultTable(_CITED, key_of(*code, str(manifest.home)))
    cited: set[str] = set()
    for name, source in option_sources(manifest):
        if name in active:
            continue
        digest = key_of(source.text)
        ids = known.get(digest)
        if ids is None:
            ids = _cited_in(source)
            known.put(digest, ids)
        cited.update(map(manifest.rule_id, ids))
    known.save()
    return cited


def _ids_by_text(plain: Any) -> Mapping[str, Sequence[str]]:
    table = plain_table(plain)
    if not all(isinstance(id_, str) for ids in table.values() for id_ in ids):
        raise TypeError("not a table of citations")
    return table


_CITED: ResultStore[Mapping[str, Sequence[str]]] = ResultStore("citations", same, _ids_by_text)


@lru_cache(maxsize=1000)
def _cited_in(source: Source) -> tuple[str, ...]:
    items = parse(source, Report()).items
    return tuple(dict.fromkeys(id_ for item in items for cite in citations(item) for id_ in cite.ids))
