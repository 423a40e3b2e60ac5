"""Real dice at the table: asks for the results of rolls, draws and shuffles."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulekit.agents import Agent
from rulekit.cli import shared, terminal
from rulekit.cli.table.commands import Followup, TableCommands
from rulekit.cli.table.prompt import say, typed_line, wrap
from rulekit.cli.table.stopping import Stopping
from rulekit.cli.table.typed import case_folded
from rulekit.runtime.narrate import Narrator, about
from rulekit.runtime.play import ChanceAsked, Decision, LegalAnswer, Refused, Session

MOST_THINGS = 20
"""Things to draw from that a question names."""

HELP = """\
  5                the result of a roll: the sum of the dice, or each die, such as 2 3
  NAME, NAME       what is drawn, or all in their new order, the first or top one first; the \
beginning of a name is enough
  roll             let rulekit roll or draw this one
  undo             take back the last result or answer"""

NO_WAY_BACK = "cannot undo: the game starts here, or something was revealed since"


class RealDice:
    """Answers where chance is asked, by asking a person.

    Attributes:
        commands: The commands that every question takes.
    """

    def __init__(self, narrator: Narrator, stopping: Stopping, machine: Agent) -> None:
        """Take `machine`: the agent that rolls when the person would rather not."""
        self._narrator, self._words, self._stopping = narrator, narrator.words, stopping
        self._machine = machine
        self.commands = TableCommands(HELP, NO_WAY_BACK)

    def __call__(self, session: Session, decision: Decision) -> LegalAnswer | None:
        """The result that is typed; None after an undo.

        Raises:
            Quit: The person has had enough.
        """
        asked = decision.chance
        assert asked is not None
        say("\n".join(self._question(session, decision, asked)))
        while True:
            text = typed_line(self._stopping)
            match self.commands.carry_out(session, text):
                case Followup.GONE_BACK:
                    return None
                case Followup.ASK_AGAIN:
                    continue
            if text.partition(" ")[0].lower() == "roll":
                return self._machine(session, decision)
            try:
                return session.legal_answer(self._meant(decision, asked, text))
            except Refused as refused:
                say(wrap(str(refused.args[0]).removeprefix("refused: ")))

    # -- asking

    def _question(self, session: Session, decision: Decision, asked: ChanceAsked) -> Iterator[str]:
        subject = about(session.game.program, decision, self._words).text
        head = f"? {asked.kind}: {self._words.term(decision.choice)}"
        head += f" ({subject})" if subject else ""
        head += f" [{self._words.rules(decision.rules[:3])}]" if decision.rules else ""
        steps = " > ".join(map(self._narrator.title, decision.steps))
        if steps and len(head) + len(steps) < shared.width() - 2:
            head += " " * (shared.width() - len(head) - len(steps)) + steps
        yield terminal.style(head, "head")
        yield wrap(self._wanted_answer(session, decision, asked))

    def _wanted_answer(self, session: Session, decision: Decision, asked: ChanceAsked) -> str:
        """The possible answers; of a draw no names, if anything may be hidden from a side."""
        if asked.kind == "roll":
            low, high = decision.domain.split("..")
            if asked.number == 1:
                return f"a die from {low} to {high}"
            return f"{asked.number} dice, or their sum from {low} to {high}"
        count = f"all {asked.number}" if asked.kind == "order" else f"{asked.number} of {len(asked.things)}"
        sides = session.game.naming.domains.get(session.game.program.sides)
        views = (session.view(side) for side in (sides.members if sides else ()))
        if len(asked.things) > MOST_THINGS or any(view.hides_anything for view in views):
            return count
        return f"{count}: {', '.join(map(self._words.name, asked.things))}"

    # -- answers

    def _meant(self, decision: Decision, asked: ChanceAsked, text: str) -> str | int | list[str]:
        """The answer that a text means: a sum, or the names of things."""
        if asked.kind == "roll":
            dice = re.split(r"[ ,+]+", text)
            if len(dice) != asked.number or not all(die.isdecimal() and len(die) < 9 for die in dice):
                return text
            low, high = (int(end) // asked.number for end in decision.domain.split(".."))
            faces = list(map(int, dice))
            return sum(faces) if all(low <= face <= high for face in faces) else text
        return [self._thing(asked, part.strip()) for part in text.split(",") if part.strip()]

    def _thing(self, asked: ChanceAsked, text: str) -> str:
        """The thing that a name, a title, or the beginning of one means; else the text as a name."""
        wanted = case_folded(text)
        names = {thing: {case_folded(thing), case_folded(self._words.name(thing))} for thing in asked.things}
        meant = [thing for thing, own in names.items() if wanted in own]
        meant = meant or [thing for thing, own in names.items() if any(one.startswith(wanted) for one in own)]
        return meant[0] if len(meant) == 1 else "_".join(text.split())
