"""The generated code, for people: each routine under the name it has in the rules."""

from __future__ import annotations

import re

from rulekit.ir import Program
from rulekit.runtime.codegen.assemble import generate
from rulekit.runtime.support.build import SIMULATION, Build


def show_source(program: Program, build: Build = SIMULATION) -> str:
    """The Python module from a program, with a comment above each function that has a name in the rules."""
    module = generate(program, build)
    named = {
        module.routine_name(key): f"{key[0]} {key[1]}{' (together)' if key[2] else ''}" for key in module.keys
    }
    lines = []
    for line in module.source.splitlines():
        found = re.match(r"def (\w+)\(", line)
        if found:
            lines.append("")
            title = named.get(found[1])
            lines += [] if title is None else [f"# {' '.join(title.split())}"]
        lines.append(line)
    return "\n".join(lines).lstrip("\n") + "\n"
