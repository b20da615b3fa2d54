"""The rules hash: a fingerprint of what is played, so of nothing that is only shown."""

from __future__ import annotations

import hashlib
import json

from targi_dsl.ir.program import Program, as_data


def rules_hash(program: Program) -> str:
    """The same for two programs exactly when they are the same, up to hash collisions.

    Titles, texts, reasons, the layout and places in files are no part of a program.
    """
    canonical = json.dumps(as_data(program), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]
