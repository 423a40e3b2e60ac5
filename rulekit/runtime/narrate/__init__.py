"""The game log: each action with its printed rule.

Made from events by those who print them; `Words` also serves prompts for persons.
"""

from rulekit.runtime.narrate.narrator import NarratedLine, Narrator, about
from rulekit.runtime.narrate.words import Words
from rulekit.runtime.play.events import ANSWERS

__all__ = ["ANSWERS", "Narrator", "NarratedLine", "Words", "about"]
