"""The host in JavaScript: the same games, questions, copies and faults as in Python, in another engine."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import playwright
import pytest

from rulekit import compile_rules, ir
from rulekit.ir.semantics.faults import Fault
from rulekit.runtime.native import section_shape
from rulekit.runtime.native.build import build
from rulekit.runtime.native.host import NativeGame, NativeSession
from rulekit.runtime.native.sections import NotAModule, names_of
from rulekit.runtime.native.wasm import SECTION, _name, _with_size
from rulekit.testing import compile_text
from tests.unit.runtime import make
from tests.unit.runtime.native.test_games import ROOT
from tests.unit.runtime.native.test_log import every_type
from tests.unit.runtime.play.test_fault_messages import MANIFEST, at_one_moment

NODE = Path(playwright.__file__).with_name("driver") / "node"
"""Node, which Playwright brings along: the tests need none of the system."""
HOST = ROOT / "hosts" / "js" / "rulekit.mjs"
SHOWN = "(key, value) => typeof value === 'bigint' ? String(value) : value"


def run(folder: Path, script: str, *modules: bytes) -> Any:
    """What a script in Node gives; it finds the modules' bytes as `modules`, and the host as `host`."""
    for number, content in enumerate(modules):
        (folder / f"{number}.wasm").write_bytes(content)
    text = f"""
        import {{ readFileSync }} from "node:fs";
        import * as host from {json.dumps(HOST.as_uri())};
        const modules = [{", ".join(f'readFileSync("{n}.wasm")' for n in range(len(modules)))}];
        const result = await (async () => {{ {script} }})();
        console.log(JSON.stringify(result, {SHOWN}));
    """
    (folder / "run.mjs").write_text(text, encoding="utf-8")
    done = subprocess.run([NODE, "run.mjs"], cwd=folder, capture_output=True, text=True, timeout=60)
    assert "" == done.stderr
    return json.loads(done.stdout)


def shown(cells: list[Any], sorts: list[Any]) -> list[Any]:
    """Cells as the script shows them: sets as texts."""
    kinds = [sort for count, _, sort, _ in sorts for _ in range(count)]
    return [
        str(cell) if kind == "set" else list(cell) if kind == "list" else cell
        for cell, kind in zip(cells, kinds, strict=True)
    ]


@pytest.mark.parametrize(
    "name", ["rules/vitp", "examples/cards/two-lanterns", "examples/boards/breakthrough"]
)
def test_games_are_those_of_python(name: str, tmp_path: Path) -> None:
    """Results of a batch, and all cells of single games, with numbers and texts for seeds."""
    content = build(compile_rules(ROOT / name))
    game = NativeGame(content)

    found = run(
        tmp_path,
        """
        const game = await host.load(modules[0]);
        const results = game.playouts(3, 40);
        return [results, [7, "a long evening"].map((seed) => [game.play(seed), game.cells()])];
        """,
        content,
    )

    singles = [
        [outcome.result, shown(outcome.cells, game.names["cells"])]
        for outcome in (game.play(7), game.play("a long evening"))
    ]
    assert [game.playouts(3, 40), singles] == found


