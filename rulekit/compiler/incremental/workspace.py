"""What the compiles of one folder share: files already read, and results that serve the next compile."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from rulekit.compiler.incremental.base_model import BaseModel, Passes
from rulekit.compiler.options.relations import variants_in_options
from rulekit.diagnostics import Report
from rulekit.ir.memo import Trees
from rulekit.ruleset import Manifest
from rulekit.ruleset.inputs import Inputs


class Workspace(Inputs):
    """The inputs of one folder with what its compiles have worked out.

    Args:
        answers: The prover's answers about its conditions; the compiler only hands them on.

    Attributes:
        trees: What is known of trees of its programs.
        base_model: What the first compile, of the set without options, leaves for those with options.
    """

    def __init__(self, answers: Any = None) -> None:
        super().__init__()
        self.answers = answers
        self.trees = Trees()
        self.base_model: BaseModel | None = None

    @property
    def passes(self) -> Passes:
        """The passes that make world and model: from scratch, or with what the base model has of them."""
        return self.base_model or Passes()

    def variants(self, manifest: Manifest) -> Collection[str]:
        """Return the names of the variants in the files of all options."""
        return self.read("variants", lambda own: variants_in_options(manifest), Report())
