"""`python -m rulekit`: the command line, where no script is on the path."""

from rulekit.cli import main

main()
