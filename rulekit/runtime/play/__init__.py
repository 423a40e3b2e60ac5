"""Games to play: sessions that stop at decisions, saves, and what each side may see."""

from rulekit.ir.semantics.faults import Fault
from rulekit.runtime.explain import Term, TermValue
from rulekit.runtime.play.answering.answers import LegalAnswer
from rulekit.runtime.play.answering.chance_questions import ChanceAsked
from rulekit.runtime.play.answering.decisions import Decision
from rulekit.runtime.play.answering.reasons import Amount, Reason, Refused
from rulekit.runtime.play.events import Event
from rulekit.runtime.play.game import Game
from rulekit.runtime.play.saved.saves import SaveError
from rulekit.runtime.play.seen.changes import CellChange, SessionChange, SessionMark
from rulekit.runtime.play.seen.sight import HIDDEN
from rulekit.runtime.play.session import Session
from rulekit.runtime.play.view import View

__all__ = [
    "HIDDEN",
    "Amount",
    "CellChange",
    "ChanceAsked",
    "Decision",
    "Event",
    "Fault",
    "Game",
    "LegalAnswer",
    "Reason",
    "Refused",
    "SaveError",
    "Session",
    "SessionChange",
    "SessionMark",
    "Term",
    "TermValue",
    "View",
]
