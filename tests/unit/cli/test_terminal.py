"""At a terminal and in a pipe: colour and bars for people only, and a pipe may be closed at any time."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import time
from pathlib import Path

import pytest

from rulekit.cli.shared import elapsed
from tests.unit.cli.running import COMMAND, DUEL, FERRY, ROOT, alone, environment, usual_signals

COLOUR = "\x1b["


def at_a_terminal(
    *arguments: str | Path, typed: str = "", cwd: Path | None = None, **env: str
) -> tuple[int, str]:
    """A command with a terminal for everything: its exit code, and all that the terminal showed for good."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env=environment(**{"TERM": "xterm", "COLUMNS": "100", **env}),
        cwd=cwd,
        start_new_session=True,
        preexec_fn=usual_signals,
    )
    os.close(follower)
    os.write(leader, typed.encode())
    shown, end = b"", time.monotonic() + 60
    while time.monotonic() < end:
        if select.select([leader], [], [], 0.1)[0]:
            try:
                read = os.read(leader, 65536)
            except OSError:  # the other end was closed
                break
            if not read:
                break
            shown += read
        elif process.poll() is not None:
            break
    os.close(leader)
    lasting = re.sub(r"\r[^\r\n]*\x1b\[K", "", shown.decode())  # without how long it has taken so far
    return process.wait(timeout=60), lasting.replace("\r\n", "\n")


@pytest.fixture(autouse=True)
def _colour_is_not_forbidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests may have said otherwise."""
    monkeypatch.delenv("NO_COLOR", raising=False)


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A rule set with a finding."""
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "ruleset.yaml").write_text('id: broken\ntitle: Broken\nlanguage: "0.2"\n')
    (tmp_path / "set" / "broken.rules").write_text("define f: g\n")
    return tmp_path / "set"


def test_findings_have_colour_at_a_terminal_only(broken: Path) -> None:
    """In a pipe there is none."""
    code, shown = at_a_terminal("check", broken)
    piped = alone("check", broken)

    assert (1, 1) == (code, piped.code)
    assert COLOUR in shown and COLOUR not in piped.out + piped.err
    assert piped.out + piped.err == re.sub(r"\x1b\[[0-9;]*m", "", shown)


def test_colour_can_be_forced(broken: Path) -> None:
    """In a pipe too, for logs that show it; `NO_COLOR` comes first."""
    forced = alone("check", broken, env={"FORCE_COLOR": "1"})
    neither = alone("check", broken, env={"FORCE_COLOR": "1", "NO_COLOR": "1"})

    assert COLOUR in forced.out and COLOUR not in neither.out
    assert neither.out == re.sub(r"\x1b\[[0-9;]*m", "", forced.out)


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=["NO_COLOR", "dumb"])
@pytest.mark.parametrize("verb", ["check", "play"])
def test_colour_can_be_forbidden(env: dict[str, str], verb: str, broken: Path) -> None:
    """By the reader, or by the terminal."""
    words = (verb, broken) if verb == "check" else (verb, DUEL, "--agents", "random", "--seed", "1")
    _, shown = at_a_terminal(*words, **env)

    assert COLOUR not in shown


def test_a_told_game_has_colour_at_a_terminal_only() -> None:
    """The same lines otherwise."""
    words = ("play", FERRY, "--agents", "random", "--seed", "1")
    code, shown = at_a_terminal(*words)
    piped = alone(*words)

    assert 0 == code == piped.code
    assert COLOUR in shown and COLOUR not in piped.out
    assert piped.out == re.sub(r"\x1b\[[0-9;]*m", "", shown)


def test_a_narrow_terminal_has_narrow_lines() -> None:
    """Lines are folded between words where the terminal ends."""
    _, shown = at_a_terminal("play", FERRY, "--agents", "random", "--seed", "1", COLUMNS="60", NO_COLOR="1")

    assert max(map(len, shown.splitlines())) <= 60


def test_a_person_at_a_terminal(tmp_path: Path) -> None:
    """Question, answer and what comes of it stand in the order in which they happen."""
    code, shown = at_a_terminal(
        "play", FERRY, "--seed", "4", typed="south\nundo\nfen\nquit\n", cwd=tmp_path, NO_COLOR="1"
    )

    order = [
        "? Red: landing (Swift)",
        "landing (Swift): South",
        "undone",
        "landing (Swift): The Fen",
        "Game saved",
    ]
    places = [shown.find(each) for each in order]
    assert 0 == code
    assert -1 not in places and sorted(places) == places


def test_long_work_has_a_bar_at_a_terminal_only() -> None:
    """And it is gone when the work is done."""
    words = ("coverage", DUEL, "--games", "400")
    _, shown = at_a_terminal(*words)
    piped = alone(*words)

    assert "games" in shown
    assert "" == piped.err and "games ━" not in piped.out
    last = shown.rpartition("\x1b[2K")[2] if "\x1b[2K" in shown else shown
    assert "chapter" in last or "of the cited rules" in last


@pytest.mark.parametrize(
    "arguments",
    [
        ("compile", FERRY),
        ("play", DUEL, "--agents", "random", "--seed", "1"),
        ("explain", "RK101"),
        ("run", ROOT / "rules" / "vitp"),
        ("--help",),
    ],
    ids=lambda words: words[0],
)
def test_a_reader_may_leave(arguments: tuple[str | Path, ...], tmp_path: Path) -> None:
    """`| head` closes the pipe: no traceback, no complaint."""
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        cwd=tmp_path,
        timeout=60,
    )
    os.close(writer)

    assert (141, "") == (process.returncode, process.stderr)
    assert [] == list(tmp_path.iterdir())


