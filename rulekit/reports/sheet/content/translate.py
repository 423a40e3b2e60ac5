"""The last step of a sheet in another language: whole wordings, and what is missing."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from rulekit.compiler.driver import Compiled
from rulekit.reports.sheet.model.document import Board, Foot, Map, Outline, Run, Sheet
from rulekit.reports.sheet.model.messages import ENGLISH, Messages
from rulekit.reports.sheet.model.settings import SheetSettings

_WORDED = ("text", "strong", "faint", "die")
"""Kinds of runs that are words."""
_FIELDS = frozenset(("title", "remark", "instead", "game", "edition", "name", "dice", "group"))
"""Fields of the document with words of a rule set."""
T = TypeVar("T")


def translate_sheet(sheet: Sheet, catalogue: Messages) -> Sheet:
    """The sheet with what the language's `texts` has in place of the English."""
    texts = catalogue.messages.texts
    titles = {**_common(catalogue), **texts}
    return _with_texts(sheet, texts, titles) if titles else sheet


def _common(catalogue: Messages) -> Mapping[str, str]:
    """Titles that a rule set has in the very words of the English catalogue."""
    if catalogue.language.partition("-")[0] == "en":
        return {}
    return {english: catalogue(key) for key, english in ENGLISH.items() if english[:1].isupper()}


def _with_texts(value: T, texts: Mapping[str, str], titles: Mapping[str, str]) -> T:
    if isinstance(value, tuple):
        return tuple(_with_texts(part, texts, titles) for part in value)  # type: ignore[return-value]
    if isinstance(value, Run):
        return (
            dataclasses.replace(value, text=_wording_of(value.text, texts))
            if value.kind in _WORDED
            else value
        )
    if not dataclasses.is_dataclass(value) or isinstance(value, type):
        return value
    changed: dict[str, Any] = {}
    for field in dataclasses.fields(value):
        inner = getattr(value, field.name)
        if isinstance(inner, str):
            new: Any = _wording_of(inner, titles) if field.name in _FIELDS else inner
        elif isinstance(value, Map | Board) and field.name == "key":
            new = tuple((mark, _wording_of(words, texts)) for mark, words in inner)
        elif (
            isinstance(value, Sheet)
            and field.name == "words"
            or isinstance(value, Foot)
            and field.name == "options"
        ):
            new = inner
        else:
            new = _with_texts(inner, texts, titles)
        if new is not inner:
            changed[field.name] = new
    return dataclasses.replace(value, **changed) if changed else value  # type: ignore[type-var]


def _wording_of(words: str, texts: Mapping[str, str]) -> str:
    bare = words.strip()
    if bare not in texts:
        return words
    return words.replace(bare, texts[bare])


def lacking(
    sheet: Sheet, catalogue: Messages, settings: SheetSettings, compiled: Compiled
) -> Mapping[str, Mapping[str, str]]:
    """Return the wordings printed in English because the language lacks them, by part of a message file."""
    there = "\0".join(_strings(sheet)).lower()
    texts = {**_common(catalogue), **catalogue.messages.texts}
    missing = {
        part: {
            key: words
            for key, words in wordings.items()
            if words and words.lower() in there and words not in texts
        }
        for part, wordings in catalogue.fell_back.items()
    }
    own = catalogue.messages
    known = {words for wording in (*missing.values(), own.names, own.rules) for words in wording.values()}
    wordings = (*_literal(settings, compiled), *_steps(sheet))
    literal = (words for words in wordings if words.lower() in there and words not in known)
    missing["texts"] |= {
        words: words
        for words in dict.fromkeys(literal)
        if words not in texts and any(map(str.isalpha, words))
    }
    missing["words"] = {key: dict(sheet.words)[key] for key in catalogue.missing()}
    return missing


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _strings(part)
    elif isinstance(value, Sheet):
        yield from _strings((value.game, value.title, value.sides, value.foot, value.parts))
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from _strings(getattr(value, field.name))


def _literal(settings: SheetSettings, compiled: Compiled) -> Iterator[str]:
    """Wordings that a rule set has beside its printed rules and names."""
    manifest = compiled.rule_set.manifest
    yield from (manifest.title, manifest.edition, settings.title)
    specs = list(settings.one_page)
    for part in settings.parts:
        yield from (part.title, part.lead)
        specs += part.blocks
    for spec in specs:
        yield from (spec.title, spec.what[0] if spec.sort in ("norms", "matrix") and spec.what else "")
        yield from spec.lists.get("notes", ())
        yield from spec.lists.get("columns", ()) if spec.sort == "matrix" else ()
        for pairs in (spec.maps.get(key, {}) for key in ("groups", "odds", "across")):
            yield from pairs
    if settings.map is not None:
        yield from settings.map.key.values()
    for variant in compiled.names.variants.values():
        yield from (variant.title, variant.reason)
    for entry in compiled.declared.errata.values():
        yield from (entry.title, entry.reason, *(words for words, _ in entry.play if isinstance(words, str)))
    for example in compiled.names.examples.values():
        yield example.title[:1].upper() + example.title[1:]


def _steps(sheet: Sheet) -> Iterator[str]:
    for block in (block for block in sheet.blocks if isinstance(block, Outline)):
        for group in block.groups:
            yield from (group.title, group.remark)
            yield from (run.text for line in group.lines for run in line.title)
