"""A rule set as C, compiled and loaded into this process."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from rulekit import ir
from rulekit.runtime.native.build import build
from rulekit.runtime.native.host import decode
from rulekit.runtime.native.lower import memory as m

CACHE = {"ZIG_GLOBAL_CACHE_DIR": str(Path(tempfile.gettempdir()) / "rulekit-zig")}
COMPILER = (sys.executable, "-m", "ziglang", "cc")
"""Clang, from the package index with the extra `dev`: the tests need no compiler of the system."""
FLAGS = ("-O1", "-Wall", "-Werror", "-Wno-unused")


class Game(ctypes.Structure):
    """`struct rulekit`; the rest of it is the compiler's."""

    _fields_ = (
        ("memory", ctypes.c_void_p),
        ("size", ctypes.c_uint64),
        ("gave", ctypes.c_int64),
        ("stopped", ctypes.c_char * 1024),
    )


class Compiled:
    """A program as C in this process; `flags` are for clang."""

    def __init__(
        self,
        program: ir.Program,
        folder: Path,
        *flags: str,
        stops: bool = False,
        log: bool = False,
    ) -> None:
        source, library = folder / "set.c", folder / "set.so"
        source.write_bytes(build(program, target="c", stops=stops, log=log))
        command = (*COMPILER, "-std=c99", *(flags or FLAGS), "-shared", "-fPIC", "-o", library, source)
        subprocess.run(command, check=True, env=CACHE | os.environ)
        self.library = ctypes.CDLL(str(library))
        text = source.read_text(encoding="ascii")
        size = int(text.split("#define RULEKIT_MEMORY ")[1].split()[0])
        self.memory = (ctypes.c_int64 * (size // 8 + 1))()
        self.game = Game(ctypes.addressof(self.memory), ctypes.sizeof(self.memory))
        assert 0 == self.begin()

    def begin(self) -> int:
        """Make the memory ready; 2 if it is too small."""
        return int(self.library.rulekit_begin(ctypes.byref(self.game)))

    def call(self, name: str, *numbers: int) -> int:
        """Call a function; 1 is a fault."""
        function = getattr(self.library, f"rulekit_{name}")
        return int(function(ctypes.byref(self.game), *map(ctypes.c_int64, numbers)))

    def word(self, address: int) -> int:
        """A word of the memory."""
        return int(self.memory[address // 8])

    def cells(self, names: dict[str, Any]) -> list[Any]:
        """The state."""
        first, count = self.word(m.STATE_AT) // 8, self.word(m.STATE_SIZE_AT) // 8
        return decode(tuple(self.memory[first : first + count]), names["cells"])
