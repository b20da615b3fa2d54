"""Games as text: one format for saves and transcripts, written, read and replayed."""

from targi_dsl.records.format import MOST_CHOICES, Record, read, read_record_file, save, write
from targi_dsl.records.recap import Round, recap
from targi_dsl.records.replay import Step, opening, replay, replay_changed, steps

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
    "save",
    "steps",
    "write",
]
