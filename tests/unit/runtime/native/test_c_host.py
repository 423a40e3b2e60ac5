"""The host in C: the questions, names, copies, faults and given dice of the host in Python."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from rulekit import compile_rules, ir
from rulekit.ir.reachable import for_play
from rulekit.runtime.native.build import build
from rulekit.runtime.native.host import NativeQuestion, NativeSession
from tests.unit.runtime import make
from tests.unit.runtime.native.compiled_c import CACHE, COMPILER, FLAGS
from tests.unit.runtime.native.test_games import ROOT
from tests.unit.runtime.play.test_positions import game

HOST = ROOT / "hosts" / "c"
PLAY = r"""
#include "set.c"
#include "rulekit_host.h"
static uint64_t memory[RULEKIT_MEMORY / 8 + 1];
static void show(const char *of, int64_t choice, int64_t value) {
    char name[80];
    rulekit_value_name(choice, of, value, name, sizeof name);
    printf("|%s", name);
}
static int play(struct rulekit *r) {
    struct rulekit_question open = rulekit_question(r);
    char name[80];
    for (int asked = 0; open.count; open = rulekit_question(r), asked++) {
        rulekit_choice_name(open.choice, name, sizeof name);
        printf("%s", name);
        show("side", open.choice, open.side);
        show("item", open.choice, open.item);
        for (int64_t n = 0; n < open.count; n++) show("options", open.choice, rulekit_option(r, n));
        puts("");
        if (asked == 2) {
            void *copy = malloc(rulekit_copy_size(r));
            rulekit_copy(r, copy);
            rulekit_answer(r, 0);
            if (rulekit_restore(r, "another") != 2 || rulekit_restore(r, copy)) return 9;
            free(copy);
        }
        if (rulekit_answer(r, open.count / 2)) {
            struct rulekit_fault fault = rulekit_fault(r);
            printf("%s at %s:%lld\n", fault.name, fault.file, (long long)fault.line);
            return 1;
        }
    }
    printf("= %s\n", rulekit_result_name(r, name, sizeof name) < 0 ? "none" : name);
    return 0;
}
int main(void) {
    struct rulekit r = {(unsigned char *)memory, sizeof memory};
    if (rulekit_begin(&r)) return 2;
    GIVE
    if (rulekit_start(&r, 5, SCENARIO)) return 3;
    return play(&r);
}
"""


def by_c(program: ir.Program, folder: Path, scenario: int, give: str = "") -> list[str]:
    """What a program in C writes that plays a game: each question by its names, and the end."""
    (folder / "set.c").write_bytes(build(program, target="c", stops=True))
    return compiled(folder, PLAY.replace("GIVE", give).replace("SCENARIO", str(scenario)))


def compiled(folder: Path, text: str) -> list[str]:
    """The lines that a program in C writes."""
    (folder / "play.c").write_text(text)
    command = [*COMPILER, "-std=c99", *FLAGS, f"-I{HOST}", "-o", folder / "play", folder / "play.c"]
    subprocess.run(command, check=True, env=CACHE | os.environ)
    done = subprocess.run([folder / "play"], capture_output=True, text=True, timeout=60)
    assert done.returncode in (0, 1), done
    return done.stdout.splitlines()


def by_python(program: ir.Program, **given: Any) -> list[str]:
    """The same of the host in Python."""
    session, lines = NativeSession(build(program, stops=True)), []
    question = session.start(5, **given)
    while question is not None:
        lines.append("|".join([question.choice, *shown(question)]))
        question = session.answer(len(question.options) // 2)
    return [*lines, f"= {session.result or 'none'}"]


def shown(question: NativeQuestion) -> list[str]:
    """Side, item and options as the program in C shows them."""
    values = (question.side, question.item, *question.options)
    return [
        " ".join(map(str, one)) if isinstance(one, tuple) else "none" if one is None else str(one)
        for one in values
    ]


@pytest.mark.parametrize(
    "name", ["tests/sets/ferry", "examples/cards/two-lanterns", "examples/boards/breakthrough", "rules/vitp"]
)
def test_questions_are_those_of_python(name: str, tmp_path: Path) -> None:
    """With names of several words, combinations and *none*; a copy is put back on the way."""
    program = for_play(compile_rules(ROOT / name))
    assert by_python(program) == by_c(program, tmp_path, 0 if program.scenarios else -1)


def test_dice_and_draws_are_those_of_python(tmp_path: Path) -> None:
    """Given by number; what cannot be given is refused and changes nothing."""
    program = for_play(game().program)
    ships = next(item.members for item in program.domains if item.name == "piece")
    ada, bea, cid = map(ships.index, ("Ada", "Bea", "Cid"))
    give = f"""
    int64_t faces[] = {{6, 1}}, order[] = {{{cid}, {ada}}}, bag[] = {{{bea}}}, wrong[] = {{7}};
    rulekit_clear_tape(&r, 0);
    if (rulekit_give(&r, "attack", faces, 2) || rulekit_give(&r, "shuffle.pile", order, 2)) return 4;
    if (rulekit_give(&r, "bag", bag, 1) || rulekit_give(&r, "attack", wrong, 1) != 2) return 5;
    if (rulekit_give(&r, "nothing", faces, 2) != 2 || rulekit_give(&r, "bag", bag, 5000) != 2) return 6;
    """
    draws = {"shuffle.pile": [["Cid", "Ada", "Bea"]], "bag": ["Bea"]}
    expected = by_python(program, dice={"attack": [6, 1]}, draws=draws)
    assert expected != by_python(program)
    assert expected == by_c(program, tmp_path, 0, give)


def test_a_fault_has_its_name_and_place(tmp_path: Path) -> None:
    """As in the section of the module."""
    choice = make.choice("yes", "decide", answer=make.FLAG)
    answered = ir.Choose("yes", (), make.local("said", make.FLAG), 0)
    play = make.procedure("play", answered, ir.Fail("no-such-thing", "", 2))
    program = make.program(play, choices=(choice,))
    site = program.sites[2]

    assert f"no-such-thing at {site.file}:{site.line}" == by_c(program, tmp_path, -1)[-1]


def test_the_example_of_its_page_plays(tmp_path: Path) -> None:
    """It compiles without a warning, and asks for names to the end of the game."""
    page = (HOST / "README.md").read_text(encoding="utf-8")
    program = compile_rules(ROOT / "rules/vitp")
    (tmp_path / "vitp.c").write_bytes(build(program, target="c", stops=True))
    written = compiled(tmp_path, page.split("```c\n")[1].split("```")[0])
    assert len(written) > 100
    assert {line.partition(":")[0] for line in written} <= {choice.name for choice in program.choices}
