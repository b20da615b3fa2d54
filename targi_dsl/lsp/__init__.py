"""The language service as a language server."""
