"""`python -m rulekit.syntax.parse.write_tables FILE`: write the parser tables, for a wheel."""

from __future__ import annotations

import sys
from pathlib import Path

from rulekit.base import resources
from rulekit.syntax.parse.lark_parser import tables


def main() -> None:
    """Write the tables of the one grammar to the file named on the command line."""
    Path(sys.argv[1]).write_bytes(tables(resources.grammar_text()))


if __name__ == "__main__":
    main()
