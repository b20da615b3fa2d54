"""Shipped and other files, sources, spans, decoding, and diagnostics."""
