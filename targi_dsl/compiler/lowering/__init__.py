"""Resolves names, checks types and lowers declarations from syntax trees to `ir`: rules,
definitions, scores, layout.
"""
