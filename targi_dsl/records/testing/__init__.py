"""Rule tests, in the notation of positions: read, printed, run, and generated from games that were
played.
"""

from targi_dsl.records.testing.keeping import head_of, test_of
from targi_dsl.records.testing.printing import print_tests
from targi_dsl.records.testing.reading import (
    FIELD,
    Phase,
    RuleTest,
    TestFile,
    cells,
    parse_tests,
    read_tests,
)
from targi_dsl.records.testing.running import Games, Outcome, game_of, run_test, state_at

__all__ = [
    "FIELD",
    "Games",
    "Outcome",
    "Phase",
    "RuleTest",
    "TestFile",
    "cells",
    "game_of",
    "head_of",
    "parse_tests",
    "print_tests",
    "read_tests",
    "run_test",
    "state_at",
    "test_of",
]
