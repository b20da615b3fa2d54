"""Sources, spans, decoding of files, and diagnostics."""
