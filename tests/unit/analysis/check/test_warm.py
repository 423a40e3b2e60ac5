"""A check of unchanged files answers from the cache, and loads nothing that it does not need for that."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

DUEL = Path(__file__).parents[3] / "sets" / "duel"
SCRIPT = """
import sys
from pathlib import Path
from rulekit.analysis.check import check
checked = check(Path(sys.argv[1]))
print(checked.from_cache, *(name for name in sys.modules if name.startswith("rulekit.")))
"""


def modules_of_check(cache: Path) -> tuple[str, set[str]]:
    """Whether the cache answered, and the packages that were loaded: two names of the path at most."""
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(DUEL)],
        env={**os.environ, "RULEKIT_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    )
    from_cache, *modules = run.stdout.split()
    return from_cache, {".".join(name.split(".")[:3]) for name in modules}


def test_a_warm_check_loads_little(tmp_path: Path) -> None:
    """Neither compiler nor prover, nor anything of games."""
    assert "False" == modules_of_check(tmp_path)[0]
    from_cache, modules = modules_of_check(tmp_path)

    heavy = ("rulekit.compiler", "rulekit.ir", "rulekit.runtime", "rulekit.syntax", "rulekit.analysis.prove")
    assert "True" == from_cache
    assert [] == [name for name in sorted(modules) if name.startswith(heavy)]
