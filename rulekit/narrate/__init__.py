"""A game told: who did what under which printed rule.

Made from events by those who print them; `Words` also serves whoever asks a person.
"""

from rulekit.narrate.asked import about
from rulekit.narrate.lines import ANSWERS, Asked
from rulekit.narrate.narrator import Narrator, Told
from rulekit.narrate.words import Words

__all__ = ["ANSWERS", "Asked", "Narrator", "Told", "Words", "about"]
