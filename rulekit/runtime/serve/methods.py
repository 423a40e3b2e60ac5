"""The methods of the protocol, as `schemas/session.openrpc.json` describes them."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, Protocol

from rulekit.base.resources import own_version
from rulekit.ir.types import Member, Optional
from rulekit.runtime.narrate import Narrator
from rulekit.runtime.play import Fault, Reason, Refused, Session, View
from rulekit.runtime.serve import shapes
from rulekit.runtime.serve.host import Host
from rulekit.runtime.serve.rooms import Room, Seat
from rulekit.runtime.serve.wire import (
    FAULT,
    INVALID_PARAMS,
    LONGEST,
    NO_WAY_BACK,
    NOT_YOURS,
    REFUSED,
    STALE,
    RpcError,
)


class Caller(Protocol):
    """The connection that a request came over."""

    host: Host

    def notify(self, method: str, params: Mapping[str, Any]) -> None:
        """Send a notification."""


VERSION: Final = 1
"""Of the protocol; it changes only when something is taken away."""

MOST_REFUSED: Final = 200
"""Members that are not offered, with their reasons, in one response."""


def initialize(at: Caller, protocol: Sequence[int] = (VERSION,), client: str = "") -> dict[str, Any]:
    """Agree on a version of the protocol."""
    if VERSION not in protocol:
        raise RpcError(INVALID_PARAMS, f"this server speaks protocol {VERSION}", {"protocol": [VERSION]})
    return {
        "protocol": VERSION,
        "server": f"rulekit {own_version() or ''}".strip(),
        "methods": sorted(METHODS),
        "limits": {"message": LONGEST},
    }


def list_games(at: Caller) -> dict[str, Any]:
    """The games that can be started."""
    return {"games": at.host.listing()}


def describe_game(at: Caller, game: str, options: Sequence[str] = (), language: str = "en") -> dict[str, Any]:
    """A game as data."""
    return at.host.game(game, options).describe(language)


# ---------------------------------------------------------------- rooms


def start(
    at: Caller,
    game: str,
    options: Sequence[str] = (),
    scenario: str | None = None,
    seed: int | str | None = None,
    dice: Mapping[str, Sequence[int]] | None = None,
    draws: Mapping[str, Sequence[Any]] | None = None,
    strict: bool = False,
    position: str | None = None,
    given: Mapping[str, Any] | None = None,
    locals: Mapping[str, Any] | None = None,
    run: int = 1,
    chance: Literal["drawn", "asked"] = "drawn",
) -> dict[str, Any]:
    """Start a session, at the beginning or at a position; the response has the secrets of all seats."""
    chosen = at.host.game(game, options)
    source: dict[str, Any] = {"dice": dice, "draws": draws, "strict": strict, "chance": chance}
    source["seed"] = secrets.randbits(63) if seed is None else seed
    if position is None and given is None and locals is None and run == 1:
        session = chosen.start(scenario=scenario, **source)
    else:
        source |= {"given": given, "locals": locals, "run": run}
        session = chosen.position(position or "", scenario=scenario, **source)
    return _new_room(at, session)


def restore(at: Caller, game: str, save: Mapping[str, Any], options: Sequence[str] = ()) -> dict[str, Any]:
    """Go on with a saved session."""
    session = at.host.game(game, options).restore(save)
    return {**_new_room(at, session), "notes": list(session.notes)}


def _new_room(at: Caller, session: Session) -> dict[str, Any]:
    room = at.host.add_room(session)
    seats = {side: seat.token for side, seat in room.sides.items()}
    tokens = {"host": room.host.token, "seats": seats, "watcher": room.watcher.token}
    return {"session": room.name, **tokens, "revision": session.revision}


def join(at: Caller, token: str, since: int | None = None, language: str = "en") -> dict[str, Any]:
    """Take a seat: get the whole view, or the changes since a revision, and then every later change."""
    seat = at.host.seat(token)
    listener = seat.listen(at, at.notify, language)
    joined = {**seat.standing, "decision": listener.decision()}
    missed = None if since is None else seat.changes_since(since)
    return {**joined, "view": _look(seat)} if missed is None else {**joined, "changes": missed}


def leave(at: Caller, token: str) -> dict[str, Any]:
    """Leave a seat: no further notifications."""
    at.host.seat(token).leave(at)
    return {}


def close(at: Caller, token: str) -> dict[str, Any]:
    """End a session; only its host may."""
    room = _host(at, token)
    at.host.close(room)
    return {}


def _host(at: Caller, token: str) -> Room:
    seat = at.host.seat(token)
    if not seat.is_host:
        raise RpcError(NOT_YOURS, "only the host may do this")
    return seat.room


# ---------------------------------------------------------------- play


def choose(
    at: Caller, token: str, answer: Any, revision: int | None = None, language: str = "en"
) -> dict[str, Any]:
    """Answer the decision."""
    seat = at.host.seat(token)
    _fresh(seat, revision)
    _answer(seat, answer, language)
    return seat.standing


def answer_several(
    at: Caller, token: str, answers: Sequence[Any], revision: int | None = None, language: str = "en"
) -> dict[str, Any]:
    """Give several answers in order, until one is not legal or another side decides."""
    seat = at.host.seat(token)
    _fresh(seat, revision)
    taken, error = 0, None
    for answer in answers:
        try:
            _answer(seat, answer, language)
        except RpcError as refused:
            error = refused.as_json
            break
        taken += 1
    return {**seat.standing, "taken": taken, "error": error}


def undo(at: Caller, token: str, revision: int | None = None, past_chance: bool = False) -> dict[str, Any]:
    """Take the last answer back: one's own, if nothing was learned since; the host any."""
    seat = at.host.seat(token)
    room = seat.room
    _fresh(seat, revision)
    if not seat.is_host and (past_chance or not room.answerers or room.answerers[-1] != seat.side):
        raise RpcError(NOT_YOURS, "the last answer is not yours")
    if not room.session.undo(past_chance=past_chance):
        raise RpcError(NO_WAY_BACK, "there is no answer to take back, or something was learned since")
    if room.answerers:
        room.answerers.pop()
    return seat.standing


