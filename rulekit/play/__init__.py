"""Games to play: sessions that stop at decisions, saves, and what each side may see."""

from rulekit.interpret.faults import Fault
from rulekit.play.decisions import Decision, Option
from rulekit.play.events import Event
from rulekit.play.game import Game
from rulekit.play.reasons import Reason, Refused
from rulekit.play.saves import SaveError
from rulekit.play.session import Session
from rulekit.play.view import HIDDEN, View

__all__ = [
    "HIDDEN",
    "Decision",
    "Event",
    "Fault",
    "Game",
    "Option",
    "Reason",
    "Refused",
    "SaveError",
    "Session",
    "View",
]
