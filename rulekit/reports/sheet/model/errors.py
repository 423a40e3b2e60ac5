"""Errors that stop a sheet."""

from __future__ import annotations

NOTHING = "nothing of the rule set is in force that a sheet could hold"


def no_font(theme: str, name: str) -> str:
    """Return the message for a missing font of a theme."""
    hint = "put its files into a folder beside the theme and name that under `fonts: files`"
    return f"the theme `{theme}` needs the font `{name}`, which was not found; {hint}"


class SheetError(Exception):
    """A sheet cannot be made: what was asked for is not there, or something does not fit.

    `details` are further lines, each about one thing.
    """

    def __init__(self, message: str, details: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.message, self.details = message, details