def _fresh(seat: Seat, revision: int | None) -> None:
    now = seat.revision
    if revision is not None and revision != now:
        raise RpcError(STALE, f"meant for revision {revision}, and the seat is at {now}", {"revision": now})


def _answer(seat: Seat, answer: Any, language: str) -> None:
    session, sees = seat.room.session, seat.sees
    if not isinstance(answer, str | int | dict | list | None):
        raise RpcError(INVALID_PARAMS, "an answer is a name, a number, an object, a list or null")
    asked = sees.decision
    if asked is None:
        raise RpcError(NOT_YOURS, "the game is over" if session.over else "this seat is not asked")
    answer = _by_value(answer)
    try:
        legal = session.legal_answer(answer)
    except Refused as refused:
        raise _refusal(seat, refused, answer, language) from refused
    seat.room.answerers.append(asked.side if seat.is_host else seat.side)
    try:
        session.choose(legal)
    except Fault as fault:
        seat.room.answerers.pop()
        shown = sees.fault(fault) if isinstance(sees, View) else fault
        raise RpcError(FAULT, shown.message, shapes.fault(shown)) from fault
    except BaseException:
        seat.room.answerers.pop()
        raise


def _by_value(answer: Any) -> Any:
    """An answer in a form that cannot be taken for the number of a member: names and JSON alone."""
    return str(answer) if isinstance(answer, int) and not isinstance(answer, bool) else answer


def _refusal(seat: Seat, refused: Refused, answer: Any, language: str) -> RpcError:
    try:
        reasons: tuple[Reason, ...] = seat.sees.why(answer, language)
    except Refused:
        reasons = ()
    data = {"legal": list(refused.legal), "reasons": list(map(shapes.reason, reasons))}
    return RpcError(REFUSED, refused.args[0], data)


# ---------------------------------------------------------------- questions


def why(at: Caller, token: str, answer: Any, language: str = "en") -> dict[str, Any]:
    """Return the reasons against an answer; none if it is legal."""
    seat = at.host.seat(token)
    if seat.sees.decision is None:
        raise RpcError(NOT_YOURS, "this seat is not asked")
    try:
        reasons = seat.sees.why(_by_value(answer), language)
    except Refused as refused:
        raise _refusal(seat, refused, answer, language) from refused
    return {"legal": not reasons, "reasons": list(map(shapes.reason, reasons))}


