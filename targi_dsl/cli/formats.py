"""Problems in formats of other programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from targi_dsl.text.diagnostics import Problem, render
from targi_dsl.text.source import Span
from targi_dsl.text.version import __version__

TEXT, CONCISE, JSON, GITHUB, SARIF = FORMATS = ("text", "concise", "json", "github", "sarif")
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def formatted_lines(problems: Iterable[Problem], form: str) -> str:
    """The problems one per line, or as GitHub workflow commands."""
    one_line = {CONCISE: _concise, GITHUB: _github}.get(form)
    return render(problems) if one_line is None else "\n".join(map(one_line, problems))


def _concise(problem: Problem) -> str:
    place = f"{problem.file}: " if problem.file else ""
    if (span := problem.span) is not None:
        place = f"{span.source.name}:{span.line}:{span.column}: "
    return f"{place}{problem.code} {problem.title}"


def _github(problem: Problem) -> str:
    where = {"file": problem.file} if problem.file else {}
    if (span := problem.span) is not None:
        where = {"file": span.source.name, "line": str(span.line), "col": str(span.column)}
        where |= {"endLine": str(span.end_line), "endColumn": str(span.end_column)}
    where["title"] = f"{problem.code} {problem.title}"
    properties = ",".join(f"{key}={_escaped(value, ':,')}" for key, value in where.items())
    return f"::{problem.severity} {properties}::{_escaped(_words(problem))}"


def _escaped(text: str, more: str = "") -> str:
    for character in f"%\r\n{more}":
        text = text.replace(character, f"%{ord(character):02X}")
    return text


def _words(problem: Problem) -> str:
    return " ".join(part for part in (problem.text, problem.hint) if part) or problem.title


def sarif(problems: Sequence[Problem]) -> Mapping[str, object]:
    """The problems in the Static Analysis Results Interchange Format, version 2.1.0."""
    driver = {
        "name": "targi",
        "version": __version__,
        "rules": [{"id": code} for code in sorted({problem.code for problem in problems})],
    }
    runs = [{"tool": {"driver": driver}, "results": [*map(_result, problems)]}]
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": runs}


def _result(problem: Problem) -> Mapping[str, object]:
    name = problem.file if problem.span is None else problem.span.source.name
    place: dict[str, object] = {"artifactLocation": {"uri": name}}
    if problem.span is not None:
        place["region"] = _region(problem.span)
    return {
        "ruleId": problem.code,
        "level": problem.severity,
        "message": {"text": f"{problem.title}. {_words(problem)}"},
        "locations": [{"physicalLocation": place}] if name else [],
    }


def _region(span: Span) -> Mapping[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
