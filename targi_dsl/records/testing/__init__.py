"""Rule tests, in the notation of positions: read and run."""

from targi_dsl.records.testing.reading import Phase, RuleTest, TestFile, read_tests
from targi_dsl.records.testing.running import Games, Outcome, run_test

__all__ = ["Games", "Outcome", "Phase", "RuleTest", "TestFile", "read_tests", "run_test"]
