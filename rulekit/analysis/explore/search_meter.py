"""How far the searches for legal answers go in games of the check."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, Final

from rulekit import ir
from rulekit.diagnostics import Diagnostic, kinds
from rulekit.runtime.codegen.assemble import GeneratedModule
from rulekit.runtime.support.build import SEARCH_NODES

LONG: Final = SEARCH_NODES // 10
"""Partial answers from which a search is reported."""

SEARCHED: Final = ("pick_set", "assign", "assign_set", "split", "arrange", "share")


class SearchMeter:
    """Counts the partial answers that the searches of one module judge.

    Attributes:
        longest: For each choice that was searched, the most of them to list the legal answers to one part.
    """

    def __init__(self, module: GeneratedModule) -> None:
        self.longest: dict[str, int] = {}
        names, known = module.unit.names, module.unit.namespace
        judges = ((choice.name, names.get(("broken", choice.name))) for choice in module.program.choices)
        self._choices = {known[name]: choice for choice, name in judges if name is not None}
        for verb in SEARCHED:
            helper = names.get(("helper", f"search {verb}"))
            if helper is not None:
                known[helper] = self._with_meter(known[helper])

    def _with_meter(self, search: Callable[..., Any]) -> Callable[..., Any]:
        """The search, with judges that count; in the place of the meter of an earlier player."""
        search = getattr(search, "__wrapped__", search)

        @wraps(search)
        def counting(*arguments: Any) -> Any:
            judged = 0

            def with_count(judge: Any) -> Any:
                def count(*answer: Any) -> Any:
                    nonlocal judged
                    judged += 1
                    return judge(*answer)

                return count

            choice = next((self._choices[one] for one in arguments if _is_key(one, self._choices)), None)
            given = [with_count(one) if callable(one) else one for one in arguments]
            try:
                return search(*given)
            finally:
                if choice is not None:
                    self.longest[choice] = max(self.longest.get(choice, 0), judged)

        return counting

    def findings(self, program: ir.Program) -> Iterator[Diagnostic]:
        """Yield a finding for each choice with a long search; one that gave up is a fault of the game."""
        for choice in program.choices:
            judged = self.longest.get(choice.name, 0)
            if not LONG <= judged < SEARCH_NODES:
                continue
            message = (
                f"to list the legal answers to one part of `{choice.name}`, the search judged {judged:,} "
                f"partial answers; it gives up at {SEARCH_NODES:,}"
            )
            hint = "give its norms on the whole answer limits that each further pick brings nearer"
            span, key = program.sites[choice.site].span, (f"choice {choice.name}",)
            yield Diagnostic(kinds.LONG_SEARCH, message, span, hint=hint, key=key)


def _is_key(one: object, known: dict[Any, str]) -> bool:
    return callable(one) and one in known
