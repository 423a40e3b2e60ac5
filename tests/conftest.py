"""What every test may use: golden files, a cache folder of one's own, quiet hypothesis settings."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Several people's machines, and other work on them: a deadline would only measure the load.
# Where CI says so the examples are the same every time, so that a failure comes from the change.
settings.register_profile(
    "rulekit",
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="CI" in os.environ,
)
settings.load_profile("rulekit")

# Tests keep whole rule sets, through which each full collection would look: half the time of a compile.
gc.set_threshold(100_000, 20, 100)


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--update-golden` rewrites the files in `tests/golden/`."""
    parser.addoption("--update-golden", action="store_true", help="rewrite tests/golden; then read the diff")


@pytest.fixture(autouse=True, scope="session")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tests neither read nor fill the cache of whoever runs them; one folder serves a whole process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULEKIT_CACHE", str(tmp_path_factory.mktemp("rulekit-cache")))
        yield


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare text with `tests/golden/<name>`; `--update-golden` rewrites it."""

    def check(name: str, actual: str) -> None:
        path = Path(__file__).with_name("golden") / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(actual, encoding="utf-8")
        assert path.exists(), f"no golden {name}: run with --update-golden, then read the diff"
        assert path.read_text(encoding="utf-8") == actual

    return check
