"""What an editor needs, as plain functions of a workspace, a file and an offset: problems, names,
completion, renaming, repairs, outlines. In go texts, out come spans and edits; nothing is written.
"""

from targi_dsl.language_service.actions import Repair, refactorings, repairs
from targi_dsl.language_service.completion import Completion, Completions, completions
from targi_dsl.language_service.names import Hover, definitions, hover, references
from targi_dsl.language_service.new_names import Refused, rename, renaming
from targi_dsl.language_service.structure import (
    Outlined,
    Token,
    amounts,
    counts,
    foldings,
    named,
    outline,
    tokens,
)
from targi_dsl.language_service.workspace import Workspace, path_of

__all__ = [
    "Completion",
    "Completions",
    "Hover",
    "Outlined",
    "Refused",
    "Repair",
    "Token",
    "Workspace",
    "amounts",
    "completions",
    "counts",
    "definitions",
    "foldings",
    "hover",
    "named",
    "outline",
    "path_of",
    "refactorings",
    "references",
    "rename",
    "renaming",
    "repairs",
    "tokens",
]
