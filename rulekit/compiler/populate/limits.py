"""How large a world may be (spec 4.8): refused before anything of that size is made."""

from __future__ import annotations

import math

from rulekit import ir
from rulekit.base.source import Span
from rulekit.compiler.names import Names
from rulekit.compiler.populate.fields import key_size
from rulekit.compiler.populate.type_reader import MAX_CELLS, MAX_MEMBERS
from rulekit.compiler.world import StoreInfo
from rulekit.diagnostics import Diagnostic, Report, kinds


def few_members(names: Names, report: Report) -> bool:
    """Whether the members that the rules count out, and the groups, are few enough."""
    sound = True
    for population in names.populations.values():
        if population.count is not None and not 1 <= population.count <= MAX_MEMBERS:
            sound = _refuse(f"a kind has 1 to {MAX_MEMBERS:,} members", population.span, report)
    for group in names.groups.values():
        if not 1 <= group.most <= MAX_MEMBERS:
            sound = _refuse(f"the number of groups must be 1 to {MAX_MEMBERS:,}", group.span, report)
    return sound


def small_domains(
    domains: dict[str, ir.Domain], spans: dict[str, Span], names: Names, report: Report
) -> bool:
    """Whether each domain has at most `MAX_MEMBERS`, whatever gives them."""
    sound = True
    for domain in domains.values():
        if len(domain.members) > MAX_MEMBERS:
            sorts = [p.span for p in names.populations.values() if p.sort == domain.name]
            span = spans.get(domain.name) or sorts[-1]
            sound = _refuse(f"`{domain.name}` has more than {MAX_MEMBERS:,} members", span, report)
    return sound


def small_stores(stores: dict[str, StoreInfo], domains: dict[str, ir.Domain], report: Report) -> bool:
    """Whether each field has at most `MAX_CELLS` values over its members and keys."""
    sound = True
    for store in stores.values():
        cells = math.prod(key_size(key, domains) for key in store.keys)
        if cells > MAX_CELLS:
            field = store.fields[0]
            message = f"`{field.name}` has {cells:,} values (limit: {MAX_CELLS:,})"
            sound = _refuse(message, field.decl.span, report)
    return sound


def _refuse(message: str, span: Span, report: Report) -> bool:
    report.add(Diagnostic(kinds.IMPOSSIBLE_TYPE, message, span))
    return False
