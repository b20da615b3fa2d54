"""Compiles texts of Python to functions of a position `v` and a frame `f`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from targi_dsl.engine.code import Value
from targi_dsl.engine.run import Step

LONGEST = 500  # characters of a text nested in another; this bounds the depth of nesting


class Texts:
    """The functions of one program that have been compiled from texts, and the objects that their
    names refer to.
    """

    def __init__(self, names: Mapping[str, object]) -> None:
        self.names: dict[str, Any] = dict(names)
        self._made: dict[str, Value] = {}

    def bound(self, what: object) -> str:
        """Binds an object to a name for use in texts."""
        name = f"n{len(self.names)}"
        self.names[name] = what
        return name

    def written(self, text: str) -> Value:
        """The closure of a text."""
        if text not in self._made:
            self._made[text] = eval(f"lambda v, f: {text}", self.names)
        return self._made[text]

    def step(self, lines: Sequence[str]) -> Step:
        """A step with this body, which may use `v`, `run` and the frame `f`."""
        return self.function("v, run", ["f = run.frame", *lines])

    def function(self, parameters: str, lines: Sequence[str]) -> Callable[..., Any]:
        """A function with this body."""
        body = "".join(f"    {line}\n" for line in lines)
        functions = dict[str, Callable[..., Any]]()
        exec(f"def function({parameters}):\n{body}", self.names, functions)
        return functions["function"]
