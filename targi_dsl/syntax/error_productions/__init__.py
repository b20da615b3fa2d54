"""Error productions: common mistakes, each with its explanation and repair.

Input is a `SyntaxFault`, the place where a sentence stops parsing; output is a problem, if possible
with a repair that parses. `productions` lists the functions in order, and the first that applies
decides. `sentences` has those that need code; `patterns` and `phrases` look up tables of wrong
tokens and of phrases from other sources.
"""
