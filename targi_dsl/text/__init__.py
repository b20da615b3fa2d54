"""Texts and what is wrong with them: sources, decoding, diagnostics."""
