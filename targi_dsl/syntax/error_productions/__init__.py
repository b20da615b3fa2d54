"""Error productions: what people write from habit, each with what was meant and the repair.

In goes a `SyntaxFault`, where a sentence stops parsing; out comes a problem with a repair that
parses, or None. The first production that fits decides: `productions` lists them in order;
`sentences` are those that need code; `patterns` and `phrases` are tables, of what is wrong just
where the error is and of whole phrases of other sources.
"""
