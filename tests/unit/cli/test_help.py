"""Help texts are golden: who changes one reads it."""

from __future__ import annotations

import re
from collections.abc import Callable

import click
import pytest

from rulekit.base.language import LANGUAGE
from rulekit.cli import VERBS, group
from tests.unit.cli.running import rulekit

Golden = Callable[[str, str], None]
_READS_ALONE = re.compile(r"(?!(?:Of|Who|What|Where|Whether|That|Only)\b)[A-Z].*\.")


@pytest.fixture(autouse=True)
def _usual_width(monkeypatch: pytest.MonkeyPatch) -> None:
    """A help text is as wide as the terminal allows, up to 80."""
    monkeypatch.setenv("COLUMNS", "80")


def test_help_of_all(golden: Golden) -> None:
    """The front door: every verb with a line, and the exit codes."""
    ran = rulekit("--help")

    # The list of sets grows with `rules/`.
    golden("cli/rulekit.txt", re.sub(r"(Bundled rule sets:) [^.]*\.", r"\1 ...", ran.out))
    assert (0, "") == (ran.code, ran.err)


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_help_of_a_verb(golden: Golden, verb: str) -> None:
    """What a verb is for, its options, and its exit codes where they are its own."""
    ran = rulekit(verb, "--help")

    golden(f"cli/{verb}.txt", ran.out)
    assert (0, "") == (ran.code, ran.err)


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_a_short_way_to_ask(verb: str) -> None:
    """`-h` is `--help`."""
    assert rulekit(verb, "--help") == rulekit(verb, "-h")


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_the_help_of_an_option_reads_alone(verb: str) -> None:
    """It begins with a capital, ends with a full stop, and is neither a fragment nor a clause."""
    command = group.get_command(click.Context(group), verb)

    assert command is not None
    helps = [param.help or "" for param in command.params if isinstance(param, click.Option)]
    assert [] == [text for text in helps if not _READS_ALONE.fullmatch(text)]


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_the_list_says_what_the_verb_says(verb: str) -> None:
    """The one-line summary is the first sentence of the verb's own help."""
    command = group.get_command(click.Context(group), verb)

    assert command is not None and command.help is not None
    assert VERBS[verb] == command.help.split("\n")[0]


def test_no_command_is_a_question_too() -> None:
    """Without a verb the help is shown, and nothing was done."""
    ran = rulekit()

    assert 2 == ran.code
    assert "Commands:" in ran.out + ran.err


def test_version() -> None:
    """Package and language have versions of their own."""
    ran = rulekit("--version")

    assert re.fullmatch(rf"rulekit (\d+\.\d+\.\d+|\(not installed\)), language {LANGUAGE}\n", ran.out)
    assert 0 == ran.code
