"""The host in C: the questions, names, copies, faults and given dice of the host in Python."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from rulekit import compile_rules, ir
from rulekit.ir.reachable import for_play
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.types import NONE
from rulekit.runtime.native.build import build
from rulekit.runtime.native.host import NativeQuestion, NativeSession
from rulekit.runtime.native.log.reading import message_of
from rulekit.testing import compile_text
from tests.unit.runtime.native.compiled_c import CACHE, COMPILER, FLAGS
from tests.unit.runtime.native.test_games import ROOT
from tests.unit.runtime.play.test_fault_messages import HEAD, MANIFEST, SAID, TOGETHER, lines
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
        if (rulekit_answer(r, open.count / 2)) return 1;
    }
    printf("= %s\n", rulekit_result_name(r, name, sizeof name) < 0 ? "none" : name);
    return 0;
}
int main(void) {
    struct rulekit r = {(unsigned char *)memory, sizeof memory};
    if (rulekit_begin(&r)) return 2;
    GIVE
    if (rulekit_scenario("another") != -1 || rulekit_start(&r, 5, rulekit_scenario("SCENARIO"))) return 3;
    return play(&r);
}
"""


def by_c(program: ir.Program, folder: Path, give: str = "") -> list[str]:
    """What a program in C writes that plays a game: each question by its names, and the end."""
    (folder / "set.c").write_bytes(build(program, target="c", stops=True))
    scenario = program.scenarios[-1].name if program.scenarios else ""
    return compiled(folder, PLAY.replace("GIVE", give).replace("SCENARIO", scenario))


def compiled(folder: Path, text: str) -> list[str]:
    """The lines that a program in C writes."""
    (folder / "play.c").write_text(text)
    command = [*COMPILER, "-std=c99", *FLAGS, f"-I{HOST}", "-o", folder / "play", folder / "play.c"]
    subprocess.run(command, check=True, env=CACHE | os.environ)
    done = subprocess.run([folder / "play"], capture_output=True, text=True, timeout=60)
    assert 0 == done.returncode, done
    return done.stdout.splitlines()


def by_python(program: ir.Program, **given: Any) -> list[str]:
    """The same of the host in Python."""
    session, lines = NativeSession(build(program, stops=True)), []
    scenario = program.scenarios[-1].name if program.scenarios else None
    question = session.start(5, scenario, **given)
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
    assert by_python(program) == by_c(program, tmp_path)


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
    assert expected == by_c(program, tmp_path, give)


FAULTS = r"""
#include "set.c"
#include "rulekit_host.h"
static uint64_t memory[RULEKIT_MEMORY / 8 + 1];
int main(void) {
    struct rulekit r = {(unsigned char *)memory, sizeof memory};
    if (rulekit_begin(&r)) return 2;
    for (int64_t n = 0; n < COUNT; n++) {
        char why[500], start[9];
        if (rulekit_start(&r, 0, -1) || (!rulekit_answer(&r, n) && !rulekit_answer(&r, 0))) return 3;
        struct rulekit_fault fault = rulekit_fault(&r);
        if (rulekit_why(&r, start, sizeof start) != rulekit_why(&r, why, sizeof why)) return 4;
        if (strlen(start) != 8 || strncmp(start, why, 8)) return 5;
        printf("%s|%s|%s|%s|", fault.name, fault.owner, fault.rules, fault.file);
        printf("%lld|%lld|%s\n", (long long)fault.line, (long long)fault.column, why);
    }
    return 0;
}
"""


