"""The JSON schema of views: `python -m tests.view_schema` writes it again from the classes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from targi_dsl.view.shape import Equipment, View

FILE = Path(__file__).parent.parent / "schema/view.json"


def schema() -> dict[str, Any]:
    """The schema that the classes of a view have; its equipment is among the definitions."""
    (found, _), parts = msgspec.json.schema_components((View, Equipment))
    draft = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": draft, "title": "View", **_in_one_line({**found, "$defs": parts})}


def _in_one_line(node: Any) -> Any:
    """The schema with each description in one line."""
    match node:
        case dict():
            return {
                key: " ".join(value.split()) if key == "description" else _in_one_line(value)
                for key, value in node.items()
            }
        case list():
            return [_in_one_line(one) for one in node]
        case _:
            return node


def text() -> str:
    """The file."""
    return f"{json.dumps(schema(), indent=1, ensure_ascii=False)}\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
