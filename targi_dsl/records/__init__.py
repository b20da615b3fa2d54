"""Games as text: one format for saves and transcripts, written, read and replayed.

`records.notation` has positions as text.
"""

from targi_dsl.records.format import MOST_CHOICES, Record, read, read_record_file, write
from targi_dsl.records.replaying import Round, Step, opening, recap, replay, replay_changed, steps

__all__ = [
    "MOST_CHOICES",
    "Record",
    "Round",
    "Step",
    "opening",
    "read",
    "read_record_file",
    "recap",
    "replay",
    "replay_changed",
    "steps",
    "write",
]
