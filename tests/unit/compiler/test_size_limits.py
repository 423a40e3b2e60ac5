"""What is worked out before play is bounded for a whole set, not for each item alone."""

from __future__ import annotations

import pytest

from rulekit.compiler.populate import fields
from rulekit.compiler.typecheck.tables import shape
from rulekit.testing import mismatches

MOST = 100


@pytest.fixture(autouse=True)
def few_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the limit one that a test soon reaches."""
    monkeypatch.setattr(fields, "MAX_VALUES", MOST)
    monkeypatch.setattr(shape, "MAX_VALUES", MOST)


def test_fields_up_to_the_limit() -> None:
    """Ten members with ten fields are in order; the field that passes the limit is named."""
    ten = "".join(f"    f{n}: 0..9 = 3\n" for n in range(10))

    assert [] == mismatches(f"piece P:\n    members 10\n{ten}")
    assert [] == mismatches(f'piece P:\n    members 10\n{ten}    one: 0..9 = 3 #! RK301 "up to `one`"\n')


def test_tables_up_to_the_limit() -> None:
    """Ten tables of ten entries are in order, and no more."""
    table = "table t{}(a: 1..10) -> 0..9:{}\n    | a     | r |\n    | 1..10 | 1 |\n"
    ten = "".join(table.format(n, "") for n in range(10))

    assert [] == mismatches(ten)
    assert [] == mismatches(ten + table.format(10, ' #! RK331 "all tables together"'))
