"""What the playground runs in the browser: a check of a rule set, and a game that a visitor plays.

Runs under Pyodide, beside rulekit and the packages it needs; the page calls `check`, `start` and `answer`.
"""

import json
import os
import shutil
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

os.environ |= {"FORCE_COLOR": "1", "COLUMNS": "88"}
HOME = "/set"
MANIFEST = 'id: set\ntitle: Your rules\nlanguage: "0.2"\nsides: Side\n'
MOST = 400
"""Answers in a row that are given without asking, where only one is legal or a program plays."""


def write(rules):
    """Write the rules of the page as a rule set."""
    shutil.rmtree(HOME, ignore_errors=True)
    os.makedirs(HOME)
    with open(f"{HOME}/set.rules", "w", encoding="utf-8") as file:
        file.write(rules)
    sequence = "sequence: play\n" if "sequence play:" in rules else ""
    with open(f"{HOME}/ruleset.yaml", "w", encoding="utf-8") as file:
        file.write(MANIFEST + sequence)


def run(*arguments):
    """What a command prints, with colours as a terminal has them."""
    from rulekit.cli import main

    out = StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        try:
            main(list(arguments))
        except SystemExit:
            pass
    return out.getvalue().replace(f"{HOME}/", "")


def check(rules):
    """Check the rules."""
    write(rules)
    return run("check", HOME)


class Table:
    """The game being played."""

    def __init__(self, seed):
        import rulekit
        from rulekit.runtime.narrate import Narrator

        self.game = rulekit.load(HOME)
        self.session = self.game.start(seed=seed)
        self.narrator = Narrator(self.game.program, "SET", self.game)
        self.told = 0

    def lines(self, last):
        """The log since the last time."""
        events = self.session.events
        told = [*self.narrator.tell(events[self.told :]), *self.narrator.finish()]
        self.told = len(events)
        rows = [[line.level, *row] for line in told for row in line.rows(72)]
        return rows + ([["result", "", f"result: {self.session.result or 'drawn'}"]] if last else [])

    def state(self):
        """The log, and the question that is open."""
        decision = self.session.decision
        if decision is None:
            return {"lines": self.lines(True), "over": True}
        answers = [answer.name for answer in decision.legal_answers]
        asked = decision.choice.replace("_", " ")
        return {"lines": self.lines(False), "side": decision.side, "asked": asked, "answers": answers}


table = None


def start(rules, seed):
    """Begin a game; a rule set with errors prints them instead."""
    global table
    from rulekit import RulesError

    write(rules)
    if "sequence play:" not in rules:
        return json.dumps({"trouble": "To play, the rules need a `sequence play:`.", "lines": []})
    try:
        table = Table(seed)
        return json.dumps(table.state())
    except RulesError:
        return json.dumps({"trouble": run("check", HOME), "lines": []})
    except Exception as error:  # a fault of play: the rules cannot go on
        return json.dumps({"trouble": str(error), "lines": []})


def answer(name):
    """Answer the question; without a name, let a program answer until the game is over."""
    from rulekit.agents import random_agent

    agent = random_agent(table.session.answered)
    try:
        if name:
            table.session.choose(name)
        for _ in range(0 if name else MOST):
            if table.session.decision is None:
                break
            table.session.choose(agent(table.session, table.session.decision))
        return json.dumps(table.state())
    except Exception as error:
        return json.dumps({**table.state(), "trouble": str(error)})
