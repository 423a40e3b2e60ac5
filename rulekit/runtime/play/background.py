"""A rule set's own texts beyond its program: its description, and its words in other languages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from rulekit.base.spelling import suggestion
from rulekit.runtime.support.wording import Speech


class Background(Protocol):
    """The texts of one rule set; nothing is read before it is asked for."""

    @property
    def facts(self) -> Mapping[str, Any]:
        """Keys of `Game.describe` that a program does not have: authors, options, presets and the like."""

    @property
    def prefix(self) -> str:
        """The part of printed rules' ids that is the set's own."""

    @property
    def printed(self) -> Mapping[str, Mapping[str, str]]:
        """The printed rules: the kind and summary of each by its id."""

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that there are words in."""

    def speech(self, language: str) -> Speech:
        """The words of a language.

        Raises:
            ValueError: There is no such language.
        """

    def text_at(self, file: str, line: int, column: int) -> str:
        """The words of the rules at a place; empty if there are none."""


class NoBackground:
    """The background of a game that is made from a program alone: English, and no texts."""

    facts: Mapping[str, Any] = {}
    prefix = ""
    printed: Mapping[str, Mapping[str, str]] = {}
    languages: tuple[str, ...] = ("en",)

    def speech(self, language: str) -> Speech:
        """English words."""
        if language.partition("-")[0] != "en":
            raise ValueError(f"unknown language `{language[:40]}`; {suggestion(language, self.languages)}")
        return Speech(language)

    def text_at(self, file: str, line: int, column: int) -> str:
        """The place itself."""
        return f"{file}:{line}"
