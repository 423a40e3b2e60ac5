"""The protocol on standard input and output: one message a line."""

from __future__ import annotations

from typing import BinaryIO

from rulekit.runtime.serve.connection import Connection
from rulekit.runtime.serve.host import Host
from rulekit.runtime.serve.wire import INVALID_REQUEST, LONGEST, RpcError, error_response


def serve(host: Host, reading: BinaryIO, writing: BinaryIO) -> None:
    """Carry out the requests of one client until its input ends.

    Raises:
        BrokenPipeError: The client does not read any more.
    """

    def send(text: str) -> None:
        writing.write(text.encode("ascii") + b"\n")
        writing.flush()

    connection = Connection(host, send)
    try:
        while line := reading.readline(LONGEST + 2):
            if len(line) > LONGEST + 1:
                while line and not line.endswith(b"\n"):
                    line = reading.readline(LONGEST)
                error = RpcError(INVALID_REQUEST, f"a message has at most {LONGEST:,} characters")
                send(error_response(None, error))
            elif line.strip():
                connection.receive(line.decode("utf-8", "replace"))
    finally:
        connection.close()
