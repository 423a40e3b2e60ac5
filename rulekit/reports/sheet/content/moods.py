"""The mood of a sentence: it allows, demands, limits or forbids.  Its sign on a sheet follows from its words.

A reader believes a cross: it never stands before a positive sentence.  The words are read in English; a
translation has the mood of its original.
"""

from __future__ import annotations

import re

from rulekit.reports.sheet.model.document import Mood

_ONLY = re.compile(r"(?<!whose )(?<!the )(?<!its )(?<!their )\bonly\b", re.IGNORECASE)
_LIMIT = re.compile(r"\b(?:unless|except|at most|no more than)\b", re.IGNORECASE)
_FORBID = re.compile(
    r"\b(?:cannot|can't|must not|may not|not|never|no|none|neither|nor|without|impossible)\b", re.IGNORECASE
)
_BAN = re.compile(r"\b(?:cannot|can't|must not|may not)\b", re.IGNORECASE)
_DEMAND = re.compile(r"\b(?:must|needs?|has to|have to|requires?)\b", re.IGNORECASE)
_ALLOW = re.compile(r"\b(?:may|can|need not)\b", re.IGNORECASE)
_KINDS: dict[str, Mood] = {"permission": "may", "obligation": "must"}
"""Kinds of printed rules that have a mood of their own."""


def mood_of(english: str, kind: str = "", *, limits: bool = False) -> Mood:
    """Return the mood of a sentence.

    Args:
        kind: Of the printed rule.
        limits: Whether it takes something away (a prohibition, `forbid`), whatever its words say.
    """
    if _ONLY.search(english) and kind != "obligation":
        return "only"
    if limits:
        if _LIMIT.search(english):
            return "only"
        return "not" if _FORBID.search(english) else "must"
    if kind in _KINDS:
        return _KINDS[kind]
    if _BAN.search(english):
        return "only" if _LIMIT.search(english) else "not"
    if _DEMAND.search(english):
        return "must"
    return "may" if _ALLOW.search(english) else ""


def mood_of_norm(word: str) -> Mood:
    """Return the mood of a norm that has only its condition as words."""
    moods: dict[str, Mood] = {"forbid": "not", "require": "must"}
    return moods.get(word, "may")
