"""What `over` means for two amendments of which one leaves out what the other changes (spec 11.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulekit.compiler.amend.containment import Containment, leaves_text_out
from rulekit.compiler.amend.draft import Draft, Patch
from rulekit.compiler.amend.order import Relations
from rulekit.compiler.amend.overlaps import in_words
from rulekit.compiler.amend.resolve_address import AddressResolver
from rulekit.compiler.amend.targets import PartIndex, Target, parts_brought
from rulekit.compiler.names import Names
from rulekit.diagnostics import Diagnostic, Report, kinds
from rulekit.syntax.tree import items as i


class NewText:
    """The text that amendments bring, searched for what amendments over them change."""

    def __init__(self, names: Names, everything: PartIndex, relations: Relations, draft: Draft) -> None:
        self._names, self._everything = names, everything
        self._relations, self._draft = relations, draft

    def follow(self, patches: Sequence[Patch], containment: Containment) -> Iterator[Patch]:
        """Yield each amendment, and once more for each text that another, which it is over, brings instead.

        An amendment that finds its part in no new text is reported.
        """
        of_item: dict[str, list[Patch]] = {}
        for patch in filter(leaves_text_out, patches):
            of_item.setdefault(containment.root(patch), []).append(patch)
        for patch in patches:
            yield patch
            root = containment.root(patch)
            wholes = [
                whole
                for whole in of_item.get(root, ())
                if self._relations.prevails(patch.activation.variant, whole.activation.variant)
                and containment.takes(whole, patch)
            ]
            targets = [target for whole in wholes if (target := self._target(patch, whole)) is not None]
            if wholes and not targets:
                self._report_missing(patch, wholes[-1], root)
            yield from (replace(patch, target=target) for target in targets if target != patch.target)

    def _target(self, patch: Patch, whole: Patch) -> Target | None:
        """What an amendment changes in the text that another brings; None if that text lacks it."""
        if whole.amendment.op == "remove":
            return None
        if patch.target.part is None:
            lets = {let.name.text for let in whole.amendment.lets}
            is_there = patch.target.word != "let" or whole.target.word == "verb" or patch.target.inner in lets
            return patch.target if is_there else None
        name = patch.activation.variant.name.text
        text = parts_brought([(whole.target.name, whole.amendment)])
        return AddressResolver(self._names, self._everything, name, Report(), text).find(patch.amendment)

    def _report_missing(self, patch: Patch, whole: Patch, root: str) -> None:
        over, under = patch.activation.variant.name.text, whole.activation.variant.name.text
        if whole.amendment.op == "remove":
            why = f"which removes {in_words(whole.target, root)}: nothing is left to change"
        else:
            why = f"whose new text of {in_words(whole.target, root)} lacks what this line changes"
        hint = f"change what the new text has, or let `{under}` take precedence"
        finding = Diagnostic(
            kinds.NOTHING_TO_AMEND, f"`{over}` is over `{under}`, {why}", patch.amendment.span, hint=hint
        )
        self._draft.findings.add(finding)


def yield_to_overriding(patches: Sequence[Patch], relations: Relations) -> Iterator[Patch]:
    """Yield the amendments, removals only while nothing over them changes what they remove."""
    changes: dict[Target, list[Patch]] = {}
    for patch in patches:
        if patch.amendment.op not in ("remove", "before", "after", "add"):
            changes.setdefault(patch.target, []).append(patch)
    for patch in patches:
        if patch.amendment.op != "remove" or patch.target.word == "stack":  # classes never change in play
            yield patch
            continue
        variant = patch.activation.variant
        over = [
            change
            for change in changes.get(patch.target, ())
            if change.activation.variant is not variant
            and relations.prevails(change.activation.variant, variant)
        ]
        conditions = [change.activation.condition(change.amendment.clauses) for change in over]
        unless = [i.UnlessClause(when.span, None, when) for when in conditions if when is not None]
        if len(unless) == len(conditions):  # none of them is always in force
            amendment = replace(patch.amendment, clauses=(*patch.amendment.clauses, *unless))
            yield replace(patch, amendment=amendment)
