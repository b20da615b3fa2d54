"""Texts and their problems, the base of everything that reads or reports: files and shipped
resources, sources and spans, diagnostics, catalogues of translations, the user's cache, and the
base classes of values.
"""
