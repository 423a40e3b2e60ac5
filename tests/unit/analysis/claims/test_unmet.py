"""What an example that fails says of the condition that does not hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.analysis.claims.unmet import unmet_values
from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report
from rulekit.runtime.play.examples import Examples

RULES = """\
space Area:
    members North, South
piece Ship:
    members Alpha, Beta
    armor: 1..9 = 2
    state sunk: flag
state n: 0..9
example "x":
    given Alpha at North
    when add 1 to n
    let m = n + 1
    then {condition}
    when add 1 to n
    then n = 2
"""

CONDITIONS = {
    "n = m": ["`n` is 1", "`m` is 2"],
    "n = 1 and m * 2 < n + 3 and only(Ship) is Alpha": ["`m * 2` is 4", "`n + 3` is 4"],
    "n in 5..6": ["`n` is 1"],
    "n not in {1, 2}": ["`n` is 1"],
    "Alpha is at South": ["`Alpha` is at North"],
    "Beta is at South": ["`Beta` is at none"],
    "not (n is 1)": ["`n` is 1"],
    "every s in Ship has s.armor > m": ["`every s in Ship has s.armor > m` is false for Alpha, Beta"],
    "Alpha is sunk": [],
    "n = 1 or n = 2 and m = 2": [],
}


@pytest.mark.parametrize("condition", CONDITIONS)
def test_values(condition: str, tmp_path: Path) -> None:
    """The first comparison that does not hold, with the values at its place between the steps."""
    (tmp_path / "ruleset.yaml").write_text('id: x\ntitle: X\nlanguage: "0.2"\n')
    (tmp_path / "a.rules").write_text(RULES.replace("{condition}", condition))
    report = Report()
    compiled = compile_rule_set(tmp_path, report)
    example = compiled.program.examples[0]

    result = Examples(compiled.program).run(example)

    values = unmet_values(compiled, example, result.broken) if result.broken is not None else []
    assert CONDITIONS[condition] == values
