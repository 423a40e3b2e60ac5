"""Parts of the rules that this back end cannot lower yet; see decision 0089."""

from __future__ import annotations

from rulekit.base.frozen import frozen


class CannotLower(Exception):
    """A part of the rules that cannot be lowered.

    Attributes:
        what: The part, as the subject of "cannot be built yet".
        site: Its place in the rules; below 0 if it is not known.
    """

    def __init__(self, what: str, site: int = -1) -> None:
        super().__init__(what)
        self.what, self.site = what, site


@frozen
class BuildRefusal:
    """A part of the rules that a build refuses, and its place."""

    what: str
    site: int


class BuildRefused(Exception):
    """A program that cannot be built; the message has the first reason.

    Attributes:
        refusals: Every reason that was found, in the order of the program, each once.
    """

    def __init__(self, refusals: tuple[BuildRefusal, ...]) -> None:
        super().__init__(f"{refusals[0].what} cannot be built yet")
        self.refusals = refusals
