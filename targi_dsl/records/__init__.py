"""Records: saves and transcripts of games as text, written, read and replayed. `notation` writes
one position as text; `testing` runs rule tests in that notation.
"""

from targi_dsl.records.autosave import Autosave, new_file
from targi_dsl.records.format import MOST_CHOICES, Record, read, read_record_file, write
from targi_dsl.records.replaying import (
    Round,
    Step,
    opening,
    recap,
    replay,
    replay_changed,
    step_by,
    steps,
)

__all__ = [
    "MOST_CHOICES",
    "Autosave",
    "Record",
    "Round",
    "Step",
    "new_file",
    "opening",
    "read",
    "read_record_file",
    "recap",
    "replay",
    "replay_changed",
    "step_by",
    "steps",
    "write",
]
