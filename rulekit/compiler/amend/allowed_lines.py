"""Which lines an amendment may have: what is of no use where it stands is told, and not passed over."""

from __future__ import annotations

from rulekit.compiler.amend.draft import Draft
from rulekit.compiler.amend.patch import Patch

_SAID = {
    "members": "members", "norms": "norms", "rows": "rows", "notes": "notes", "fields": "fields",
    "body": "statements", "cases": "a value", "verb": "a verb", "lets": "`let`s", "secret": "`secret`",
    "default": "`default`", "dice": "dice", "type": "a type", "most": "a number",
    "stacking": "stacking classes", "months": "months",
}  # fmt: skip
_ASKED = ("verb", "lets", "secret", "default", "norms")
_TAKES: dict[tuple[str, str], tuple[str, ...]] = {
    ("enum", "add"): ("members",),
    ("kind", "add"): ("members", "fields"),
    ("piece", "add"): ("members", "fields"),
    ("space", "add"): ("members", "fields"),
    ("group", "add"): ("fields",),
    ("group", "widen"): ("most",),
    ("state", "set"): ("cases",),
    ("table", "add"): ("rows", "notes"),
    ("table", "replace"): ("rows", "notes"),
    ("row", "replace"): ("rows",),
    ("choice", "add"): ("norms",),
    ("choice", "replace"): _ASKED,
    ("verb", "replace"): ("verb", "lets"),
    ("norm", "replace"): ("norms",),
    ("procedure", "replace"): ("body",),
    ("event", "replace"): ("body",),
    ("statement", "replace"): ("body",),
    ("roll", "set"): ("dice",),
    ("roll", "add"): ("stacking",),
    ("stack", "set"): ("stacking",),
    ("calendar", "set"): ("cases", "months"),
    **{(word, "set"): ("cases",) for word in ("define", "modifier", "decider", "let", "invariant", "cell")},
    **{(word, "set"): ("cases",) for word in ("case", "clause")},
    **{(word, "widen"): ("type",) for word in ("parameter", "field", "column", "result", "state")},
}
"""What each sort of thing takes with each amendment; what is not here takes none, and says so itself."""


def takes(draft: Draft, patch: Patch) -> bool:
    """Whether an amendment has only lines that its target can take; else it is told which cannot."""
    taken = _TAKES.get((patch.target.word, patch.amendment.op))
    if taken is None:
        return True
    strange = [words for part, words in _SAID.items() if getattr(patch.amendment, part) and part not in taken]
    if strange and any(getattr(patch.amendment, part) for part in taken):
        words = " and ".join(word.removeprefix("a ") for word in strange)
        message = f"a {patch.target.word} cannot take {words} here"
        hint = f"it can take {', '.join(_SAID[part] for part in taken)}"
        draft.refuse(patch.amendment, message, hint)
        return False
    return True
