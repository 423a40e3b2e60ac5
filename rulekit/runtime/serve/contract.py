"""The contract: `schemas/session.openrpc.json`, against which the parameters of requests are checked."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from rulekit.base.resources import contract
from rulekit.base.spelling import suggestion
from rulekit.runtime.serve.wire import INVALID_PARAMS, RpcError

SAVE: Final = {"type": "object"}
"""All that is asked of a save here; a restore holds it against its own schema."""


@cache
def methods() -> Mapping[str, Mapping[str, Any]]:
    """The methods of the contract by name."""
    return {method["name"]: method for method in contract("session")["methods"]}


def check(method: str, params: Mapping[str, Any]) -> None:
    """Hold the parameters of a request against the contract.

    Raises:
        RpcError: They do not fit; the message says where and why.
    """
    error = next(_validator(method).iter_errors(params), None)
    if error is None:
        return
    if error.validator in ("required", "additionalProperties") and not error.absolute_path:
        names = [param["name"] for param in methods()[method]["params"]]
        unknown = next((name for name in params if name not in names), None)
        if unknown is not None:
            raise RpcError(
                INVALID_PARAMS, f"unknown parameter `{unknown[:40]}`; {suggestion(unknown, names)}"
            )
        missing = next(name for name in error.schema["required"] if name not in params)
        raise RpcError(INVALID_PARAMS, f"missing parameter `{missing}`")
    place = ".".join(map(str, error.absolute_path))
    raise RpcError(INVALID_PARAMS, f"`{place}`: {error.message[:200]}")


@cache
def _validator(method: str) -> Any:
    import jsonschema
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012

    params = methods()[method]["params"]
    schema = {
        "type": "object",
        "properties": {param["name"]: param["schema"] for param in params},
        "required": [param["name"] for param in params if param.get("required")],
        "additionalProperties": False,
        "components": contract("session")["components"],
    }
    registry: Any = Registry().with_resource("save.schema.json", DRAFT202012.create_resource(SAVE))
    return jsonschema.Draft202012Validator(schema, registry=registry)
