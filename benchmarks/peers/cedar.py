"""Cedar: policies that permit and forbid, checked against a schema; a request is allowed or denied."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from benchmarks.peers.said import Ask, Complaint, Pair, Said, asked

SCHEMA = """
entity Side;
entity Ship { damage: Long, planes: Long, armor: Long, hidden: Bool };
entity Plane;
action fire appliesTo { principal: Side, resource: [Ship], context: { night: Bool } };
action search appliesTo { principal: Side, resource: [Ship, Plane], context: { night: Bool } };
"""
FORBID = 'forbid(principal, action == Action::"fire", resource)'
PERMIT = 'permit(principal, action == Action::"fire", resource);'


def by_hand() -> Mapping[str, Pair]:
    """Norms as policies; that a member is there for every request is what a side may do."""
    return {
        "RK210/never-defined": _pair(
            'permit(principal, action == Action::"search", resource is Ship) when { resource.carrier };',
            'permit(principal, action == Action::"search", resource is Ship) when { resource.planes > 0 };',
        ),
        "RK212/a-field-of-another-kind": _pair(
            'permit(principal, action == Action::"search", resource) when { resource.armor > 1 };',
            'permit(principal, action == Action::"search", resource is Ship) when { resource.armor > 1 };',
        ),
        "RK502/contradiction": _norm(
            "when { resource.damage > 5 } when { resource.damage < 3 }", "when { resource.damage > 5 }"
        ),
        "RK502/only-carriers-are-asked": _pair(
            'permit(principal, action == Action::"fire", resource) when { resource.planes > 0 };'
            f"{FORBID} when {{ resource.planes == 0 && context.night }};",
            f"{PERMIT} {FORBID} when {{ resource.planes == 0 && context.night }};",
        ),
        "RK503/same-condition": _norm(
            "when { resource.damage > 3 } unless { resource.damage < 2 }",
            "when { resource.damage > 3 } unless { resource.damage > 8 }",
        ),
        "RK503/the-clause-denied": _norm(
            "when { resource.damage > 3 && context.night } unless { !context.night }",
            "when { resource.damage > 3 && context.night } unless { resource.damage > 8 }",
        ),
        "RK503/two-exceptions": _norm(
            "when { resource.damage > 3 } unless { resource.damage > 5 } unless { resource.damage > 7 }",
            "when { resource.damage > 3 } unless { resource.damage > 5 } unless { resource.hidden }",
        ),
        "RK504/two-clauses": _norm(
            "when { resource.damage > 3 } when { context.night } when { !context.night }",
            "when { resource.damage > 3 } when { context.night }",
        ),
        "RK510/bans-that-only-together-leave-nothing": _pair(
            f"{PERMIT} {FORBID} when {{ resource.damage > 5 }};"
            f"{FORBID} when {{ resource.hidden && resource.damage < 6 }};",
            f"{PERMIT} {FORBID} when {{ resource.damage > 5 }};",
        ),
    }


def _norm(faulty: str, twin: str) -> Pair:
    return _pair(f"{PERMIT} {FORBID} {faulty};", f"{PERMIT} {FORBID} {twin};")


def _pair(faulty: str, twin: str) -> Pair:
    return Pair(lambda: _asked(faulty), lambda: _asked(twin))


def _asked(policies: str) -> Said:
    """What the validator tells of policies, and what comes of every request."""
    import cedarpy

    def load() -> Ask:
        checked = cedarpy.validate_policies(policies, SCHEMA)
        if not checked.validation_passed:
            raise Complaint(checked.errors[0].error)

        def ask(given: Mapping[str, Any]) -> str:
            ship = {
                "damage": given["damage"],
                "planes": given["planes"],
                "armor": 2,
                "hidden": given["hidden"],
            }
            entities = [
                {"uid": {"type": "Ship", "id": "Alpha"}, "attrs": ship, "parents": []},
                {"uid": {"type": "Side", "id": "Red"}, "attrs": {}, "parents": []},
            ]
            request = {
                "principal": 'Side::"Red"',
                "action": 'Action::"fire"',
                "resource": 'Ship::"Alpha"',
                "context": {"night": given["night"]},
            }
            answer = cedarpy.is_authorized(request, policies, entities)
            if answer.diagnostics.errors:
                raise Complaint(answer.diagnostics.errors[0])
            return ""

        return ask

    inputs = itertools.product((0, 1, 3, 4, 6, 8, 9), (0, 3), (False, True), (False, True))
    return asked(
        load, [dict(zip(("damage", "planes", "hidden", "night"), each, strict=True)) for each in inputs]
    )
