"""From a parser's refusal to a finding: the likeliest cause in the author's words."""

from __future__ import annotations

import re
from dataclasses import replace

from lark import Token
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from rulekit.base.source import Span
from rulekit.base.spelling import meant
from rulekit.diagnostics import Diagnostic, Edit, Fix, kinds
from rulekit.syntax.parse.advice import Refusal, advice
from rulekit.syntax.parse.comments import code_of
from rulekit.syntax.parse.grammar import spelling, words
from rulekit.syntax.parse.lark_parser import lark_parser
from rulekit.syntax.parse.layout import UnevenIndentation

_LAYOUT = ("_NL", "_INDENT", "_DEDENT", "$END")
_FOREIGN = {
    "‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "−": "-", "\u00a0": "a space", "…": "..",
    "≤": "<=", "≥": ">=", "≠": "`not (a = b)`", "×": "*", "→": "->",
}  # fmt: skip
_PLAIN = {"a space": " "}
_OTHER_LANGUAGES = {
    "if": "use `when`",
    "elif": "use `otherwise when`",
    "else": "use `otherwise`",
    "while": "use `repeat while`",
    "return": "use `result` before a value",
    "break": "use `leave`",
    "continue": "use `next`",
    ";": "write one statement per line, with nothing after it",
}
_AFTER_NAMES = (":", "=", "(", ",", ".", "is", "in")
"""Signs and words that follow a name, not a keyword."""
_WORTH_NAMING = 8
_LOOK = 300
"""Characters around a refused word that a hint is made from."""
_NO_BLOCK = "expected an indented block"


def fault_of(lines: list[str], offset: int, file: str) -> Diagnostic:
    """Return the first fault of an item's text that cannot be read.

    Args:
        offset: Lines of the file before the item.
    """
    try:
        lark_parser().parse("\n".join(lines))
    except UnexpectedInput as error:
        return finding_for(error, file, offset, lines)
    except UnevenIndentation as error:
        line = error.line + offset
        width = len(lines[error.line - 1]) - len(lines[error.line - 1].lstrip())
        span = Span(file, line, 1, line, width + 1)
        hint = "align this line with its block"
        return Diagnostic(kinds.UNEVEN_INDENTATION, "inconsistent indentation", span, hint=hint)
    raise AssertionError("lark reads what the quick parser does not")


def finding_for(error: UnexpectedInput, file: str, offset: int, lines: list[str]) -> Diagnostic:
    """Return the finding for one refusal; `offset` is added to lark's lines, `lines` are the item's own."""
    if isinstance(error, UnexpectedCharacters):
        return _characters(error, file, offset, lines)
    assert isinstance(error, UnexpectedToken)
    return _token(error, file, offset, lines)


def _at(file: str, offset: int, line: int, column: int, length: int) -> Span:
    return Span(file, line + offset, column, line + offset, column + max(1, length))


def _characters(error: UnexpectedCharacters, file: str, offset: int, lines: list[str]) -> Diagnostic:
    text = lines[error.line - 1] if error.line <= len(lines) else ""
    char = text[error.column - 1 : error.column] or error.char
    span = _at(file, offset, error.line, error.column, 1)
    if char in _FOREIGN:
        message = f"`{char}` is not a character of the language"
        write = f"write {_quoted_text(_FOREIGN[char])}"
        return Diagnostic(kinds.FOREIGN_CHARACTER, message, span, hint=write, fix=_in_own_letters(text, span))
    if char == "[":
        message = "square brackets are for citations only, at the end of a line"
        hint = "write sets as `{A, B}`, lookups as `table(key)`"
        return Diagnostic(kinds.MISPLACED_CITATION, message, span, hint=hint)
    mended = _OTHER_LANGUAGES.get(char) or _advice(_refusal(char, error.line, error.column, set(), lines))
    return Diagnostic(kinds.SYNTAX_ERROR, f"unexpected `{char}`", span, hint=mended)


def _in_own_letters(line: str, at: Span) -> Fix | None:
    """Replace all such characters of a line at once, for they come in pairs, but none inside quotes."""
    code = re.sub(r'"[^"]*"', lambda text: " " * len(text[0]), code_of(line))
    edits = [
        Edit(replace(at, column=column, end_column=column + 1), _PLAIN.get(_FOREIGN[char], _FOREIGN[char]))
        for column, char in enumerate(code, 1)
        if char in _FOREIGN
    ]
    certain = edits and not any("`" in edit.text for edit in edits)
    return Fix("write it in characters of the language", tuple(edits)) if certain else None


def _token(error: UnexpectedToken, file: str, offset: int, lines: list[str]) -> Diagnostic:
    token = error.token
    allowed = set(error.accepts or error.expected or ())
    if token.type in _LAYOUT:
        return _line_end(token, allowed, file, offset, lines)
    text = str(token).split("\n")[0]
    refusal = _refusal(text, token.line or 1, token.column or 1, allowed, lines)
    if refusal.begins_line and allowed == {"_INDENT"}:
        return _lost_indentation(token, file, offset, lines)
    span = _at(file, offset, token.line or 1, token.column or 1, len(text))
    if token.type == "CITE" and "COLON" in allowed and not refusal.behind.strip():
        before = lines[(token.line or 1) - 1][: (token.column or 1) - 1].rstrip()
        return _missing_colon(_at(file, offset, token.line or 1, len(before) + 1, 1))
    if token.type == "CITE":
        message = f"misplaced citation `{text}`"
        hint = _advice(refusal) or "move it to the end of the line"
        return Diagnostic(kinds.MISPLACED_CITATION, message, span, hint=hint)
    if refusal.begins_line:
        return _line_start(refusal, allowed, span)
    return Diagnostic(kinds.SYNTAX_ERROR, f"unexpected `{text}`", span, hint=_hint(refusal, allowed))


