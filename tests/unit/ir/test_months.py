"""Months as they are written: by their names, short or in full, and no others."""

from __future__ import annotations

import pytest

from rulekit.ir.types import month_number, month_text


@pytest.mark.parametrize("text", ["Jun 1943", "June 1943", "June  1943"])
def test_a_month(text: str) -> None:
    """The years are counted from nought, months within them from January."""
    assert 12 * 1943 + 5 == month_number(text)
    assert "Jun 1943" == month_text(month_number(text))


def test_september_has_three_names() -> None:
    """As in the grammar."""
    assert [12 * 1943 + 8] * 3 == [month_number(f"{name} 1943") for name in ("Sep", "Sept", "September")]


@pytest.mark.parametrize(
    "text",
    [
        "Junember 1943",
        "Ju 1943",
        "jun 1943",
        "Jun",
        "1943",
        "",
        "Jun 43",
        "Jun 19430",
        "Jun 1_943",
        "Jun 1943 x",
    ],
)
def test_no_month(text: str) -> None:
    """What only begins like one is none."""
    with pytest.raises(ValueError, match="invalid month"):
        month_number(text)
