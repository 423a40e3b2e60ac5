"""Options and exceptions in force, and the lines they change: tags, bars in the margin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property

from rulekit.base.source import Span
from rulekit.compiler.amend.targets import STEPS
from rulekit.compiler.driver import Compiled
from rulekit.compiler.names import SPACES, Names, name_of
from rulekit.reports.sheet.content.wording import SheetWords
from rulekit.reports.sheet.model.document import Status
from rulekit.ruleset.folder import rules_cited_by_inactive_options
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.walk import citations, nodes

Key = tuple[str, str]
"""The word of an item (`table`, `choice`) and its name."""

WORDS: Mapping[type, str] = {
    i.Enum: "enum",
    i.KindUnion: "kind",
    i.Population: "kind",
    i.Group: "group",
    i.StateDecl: "state",
    i.Calendar: "calendar",
    i.Define: "define",
    i.Table: "table",
    i.ExternTable: "table",
    i.Roll: "roll",
    i.Modifier: "modifier",
    i.Choice: "choice",
    i.Procedure: "procedure",
    i.EventDecl: "event",
    i.Promise: "promise",
}
ALIKE = {
    "piece": "kind", "space": "kind", "value": "define", "sequence": "procedure", "scenario": "procedure",
    "track": "state", "cup": "state", "stack": "state", "invariant": "promise", "assume": "promise",
}  # fmt: skip
"""Words by which an amendment may reach an item, where they are not those of `WORDS`."""


class Force:
    """The variants that are in force, as sheets show them."""

    def __init__(self, compiled: Compiled, words: SheetWords) -> None:
        self.compiled, self.words = compiled, words
        self.names: Names = compiled.names
        variants = compiled.names.variants.values()
        self.exceptions = tuple(v for v in variants if v.word == "exception")
        self.options = tuple(v for v in variants if v.word != "exception")
        self._files = {v.span.file: v for v in self.options}
        self._known_asks: dict[Key, tuple[Key, ...]] = {}
        self._known_calls: dict[tuple[tuple[Key, ...], ...], tuple[Key, ...]] = {}

    def tag(self, variant: i.Variant) -> str:
        """The short name of an option: its author, or the number of its printed rule."""
        named = self.words.own_title("option", variant.name.text)
        if named:
            return named
        if variant.author:
            return variant.author
        ids = variant.cite.ids if variant.cite else ()
        return f"opt {self.words.number(ids[0])}" if ids else variant.title or variant.name.text

    def title(self, variant: i.Variant) -> str:
        """Return the title of an option; a reading's begins with the question that it answers."""
        title = self.words.message(variant.title) or self.words.title("variant", variant.name.text)
        entry = self.compiled.declared.errata.get(variant.of.text) if variant.of is not None else None
        question = self.words.message(entry.title) if entry is not None else ""
        if not question:
            return title
        return f"{question[0].upper()}{question[1:]}{'' if question.endswith('?') else ':'} {title}"

    def brought_by(self, span: Span) -> i.Variant | None:
        """The option that a place of the rules belongs to; None for the base."""
        return self._files.get(span.file)

    def tags_at(self, span: Span) -> tuple[str, ...]:
        """The tag of the option that a place of the rules belongs to; none for the base."""
        option = self.brought_by(span)
        return (self.tag(option),) if option is not None else ()

    def tags_on(self, key: Key) -> tuple[str, ...]:
        """Tags of the options that change an item."""
        return tuple(dict.fromkeys(self.tag(variant) for variant, _ in self.touched.get(key, ())))

    def exception_at(self, span: Span) -> i.Variant | None:
        """The exception that contains a place."""
        for exception in self.exceptions:
            if (
                exception.span.file == span.file
                and exception.span.line <= span.line <= exception.span.end_line
            ):
                return exception
        return None

    @cached_property
    def _owners(self) -> Mapping[str, list[Key]]:
        """The items that cite a printed rule, in their heads or inside."""
        owners: dict[str, list[Key]] = {}
        for key, item in self.declared_items():
            for cite in citations(item):
                for id_ in cite.ids:
                    owners.setdefault(id_, []).append(key)
        return owners

    def declared_items(self) -> Iterator[tuple[Key, i.Item]]:
        """Every item as it was declared, with its key."""
        for space in dict.fromkeys(SPACES.values()):
            for item in getattr(self.compiled.declared, space).values():
                word = WORDS.get(type(item))
                if word is not None:
                    yield (word, name_of(item)), item

    @cached_property
    def steps_citing(self) -> Mapping[str, int]:
        """The number of steps that cite a printed rule."""
        procedures = self.names.procedures.values()
        steps = (node for item in procedures for node in nodes(item.body, expressions=False))
        return Counter(
            id_ for step in steps if isinstance(step, s.Step) and step.cite for id_ in step.cite.ids
        )

    @cached_property
    def _steps(self) -> Mapping[str, Key]:
        steps: dict[str, Key] = {}
        for name, procedure in self.compiled.declared.procedures.items():
            for node in nodes(procedure.body, expressions=False):
                if isinstance(node, s.Step):
                    steps.setdefault(node.name.text, ("procedure", name))
        return steps

    def items_changed_by(self, amendment: i.Amendment) -> tuple[Key, ...]:
        """The items that an amendment changes."""
        to = amendment.address
        word, name = (to.of_word, to.of_name) if to.of_word else (to.word, to.name)
        if word in STEPS and name is not None:
            return (self._steps.get(name.text, ("procedure", name.text)),)
        if word and name is not None:
            return ((ALIKE.get(word, word), name.text),)
        if to.cite is not None:
            return tuple(key for id_ in to.cite.ids for key in self._owners.get(id_, ()))
        return ()

    @cached_property
    def touched(self) -> Mapping[Key, tuple[tuple[i.Variant, i.Amendment], ...]]:
        """The amendments of options in force, by item."""
        return self._amendments_of(self.options)

    @cached_property
    def excepted(self) -> Mapping[Key, tuple[tuple[i.Variant, i.Amendment], ...]]:
        """The amendments of exceptions, by item."""
        return self._amendments_of(self.exceptions)

    def _amendments_of(
        self, variants: tuple[i.Variant, ...]
    ) -> Mapping[Key, tuple[tuple[i.Variant, i.Amendment], ...]]:
        touched: dict[Key, list[tuple[i.Variant, i.Amendment]]] = {}
        for variant in variants:
            for amendment in variant.amendments:
                for key in self.items_changed_by(amendment):
                    touched.setdefault(key, []).append((variant, amendment))
        return {key: tuple(pairs) for key, pairs in touched.items()}

    @cached_property
    def _base_rules(self) -> frozenset[str]:
        base = (m for m in self.compiled.modules if not m.file.startswith("options/"))
        items = (item for m in base for item in m.items if not isinstance(item, i.Example))
        return frozenset(id_ for item in items for cite in citations(item) for id_ in cite.ids)

    def own_rules(self, variant: i.Variant) -> tuple[str, ...]:
        """The printed rules that only an option cites, in the order of the booklet."""
        return self._own_rules[variant.name.text]

    @cached_property
    def _own_rules(self) -> Mapping[str, tuple[str, ...]]:
        return {option.name.text: self._only_in(option) for option in self.options}

    def _only_in(self, variant: i.Variant) -> tuple[str, ...]:
        module = next((m for m in self.compiled.modules if m.file == variant.span.file), None)
        cited: set[str] = set(variant.cite.ids if variant.cite else ())
        for item in module.items if module else ():
            if not isinstance(item, i.Example | i.Claim | i.Errata):
                cited |= {id_ for cite in citations(item) for id_ in cite.ids}
        own = cited - self._base_rules
        return tuple(id_ for id_ in self.words.printed if id_ in own)

    @cached_property
    def not_in_force(self) -> frozenset[str]:
        """Printed rules that only options cite which are not chosen."""
        prefix = self.compiled.rule_set.manifest.prefix + "."
        elsewhere = {
            id_.removeprefix(prefix) for id_ in rules_cited_by_inactive_options(self.compiled.rule_set)
        }
        here = self._base_rules.union(*(self.own_rules(option) for option in self.options))
        return frozenset(elsewhere - here)

    @cached_property
    def changed_rules(self) -> Mapping[str, tuple[str, ...]]:
        """Tags of the options that touch a printed rule of the base."""
        tags: dict[str, dict[str, None]] = {}
        for key, amendments in self.touched.items():
            for variant, amendment in amendments:
                cites = [amendment.cite, amendment.address.cite]
                if amendment.op in ("replace", "redefine", "set", "remove"):
                    cites.append(self._cite_of(key, amendment.address))
                for cite in cites:
                    for id_ in cite.ids if cite is not None else ():
                        if id_ in self._base_rules:
                            tags.setdefault(id_, {})[self.tag(variant)] = None
        return {id_: tuple(of_rule) for id_, of_rule in tags.items()}

    @cached_property
    def replaced_rules(self) -> Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]:
        """Printed rules of the base in whose place options put others: tags of the options, and these rules.

        A rule is replaced if an option replaces, redefines or removes the item that cites it in its head,
        does not use what was there (`original`), and does not cite the rule again.
        """
        replaced: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
        for key, amendments in self.touched.items():
            for variant, amendment in amendments:
                for id_ in self._replaced_by(key, amendment):
                    tags, rules = replaced.setdefault(id_, ({}, {}))
                    tags[self.tag(variant)] = None
                    cited = (other for cite in citations(amendment) for other in cite.ids)
                    rules |= dict.fromkeys(other for other in cited if other in self.own_rules(variant))
        return {id_: (tuple(tags), tuple(rules)) for id_, (tags, rules) in replaced.items()}

    @cached_property
    def replaced_steps(self) -> Mapping[str, tuple[str, ...]]:
        """Names of steps of the base that options replace or remove, with the tags of these options."""
        replaced: dict[str, dict[str, None]] = {}
        for amendments in self.touched.values():
            for variant, amendment in amendments:
                to = amendment.address
                if to.word in STEPS and to.name is not None and _replaces(amendment):
                    replaced.setdefault(to.name.text, {})[self.tag(variant)] = None
        return {name: tuple(tags) for name, tags in replaced.items()}

    def _replaced_by(self, key: Key, amendment: i.Amendment) -> Iterator[str]:
        if not _replaces(amendment):
            return
        head = self._cite_of(key, amendment.address)
        kept = {id_ for cite in citations(amendment.body) for id_ in cite.ids}
        kept |= {id_ for cite in citations(amendment.cases) for id_ in cite.ids}
        yield from (id_ for id_ in (head.ids if head else ()) if id_ in self._base_rules and id_ not in kept)

    @cached_property
    def _heads(self) -> Mapping[Key, i.Item]:
        return dict(self.declared_items())

    def _cite_of(self, key: Key, to: i.Address) -> s.Cite | None:
        """Return the citation of the item, step or norm that an address names."""
        if not to.of_word and to.word not in STEPS:
            return getattr(self._heads.get(key), "cite", None)
        wanted = to.name.text if to.name is not None else ""
        parts = (node for node in nodes(self._heads.get(key)) if getattr(node, "name", None) is not None)
        named = (node for node in parts if isinstance(node, i.Norm | s.Step) and node.name is not None)
        return next((node.cite for node in named if node.name and node.name.text == wanted), None)

    def state_of(self, id_: str) -> tuple[Status, tuple[str, ...]]:
        """Return the effect of options in force on a printed rule, and their tags."""
        for variant in self.options:
            if id_ not in self._base_rules and id_ in self.own_rules(variant):
                return "added", (self.tag(variant),)
        tags = self.changed_rules.get(id_, ())
        return ("changed" if tags else ""), tags

    def asked(self, *parts: object) -> tuple[Key, ...]:
        """Return the definitions and tables that something names itself."""
        return tuple(dict.fromkeys(key for part in parts for key in self._asks(part)))

    def calls(self, *parts: object) -> tuple[Key, ...]:
        """Return the definitions and tables that something asks, those that they ask included."""
        direct = tuple(map(self._asks, parts))
        if direct not in self._known_calls:
            self._known_calls[direct] = tuple(self._all_asked(direct))
        return self._known_calls[direct]

    def _all_asked(self, direct: tuple[tuple[Key, ...], ...]) -> Iterator[Key]:
        waiting, seen = list(direct), set[Key]()
        while waiting:
            for key in waiting.pop():
                if key not in seen:
                    seen.add(key)
                    yield key
                    waiting.append(self._asked_by(key))

    def _asked_by(self, key: Key) -> tuple[Key, ...]:
        """Return the definitions and tables that an item uses; kept, as most are reached on several paths."""
        if key not in self._known_asks:
            word, name = key
            space = self.names.defines if word == "define" else self.names.tables
            self._known_asks[key] = self._asks(space[name])
        return self._known_asks[key]

    def _asks(self, part: object) -> tuple[Key, ...]:
        keys: dict[Key, None] = {}
        for node in nodes(part):
            if isinstance(node, x.Call | x.Reference | x.NamePredicate):
                base = node.name.text.partition("'")[0]
                for word, space in (("define", self.names.defines), ("table", self.names.tables)):
                    if base in space:
                        keys[word, base] = None
        return tuple(keys)


def _replaces(amendment: i.Amendment) -> bool:
    """True if an amendment replaces or removes its target, and does not use the original."""
    return amendment.op in ("replace", "redefine", "remove") and not _uses_original(amendment)


def _uses_original(amendment: i.Amendment) -> bool:
    """True if an amendment goes on using what it takes the place of."""
    called = (node for node in nodes(amendment) if isinstance(node, x.Call))
    return any(node.name.text.partition("'")[0] == "original" for node in called)
