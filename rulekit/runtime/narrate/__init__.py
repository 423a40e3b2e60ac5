"""The game log: each action with its printed rule.

Made from events by those who print them; `Words` also serves whoever asks a person.
"""

from rulekit.runtime.narrate.lines import ANSWERS, DecisionSubject
from rulekit.runtime.narrate.narrator import Narrator, Told, about
from rulekit.runtime.narrate.words import Words

__all__ = ["ANSWERS", "DecisionSubject", "Narrator", "Told", "Words", "about"]
