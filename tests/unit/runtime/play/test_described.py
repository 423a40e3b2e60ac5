"""A game as data, its decisions with titles, and lines as parts, in every language."""

from __future__ import annotations

import asyncio
import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import rulekit
from rulekit.agents import LateAnswer, first_legal, play_async, random_agent
from rulekit.base.resources import rules_folder

SCHEMAS = Path(__file__).parents[4] / "schemas"
SETS = sorted(path.parent.name for path in rules_folder().glob("*/ruleset.yaml"))
LANGUAGES = ("en", "de", "ja")


@cache
def loaded(name: str) -> rulekit.Game:
    """A rule set as it is bundled."""
    return rulekit.load(name)


def schema(name: str) -> Any:
    """A schema by its name."""
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", SETS)
def test_a_description_fits_its_schema(name: str) -> None:
    """In every language, as plain JSON, with the same names in each."""
    game = loaded(name)
    english = game.describe()
    for language in LANGUAGES:
        described = game.describe(language)
        jsonschema.validate(json.loads(json.dumps(described)), schema("description"))
        assert described["language"] == language
        assert [domain["name"] for domain in english["domains"]] == [d["name"] for d in described["domains"]]
        assert english["rules"].keys() == described["rules"].keys()


def test_a_description_has_what_the_set_has() -> None:
    """Options with their relations, the sequence with printed numbers, facts of members, German titles."""
    described = loaded("vitp").describe("de")
    options = {option["id"]: option for option in described["available"]}
    facts = {fact["name"]: fact["values"] for fact in described["facts"]}

    assert ["Japan", "Alliierte"] == [side["title"] for side in described["sides"]]
    assert set(options) >= {"gunnery-radar", "damage-control"}
    assert any("VITP.5.21" in step["rules"] for phase in described["sequence"] for step in phase["steps"])
    assert any(values.get("Akagi") is not None for values in facts.values())


def test_an_unknown_language_is_an_error() -> None:
    """That names those there are; of a game that is made from a program alone, English is the only one."""
    with pytest.raises(ValueError, match="unknown language `xx`"):
        loaded("vitp").describe("xx")
    with pytest.raises(ValueError, match="unknown language `de`"):
        rulekit.Game(loaded("vitp").program).describe("de")


@pytest.mark.parametrize("name", SETS)
def test_decisions_have_titles(name: str) -> None:
    """Every decision of a game fits its schema, and its answers are those of the session."""
    game, session = loaded(name), loaded(name).start(seed=3)
    narrators = [rulekit.Narrator.of(game, language) for language in LANGUAGES]
    agent, validator = random_agent(3), jsonschema.Draft202012Validator(schema("decision"))
    for number in range(60):
        asked = session.decision
        if asked is None:
            break
        shown = narrators[number % 3].decision(asked)
        validator.validate(json.loads(json.dumps(shown)))
        assert [one.name for one in asked.legal_answers] == [one["name"] for one in shown["answers"]]
        assert list(session.log[session.answered - len(asked.so_far) :]) == [
            {"choice": asked.choice, **part} for part in asked.so_far
        ] or asked.verb in ("pick_set", "assign", "assign_set", "arrange", "share", "split")
        session.choose(agent(session, asked) or asked.legal_answers[0])


@pytest.mark.parametrize("name", SETS)
def test_lines_have_parts(name: str) -> None:
    """The lines of a game say which events they are made of: names and rules are those of the events."""
    game, session = loaded(name), loaded(name).start(seed=5)
    agent = random_agent(5)
    for _ in range(80):
        if (asked := session.decision) is None:
            break
        session.choose(agent(session, asked) or asked.legal_answers[0])
    events = session.events
    told = {
        language: [*(narrator := rulekit.Narrator.of(game, language)).tell(events), *narrator.finish()]
        for language in LANGUAGES
    }
    cited = {rule for event in events for rule in event.rules}
    kinds = {(event.kind, event.subject) for event in events}

    assert 1 == len({tuple((line.what, line.who, line.rules) for line in lines) for lines in told.values()})
    assert all(line.what in kinds for line in told["en"])
    assert {rule for line in told["en"] for rule in line.rules} <= cited
    assert any(line.who for line in told["en"])


def test_what_is_answered_so_far() -> None:
    """As a log has it, without the choice's name."""
    session = loaded("vitp").start(seed=7)
    session.choose("Akagi")
    asked = session.decision

    assert asked is not None and ("pick_set", "Ship") == (asked.verb, asked.domain)
    assert ({"value": "Akagi"},) == asked.so_far
    assert session.log == ({"choice": asked.choice, **asked.so_far[0]},)


# ---------------------------------------------------------------- play in one's own time


async def _sleeper(session: rulekit.Session, decision: rulekit.Decision) -> rulekit.LegalAnswer:
    await asyncio.sleep(3600)
    return decision.legal_answers[0]


def test_a_side_out_of_time() -> None:
    """Is an error with its decision, and the session waits there; or another agent answers."""
    session = loaded("vitp").start(seed=7)
    with pytest.raises(LateAnswer, match="no answer to `raid_force` from Japan") as error:
        asyncio.run(play_async(session, _sleeper, seconds=0.01))
    assert error.value.decision == session.decision and not session.log

    def stops(session: rulekit.Session, decision: rulekit.Decision) -> rulekit.LegalAnswer | None:
        return first_legal(session, decision) if session.answered < 5 else None

    assert not asyncio.run(play_async(session, _sleeper, seconds=0.001, late=stops))
    assert 5 == session.answered


def test_an_error_of_an_agent_is_its_own() -> None:
    """A timeout that an agent raises itself is not taken for the end of its time."""

    async def fails(session: rulekit.Session, decision: rulekit.Decision) -> rulekit.LegalAnswer:
        raise TimeoutError("no connection")

    with pytest.raises(TimeoutError, match="no connection"):
        asyncio.run(play_async(loaded("vitp").start(), fails, seconds=5, late=first_legal))


def test_an_answer_to_an_earlier_decision_is_dropped() -> None:
    """Whoever takes an answer back while an agent thinks makes it think again."""
    session = loaded("vitp").start(seed=7)
    asked: list[int] = []

    async def thinks(session: rulekit.Session, decision: rulekit.Decision) -> rulekit.LegalAnswer | None:
        asked.append(session.answered)
        if len(asked) == 2:
            session.undo()
        await asyncio.sleep(0)
        return decision.legal_answers[0] if len(asked) < 4 else None

    assert not asyncio.run(play_async(session, thinks))
    assert [0, 1, 0, 1] == asked


@pytest.mark.parametrize("name", SETS)
def test_the_log_has_words(name: str) -> None:
    """Of choices, states and members: no line has a name as programs write it."""
    game, session = loaded(name), loaded(name).start(seed=1)
    agent = random_agent(3)
    for _ in range(150):
        if (asked := session.decision) is None:
            break
        session.choose(agent(session, asked) or asked.legal_answers[0])
    narrator = rulekit.Narrator.of(game)
    lines = [*narrator.tell(session.events), *narrator.finish()]
    assert [] == [line.text for line in lines if "_" in line.text]
