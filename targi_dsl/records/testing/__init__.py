"""Rule tests, in the notation of positions: read, printed, run, and kept from play."""

from targi_dsl.records.testing.keeping import head_of, test_of
from targi_dsl.records.testing.printing import print_tests
from targi_dsl.records.testing.reading import Phase, RuleTest, TestFile, read_tests
from targi_dsl.records.testing.running import Games, Outcome, run_test

__all__ = [
    "Games",
    "Outcome",
    "Phase",
    "RuleTest",
    "TestFile",
    "head_of",
    "print_tests",
    "read_tests",
    "run_test",
    "test_of",
]
