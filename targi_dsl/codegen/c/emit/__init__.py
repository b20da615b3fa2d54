"""Generates the C source of a program. Nothing here runs a compiler or calls C."""