def test_questions_and_copies_are_those_of_python(tmp_path: Path) -> None:
    """Each question by its names, a copy that is put back, and the end of the game."""
    content = build(compile_rules(ROOT / "examples/boards/breakthrough"), stops=True)
    session = NativeSession(content)
    question, asked = session.start(5), []
    while question is not None:
        asked.append([question.choice, question.side, question.item, list(map(list, question.options))])
        question = session.answer(len(question.options) // 2)

    found = run(
        tmp_path,
        """
        const session = await host.load(modules[0]), asked = [];
        for (let q = session.start(5); q; q = session.answer(q.options.length >> 1)) {
            asked.push([q.choice, q.side, q.item, q.options]);
            const copy = session.copy();
            session.answer(0);
            session.restore(copy);
        }
        return [asked, session.result];
        """,
        content,
    )

    assert [asked, session.result] == found


@pytest.mark.parametrize(
    ("name", "questions"), [("rules/vitp", 300), ("rules/pacwar", 30), ("tests/sets/ferry", 20)]
)
def test_events_are_those_of_python(name: str, questions: int, tmp_path: Path) -> None:
    """All of each answer, and none after a copy is put back."""
    content = build(compile_rules(ROOT / name), stops=True, log=True)
    session = NativeSession(content)
    question, events = session.start(5), [session.events()]
    for _ in range(questions):
        if question is not None:
            question = session.answer(len(question.options) // 2)
            events.append(session.events())

    found = run(
        tmp_path,
        f"""
        const session = await host.load(modules[0]);
        let question = session.start(5);
        const events = [session.events()];
        for (let n = 0; n < {questions} && question; n++) {{
            question = session.answer(question.options.length >> 1);
            events.push(session.events());
        }}
        session.restore(session.copy());
        return [events, session.events()];
        """,
        content,
    )

    assert [events, []] == found


def test_every_type_is_read(tmp_path: Path) -> None:
    """The words that a host in Python reads, in a memory of their own."""
    names, words, event = every_type()
    texts = json.dumps([str(word) for word in words])

    found = run(
        tmp_path,
        f"""
        const words = {texts}, names = {json.dumps(names)};
        const view = new DataView(new ArrayBuffer(8 * (20 + words.length)));
        view.setBigInt64(144, 152n, true);
        [words.length, ...words].forEach((one, n) => view.setBigInt64(152 + 8 * n, BigInt(one), true));
        const session = Object.create(host.Session.prototype);
        Object.assign(session, {{ names, _view: view }});
        return session.events();
        """,
    )

    assert [event] == found


def test_messages_of_faults_are_those_of_python(tmp_path: Path) -> None:
    """With a number, a key, two rules and members of a set, known beforehand, and beyond 2^53."""
    power = ir.Write("add", "turn", (), make.const(30), 3, check=True)
    choice = make.choice("one", "pick_one", candidates=make.const(0, make.PIECES))
    empty = ir.Choose("one", (), None, 0)
    modules = [
        build(make.program(make.procedure("play", one), choices=(choice,)))
        for one in (power, empty, ir.Fail("no-such-thing", "all is lost", 2))
    ]
    text = at_one_moment("add Ship to held [3.1]", "take Ship from held [3.2]")
    conflict = compile_text(text, MANIFEST).program
    assert conflict is not None
    modules.append(build(conflict))
    text = "state most: 0..1000000000 = 999999999\nstate n: 0..9\nsequence play:\n    set n to most * most\n"
    beyond = compile_text(text, MANIFEST).program
    assert beyond is not None
    modules.append(build(beyond))
    expected = []
    for content in modules:
        with pytest.raises(Fault) as caught:
            NativeGame(content).play()
        expected.append([caught.value.name, caught.value.message])

    found = run(
        tmp_path,
        """
        const told = [];
        for (const one of modules) {
            const game = await host.load(one);
            try { game.play(); } catch (error) { told.push([error.kind, error.why]); }
        }
        return told;
        """,
        *modules,
    )

    assert expected == found
    assert [
        "`turn` would be 31, outside 0..20",
        "`one` has no legal answer: there is nothing to choose from",
        "all is lost",
        "`held` has `Alpha` and `Beta` both added and removed at once, "
        "by `play` [TEXT.3.1] and by `play` [TEXT.3.2]",
        "`n` would be 999999998000000001, outside 0..9",
    ] == [message for _, message in expected]


def test_a_value_in_a_message_is_not_read_as_a_place(tmp_path: Path) -> None:
    """A set of one number looks like the place of another value."""
    names = {"messages": [["`aim({0}, {1})` of {2:,}", [["set", 1, ["number"]], ["number"], ["number"]]]]}

    found = run(
        tmp_path,
        f"""
        const view = new DataView(new ArrayBuffer(8 * 30));
        view.setBigInt64(168, 176n, true);
        [0b10n, 5n, 1000n].forEach((one, n) => view.setBigInt64(176 + 8 * n, one, true));
        const game = Object.create(host.Game.prototype);
        Object.assign(game, {{ names: {json.dumps(names)}, _view: view }});
        return game._why(1);
        """,
    )

    assert "`aim({1}, 5)` of 1,000" == found


def test_wrong_modules_and_answers_are_refused(tmp_path: Path) -> None:
    """Each with its own error, and a fault with its place."""
    session = build(compile_rules(ROOT / "tests/sets/duel"), stops=True)
    fault = build(make.program(make.procedure("play", ir.Fail("no-such-thing", "", 2))))

    found = run(
        tmp_path,
        r"""
        const told = async (work) => {
            try { await work(); } catch (error) { return [error.constructor.name, error.message]; }
        };
        const session = await host.load(modules[0]);
        session.start(1);
        const bytes = (from, to) => {
            const text = Buffer.from(modules[0]).toString("latin1");
            return Buffer.from(text.replace(from, to), "latin1");
        };
        const loops = await host.load(modules[2]);
        loops.budget = 5;
        return [
            await told(() => session.answer(2)),
            await told(() => session.answer(0.5)),
            await told(() => session.answer(2 ** 64)),
            await told(() => session.restore(session.copy().slice(8))),
            await told(() => host.load(modules[0].subarray(0, 60))),
            await told(async () => (await host.load(modules[1])).play()),
            await told(() => host.load(bytes('{"rulekit":1,', '{"rulekit":7,'))),
            await told(() => host.load(bytes('{"rulekit":1,', '{"rulekit":1;'))),
            await told(() => host.load(bytes('"domains":', '"remains":'))),
            await told(() => host.load(bytes(/"cells":\[\[\d/, '"cells":[[9e9,9'))),
            await told(() => loops.play(7)),
            await told(() => session.start(1, "spring")),
            await told(() => session.events()),
            await told(() => {
                session._exports = { answer: () => { throw new WebAssembly.RuntimeError("unreachable"); } };
                session.answer(0);
            }),
        ];
        """,
        session,
        fault,
        build(compile_rules(ROOT / "tests/sets/ferry")),
    )

    assert ["RangeError", "no open question has an option 2"] == found[0]
    assert ["RangeError", "no open question has an option 0.5"] == found[1]
    assert ["RangeError", "no open question has an option 18446744073709552000"] == found[2]
    assert "RangeError" == found[3][0]
    assert "NotAModule" == found[4][0]
    assert ["Fault", "no-such-thing at small.rules:3"] == found[5]
    damaged = "the module's names are damaged"
    assert ["NotAModule", "the module has version 7 of the interface; this host needs 1"] == found[6]
    assert ["NotAModule", damaged] == found[7]
    assert ["NotAModule", f"{damaged}: `domains` is missing or of a wrong kind"] == found[8]
    assert "NotAModule" == found[9][0]
    assert "Fault" == found[10][0]
    assert found[10][1].startswith("budget")
    assert ["Fault", "unknown-scenario: unknown scenario `spring`"] == found[11]
    assert ["NotAModule", "the module has no log: build it with `--log`"] == found[12]
    assert ["Fault", "internal: the module stopped: unreachable"] == found[13]


WRONG: list[tuple[str, Any]] = [
    ("domains.Side", "Red"),
    ("domains.piece.1", 5),
    ("scenarios.0.name", None),
    ("choices.0", []),
    ("choices.0.side", "Sides"),
    ("choices.1.rules.0", {}),
    ("choices.1.secret", 0),
    ("points.0.low", "1"),
    ("result", "toString"),
    ("messages.1.1.0", ["number", 5]),
    ("messages.2.1.0.1.1", "ship"),
    ("sites.6", ["landing"]),
    ("states.tolls", 5),
    ("cells.0.1", 1.5),
    ("events.0.site", True),
    ("events.1.arguments.0.1", "3"),
    ("types.0", ["bag", 1]),
]
"""Places in the names of the ferry, and what does not belong there."""
UNKNOWN: list[tuple[str, Any]] = [("choices", []), ("domains.Side", []), ("events", []), ("types", [])]
"""The same where each value is of its kind, but not all have names that the game needs."""


def with_names(content: bytes, place: str, value: Any) -> bytes:
    """A module with another value at a place of its names."""
    names = names_of(content)
    *way, last = [int(step) if step.isdigit() and step != "6" else step for step in place.split(".")]
    part: Any = names
    for step in way:
        part = part[step]
    part[last] = value
    old = json.dumps(names_of(content), ensure_ascii=False, separators=(",", ":")).encode()
    old, new = (_with_size(_name(SECTION) + one) for one in (old, json.dumps(names).encode()))
    assert old in content
    return content.replace(old, new)


def test_wrong_names_are_refused(tmp_path: Path) -> None:
    """At once and with their place, or, if only the memory shows it, when they are read; alike in both."""
    content = build(compile_rules(ROOT / "tests/sets/ferry"), stops=True, log=True)
    modules = [with_names(content, *one) for one in (*WRONG, *UNKNOWN)]
    modules.append(content.replace(b"\x06answer\x00", b"\x06Answer\x00"))
    expected = [
        f"the module's names are damaged: `{place}` is missing or of a wrong kind" for place, _ in WRONG
    ]
    expected += ["the module is damaged: its names do not fit its memory"] * len(UNKNOWN)
    expected.append("the module is damaged: it has no function `answer`")

    refused = []
    for one in modules:
        with pytest.raises(NotAModule) as caught:
            read_everything(NativeSession(one))
        refused.append(str(caught.value))
    found = run(
        tmp_path,
        """
        const refused = [];
        for (const one of modules) {
            try {
                const session = await host.load(one);
                let question = session.start(3);
                session.events();
                while (question) {
                    question = session.answer(0);
                    session.events();
                }
            } catch (error) {
                refused.push(error instanceof host.NotAModule ? error.message : String(error));
            }
        }
        return refused;
        """,
        *modules,
    )

    assert expected == refused == found


def test_both_hosts_check_names_against_one_shape(tmp_path: Path) -> None:
    """The shape in JavaScript, read out of its source, is that of Python."""
    source = HOST.read_text(encoding="utf-8")
    shape = source[source.index("const FIELD = ") : source.index("const KINDS = ")]

    found = run(tmp_path, f"{shape}; return {{ SECTION, TYPES }};")

    assert {"SECTION": section_shape.SECTION, "TYPES": section_shape.TYPES} == found


def read_everything(session: NativeSession) -> None:
    """Play a game, and read what it says."""
    question = session.start(3)
    session.events()
    while question is not None:
        question = session.answer(0)
        session.events()
