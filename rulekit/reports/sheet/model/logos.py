"""Pictures of a rule set or a publisher, beside its settings or its theme."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, Literal
from xml.etree import ElementTree

from rulekit.base.files import UnreadableFile, read_inside
from rulekit.base.frozen import frozen
from rulekit.diagnostics.render_text import printable
from rulekit.ruleset.findings import wrong_shape
from rulekit.ruleset.reading import Node, Reading

LogoFormat = Literal["svg", "png", "jpg"]
FORMATS: Final[Mapping[str, LogoFormat]] = {".svg": "svg", ".png": "png", ".jpg": "jpg", ".jpeg": "jpg"}
"""Formats by the ends of names."""
MEDIA: Final[Mapping[LogoFormat, str]] = {"svg": "svg+xml", "png": "png", "jpg": "jpeg"}
"""Names of the formats in `data:` URLs."""
MOST_PRINTED: Final = 300_000
"""Bytes of a picture on a printed page."""
SVG: Final = "{http://www.w3.org/2000/svg}svg"


@frozen
class Logo:
    """The content of a picture's file."""

    format: LogoFormat
    data: bytes

    @property
    def url(self) -> str:
        """The picture as a `data:` URL."""
        return f"data:image/{MEDIA[self.format]};base64,{base64.b64encode(self.data).decode()}"


def logo_of(url: str) -> Logo:
    """Return the picture whose `url` this is."""
    head, _, data = url.partition(";base64,")
    kind = next(kind for kind, name in MEDIA.items() if head == f"data:image/{name}")
    return Logo(kind, base64.b64decode(data))


def read_logo(reading: Reading, folder: Path, node: Node, beside: str, most: int) -> Logo | None:
    """Return the picture whose file a node names; report one that cannot be had.

    Args:
        beside: The name of what lies in the folder too, for messages.
        most: Bytes that it may have.
    """
    name = reading.text(node, "`logo`")
    if not name:
        return None
    shown, kind = printable(name[:80]), FORMATS.get(Path(name).suffix.lower())
    message, hint = f"no picture `{shown}` beside {beside}", "an .svg, .png or .jpg in its folder"
    if kind is not None:
        try:
            data = read_inside(folder, name, most)
            if _LOOKS_LIKE[kind](data):
                return Logo(kind, data)
            message, hint = f"`{shown}` is damaged, or of another kind than its name", "export it anew"
        except UnreadableFile as error:
            if error.reason == "too large":
                message, hint = f"`{shown}` {error.strerror}", "make the picture smaller"
    reading.add(wrong_shape(message, node.span, hint))
    return None


def _is_svg(data: bytes) -> bool:
    try:
        return ElementTree.fromstring(data).tag == SVG
    except (ElementTree.ParseError, ValueError, LookupError):
        return False


_LOOKS_LIKE: Final[Mapping[LogoFormat, Callable[[bytes], bool]]] = {
    "svg": _is_svg,
    "png": lambda data: data.startswith(b"\x89PNG\r\n\x1a\n"),
    "jpg": lambda data: data.startswith(b"\xff\xd8\xff"),
}
