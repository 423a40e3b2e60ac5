"""Sessions for programs in any language: a host, its seats, and JSON-RPC 2.0 over any transport.

`schemas/session.openrpc.json` is the contract.  `Connection` is the door in one process; `stdio` puts it on
standard input and output.
"""

from rulekit.runtime.serve.connection import Connection
from rulekit.runtime.serve.host import Host

__all__ = ["Connection", "Host"]
