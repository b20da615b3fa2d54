"""The rules hash: a fingerprint of the program, without anything that is only displayed."""

from __future__ import annotations

import hashlib
import json

from targi_dsl.ir.program import Program, as_data


def rules_hash(program: Program) -> str:
    """Equal for two programs exactly if they are equal, up to hash collisions.

    Titles, texts, reasons, the layout and places in files are not part of a program.
    """
    canonical = json.dumps(as_data(program), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]
