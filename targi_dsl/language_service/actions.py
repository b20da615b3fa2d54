"""Code actions that repair problems."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from targi_dsl.language_service.workspace import Workspace, path_of
from targi_dsl.text.diagnostics import Edit, Problem, apart, by_source
from targi_dsl.text.structs import Frozen


class Repair(Frozen):
    """A code action: a change of texts that repairs problems or is useful otherwise. edits: by
    path.
    """

    title: str
    problems: tuple[Problem, ...]
    edits: Mapping[str, tuple[Edit, ...]]


def repairs(workspace: Workspace, path: str, first: int, last: int) -> Iterator[Repair]:
    """The repairs of problems between two offsets of a file: of each, and of all with its code."""
    mendable = [one for one in workspace.problems(path) if one.edits and one.span is not None]
    here = [one for one in mendable if _is_within(one, path, first, last)]
    for one in here:
        yield Repair(_title(one), (one,), _by_file([one]))
    for code in dict.fromkeys(one.code for one in here):
        alike = [one for one in mendable if one.code == code]
        if len(alike) > 1:
            yield Repair(f"Mend all {len(alike)} problems {code}", tuple(alike), _by_file(alike))


def _is_within(one: Problem, path: str, first: int, last: int) -> bool:
    span = one.span
    if span is None or path_of(span.source.name) != path:
        return False
    return span.start <= last and first <= span.end


def _title(problem: Problem) -> str:
    new = " ".join(problem.edits[0].new.split())
    return f"Write: {new}" if new else "Take it out"


def _by_file(problems: Iterable[Problem]) -> dict[str, tuple[Edit, ...]]:
    """The edits by path, without repairs that touch an earlier one."""
    found = by_source(edit for one in apart(problems) for edit in one.edits)
    return {path_of(name): tuple(edits) for name, edits in found.items()}