def test_streams_that_are_not_there(tmp_path: Path) -> None:
    """Started without any standard stream, a command does its work."""
    line = f"{COMMAND[0]} -c '{COMMAND[2]}' compile {FERRY} -o made.json <&- >&- 2>&-"
    done = subprocess.run(["/bin/sh", "-c", line], env=environment(), cwd=tmp_path, timeout=60)

    assert 0 == done.returncode
    assert (tmp_path / "made.json").read_text().startswith("{")


def test_a_full_disk_is_a_line(tmp_path: Path) -> None:
    """What cannot be written is said: no file may grow here, as on a disk without room."""
    full = f"ulimit -f 0; trap '' XFSZ; exec {COMMAND[0]} -c '{COMMAND[2]}'"

    def on_a_full_disk(arguments: str) -> subprocess.CompletedProcess[str]:
        line = f"{full} {arguments}"
        return subprocess.run(
            ["/bin/sh", "-c", line],
            env=environment(),
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
        )

    log = on_a_full_disk(f"play {DUEL} --agents random --seed 1 --log log.jsonl")
    made = on_a_full_disk(f"compile {DUEL} -o made.json")

    assert 2 == log.returncode == made.returncode
    assert "cannot write" in log.stderr and "cannot write" in made.stderr
    assert "Traceback" not in log.stderr + made.stderr


@pytest.mark.parametrize(
    "command",
    [
        ("explain", "RK502"),
        ("explain", "7.53", "vitp"),
        ("diff", "vitp", "--with", "damage-control"),
        ("check", "vitp", "--select", "RK644"),
        ("options", "pacwar"),
        ("options", "pacwar", "--short"),
    ],
    ids=lambda command: " ".join(command),
)
def test_lines_fold_between_words(command: tuple[str, ...]) -> None:
    """No line is wider than the terminal, and no word is broken."""
    _, narrow = at_a_terminal(*command, COLUMNS="70")
    _, wide = at_a_terminal(*command, COLUMNS="100")

    bare = [re.sub(r"\x1b\[[0-9;]*m", "", text) for text in (narrow, wide)]
    assert [] == [line for line in bare[0].splitlines() if len(line) > 70 and "`" not in line]
    words = [re.findall(r"[A-Za-z]{4,}", text) for text in bare]
    assert set(words[0]) == set(words[1])


@pytest.mark.parametrize(
    "command",
    [
        ("diff", str(DUEL), "--with", "wounds"),
        ("show", "model", "vitp", "attack"),
        ("explain", "pacwar", "--date", "Dec 1942"),
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_a_file_stands_over_its_rows_in_a_narrow_terminal(command: tuple[str, ...]) -> None:
    """Long paths leave room for rules; each row keeps its line number, and each file is named once."""
    _, narrow = at_a_terminal(*command, COLUMNS="60")

    lines = re.sub(r"\x1b\[[0-9;]*m", "", narrow).splitlines()
    files = [line for line in lines if re.fullmatch(r"\S+\.rules", line)]
    assert files
    assert [] == [line for line in lines if len(line) > 60 or re.search(r"\.rules:\d", line)]
    assert all(re.match(r" *\d+  ", lines[lines.index(file) + 1]) for file in files)


@pytest.mark.parametrize(
    "command", [("sheet", "vitp", "--form", "wide"), ("sheet", "vitp", "-o", "x.svg", "--only", "nothing")]
)
def test_usage_errors_fold_between_words(command: tuple[str, ...]) -> None:
    """What may be chosen instead is read without words broken at the edge."""
    _, narrow = at_a_terminal(*command, COLUMNS="60")

    lines = narrow.splitlines()
    assert "rulekit:" in lines[0] and len(lines) > 1
    assert [] == [line for line in lines if len(line) > 60]


def test_a_table_fits_the_terminal() -> None:
    """Where it has no room for all columns, a line has the sums of the last ones."""
    _, narrow = at_a_terminal("coverage", DUEL, COLUMNS="70")
    _, wide = at_a_terminal("coverage", DUEL, COLUMNS="100")

    bare = [re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text) for text in (narrow, wide)]
    assert [] == [line for line in bare[0].splitlines() if len(line) > 70]
    assert "missing" in bare[1].splitlines()[0] and "missing" not in bare[0].splitlines()[0]
    (also,) = [line for line in bare[0].splitlines() if line.startswith("also ")]
    assert "missing" in also


def test_explain_renders_its_page() -> None:
    """A terminal shows a page, not Markdown; nobody sees what only tests read."""
    _, shown = at_a_terminal("explain", "RK502")
    piped = alone("explain", "RK502").out

    assert "```" not in shown and "## " not in shown and "What it finds" in shown
    assert "```rules" in piped and "#! RK502" not in piped + shown


def test_unverified_facts_are_one_line() -> None:
    """A check says that there are such notes, and lists them when asked."""
    short, whole = alone("check", "vitp").out, alone("check", "vitp", "--select", "RK644").out

    assert 1 == short.count("facts-on-trust") < whole.count("facts-on-trust")
    assert "`--select RK644` lists them" in short


@pytest.mark.parametrize("seconds, lines", [(0.1, []), (1.2, ["checking x · 1 s", ""])])
def test_long_work_shows_how_long_it_takes(
    seconds: float, lines: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the first second on, in one line that goes away; short work shows nothing."""
    with (tmp_path / "err").open("w", encoding="utf-8") as err:
        monkeypatch.setattr("sys.stderr", err)
        monkeypatch.setattr("rulekit.cli.terminal.is_terminal", lambda stream: True)
        monkeypatch.setenv("TERM", "xterm")
        with elapsed("checking x"):
            end = time.monotonic() + seconds
            while time.monotonic() < end:  # works, as a check does
                pass

    shown = (tmp_path / "err").read_bytes().decode()
    assert lines == [line.removesuffix("\x1b[K") for line in shown.split("\r")[1:]]
    assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
