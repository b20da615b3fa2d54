"""Statistics with numpy and scipy: samples, slopes, and tests of hypotheses."""
