"""Rule files and sheets as a whole."""

from __future__ import annotations

from targi_dsl.syntax import ast as n
from targi_dsl.syntax.parser import File
from targi_dsl.syntax.printer.declarations import print_declaration

_APART = (n.Rule, n.ExtendRule, n.ExtendAction, n.Layout, n.Look)


def print_file(file: File) -> str:
    """The text of a file with its comments and sources. A declaration that could not be parsed
    stays as it is. A blank line stays where there was one, and is put above and below a rule.
    """
    lines = list[str]()
    was_apart = False
    for part in file.parts:
        if part.node is None:
            text = part.section.text
            printed = [*text.rstrip().split("\n"), *[""] * text.endswith("\n\n")]
        else:
            printed = [*print_declaration(part.node, notes=True)]
        is_apart = isinstance(part.node, _APART)
        if lines and lines[-1] and (is_apart or was_apart):
            lines.append("")
        lines += printed
        was_apart = is_apart
    return "\n".join(lines).strip("\n") + "\n"
