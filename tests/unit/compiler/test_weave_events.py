"""Events woven into the procedures of a program."""

from __future__ import annotations

from tests.unit.cli.running import ROOT, alone


def test_the_program_is_the_same_with_every_hash_seed() -> None:
    """Procedures that run inside events stand in the order of the program."""
    written = {
        alone("compile", ROOT / "rules" / "atp", env={"PYTHONHASHSEED": str(seed)}).out for seed in (0, 1, 2)
    }

    assert 1 == len(written)
    assert "'event" in written.pop()
