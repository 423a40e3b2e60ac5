"""A Pygments lexer for `.rules`, made from the words of the grammar.

Pygments finds it by the name `rules`, and by the extension, wherever rulekit is installed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from pygments.lexer import RegexLexer, words
from pygments.token import (
    Comment,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Text,
    Whitespace,
)

from rulekit.syntax.parse import grammar

DECLARATIONS = (
    "enum kind piece space group state track cup stack calendar value define table roll modifier choice"
    " procedure sequence scenario event invariant assume example claim errata exception variant option"
    " reading phase segment step extern"
).split()
"""Words that begin an item or a step of the sequence; a name follows."""
_MONTHS = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)[ ]+[0-9]{4}\b"
)


def _rules() -> Iterator[tuple[Any, ...]]:
    """Yield what a lexer looks for, in this order."""
    known = grammar.words()
    yield r"#[^\n]*", Comment.Single
    yield r"\[[^\]\n]*\]", Name.Label
    yield r"\"[^\"\n]*\"", String.Double
    yield r"'(?:[^'\n]|'(?=\w))+'(?!\w)", Name
    yield r"[0-9]*d[0-9]+\b", Number
    yield _MONTHS, Number
    yield r"[0-9]+(?::[0-9]+)?", Number
    yield r"(?:join|map)(?=[ \t]+of\b)|cheapest[ \t]+way(?=[ \t]+from\b)", Keyword
    yield words(("true", "false", "none"), prefix=r"\b", suffix=r"\b"), Keyword.Constant
    heads = sorted(known & set(DECLARATIONS))
    yield words(heads, prefix=r"^[ \t]*", suffix=r"\b"), Keyword.Declaration
    yield words(sorted(known - {"true", "false", "none"}), prefix=r"\b", suffix=r"\b"), Keyword
    yield r"[^\W\d]\w*(?=\()", Name.Function
    yield r"[A-Z]\w*", Name.Class
    yield r"[^\W\d]\w*", Name
    yield r"->|\.\.|<=|>=|[-+*/<>=—]", Operator
    yield r"[|:,.(){}†‡§]", Punctuation
    yield r"\s+", Whitespace
    yield r".", Text


class RulesLexer(RegexLexer):
    """Rules as rulekit reads them."""

    name = "rulekit rules"
    aliases: ClassVar[list[str]] = ["rules", "rulekit"]
    filenames: ClassVar[list[str]] = ["*.rules"]
    url = ""
    version_added = ""
    tokens: ClassVar[Any] = {"root": [*_rules()]}
