"""Where names come from: the modules that declared and changed them."""

from __future__ import annotations

from typing import Literal

from targi_dsl.text.source import Span
from targi_dsl.text.structs import Frozen

Operation = Literal["declared", "extended", "replaced", "removed"]
"""What a module can do with a name."""


class Origin(Frozen):
    """Where a name was declared or changed: the module, the place, and what the module did.

    forbid: of a rule, the only prohibition that the module replaced or removed; otherwise empty.
    """

    module: str
    span: Span | None
    how: Operation = "declared"
    cites: tuple[str, ...] = ()
    forbid: str = ""

    @property
    def is_removal(self) -> bool:
        """Whether the module removed the whole declaration."""
        return self.how == "removed" and not self.forbid

    @property
    def text(self) -> str:
        """What the module did, in words."""
        if not self.forbid:
            return self.how
        return f"{'without' if self.how == 'removed' else self.how} {self.forbid}"
