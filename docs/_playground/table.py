"""What the playground runs in the browser: a check of a rule set, and a game that a visitor plays.

Runs under Pyodide, beside rulekit and the packages it needs; the page calls `check`, `start` and `answer`.
Each returns JSON: lines of the log or findings, and `trouble` where play cannot go on.  Colours are those
of a terminal.
"""

import json
import os
import shutil
from itertools import groupby

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


def check(rules, columns):
    """Check the rules; `columns` are the characters that fit in a line of the page."""
    import rulekit

    write(rules)
    return json.dumps(listed(rulekit.check(HOME), columns))


def listed(findings, columns):
    """The findings by kind, those of the gravest first, and their number."""
    from rulekit.cli.terminal import ROLES
    from rulekit.diagnostics import Severity
    from rulekit.diagnostics.render_full import render
    from rulekit.diagnostics.render_text import count

    def text_of(file):
        with open(f"{HOME}/{file}", encoding="utf-8") as opened:
            return opened.read()

    def shown(finding):
        return render([finding], text_of, paint, width=columns, fold=True)

    def paint(text, role):
        return f"\x1b[{ROLES[role]}m{text}\x1b[0m"

    def kind(finding):
        return list(Severity).index(finding.kind.severity), finding.kind.code

    groups = groupby(sorted(findings, key=kind), key=lambda finding: finding.kind)
    kinds = [[f"{each.code} {each.name}", list(map(shown, of_kind))] for each, of_kind in groups]
    return {"kinds": kinds, "count": count(findings)}


class Table:
    """The game being played."""

    def __init__(self, seed, columns):
        import rulekit
        from rulekit.runtime.narrate import Narrator

        self.game = rulekit.load(HOME)
        self.session = self.game.start(seed=seed)
        self.narrator = Narrator(self.game.program, "SET", self.game)
        self.columns = columns
        self.told = 0

    def lines(self, last):
        """The log since the last time."""
        events = self.session.events
        told = [*self.narrator.tell(events[self.told :]), *self.narrator.finish()]
        self.told = len(events)
        cited = any(line.rule for line in told)
        rows = [[line.level, *row] for line in told for row in self.rows(line, cited)]
        return rows + ([["result", "", f"result: {self.session.result or 'drawn'}"]] if last else [])

    def rows(self, line, cited):
        """The rows of a line, without the margin of rule numbers where none is cited."""
        from rulekit.runtime.narrate.narrator import RULE_WIDTH

        if cited or line.level != "line":
            return line.rows(self.columns)
        return (("", text[2:]) for _, text in line.rows(self.columns + RULE_WIDTH + 2))

    def state(self):
        """The log, and the question that is open."""
        decision = self.session.decision
        if decision is None:
            return {"lines": self.lines(True), "over": True}
        answers = [answer.name for answer in decision.legal_answers]
        asked = decision.choice.replace("_", " ")
        return {"lines": self.lines(False), "side": decision.side, "asked": asked, "answers": answers}


table = None


def start(rules, seed, columns):
    """Begin a game; of a rule set with errors, return its findings instead."""
    global table
    from rulekit import RulesError

    write(rules)
    if "sequence play:" not in rules:
        return json.dumps({"trouble": "To play, the rules need a `sequence play:`."})
    try:
        table = Table(seed, columns)
        return json.dumps(table.state())
    except RulesError as error:
        return json.dumps(listed(error.diagnostics, columns))
    except Exception as error:  # a fault of play: the rules cannot go on
        return json.dumps({"trouble": str(error)})


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
