"""Signs by which a side may notice something that is hidden from it.

Each procedure is followed statement by statement, for each side. Something that the side sees may depend
on a hidden state: that a block is run at all, a value, who is asked, what may be answered. What a sign
gives away, and what a `reveal` shows, counts as known afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import assert_never

from rulekit import ir
from rulekit.analysis.prove.secrecy.contents import (
    known_of_answer,
    known_of_drawn,
    known_of_taken,
    number_drawn,
)
from rulekit.analysis.prove.secrecy.handing import Handing
from rulekit.analysis.prove.secrecy.knowledge import Knowledge, Premise, Sign, Veiled, join
from rulekit.analysis.prove.secrecy.twins import RevealedValue, Twin, size_of
from rulekit.analysis.prove.secrecy.visible import Visible, always_leaves, bindings, leaves, sizes
from rulekit.analysis.prove.situation import MARK
from rulekit.compiler.weave_events import BEGIN, CHECK, ENDED
from rulekit.ir import walk
from rulekit.ir.conditions import FLAG, TRUE, conjunction, disjunction, negation
from rulekit.ir.semantics.effects import PLACE
from rulekit.ir.semantics.facts import Facts
from rulekit.ir.semantics.outline import CHANCE, BlockOutline
from rulekit.ir.types import MapOf, Member, SetOf


class Signs:
    """Collects the signs of one side in a program."""

    def __init__(self, facts: Facts, twin: Twin) -> None:
        self._facts, self._twin = facts, twin
        self._signs: dict[tuple[int, str, ir.Expr], Sign] = {}
        self._results: dict[str, list[Premise]] = {}
        self._procedure = ""
        self._entries: dict[str, Knowledge] = {}
        self._visible = Visible(facts)
        self._tainted: dict[str, frozenset[str]] = {}
        outlines = map(facts.outline, facts.procedures.values())
        known = (e for outline in outlines for e in outline.secret)
        self._late = 0
        self._fresh = count()
        self._naming_sides = {e.name for e in known if isinstance(e, ir.Local)}

    def all(self) -> Sequence[Sign]:
        """Return the signs in all procedures of play and in the choices that they ask."""
        for procedure in self._facts.callers_first:
            if procedure.name in (BEGIN, ENDED) or procedure.name.startswith("example:"):
                continue
            self._procedure = procedure.name
            self._late = int(procedure.name in self._facts.always_late)
            way = self._entries.get(procedure.name, Knowledge())
            outline = self._facts.outline(procedure)
            if way.veiled or way.shown or way.given or self._is_concerned(outline):
                body = procedure.body[:-1] if procedure.name == CHECK else procedure.body
                self._block(body, way, rest=False)
            else:
                self._enter_all(outline)
        for choice in self._facts.choices.values():
            way = self._entries.get(_asking(choice.name), Knowledge())
            if way.veiled or self._twin.hidden.states & self._facts.choice_reads(choice):
                self._choice(choice, way)
        return list(self._signs.values())

    def _is_concerned(self, outline: BlockOutline) -> bool:
        """True if a procedure reads or reveals what is hidden, or gets it from a call or a secret choice."""
        return (
            outline.reveals
            or bool(outline.secret)
            or bool(self._twin.hidden.states & self._facts.closure(outline.reads))
            or any(self._facts.choices[choice].secret for choice in outline.answers)
            or any(map(self._behind, outline.results))
        )

    def _enter_all(self, outline: BlockOutline) -> None:
        """Note that nothing is known where a procedure runs others and asks choices."""
        for name in (*outline.runs, *map(_asking, outline.asks)):
            known = self._entries.setdefault(name, Knowledge())
            if known.shown or known.given:
                self._entries[name] = Knowledge(veiled=known.veiled)

    # ------------------------------------------------------------ what may differ

    def _states(self, e: ir.Expr, way: Knowledge) -> frozenset[str]:
        """The hidden states on which an expression may depend."""
        states = self._twin.hidden.in_expression(self._full(e, way))
        return states.union(*(local.states for local in self._of(way, e)))

    def _full(self, e: ir.Expr, way: Knowledge) -> ir.Expr:
        return walk.substitute(e, way.values) if way.values else e

    def _other(self, e: ir.Expr, way: Knowledge) -> ir.Expr:
        others = {name: veiled.other for name, veiled in way.veiled.items()}
        return self._twin.other(self._full(e, way), others, way.shown)

    def _may_differ(self, e: ir.Expr, way: Knowledge) -> bool:
        return bool(self._states(e, way)) and self._other(e, way) != self._full(e, way)

    def _differs(self, e: ir.Expr, way: Knowledge) -> ir.Expr:
        return ir.Op("ne", (self._full(e, way), self._other(e, way)), FLAG)

    def _sign(self, what: str, site: int, way: Knowledge, test: ir.Expr, *reads: ir.Expr) -> None:
        """Note a sign, if what it reads may depend on something hidden."""
        states = frozenset().union(*(self._states(e, way) for e in reads))
        if not states:
            return
        whole = self._where_given(way, test)
        side, of = self._twin.hidden.side, self._of(way, *reads)
        self._signs.setdefault((site, what, whole), Sign(side, what, states, site, whole, of))

    def _where_given(self, way: Knowledge, test: ir.Expr) -> ir.Expr:
        """A test of two situations in both of which the conditions hold that are known to."""
        given = [part for e in way.given for part in (self._full(e, way), self._other(e, way))]
        return conjunction(*dict.fromkeys(given), test)

    def _of(self, way: Knowledge, *reads: ir.Expr) -> tuple[Veiled, ...]:
        """The locals that may differ, of those that some expressions read."""
        names = frozenset().union(*(walk.free(self._full(e, way)) for e in reads))
        return tuple(way.veiled[name] for name in sorted(names & way.veiled.keys()))

    def _premise(self, way: Knowledge, e: ir.Expr, call: int | None = None) -> Premise:
        """That an expression differs."""
        return Premise(self._where_given(way, self._differs(e, way)), self._of(way, e), call)

    def _value(self, what: str, site: int, way: Knowledge, *values: ir.Expr) -> None:
        """Note a sign for each of some values that the side sees."""
        for value in values:
            if not isinstance(value.type, MapOf) and self._may_differ(value, way):
                self._sign(what, site, way, self._differs(value, way), value)

    def _values_seen(self, what: str, site: int, way: Knowledge, sees: ir.Expr, *values: ir.Expr) -> None:
        """Note a sign for each of some values, where the side sees it."""
        for value in values:
            if self._may_differ(value, way):
                test = conjunction(self._full(sees, way), self._differs(value, way))
                self._sign(what, site, way, test, value)

    # ------------------------------------------------------------ following

    def _block(self, block: ir.Block, way: Knowledge, *, rest: bool) -> Knowledge:
        """Follow a block; `rest` says whether anything that can be seen follows it."""
        for number, stmt in enumerate(block):
            way = self._statement(stmt, way, rest=rest or self._visible.is_seen(block[number + 1 :]))
        return way

    def _statement(self, stmt: ir.Stmt, way: Knowledge, *, rest: bool) -> Knowledge:
        match stmt:
            case ir.When():
                return self._when(stmt, way, rest=rest)
            case ir.ForEach():
                return self._for_each(stmt, way, rest=rest)
            case ir.Repeat():
                return self._repeat(stmt, way, rest=rest)
            case ir.Together():
                self._late += 1
                after = self._block(stmt.body, way, rest=rest)
                self._late -= 1
                return after if self._late else self._after_changes(after, self._facts.changes_in(stmt.body))
            case ir.Step():
                return self._block(stmt.body, way, rest=rest)
            case ir.Do():
                params = self._facts.procedures[stmt.procedure].params
                self._enter(stmt.procedure, way, stmt.site, params, stmt.arguments)
            case ir.Return() if stmt.value is not None and self._states(stmt.value, way):
                self._result_premises(self._procedure).append(self._premise(way, stmt.value))
            case ir.Let() | ir.Leave() | ir.Next() | ir.Return() | ir.Tell() | ir.Fail() | ir.Form():
                pass
            case ir.Say():
                self._value("what is said", stmt.site, way, stmt.text)
            case ir.Write() | ir.MarkAll() | ir.Put():
                self._change(stmt, way)
            case ir.Place():
                self._move(stmt, way)
            case ir.Dissolve():
                self._value("which group is dissolved", stmt.site, way, stmt.group)
            case ir.Choose():
                self._value(f"what `{stmt.choice}` is asked about", stmt.site, way, *stmt.arguments)
                self._ask(stmt, way)
            case ir.ChooseEach():
                self._value(f"for whom `{stmt.choice}` is asked", stmt.site, way, stmt.over)
                self._value(f"what `{stmt.choice}` is asked about", stmt.site, way, *stmt.arguments)
                self._ask(stmt, way)
            case ir.Roll():
                result = () if stmt.modified is None else (stmt.modified,)
                self._draw(f"the result of the roll `{stmt.point}`", stmt, way, *result, *stmt.arguments)
            case ir.DrawLot(over=ir.Read() as drawn_from) if self._is_hidden(drawn_from.state):
                what, size = f"how many things `{drawn_from.state}` holds", size_of(drawn_from)
                number = stmt.count if stmt.one else ir.Op("smaller", (stmt.count, size), size.type)
                self._value(what, stmt.site, way, *drawn_from.keys, number)
                self._draw(f"what is drawn by `{stmt.point}`", stmt, way)
            case ir.DrawLot():
                self._draw(f"what is drawn by `{stmt.point}`", stmt, way, stmt.count, stmt.over)
            case ir.DrawTop(known=ir.Const() | ir.Local()):
                what = f"how many things `{stmt.state}` holds"
                self._value(what, stmt.site, way, *stmt.keys, stmt.count)
                self._draw(f"what is drawn from `{stmt.state}`", stmt, way)
            case ir.DrawTop() | ir.Shuffle():
                if not self._is_hidden(stmt.state):
                    self._value(f"what is drawn from `{stmt.state}`", stmt.site, way, *walk.expressions(stmt))
            case ir.Reveal():
                self._reveal(stmt, way)
            case ir.Finish():
                self._value("the result of the game", stmt.site, way, *walk.expressions(stmt))
            case _:
                assert_never(stmt)
        return self._after(stmt, way)

    def _draw(
        self, what: str, stmt: ir.Roll | ir.DrawLot | ir.DrawTop, way: Knowledge, *values: ir.Expr
    ) -> None:
        """Note signs for who sees what is drawn or rolled, and for what the side sees of it."""
        if stmt.known is None:
            self._value(what, stmt.site, way, *values)
            return
        sees = self._twin.hidden.is_among(stmt.known)
        self._value(f"who sees {what}", stmt.site, way, sees)
        self._values_seen(what, stmt.site, way, sees, *values)

    def _reveal(self, stmt: ir.Reveal, way: Knowledge) -> None:
        """Note signs for who sees what is revealed, and for which value it is that the side sees."""
        what = "what is revealed"
        if stmt.known is None:
            self._value(what, stmt.site, way, *stmt.keys)
            return
        knows = self._twin.hidden.knows(self._facts.states[stmt.state], stmt.keys)
        sees = disjunction(self._twin.hidden.is_among(stmt.known), knows)
        self._value(f"who sees {what}", stmt.site, way, sees)
        self._values_seen(what, stmt.site, way, sees, *stmt.keys)

    def _when(self, stmt: ir.When, way: Knowledge, *, rest: bool) -> Knowledge:
        condition = stmt.condition
        states = self._states(condition, way) if self._may_differ(condition, way) else frozenset()
        either = (*stmt.then, *stmt.otherwise)
        seen = self._visible.is_seen(either) or (rest and leaves(either))
        if states and seen:
            test = conjunction(self._full(condition, way), negation(self._other(condition, way)))
            self._sign("what happens here", stmt.site, way, test, condition)
        if states and leaves(either):
            self._result_premises(self._procedure).append(self._premise(way, condition))
        known = () if states and not seen else (condition,)
        then = self._block(stmt.then, replace(way, given=(*way.given, *known)), rest=rest)
        unless = tuple(map(negation, known))
        otherwise = self._block(stmt.otherwise, replace(way, given=(*way.given, *unless)), rest=rest)
        if always_leaves(stmt.then):
            return otherwise
        if always_leaves(stmt.otherwise):
            return then
        after = self._either(then, otherwise)
        return after if seen or not states else self._veil(after, bindings(either), condition, way)

    def _for_each(self, stmt: ir.ForEach, way: Knowledge, *, rest: bool) -> Knowledge:
        states = self._states(stmt.over, way)
        seen = (
            self._visible.is_seen(stmt.body)
            or stmt.order is not None
            and stmt.order.kind in ("chosen", "lot")
        )
        if seen:
            self._value("for whom this happens", stmt.site, way, stmt.over)
            self._order(stmt, way)
        inside = way
        if isinstance(stmt.over.type, SetOf) and not (states and not seen):
            among = ir.Op("has", (stmt.var, stmt.over), FLAG)
            inside = replace(way, given=(*way.given, among))
        inside = self._at_each_run(
            stmt.body, self._after_binding(inside, {stmt.var.name} - walk.free(stmt.over))
        )
        if states and not seen:
            inside = self._veil(inside, {stmt.var.name: stmt.var}, stmt.over, way)
        end = self._block(stmt.body, inside, rest=rest or self._visible.is_seen(stmt.body))
        before = self._at_each_run(stmt.body, way)
        return replace(before, shown=before.shown | self._shown_to_all(stmt, inside, end), veiled=end.veiled)

    def _order(self, stmt: ir.ForEach, way: Knowledge) -> None:
        """The order of a loop by numbers of each member."""
        for _, key in () if stmt.order is None else stmt.order.numbers:
            test = ir.Fold("any", self._full(stmt.over, way), stmt.var, self._differs(key, way), FLAG)
            self._sign("the order here", stmt.site, way, test, key)

    def _shown_to_all(self, stmt: ir.ForEach, begin: Knowledge, end: Knowledge) -> frozenset[RevealedValue]:
        """The values that a loop reveals, one for each member."""
        if not isinstance(stmt.over.type, SetOf) or leaves(stmt.body) or stmt.alternating is not None:
            return frozenset()
        if self._facts.reads(stmt.over) & self._changes_in(stmt.body):
            return frozenset()
        values = (replace(one, over=((stmt.var, stmt.over), *one.over)) for one in end.shown - begin.shown)
        bound = bindings(stmt.body).keys()
        return frozenset(one for one in values if not one.free & bound)

    def _repeat(self, stmt: ir.Repeat, way: Knowledge, *, rest: bool) -> Knowledge:
        seen = self._visible.is_seen(stmt.body)
        inside = self._at_each_run(stmt.body, way)
        if seen and stmt.kind == "times":
            self._value("how often this happens", stmt.site, way, stmt.control)
        elif seen:
            control = conjunction(
                self._full(stmt.control, inside), negation(self._other(stmt.control, inside))
            )
            self._sign("how often this happens", stmt.site, inside, control, stmt.control)
        end = self._block(stmt.body, inside, rest=rest or seen)
        states = self._states(stmt.control, inside)
        after = replace(inside, veiled=end.veiled)
        return after if seen or not states else self._veil(after, bindings(stmt.body), stmt.control, inside)

    def _at_each_run(self, body: ir.Block, way: Knowledge) -> Knowledge:
        """Return the knowledge at the start of each run of a loop's body."""
        return self._after_changes(self._after_binding(way, bindings(body)), self._changes_in(body))

    # ------------------------------------------------------------ changes of state

    def _is_hidden(self, state: str) -> bool:
        return state in self._twin.hidden.states

    def _change(self, stmt: ir.Write | ir.MarkAll | ir.Put, way: Knowledge) -> None:
        """A change: which value is changed, and to what, where the side sees it."""
        state = self._facts.states[stmt.state]
        what = f"what `{stmt.state}` becomes"
        value = stmt.members if isinstance(stmt, ir.MarkAll) else stmt.value
        if not self._is_hidden(stmt.state):
            self._value(what, stmt.site, way, *stmt.keys, *(() if value is None else (value,)))
            return
        knows, see = self._twin.hidden.knows, self._full
        if isinstance(stmt, ir.MarkAll):
            assert isinstance(value, ir.Expr) and isinstance(value.type, SetOf)
            member = ir.Local(f"member{MARK}", value.type.of)
            seen = ir.Filter(value, member, knows(state, (*stmt.keys, member)), value.type)
            self._value(what, stmt.site, way, seen)
            return
        known = knows(state, stmt.keys)
        other_key = disjunction(*(self._differs(key, way) for key in stmt.keys if self._states(key, way)))
        either = disjunction(see(known, way), self._other(known, way))
        self._sign(what, stmt.site, way, conjunction(other_key, either), *stmt.keys)
        if stmt.state in self._twin.hidden.counted:
            grown = sizes(stmt, state.type, way.given)
            self._value(f"how many things `{stmt.state}` holds", stmt.site, way, *stmt.keys, *grown)
        if value is not None and not isinstance(value.type, MapOf):
            self._sign(what, stmt.site, way, conjunction(see(known, way), self._differs(value, way)), value)

    def _move(self, stmt: ir.Place, way: Knowledge) -> None:
        """A move: which pieces the side sees moved, and to where."""
        what = "where a piece is moved"
        if not self._is_hidden(PLACE):
            self._value(what, stmt.site, way, stmt.pieces, stmt.space)
            return
        of = SetOf(Member("piece", "Piece"))
        pieces = stmt.pieces if stmt.many else ir.Op("single", (stmt.pieces,), of)
        piece = ir.Local(f"piece{MARK}", of.of)
        seen = ir.Filter(pieces, piece, self._twin.hidden.knows(self._facts.states[PLACE], (piece,)), of)
        self._value(what, stmt.site, way, seen)
        if self._may_differ(stmt.space, way):
            some = negation(ir.Op("is_empty", (self._full(seen, way),), FLAG))
            self._sign(what, stmt.site, way, conjunction(some, self._differs(stmt.space, way)), stmt.space)

    # ------------------------------------------------------------ choices

    def _choice(self, choice: ir.Choice, way: Knowledge) -> None:
        """Note who is asked; and, where the side itself is, whatever its legal answers depend on."""
        decider, here = choice.decider, self._twin.hidden.side
        self._value(f"who answers `{choice.name}`", choice.site, way, decider)
        if isinstance(decider, ir.Const) and decider.value != here:
            return
        lets = walk.written_out(choice.lets)

        def expand(e: ir.Expr) -> ir.Expr:
            return walk.substitute(e, lets)

        asked = ir.Op("eq", (decider, ir.Const(here, decider.type)), FLAG)
        own = replace(way, given=(*way.given, asked))
        what = f"which answers `{choice.name}` allows"
        for local, among in choice.among:
            self._value(what, choice.site, own, expand(among))
            own = own.among(local, expand(among))
        whole = choice.candidates if choice.verb == "split" else None
        for part in (whole, choice.low, choice.high, choice.total, choice.each):
            self._value(what, choice.site, own, *(() if part is None else (expand(part),)))
        for norm in choice.norms:
            for part in (norm.test, norm.cover, norm.whole):
                if part is not None:
                    self._value(what, norm.site, own, expand(part))

    # ------------------------------------------------------------ what is known afterwards

    def _enter(
        self,
        name: str,
        way: Knowledge,
        site: int,
        params: Sequence[ir.Param],
        arguments: Sequence[ir.Expr],
    ) -> None:
        """Note what is known where something is run, of all places where it is."""
        handing = Handing(params, arguments)
        hidden = (
            self._full(e, way) for e in way.given if walk.free(e) and self._reads_hidden(self._full(e, way))
        )
        veiled = {
            param.name: Veiled(
                states, ir.Local(param.name + MARK, param.type), (self._premise(way, e, site),)
            )
            for param, e in zip(params, arguments, strict=True)
            if (states := self._states(e, way)) and not isinstance(e.type, MapOf)
        }
        self._note_entry(
            name,
            Knowledge(handing.conditions_inside(hidden), handing.values_inside(way.shown), veiled=veiled),
        )

    def _ask(self, stmt: ir.Choose | ir.ChooseEach, way: Knowledge) -> None:
        """Note what is known where a choice is asked; that its arguments may differ is a sign of its own."""
        handing = Handing(self._facts.choices[stmt.choice].params, stmt.arguments)
        self._note_entry(_asking(stmt.choice), Knowledge(shown=handing.values_inside(way.shown)))

    def _note_entry(self, name: str, here: Knowledge) -> None:
        """Note what is known at one more place where something is run: of all places, what all know."""
        known = self._entries.get(name)
        if known is not None:
            joined = {one: join(local, known.veiled.get(one)) for one, local in here.veiled.items()}
            given = tuple(e for e in known.given if e in here.given)
            here = Knowledge(given, here.shown & known.shown, veiled={**known.veiled, **joined})
        self._entries[name] = here

    def _after(self, stmt: ir.Stmt, way: Knowledge) -> Knowledge:
        """Return the knowledge after a statement without blocks."""
        bound = bindings((stmt,))
        run = self._facts.procedures[stmt.procedure].body if isinstance(stmt, ir.Do) else (stmt,)
        after = self._after_changes(self._after_binding(way, bound), self._changes_in(run))
        if isinstance(stmt, ir.Let) and self._states(stmt.value, way):
            if stmt.local.name in walk.free(stmt.value):
                return self._veil(after, bound, stmt.value, way)
            return replace(after, values={**after.values, stmt.local.name: self._full(stmt.value, way)})
        if isinstance(stmt, ir.Let) and stmt.local.name in self._naming_sides - walk.free(stmt.value):
            return replace(after, values={**after.values, stmt.local.name: self._full(stmt.value, way)})
        if isinstance(stmt, ir.DrawTop) and not self._late and self._procedure not in self._facts.late:
            drawn = known_of_drawn(self._facts, stmt, self._name)
            after = replace(after, given=(*after.given, *filter(self._reads_hidden, drawn)))
        if isinstance(stmt, ir.Write) and stmt.op == "exclude" and self._is_hidden(stmt.state):
            return self._after_taking(stmt, way, after)
        if isinstance(stmt, ir.DrawLot) and (stmt.known is not None or self._reads_hidden(stmt.over)):
            after = after.among(stmt.local, stmt.over)
        if isinstance(stmt, CHANCE) and stmt.known is not None:
            return self._unseen(stmt, stmt.known, after)
        if isinstance(stmt, ir.Do) and bound:
            states = self._behind(stmt.procedure).union(*(self._states(e, way) for e in stmt.arguments))
            premises = self._result_premises(stmt.procedure)
            return after.veil(bound, states, premises) if states else after
        if isinstance(stmt, ir.Choose) and stmt.local is not None:
            chosen = known_of_answer(self._facts, stmt, stmt.local, self._name)
            after = replace(after, given=(*after.given, *filter(self._reads_hidden, chosen)))
            return self._secret(stmt, stmt.local, after) if self._facts.choices[stmt.choice].secret else after
        if isinstance(stmt, ir.Reveal):
            seen = TRUE if stmt.known is None else self._full(self._twin.hidden.is_among(stmt.known), way)
            keys = tuple(self._full(key, way) for key in stmt.keys)
            return replace(after, shown=after.shown | {RevealedValue(stmt.state, keys, seen=seen)})
        return after

    def _after_taking(self, stmt: ir.Write, way: Knowledge, after: Knowledge) -> Knowledge:
        """Return the knowledge with what a hidden set held before things were taken from it."""
        if stmt.value is None or self._late or self._procedure in self._facts.late:
            return after
        held = ir.Local(self._name("held"), self._facts.states[stmt.state].type)
        take = replace(
            stmt, keys=tuple(self._full(e, way) for e in stmt.keys), value=self._full(stmt.value, way)
        )
        before = tuple(self._full(e, way) for e in way.given)
        known = tuple(known_of_taken(self._facts, take, held, before, self._name))
        if not known:
            return after
        veiled = Veiled(frozenset(), ir.Local(held.name + MARK, held.type), None)
        return replace(after, given=(*after.given, *known), veiled={**after.veiled, held.name: veiled})

    def _reads_hidden(self, e: ir.Expr) -> bool:
        return bool(self._twin.hidden.in_expression(e))

    def _name(self, name: str) -> str:
        return f"{name}{MARK} {next(self._fresh)} here"

    def _unseen(self, stmt: ir.Roll | ir.DrawLot | ir.DrawTop, known: ir.Expr, way: Knowledge) -> Knowledge:
        """The knowledge after a secret draw or roll: the sides named see it, and those that see the rest."""
        sees = self._full(self._twin.hidden.is_among(known), way)
        if isinstance(stmt, ir.DrawTop):
            sees = disjunction(sees, self._twin.hidden.knows(self._facts.states[stmt.state], stmt.keys))
        drawn = stmt.raw if isinstance(stmt, ir.Roll) else stmt.local
        if sees == TRUE or drawn.name in walk.free(sees):
            return way
        other = ir.If(sees, drawn, ir.Local(drawn.name + MARK, drawn.type), drawn.type)
        veiled = {**way.veiled, drawn.name: Veiled(frozenset((stmt.point,)), other, None)}
        if isinstance(stmt, ir.Roll) and stmt.local is not None and stmt.modified is not None:
            return replace(way, veiled=veiled, values={**way.values, stmt.local.name: stmt.modified})
        if not isinstance(stmt, ir.Roll) and not stmt.one and self._is_number_seen(stmt):
            number = ir.Local(self._name("number"), number_drawn(self._facts, stmt))
            way = replace(way, given=(*way.given, ir.Op("eq", (size_of(drawn), number), FLAG)))
        return replace(way, veiled=veiled)

    def _is_number_seen(self, stmt: ir.DrawLot | ir.DrawTop) -> bool:
        """True if all see how many things are drawn: out of a cup, a stack or a hidden set."""
        return (
            isinstance(stmt, ir.DrawTop)
            or isinstance(stmt.over, ir.Read)
            and self._is_hidden(stmt.over.state)
        )

    def _secret(self, stmt: ir.Choose, local: ir.Local, way: Knowledge) -> Knowledge:
        """The answer to a secret choice, which only its side knows."""
        choice = self._facts.choices[stmt.choice]
        arguments = {param.name: e for param, e in zip(choice.params, stmt.arguments, strict=True)}
        decider = walk.substitute(choice.decider, arguments)
        other: ir.Expr = ir.Local(local.name + MARK, local.type)
        if not self._facts.reads(decider) and local.name not in walk.free(decider):
            side = ir.Const(self._twin.hidden.side, decider.type)
            other = ir.If(ir.Op("eq", (decider, side), FLAG), local, other, local.type)
        veiled = Veiled(frozenset((stmt.choice,)), other, None)
        return replace(way, veiled={**way.veiled, local.name: veiled})

    def _behind(self, procedure: str) -> frozenset[str]:
        """The hidden states on which the result of a procedure may depend, whatever it is given."""
        if procedure not in self._tainted:
            body = self._facts.procedures[procedure].body
            parts = [e for stmt in self._facts.statements_from(body) for e in walk.expressions(stmt)]
            self._tainted[procedure] = frozenset().union(*map(self._twin.hidden.in_expression, parts))
        return self._tainted[procedure]

    def _changes_in(self, block: ir.Block) -> frozenset[str]:
        """The states that a block may have changed when it ends: inside `together`, changes wait."""
        if not self._late:
            return self._facts.changes_in(block)
        now = (one for one in self._facts.statements_from(block) if not isinstance(one, ir.LateChange))
        return frozenset().union(*map(self._facts.changes, now))

    def _result_premises(self, procedure: str) -> list[Premise]:
        """Why the result of a procedure may differ: it grows while the procedure is followed."""
        return self._results.setdefault(procedure, [])

    def _veil(self, way: Knowledge, bound: Mapping[str, ir.Local], e: ir.Expr, then: Knowledge) -> Knowledge:
        """The same where some locals may differ because an expression does, at a place before."""
        return way.veil(bound, self._states(e, then), (self._premise(then, e),))

    def _after_binding(self, way: Knowledge, names: Iterable[str]) -> Knowledge:
        """Return what is still known when some locals get other values."""
        names = frozenset(names)
        if not names:
            return way
        stale = [name for name, e in way.values.items() if name not in names and walk.free(e) & names]
        way = self._outdate(way, stale, way)
        return Knowledge(
            tuple(e for e in way.given if not walk.free(e) & names),
            frozenset(one for one in way.shown if not one.free & names),
            {name: value for name, value in way.values.items() if name not in names},
            {name: veiled for name, veiled in way.veiled.items() if name not in names},
        )

    def _after_changes(self, way: Knowledge, states: frozenset[str]) -> Knowledge:
        """Return what is still known when some states have changed."""
        if not states:
            return way

        def is_stale(e: ir.Expr) -> bool:
            return bool(self._facts.reads(e) & states)

        after = replace(
            way,
            given=tuple(e for e in way.given if not is_stale(self._full(e, way))),
            shown=frozenset(
                one for one in way.shown if one.state not in states and not any(map(is_stale, one.parts))
            ),
        )
        return self._outdate(after, [name for name, e in way.values.items() if is_stale(e)], way)

    def _either(self, one: Knowledge, two: Knowledge) -> Knowledge:
        """Return the knowledge where two ways meet."""
        values = {**two.values, **one.values}
        given = tuple(e for e in one.given if e in two.given)
        both = Knowledge(given, one.shown & two.shown, values, {**one.veiled, **two.veiled})
        differing = [name for name in values if one.values.get(name) != two.values.get(name)]
        return self._outdate(both, differing, both)

    def _outdate(self, way: Knowledge, names: Iterable[str], before: Knowledge) -> Knowledge:
        """The same where locals have values that the present state does not give any more."""
        for name in names:
            value = before.values[name]
            if self._states(value, before):
                way = self._veil(way, {name: ir.Local(name, value.type)}, value, before)
            else:
                way = replace(way, values={key: e for key, e in way.values.items() if key != name})
        return way


def _asking(choice: str) -> str:
    """The name of a choice among procedures."""
    return f"choice {choice}"
