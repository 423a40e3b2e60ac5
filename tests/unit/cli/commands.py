"""Every command of the command line, in a working folder that has all that it may read."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.unit.cli.running import FERRY

LOG = '{"kind": "start", "format": 1, "set": "ferry", "seed": "1", "options": []}\n'
THEME = "format: 1\nlike: grey\nlogo: logo.svg\nfonts: {files: fonts}\n"
OPTION = """option calm "No wind" by House, optional_rule:                             [4]
    reason "for quiet evenings"

modifier calm on roll wind: -1                                                  [4]
"""

QUESTIONS = """claim tired:                                                    [4]
    when do blow(Swift)
    chance Swift is tired
    mean tolls(Red)
"""

COMMANDS: dict[str, str] = {
    "build": "build set --target wasm -o out/set.wasm",
    "check": "check set",
    "check options": "check set --all-options --data given/owner.yaml",
    "check json": "check set --output-format json --proofs",
    "check sarif": "check set --output-format sarif",
    "check github": "check set --output-format github --show-accepted",
    "check concise": "check set --output-format concise --baseline given/baseline.json",
    "check play": "check set --play 1 --write-replays out/replays --write-examples out/examples.rules",
    "check baseline": "check set --write-baseline out/baseline.json",
    "check diff": "check set --diff",
    "check fix": "check set --fix",
    "compile": "compile set --with calm -o out/program.json",
    "coverage": "coverage set --games 1 -v --output-format json",
    "diff": "diff set --with calm",
    "diff odds": "diff set --with calm --odds given/questions.rules --output-format json",
    "explain": "explain 2:1 set",
    "explain finding": "explain RK294",
    "odds": "odds set blow(Swift) --of tolls(Red) --given @given/facts.rules --scenario morning --with calm",
    "odds json": "odds set wind(Swift) --output-format json",
    "odds estimate": "odds set sail(Swift) --of Swift.place --agents random --estimate 3 --output-format csv",
    "simulate": "simulate set --games 3 --workers 1 --save out/games.jsonl --trace-worst out/logs",
    "simulate json": "simulate set --games 2 --with calm --compare base --workers 1 --output-format json",
    "options": "options set",
    "play": "play set --seed 1 --agents random --log out/log.jsonl --save out/saved.json",
    "play answers": "play set --agents given/log.jsonl --quiet --save out/saved.json",
    "play resume": "play set --resume given/save.json --agents random --log out/log.jsonl",
    "run": "run set blow --set b=Swift",
    "serve": "serve set --stdio",
    "sheet html": "sheet set -o out/sheet.html --theme given/theme.yaml",
    "sheet text": "sheet set -o out/sheet.md --language de --missing out/missing.yaml",
    "sheet csv": "sheet set -o out/sheet.csv",
    "sheet check": "sheet set -o given/sheet.json --check",
    "sheet pdf": "sheet set -o out/sheet.pdf --theme given/theme.yaml",
    "show model": "show model set",
    "show syntax": "show syntax set blow",
    "show ir": "show ir set blow",
    "show python": "show python set blow",
    "show errata": "show errata set --output-format markdown",
    "show owner": "show owner set",
    "test": "test set -v",
    "test mutate": "test set --mutate --sample 2 --jobs 1",
}
"""Commands by a name; the first word is the verb, paths are in the working folder."""

WRITING = tuple(name for name, words in COMMANDS.items() if "out/" in words)
"""Those that write where the user wants it."""


def working_folder(folder: Path) -> Path:
    """Make the working folder: `set`, `given`, `out`; `secret` is none of any command's business."""
    for name in ("out", "given/fonts", "secret/inner", "cache", "temporary"):
        (folder / name).mkdir(parents=True)
    shutil.copytree(FERRY, folder / "set")
    manifest = folder / "set" / "ruleset.yaml"
    manifest.write_text(manifest.read_text(encoding="utf-8") + "options: [calm]\n", encoding="utf-8")
    for name, text in {
        "set/options/calm.rules": OPTION,
        "set/sheet.yaml": "format: 1\n",
        "set/messages/de.yaml": "format: 1\nlanguage: de\n",
        "given/theme.yaml": THEME,
        "given/logo.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
        "given/log.jsonl": LOG,
        "given/save.json": "{}",
        "given/sheet.json": "{}",
        "given/baseline.json": '{"format": 1, "sets": {}}',
        "given/owner.yaml": "format: 1\n",
        "given/facts.rules": "given Swift at South\n",
        "given/questions.rules": QUESTIONS,
        "secret/x.yaml": "format: 1\nsecret: SECRET\n",
        "secret/x.rules": "# SECRET\n",
        "secret/inner/y.yaml": "format: 1\nsecret: SECRET\n",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def add_links(folder: Path) -> None:
    """Add links that lead out of the rule set, where nothing of a sound rule set needs them."""
    rules = folder / "set"
    (rules / "linked.yaml").symlink_to("../secret/x.yaml")
    (rules / "absolute.yaml").symlink_to(folder / "secret" / "x.yaml")
    (rules / "docs").symlink_to("../secret", target_is_directory=True)
    (rules / "options" / "other.rules").symlink_to("../../secret/x.rules")
    (rules / "messages" / "ja.yaml").symlink_to("../../secret/x.yaml")
    (rules / "up").symlink_to("..", target_is_directory=True)