def _refusal(text: str, line: int, column: int, allowed: set[str], lines: list[str]) -> Refusal:
    """Return the refused word with the text around it on its line, `_LOOK` characters on each side."""
    code, start = code_of(lines[line - 1]) if line <= len(lines) else "", column - 1
    before = code[:start] if start <= _LOOK else "… " + code[start - _LOOK : start]
    could = frozenset(spelling().get(name, name) for name in allowed)
    return Refusal(text, before, code[start + len(text) :][:_LOOK], could)


def _hint(refusal: Refusal, allowed: set[str]) -> str | None:
    """Return what to do about a word in the middle of a line."""
    mended = _advice(refusal) or _OTHER_LANGUAGES.get(refusal.text)
    if mended is None and refusal.text in words() and "NAME" in allowed:
        return f"`{refusal.text}` is a keyword; to use it as a name, write `'{refusal.text}'`"
    return mended or _word_as_name(refusal, allowed) or _expected_words(allowed)


def _advice(refusal: Refusal) -> str | None:
    return advice(refusal, _is_item)


def _is_item(text: str) -> bool:
    try:
        lark_parser().parse(text)
    except (UnexpectedInput, UnevenIndentation):
        return False
    return True


def _word_as_name(refusal: Refusal, allowed: set[str]) -> str | None:
    """`state: 1..3`, `let x: set = 3`: a word with a meaning at its place, used as a name."""
    word = re.search(r"([a-z]+)\s*$", refusal.before)
    if word is None or word[1] not in words() or refusal.text not in _AFTER_NAMES:
        return None
    meant_name = "NAME" in allowed or allowed == {"OF"}
    return f"to use `{word[1]}` as a name, write `'{word[1]}'`" if meant_name else None


def _lost_indentation(token: Token, file: str, offset: int, lines: list[str]) -> Diagnostic:
    """The finding for a line in the place where the block of the line above it should begin."""
    number = next(at for at in range((token.line or 1) - 1, 0, -1) if code_of(lines[at - 1]))
    span = _at(file, offset, number, len(code_of(lines[number - 1])) + 1, 1)
    return Diagnostic(kinds.MISSING_BLOCK, _NO_BLOCK, span, hint="indent the lines that belong to it")


def _line_end(token: Token, allowed: set[str], file: str, offset: int, lines: list[str]) -> Diagnostic:
    """The finding for something missing at the end of the line before the token, or for a missing block."""
    number = min(token.line or len(lines), len(lines))
    while number > 1 and not code_of(lines[number - 1]):
        number -= 1
    code = code_of(lines[number - 1])
    span = _at(file, offset, number, len(code) + 1, 1)
    if "COLON" in allowed:
        return _missing_colon(span)
    if allowed == {"_INDENT"} or (token.type != "_INDENT" and "_INDENT" in allowed):
        return Diagnostic(kinds.MISSING_BLOCK, _NO_BLOCK, span, hint="indent its lines, or remove the `:`")
    if token.type == "_INDENT":
        message, hint = "unexpected indentation below this line", "add `:`, or remove the indentation"
        return Diagnostic(kinds.SYNTAX_ERROR, message, span, hint=hint)
    advised = _advice(_refusal("", number, len(code) + 1, allowed, lines)) or _expected_words(allowed)
    return Diagnostic(kinds.SYNTAX_ERROR, "unexpected end of line", span, hint=advised)


def _line_start(refusal: Refusal, allowed: set[str], span: Span) -> Diagnostic:
    text = refusal.text
    if hint := _OTHER_LANGUAGES.get(text):
        return Diagnostic(kinds.NO_KEYWORD, f"`{text}` is not a keyword here", span, hint=hint)
    message = f"a line here cannot start with `{text}`"
    near = meant(text, (word for word in refusal.could if word.isalpha()))
    hint = _advice(refusal) or near or _expected_words(allowed)
    return Diagnostic(kinds.NO_KEYWORD, message, span, hint=hint)


def _missing_colon(span: Span) -> Diagnostic:
    end = replace(span, end_line=span.line, end_column=span.column)
    fix = Fix("end the line with `:`", (Edit(end, ":"),))
    return Diagnostic(kinds.MISSING_COLON, "missing `:`", span, hint=fix.title, fix=fix)


def _expected_words(allowed: set[str]) -> str | None:
    """Return what is allowed there, if the list is short enough to help."""
    named = {"NAME": "a name", "INT": "a number", "STRING": 'a "text"', "DATE": "a month such as `Aug 1942`",
             "CITE": "a citation", "_NL": "the end of the line", "DICE": "dice such as `d6`"}  # fmt: skip
    known = {**{name: _quoted_text(word) for name, word in spelling().items()}, **named}
    expected = sorted({known[name] for name in allowed if name in known})
    if not 0 < len(expected) <= _WORTH_NAMING:
        return None
    *others, last = expected
    return f"expected {', '.join(others)} or {last} here" if others else f"expected {last} here"


def _quoted_text(text: str) -> str:
    return text if "`" in text or text.startswith("a ") else f"`{text}`"
