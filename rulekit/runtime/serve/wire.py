"""JSON-RPC 2.0 as text: messages in, responses and notifications out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NoReturn

from rulekit.base.frozen import frozen

LONGEST: Final = 16_000_000
"""Characters of one message."""
MOST_DIGITS: Final = 400
"""Digits of a number in a message."""

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
UNKNOWN_METHOD: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL: Final = -32603
STALE: Final = -32001
REFUSED: Final = -32010
FAULT: Final = -32011
BAD_SAVE: Final = -32012
NOT_YOURS: Final = -32013
NO_WAY_BACK: Final = -32014
RULES: Final = -32015


class RpcError(Exception):
    """A request that gets an error for an answer; `data` is JSON."""

    def __init__(self, code: int, message: str, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data or {}

    @property
    def as_json(self) -> dict[str, Any]:
        """The error object of a response."""
        error: dict[str, Any] = {"code": self.code, "message": self.message}
        return {**error, "data": dict(self.data)} if self.data else error


@frozen
class RpcRequest:
    """A request; one without an id gets no response."""

    method: str
    params: Mapping[str, Any]
    id: str | int | float | None
    answered: bool


def read(text: str) -> RpcRequest:
    """Return the request in a message.

    Raises:
        RpcError: It is not JSON, or not a request; `data` has its `id`, if it can be read.
    """
    if len(text) > LONGEST:
        raise RpcError(INVALID_REQUEST, f"a message has at most {LONGEST:,} characters")
    try:
        message = json.loads(text, parse_constant=_refuse, parse_int=_number)
    except (ValueError, RecursionError):
        raise RpcError(PARSE_ERROR, "the message is not JSON") from None
    if isinstance(message, list):
        raise RpcError(INVALID_REQUEST, "several requests in one message are not supported")
    if not isinstance(message, dict):
        raise RpcError(INVALID_REQUEST, "a request is an object")
    id_ = message.get("id")
    if isinstance(id_, bool) or not isinstance(id_, str | int | float | None):
        raise RpcError(INVALID_REQUEST, "`id` must be a text, a number or null")
    method, params = message.get("method"), message.get("params", {})
    if message.get("jsonrpc") != "2.0" or not isinstance(method, str):
        raise BadRequest('a request has `jsonrpc` "2.0" and a `method`', id_)
    if not isinstance(params, dict):
        raise BadRequest("`params` must be an object: parameters have names", id_)
    return RpcRequest(method, params, id_, "id" in message)


class BadRequest(RpcError):
    """A message that is not a request, though it has an id."""

    def __init__(self, message: str, id_: str | int | float | None) -> None:
        super().__init__(INVALID_REQUEST, message)
        self.id = id_


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _number(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError("too many digits")
    return int(digits)


def response(id_: str | int | float | None, result: Any) -> str:
    """The response to a request that was carried out."""
    return _text({"id": id_, "result": result})


def error_response(id_: str | int | float | None, error: RpcError) -> str:
    """The response to a request that was not."""
    return _text({"id": id_, "error": error.as_json})


def notification(method: str, params: Mapping[str, Any]) -> str:
    """A message that asks for no response."""
    return _text({"method": method, "params": params})


def _text(message: Mapping[str, Any]) -> str:
    return json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":"))
