"""Rulings of choices: what would deny that a choice forbids, permits or requires something."""

from __future__ import annotations

from collections.abc import Iterable

from rulekit import ir
from rulekit.compiler.model import RulingModel
from rulekit.ir import walk
from rulekit.ir.types import Flag

_FLAG = Flag()
_TRUE, _FALSE = ir.Const(True, _FLAG), ir.Const(False, _FLAG)


def breach(choice: ir.Choice, ruling: RulingModel, *, offered: bool) -> tuple[tuple[ir.Param, ...], ir.Expr]:
    """Parameters, and the condition that an option is treated otherwise than the claim says.

    A norm that may be healed by the rest of the answer refuses nothing by itself.  `offered`: only options
    that are candidates.
    """
    assert ruling.norm is not None
    if ruling.norm.declining:
        return _declined(choice, ruling)
    lets = walk.written_out(choice.lets)
    refused = _refused(choice)
    denied = refused if ruling.word == "permit" else _not(refused)
    whole = _and(ruling.norm.test, denied)
    if offered:
        whole = _and(_and(ruling.norm.test, _candidate(choice)), denied)
    locals_ = [local for local in (choice.item, choice.option, choice.before) if local is not None]
    params = (*choice.params, *(ir.Param(local.name, local.type) for local in locals_))
    return params, walk.substitute(whole, lets)


def _declined(choice: ir.Choice, ruling: RulingModel) -> tuple[tuple[ir.Param, ...], ir.Expr]:
    """That one must answer where one is said to be free, or may decline where one is said to be bound."""
    assert ruling.norm is not None
    lets = walk.written_out(choice.lets)
    bound = _any(norm.test for norm in choice.norms if norm.declining)
    whole = _and(ruling.norm.test, bound if ruling.word == "permit" else _not(bound))
    params = (
        choice.params
        if choice.item is None
        else (*choice.params, ir.Param(choice.item.name, choice.item.type))
    )
    return params, walk.substitute(whole, lets)


def _refused(choice: ir.Choice) -> ir.Expr:
    """That some norm stands against an option for good, or no permission speaks for it."""
    final = [norm for norm in choice.norms if norm.cover is None and norm.whole is None]
    found = _any(norm.test for norm in final if norm.word != "permit" and not norm.declining)
    permits = [norm.test for norm in choice.norms if norm.word == "permit"]
    return ir.Op("or", (found, _not(_any(permits))), _FLAG) if permits else found


def _candidate(choice: ir.Choice) -> ir.Expr:
    """That the option is offered at all."""
    found: ir.Expr = _TRUE
    if choice.item is not None and choice.items is not None:
        found = ir.Op("has", (choice.item, choice.items), _FLAG)
    if choice.candidates is not None and choice.verb in ("pick_one", "pick_set", "assign", "arrange"):
        found = _and(found, ir.Op("has", (choice.option, choice.candidates), _FLAG))
    return found


def _any(tests: Iterable[ir.Expr]) -> ir.Expr:
    found: ir.Expr = _FALSE
    for test in tests:
        found = ir.Op("or", (found, test), _FLAG)
    return found


def _not(test: ir.Expr) -> ir.Expr:
    return ir.Op("not", (test,), _FLAG)


def _and(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    return ir.Op("and", (left, right), _FLAG)
