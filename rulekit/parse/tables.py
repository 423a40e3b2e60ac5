"""`python -m rulekit.parse.tables FILE`: write the parser tables, for a wheel."""

from __future__ import annotations

import sys
from pathlib import Path

from rulekit import resources
from rulekit.parse.slow import tables


def main() -> None:
    """Write the tables of the one grammar to the file named on the command line."""
    Path(sys.argv[1]).write_bytes(tables(resources.grammar_text()))


if __name__ == "__main__":
    main()
