"""The checked game and its program.

Read `expressions` and `statements` first; `game` is what the compiler makes of them, `program` what
engines play.
"""
