"""Writes the files that colour rules in editors, all from the grammar: `python -m editors.make`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from targi_dsl.syntax import expected_at
from targi_dsl.syntax.grammar import language

HERE = Path(__file__).parent
MADE = "Made from grammar.lark by `python -m editors.make`."


def declaring() -> tuple[str, ...]:
    """The words that begin a declaration."""
    text = "language 2\n"
    return tuple(sorted(expected_at(text, len(text)).words))


def saying() -> tuple[str, ...]:
    """All other words of the language."""
    return tuple(sorted(language().keywords - {*declaring()}))


def _any(words: Iterable[str]) -> str:
    return rf"\b(?:{'|'.join(words)})\b"


def textmate() -> str:
    """The grammar of VS Code, Sublime Text and GitHub."""
    blank: dict[str, object] = {"match": r"\{[^{}]*\}", "name": "variable.other.targi"}
    text: dict[str, object] = {
        "begin": '"',
        "end": '"|$',
        "name": "string.quoted.double.targi",
        "patterns": [blank],
    }
    patterns: list[dict[str, object]] = [
        {"match": "#.*$", "name": "comment.line.number-sign.targi"},
        text,
        {
            "match": rf"^({'|'.join(declaring())})\b(?:\s+([a-z]\w*))?",
            "captures": {
                "1": {"name": "keyword.declaration.targi"},
                "2": {"name": "entity.name.targi"},
            },
        },
        {"match": r"\b[0-9]+\b", "name": "constant.numeric.targi"},
        {"match": _any((*declaring(), *saying())), "name": "keyword.control.targi"},
    ]
    grammar = {
        "$comment": MADE,
        "name": "targi",
        "scopeName": "source.targi",
        "fileTypes": ["targi"],
        "patterns": patterns,
    }
    return json.dumps(grammar, indent=2) + "\n"


def pygments() -> str:
    """A lexer for Pygments."""
    lines = [
        f'"""Rules for Pygments. {MADE}"""',
        "",
        "from pygments.lexer import RegexLexer, words",
        "from pygments.token import Comment, Keyword, Name, Number, Punctuation, String",
        "from pygments.token import Whitespace",
        "",
        f"DECLARING = {declaring()!r}",
        f"SAYING = {saying()!r}",
        "",
        "",
        "class TargiLexer(RegexLexer):",
        '    name, aliases, filenames = "Targi rules", ["targi"], ["*.targi"]',
        "    tokens = {",
        '        "root": [',
        '            (r"#.*$", Comment.Single),',
        '            (r\'"[^"\\n]*"?\', String.Double),',
        '            (words(DECLARING, prefix="^", suffix=r"\\b"), Keyword.Declaration),',
        '            (words(DECLARING + SAYING, prefix=r"\\b", suffix=r"\\b"), Keyword),',
        '            (r"[0-9]+", Number.Integer),',
        '            (r"[a-z]\\w*", Name),',
        '            (r"\\s+", Whitespace),',
        '            (r".", Punctuation),',
        "        ]",
        "    }",
    ]
    return "\n".join(lines) + "\n"


def codemirror() -> str:
    """A mode for CodeMirror 6, for its StreamLanguage."""
    return f"""// {MADE}
const declaring = new Set({json.dumps(declaring())});
const saying = new Set({json.dumps(saying())});

export const targi = {{
  name: "targi",
  token(stream) {{
    if (stream.eatSpace()) return null;
    const begins = stream.sol();
    if (stream.match(/#.*/)) return "comment";
    if (stream.match(/"[^"]*"?/)) return "string";
    if (stream.match(/[0-9]+/)) return "number";
    const word = stream.match(/[A-Za-z]\\w*/);
    if (!word) return stream.next(), null;
    if (begins && declaring.has(word[0])) return "definitionKeyword";
    return declaring.has(word[0]) || saying.has(word[0]) ? "keyword" : "variableName";
  }},
  languageData: {{ commentTokens: {{ line: "#" }} }},
}};
"""


def vim() -> str:
    """A syntax file for Vim and Neovim."""
    declarations = r"\|".join(declaring())
    lines = [
        f'" {MADE}',
        'if exists("b:current_syntax")',
        "  finish",
        "endif",
        "syntax case match",
        f"syntax keyword targiKeyword {' '.join(saying())}",
        rf"syntax match targiDeclaration /^\<\({declarations}\)\>/",
        rf"syntax match targiKeyword /\(^\)\@<!\<\({declarations}\)\>/",
        r"syntax match targiNumber /\<[0-9]\+\>/",
        'syntax region targiText start=/"/ end=/"/ oneline contains=targiBlank',
        "syntax match targiBlank /{[^{}]*}/ contained",
        "syntax match targiComment /#.*$/",
        "highlight default link targiDeclaration Structure",
        "highlight default link targiKeyword Statement",
        "highlight default link targiNumber Number",
        "highlight default link targiText String",
        "highlight default link targiBlank Identifier",
        "highlight default link targiComment Comment",
        'let b:current_syntax = "targi"',
    ]
    return "\n".join(lines) + "\n"


FILES = {
    "vscode/syntaxes/targi.tmLanguage.json": textmate,
    "pygments/targi_lexer.py": pygments,
    "codemirror/targi.js": codemirror,
    "vim/syntax/targi.vim": vim,
}
"""What is made, by path."""


def main() -> None:
    for name, make in FILES.items():
        path = HERE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(make(), encoding="utf-8")


if __name__ == "__main__":
    main()
