"""Options that change definitions, whose results are the same with the data of the set."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.diagnostics import Diagnostic, kinds

WHEN = Occasion(offered=True)


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """Yield a note for an option on its own, if no definition that play calls has another result with it."""
    if not rules.unchanged:
        return
    variant = next(one for one in rules.compiled.names.variants.values() if one.word != "exception")
    name, results = variant.name.text, " and ".join(f"`{name}`" for name in rules.unchanged)
    verb = "has" if len(rules.unchanged) == 1 else "have"
    message = f"`{name}` has no effect with the data of the set: {results} always {verb} the same result"
    hint = "check the option and the data that it is about"
    yield Diagnostic(kinds.IDLE_OPTION, message, variant.name.span, hint=hint, key=(f"variant {name}",))
