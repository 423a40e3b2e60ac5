"""The command line, as a script and as `python -m rulekit`; Ctrl-C is quiet while it loads, too."""

from rulekit.base import interrupts


def main() -> None:
    """Run the command line of this process."""
    interrupts.take_over()
    from rulekit.cli import main

    main()


if __name__ == "__main__":
    main()
