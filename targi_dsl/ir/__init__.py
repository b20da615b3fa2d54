"""The checked game and its program.

Start with `expressions` and `statements`. The compiler builds a `game` out of them and derives
its `program`, which is what engines run.
"""
