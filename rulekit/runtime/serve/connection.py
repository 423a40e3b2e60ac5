"""One client's door to a host: requests come in as text, responses and notifications go out as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rulekit.runtime.play import Fault, SaveError
from rulekit.runtime.serve import contract, wire
from rulekit.runtime.serve.host import Host
from rulekit.runtime.serve.methods import METHODS
from rulekit.runtime.serve.wire import RpcError, RpcRequest


class Connection:
    """A client's connection, over any transport, or in one process.

    Args:
        host: The host, which may have other connections; all of them belong to one thread.
        send: Takes each message to the client: a response, or a notification.
    """

    def __init__(self, host: Host, send: Callable[[str], object]) -> None:
        self.host, self._send = host, send

    def notify(self, method: str, params: Mapping[str, Any]) -> None:
        """Send a notification."""
        self._send(wire.notification(method, params))

    def receive(self, text: str) -> None:
        """Carry out the request in a message, and send the response, if it asks for one.

        Notifications of what has changed go out before the response.
        """
        try:
            request = wire.read(text)
        except RpcError as error:
            self._send(wire.error_response(getattr(error, "id", None), error))
            return
        try:
            answer = wire.response(request.id, self._carry_out(request))
        except RpcError as error:
            answer = wire.error_response(request.id, error)
        if request.answered:
            self._send(answer)

    def close(self) -> None:
        """Say that the client is gone."""
        self.host.leave(self)

    def _carry_out(self, request: RpcRequest) -> Any:
        method = METHODS.get(request.method)
        if method is None:
            raise RpcError(wire.UNKNOWN_METHOD, f"unknown method `{request.method[:40]}`")
        try:
            contract.check(request.method, request.params)
            return method(self, **request.params)
        except RpcError:
            raise
        except SaveError as error:
            raise RpcError(wire.BAD_SAVE, str(error)) from error
        except Fault as error:
            raise RpcError(wire.FAULT, "the rules cannot go on", {"name": error.name}) from error
        except (ValueError, KeyError) as error:
            message = str(error.args[0]) if error.args else type(error).__name__
            raise RpcError(wire.INVALID_PARAMS, message) from error
        except Exception as error:
            raise RpcError(wire.INTERNAL, f"internal error: {type(error).__name__}") from error
