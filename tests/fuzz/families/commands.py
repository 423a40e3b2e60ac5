"""Command lines with odd arguments, and odd lines typed at a game.  They run in this process.

Options and their types come from the commands themselves.  Paths are relative ones inside a working folder,
whatever a mutation makes of them; what a command wrote there is put right before the next one.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import random
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import click

from rulekit.cli import VERBS
from tests.fuzz.bundle import scratch
from tests.fuzz.family import Family, expect
from tests.fuzz.mutation import ODD_TEXTS, spoil, to_bytes
from tests.fuzz.promises import check_printable
from tests.unit.cli.commands import COMMANDS, working_folder
from tests.unit.cli.running import rulekit

CODES: Final = {0, 1, 2, 3, 130, 141}
TOO_LONG: Final = ("--mutate", "--jobs", "--play", "--games", "--sample", "pdf", "png", "svg", "sheet.pdf")
"""Words of commands that start processes or typesetting, or take as long as one asks for."""
WORDS: Final = (
    *(
        "Swift",
        "Gull",
        "blow",
        "wind",
        "calm",
        "Red",
        "Blue",
        "side",
        "b=Swift",
        "n=3",
        "Swift.load=3",
        "FERRY.1",
    ),
    *(
        "1",
        "2:1",
        "RK294",
        "RK402",
        "RK999",
        "person",
        "random",
        "first-legal",
        "Red=random",
        "Red=",
        "=",
        "de",
        "en",
    ),
    *(
        "0",
        "-1",
        "7",
        "007",
        "9" * 30,
        "1942",
        "Jan 1942",
        "a=b=c",
        "x",
        "",
        " ",
        "-",
        "--",
        "-x",
        "--x=y",
        "ferry",
    ),
)
FILES: Final = (
    *(
        "set",
        "set/ruleset.yaml",
        "set/ferry.rules",
        "set/data",
        "given/save.json",
        "given/log.jsonl",
        "given/theme.yaml",
    ),
    *(
        "given/owner.yaml",
        "given/baseline.json",
        "given/sheet.json",
        "out/x.md",
        "out/x.json",
        "out/x.csv",
        "out/x.html",
    ),
    *("out/x.jsonl", "out/save.json", "out", "none", "out/none/x", "out/x", "x.tex", "nul"),
)
TYPED: Final = (
    "1",
    "2",
    "?",
    "help",
    "undo",
    "why 1",
    "show",
    "show boats",
    "quit",
    "0",
    "99",
    "yes",
    "none",
    "log",
    "",
)
_OUTSIDE = re.compile(r"(^|[=,:\s])[/~]|\.\.|/dev|/proc")


def generate(chance: random.Random) -> bytes:
    """Return the words of a command, one a line, and after a line `--- typed` what is typed."""
    if chance.random() < 0.3:
        words = chance.choice(list(COMMANDS.values())).split()
        at = chance.randrange(len(words))
        words[at] = _value(None, chance)
    else:
        verb = chance.choice(sorted(VERBS))
        words = [verb, *_arguments(_command(verb), chance)]
    if chance.random() < 0.15:
        at = chance.randrange(len(words))
        words[at] = spoil(words[at], chance, 1)
    words = [word.replace("\n", " ") for word in words]
    typed = [chance.choice(TYPED) for _ in range(chance.randint(0, 5))]
    typed = [spoil(line, chance, 1) if chance.random() < 0.2 else line for line in typed]
    text = "\n".join([*words, "--- typed", *typed])
    return to_bytes(text, chance)


def _arguments(command: click.Command, chance: random.Random) -> Iterator[str]:
    """Yield options and arguments as a command declares them."""
    if isinstance(command, click.Group):
        name = chance.choice(sorted(command.commands) or ["x"])
        inner = command.commands.get(name)
        yield name
        if inner is not None:
            yield from _arguments(inner, chance)
        return
    likely = chance.choice((0.05, 0.2))
    for param in command.params:
        if isinstance(param, click.Argument):
            for _ in range(1 if param.nargs == 1 else chance.randint(0, 2)):
                yield "set" if param.name in ("set_name", "sets", "names") else _value(param, chance)
        elif isinstance(param, click.Option) and (param.required or chance.random() < likely):
            yield chance.choice(param.opts)
            if not param.is_flag:
                yield _value(param, chance)


def _value(param: click.Parameter | None, chance: random.Random) -> str:
    if chance.random() < 0.1:
        return chance.choice(ODD_TEXTS)
    kind = None if param is None else param.type
    if isinstance(kind, click.Choice) and chance.random() < 0.9:
        return str(chance.choice(list(kind.choices)))
    if isinstance(kind, click.Path) or chance.random() < 0.3:
        return chance.choice(FILES)
    return chance.choice(WORDS)


@cache
def _command(verb: str) -> click.Command:
    command: click.Command = importlib.import_module(f"rulekit.cli.{verb}").command
    return command


def run(data: bytes) -> None:
    """Run the command: it ends with a code of the documentation, and prints what is printable."""
    words, typed = words_of(data)
    if not is_harmless(words):
        return
    with _working_folder():
        ran = rulekit(*words, typed=typed)
    expect(ran.code in CODES, "an exit code is one of those documented", ran.code)
    expect(ran.code != 2 or bool((ran.err + ran.out).strip()), "who cannot run says why", words)
    check_printable(ran.err)
    if not {"-o", "--log", "--output", "json", "sarif"} & {*words} and "-" not in words:
        check_printable(ran.out)


def words_of(data: bytes) -> tuple[list[str], str]:
    """Return the words of a command, and what is typed."""
    text = data.decode("utf-8", "surrogateescape")
    words, _, typed = text.partition("\n--- typed")
    return [word for word in words.split("\n") if "\0" not in word], typed.removeprefix("\n").replace(
        "\0", ""
    )


def is_harmless(words: Sequence[str]) -> bool:
    """True if no word leads out of the working folder, or asks for what takes long."""
    long = any(word.casefold().endswith(TOO_LONG) or word.startswith(TOO_LONG) for word in words)
    return not long and not any(_OUTSIDE.search(word) for word in words)


# ---------------------------------------------------------------- the working folder


@contextlib.contextmanager
def _working_folder() -> Iterator[None]:
    """Be in a working folder that is as it was made."""
    folder, before = _made()
    if _listed(folder) != before:
        shutil.rmtree(folder)
        _made.cache_clear()
        folder, before = _made()
    here = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(here)


@cache
def _made() -> tuple[Path, Mapping[str, Any]]:
    folder = scratch() / "working"
    folder.mkdir()
    working_folder(folder)
    return folder, _listed(folder)


def _listed(folder: Path) -> Mapping[str, Any]:
    """What is in a folder, and when it was changed."""
    listed: dict[str, Any] = {}
    folders = [str(folder)]
    while folders:
        for entry in os.scandir(folders.pop()):
            about = entry.stat(follow_symlinks=False)
            listed[entry.path] = about.st_size, about.st_mtime_ns
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
    return listed


FAMILY = Family("command", generate, run, weight=14, seconds=20)
