"""Texts as cells of a CSV: plain to see, in one line, and never a formula."""

from __future__ import annotations

from analyzer.errors import plain_text

# What a formula may begin with; some spreadsheets know the wide signs, too.
FORMULA = tuple("=+-@＝＋－＠")
_BLANKS = dict.fromkeys(map(ord, "\t\r\n\v\f\x85\u2028\u2029"), " ")


def cell(text: str) -> str:
    """The text as a cell: signs that nobody sees are question marks, and before what a spreadsheet would take
    for a formula (whatever blanks stand before it) there is an apostrophe."""
    if not text.isprintable():
        text = plain_text(text.translate(_BLANKS))
    return f"'{text}" if text.lstrip(" ?\xa0\u3000").startswith(FORMULA) else text
