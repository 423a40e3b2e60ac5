"""The events of a YAML text: by libyaml where it surely says what ruamel.yaml's own reader says.

libyaml is some twenty times as fast.  It puts an empty value elsewhere, ends a text without a last line end
elsewhere, and lets a tab pass; its messages are others.  A text with any of that, or with a fault, is read by
the slower reader, which then says what is wrong (a test compares the two).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

MAX_DEPTH = 40
"""Levels of a text that libyaml reads: it takes time with their square."""
_DEEPER = {"MappingStartEvent": 1, "SequenceStartEvent": 1, "MappingEndEvent": -1, "SequenceEndEvent": -1}


def events(text: str) -> Iterator[Any]:
    """The events of a text, from the start of the stream to its end.

    Raises:
        YAMLError: The text is not YAML; not before the events that come before the fault.
    """
    quick = quick_events(text)
    if quick is not None:
        return iter(quick)
    from ruamel.yaml import YAML

    slow: Iterator[Any] = YAML(typ="safe", pure=True).parse(text)
    return slow


def quick_events(text: str) -> list[Any] | None:
    """All events by libyaml; None if it is missing, finds a fault, or might see the text otherwise."""
    if "\t" in text or not text.endswith("\n"):
        return None
    try:
        from ruamel.yaml.cyaml import CParser  # type: ignore[attr-defined]
    except ImportError:
        return None
    from ruamel.yaml.error import YAMLError

    events_read: list[Any] = []
    depth = 0
    try:
        parser = CParser(text)
        while parser.check_event():
            event = parser.get_event()
            depth += _DEEPER.get(type(event).__name__, 0)
            if depth > MAX_DEPTH or _odd(event):
                return None
            events_read.append(event)
    except (YAMLError, ValueError):
        return None
    return events_read


def _odd(event: Any) -> bool:
    """An anchor, an alias, a tag, or an empty value that nobody wrote."""
    if getattr(event, "anchor", None) or getattr(event, "tag", None):
        return True
    return getattr(event, "value", None) == "" and not event.style
