"""Names and values as a reader wants them: printed titles, plain words, lists that end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rulekit import ir
from rulekit.ir import types as t
from rulekit.runtime.play.answering.spelling import ARROW, part_number
from rulekit.runtime.support.wording import Wording, plain, texts_of

MOST_NAMED = 40
"""Members of a set that a line names; the rest is counted."""


class Words:
    """Names and values of one program in words.

    Args:
        prefix: The part of a printed rule's id that is the set's own.
        wording: The words of a language; without it, English.
    """

    def __init__(self, program: ir.Program, prefix: str, wording: Wording | None = None) -> None:
        self.say = wording = wording or Wording(program)
        self._prefix = prefix + "."
        self._titles = {
            d.name: {name: wording.member(d.name, number) for number, name in enumerate(d.members)}
            for d in program.domains
        }
        named: dict[str, set[str]] = {}
        for titles in self._titles.values():
            for name, title in titles.items():
                named.setdefault(name, set()).add(title)
        # A name that members of several domains share has no title where nothing tells the domain.
        self._certain = {name: next(iter(titles)) for name, titles in named.items() if len(titles) == 1}
        self._numbered = dict(_numbered_titles(program, self._titles))
        self._texts = texts_of(program)
        self._held = {state.name: _domain(state.type) for state in program.states}
        self._held |= {choice.name: _domain(choice.option.type) for choice in program.choices}
        self._parts = {
            choice.name: choice.option.name for choice in program.choices if choice.verb == "split"
        }
        records = ((choice.name, choice.option.type) for choice in program.choices)
        self._fields = {
            name: tuple(map(_domain, kind.types)) for name, kind in records if isinstance(kind, t.Record)
        }

    def rule(self, id_: str) -> str:
        """A printed rule's number, without the set's prefix."""
        return id_.removeprefix(self._prefix)

    def rules(self, ids: Iterable[str]) -> str:
        """Several printed rules' numbers."""
        return ", ".join(map(self.rule, ids))

    def name(self, name: str, domain: str = "") -> str:
        """A member's title; its name in plain words where that could be several."""
        known = self._titles.get(domain, self._certain)
        return known[name] if name in known else self.say.text(plain(name))

    def term(self, name: str) -> str:
        """The name of a state, choice, roll or field in words: without that of its kind."""
        return self.say.name(name)

    def texts(self, name: str, domain: str) -> list[str]:
        """Return the texts of a member, each in quotes, with its field if there are several."""
        homes = [domain] if domain else [home for home, other in self._texts if other == name]
        texts = self._texts.get((homes[0], name), {}) if len(homes) == 1 else {}
        return [
            f'{f"{self.term(field)}: " if len(texts) > 1 else ""}"{" ".join(self.say.text(text).split())}"'
            for field, text in texts.items()
        ]

    def value(self, value: Any, domain: str = "") -> str:
        """A value of an event in words; `domain` is what its names are members of, where that is known."""
        match value:
            case None:
                return self.say("none")
            case bool():
                return self.say("yes" if value else "no")
            case str():
                return self.name(value, domain)
            case list() | tuple():
                return self.several(value, domain) if value else self.say("nothing")
            case Mapping():
                pairs = (self.say("says", self.value(k), self.value(v)) for k, v in value.items())
                return ", ".join(pairs) or self.say("nothing")
            case _:
                return str(value)

    def part(self, choice: str, number: int) -> str:
        """One of the parts that a choice splits things into, by the word of the rules: `party 2`."""
        return self.say("part", self.term(self._parts[choice]), number)

    def argument(self, owner: str, name: str, value: Any, domain: str = "") -> str:
        """An argument of a choice, a roll or a value; a number with what it counts: `points 3`, `3 left`."""
        if not isinstance(value, int):
            return self.value(value, domain)
        word = self.say.own_of(f"{owner}.{name}") or self.term(name)
        return word.replace("{}", str(value)) if "{}" in word else f"{word} {value}"

    def answer(self, choice: str, name: str) -> str:
        """The name of an answer to a choice in words."""
        if choice in self._parts and name not in ("none", "done"):
            number = part_number(name)
            return self.part(choice, number) if number else self.say("new", self.term(self._parts[choice]))
        domains = self.domains_of(choice)
        if not domains:
            return self.name(name, self.domain_of(choice))
        parts = name.split(ARROW)
        return ARROW.join(map(self.name, parts, domains if len(parts) == len(domains) else [""] * len(parts)))

    def record(self, choice: str, values: Mapping[str, Any]) -> str:
        """The record that answers a choice in words."""
        return self.answer(choice, ARROW.join(map(str, values.values())))

    def domain_of(self, name: str) -> str:
        """The domain of the members that a state holds or a choice offers; empty for other values."""
        return self._held.get(name, "")

    def domains_of(self, choice: str) -> tuple[str, ...]:
        """The domain of each part of the records that a choice offers; empty for other choices."""
        return self._fields.get(choice, ())

    def several(self, names: Sequence[Any], domain: str = "") -> str:
        """Values one after the other."""
        texts = self._together([self.value(name, domain) for name in names])
        more = sum(many for _, many in texts[MOST_NAMED:])
        listed = ", ".join(text for text, _ in texts[:MOST_NAMED])
        return self.say("items", listed, more) if more else listed

    def _together(self, texts: Sequence[str]) -> list[tuple[str, int]]:
        """Texts with how many each stands for: of those that only a number tells apart, one says the name."""
        groups: list[tuple[str, int]] = []
        at = 0
        while at < len(texts):
            stem = self._numbered.get(texts[at], ("", 0))[0]
            numbers: list[int] = []
            while stem and at + len(numbers) < len(texts):
                other, number = self._numbered.get(texts[at + len(numbers)], ("", 0))
                if other != stem:
                    break
                numbers.append(number)
            if not numbers:
                groups.append((texts[at], 1))
                at += 1
                continue
            at += len(numbers)
            (first, many), *others = self.runs(numbers)
            groups += [(f"{stem} {first}", many), *others]
        return groups

    def runs(self, numbers: Sequence[int], digits: int = 1, stem: str = "") -> Iterator[tuple[str, int]]:
        """Numbers in their order, three and more that follow one another as `1 to 3`; each with how many.

        Args:
            digits: The fewest digits of a number.
            stem: Letters before each number.
        """
        first = 0
        for at in range(1, len(numbers) + 1):
            if at < len(numbers) and numbers[at] == numbers[at - 1] + 1:
                continue
            run = [f"{stem}{number:0{digits}}" for number in numbers[first:at]]
            if len(run) > 2:
                yield self.say("run", run[0], run[-1]), len(run)
            else:
                yield from ((number, 1) for number in run)
            first = at


def _domain(kind: t.Type) -> str:
    match kind:
        case t.Member():
            return kind.domain
        case t.Optional() | t.SetOf() | t.ListOf():
            return _domain(kind.of)
        case (
            t.Flag()
            | t.Int()
            | t.Month()
            | t.Ratio()
            | t.Text()
            | t.MapOf()
            | t.Row()
            | t.Record()
            | t.Nothing()
        ):
            return ""


def _numbered_titles(
    program: ir.Program, known: Mapping[str, Mapping[str, str]]
) -> Iterator[tuple[str, tuple[str, int]]]:
    """The titles of members that are a kind's name and a number, each with both."""
    domains = program.by_name.domains
    for kind in program.kinds:
        domain = domains[kind.domain]
        for number, (name, title) in enumerate(known[domain.name].items()):
            own = name.removeprefix(f"{kind.name}_")
            if kind.members >> number & 1 and own != name and own.isdigit() and title.endswith(f" {own}"):
                yield title, (title.removesuffix(f" {own}"), int(own))