def test_faults_are_those_of_python(tmp_path: Path) -> None:
    """With all values that a message may have; a host may cut the message."""
    faults = [lines(statements, 2) for statements in SAID]
    faults += ["        together:\n" + lines("; ".join(pair), 3) for pair in TOGETHER]
    ways = "".join(f"    when way = {number}:\n{one}" for number, one in enumerate(faults))
    question = f"choice which by Red:\n    number from 0 to {len(faults) - 1}\n"
    text = question + HEAD + "    choose which as way\n" + ways
    program = compile_text(text, MANIFEST).program
    assert program is not None
    session, expected = NativeSession(build(program, stops=True)), []
    for number in range(len(faults)):
        session.start()
        with pytest.raises(Fault) as caught:
            session.answer(number)
            session.answer(0)  # `ports` asks for `Alpha` first
        fault, site = caught.value, caught.value.site
        assert site is not None
        place = [site.owner, " ".join(site.rules), site.file, str(site.line), str(site.column)]
        expected.append("|".join([fault.name, *place, fault.message]))

    (tmp_path / "set.c").write_bytes(build(program, target="c", stops=True))
    assert expected == compiled(tmp_path, FAULTS.replace("COUNT", str(len(faults))))


def test_values_in_messages_are_those_of_python(tmp_path: Path) -> None:
    """Of types that few messages have, and without a place for a value in another one."""
    types = [["set", 2, ["member", "Ship"]], ["list", 1, ["number"]], ["optional", ["ratio"]], ["flag"]]
    types += [["ratio"], ["optional", ["set", 1, ["number"]]], ["text"], ["month"], ["number"], ["nothing"]]
    text = '{4} "{0}" \\ {3}/{1}, {2} {5} {6} {7} {8:,} {9} {0:and}'
    words = [0b101, 0b10, 3, 7, -8, 9, NONE, 0, 1, -3, 2, 0b110, 1, 12 * 1942 + 7, 1234567, 5]
    names = {
        "messages": [["all is lost {0}", []], [text, types]],
        "texts": ["{0}", "Größe"],
        "domains": {"Ship": [f"Ship {number}" for number in range(70)]},
    }
    section = json.dumps(names, ensure_ascii=False, separators=(",", ":"))
    script = f"""
    #include <stdint.h>
    #define RULEKIT_VERSION 1
    struct rulekit {{ unsigned char *memory; uint64_t size; }};
    const char rulekit_names[] = {json.dumps(section, ensure_ascii=False)};
    #include "rulekit_host.h"
    static uint64_t memory[40];
    int main(void) {{
        int64_t values[] = {{{", ".join(map(str, words))}}};
        struct rulekit r = {{(unsigned char *)memory, sizeof memory}};
        char why[500];
        rulekit_put(&r, 168, 176);
        for (size_t n = 0; n < sizeof values / 8; n++) rulekit_put(&r, 176 + 8 * n, values[n]);
        for (int64_t n = 0; n < 3; n++) {{
            rulekit_put(&r, 160, n);
            printf("%d %s\\n", rulekit_why(&r, why, sizeof why), why);
        }}
        return 0;
    }}
    """
    messages = [message_of(number, words, names) for number in range(3)]
    assert [f"{len(one.encode())} {one}" for one in messages] == compiled(tmp_path, script)


def test_the_example_of_its_page_plays(tmp_path: Path) -> None:
    """It compiles without a warning, and asks for names to the end of the game."""
    page = (HOST / "README.md").read_text(encoding="utf-8")
    program = compile_rules(ROOT / "rules/vitp")
    (tmp_path / "vitp.c").write_bytes(build(program, target="c", stops=True))
    written = compiled(tmp_path, page.split("```c\n")[1].split("```")[0])
    assert len(written) > 100
    assert {line.partition(":")[0] for line in written} <= {choice.name for choice in program.choices}


def test_another_version_is_refused(tmp_path: Path) -> None:
    """The compiler says which one this host needs."""
    (tmp_path / "play.c").write_text('#define RULEKIT_VERSION 7\n#include "rulekit_host.h"\n')
    command = [*COMPILER, f"-I{HOST}", "-fsyntax-only", tmp_path / "play.c"]
    done = subprocess.run(command, capture_output=True, text=True, env=CACHE | os.environ)
    assert 1 == done.returncode
    assert "another version of the interface; this host needs 1" in done.stderr