def list_refused(at: Caller, token: str, most: int = MOST_REFUSED, language: str = "en") -> dict[str, Any]:
    """The members of the asked kind that are not legal answers, each with its first reason."""
    seat = at.host.seat(token)
    asked = seat.sees.decision
    if asked is None:
        raise RpcError(NOT_YOURS, "this seat is not asked")
    legal = {answer.name for answer in asked.legal_answers}
    members = () if asked.chance is not None else _members_asked(seat.room, asked.choice)
    others = [name for name in members if name not in legal]
    shown = [
        {"name": name, "reason": shapes.reason(reasons[0])}
        for name in others[: min(most, MOST_REFUSED)]
        if (reasons := seat.sees.why(name, language))
    ]
    return {"refused": shown, "more": max(len(others) - min(most, MOST_REFUSED), 0)}


def _members_asked(room: Room, choice: str) -> Iterator[str]:
    """The members of the kind that a choice asks for; none if it asks for something else."""
    program = room.game.program
    kind = program.by_name.choices[choice].option.type
    inner = kind.of if isinstance(kind, Optional) else kind
    if not isinstance(inner, Member):
        return
    masks = {own.name: own.members for own in program.kinds if own.domain == inner.domain}
    mask = masks.get(inner.name, -1)
    for number, name in enumerate(program.by_name.domains[inner.domain].members):
        if mask >> number & 1:
            yield name


def value(
    at: Caller,
    token: str,
    name: str,
    keys: Sequence[Any] = (),
    arguments: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The value of anything that has a name, as far as the seat may know it."""
    seat = at.host.seat(token)
    try:
        return shapes.value(seat.sees.value(name, *keys, **(arguments or {})))
    except Fault as fault:
        shown = seat.sees.fault(fault) if isinstance(seat.sees, View) else fault
        raise RpcError(FAULT, shown.message, shapes.fault(shown)) from fault


def look(at: Caller, token: str) -> dict[str, Any]:
    """Everything that the seat sees now."""
    seat = at.host.seat(token)
    return {**seat.standing, "view": _look(seat)}


def _look(seat: Seat) -> dict[str, Any]:
    states = {name: [list(row) for row in rows] for name, rows in seat.sees.states.items()}
    counts = seat.sees.counts if isinstance(seat.sees, View) else {}
    return {"states": states, "counts": {name: [list(row) for row in rows] for name, rows in counts.items()}}


def events(at: Caller, token: str, first: int = 0) -> dict[str, Any]:
    """The events that the seat sees, from one on."""
    seat = at.host.seat(token)
    return {"events": [event.as_json for event in seat.sees.events[first:]]}


def lines(at: Caller, token: str, language: str = "en") -> dict[str, Any]:
    """The log that the seat may read, in lines."""
    seat = at.host.seat(token)
    narrator = Narrator.of(seat.room.game, language)
    return {"lines": shapes.lines([*narrator.tell(seat.sees.events), *narrator.finish()])}


def log(at: Caller, token: str) -> dict[str, Any]:
    """All answers; only the host may see them."""
    return {"log": [dict(answer) for answer in _host(at, token).session.log]}


def save(at: Caller, token: str) -> dict[str, Any]:
    """The session as a save, from which it can be restored; only the host may see it."""
    return {"save": _host(at, token).session.save()}


METHODS: Final[Mapping[str, Callable[..., Any]]] = {
    "initialize": initialize,
    "game/list": list_games,
    "game/describe": describe_game,
    "session/start": start,
    "session/restore": restore,
    "session/join": join,
    "session/leave": leave,
    "session/close": close,
    "session/choose": choose,
    "session/answer": answer_several,
    "session/undo": undo,
    "session/why": why,
    "session/refused": list_refused,
    "session/value": value,
    "session/look": look,
    "session/events": events,
    "session/lines": lines,
    "session/log": log,
    "session/save": save,
}
"""Every method by its name."""
