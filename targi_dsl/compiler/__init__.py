"""The compiler: from a sheet to a checked game with its program, or to diagnostics.

`load.load` is the entry point; `load.check` also returns warnings, and `load.analyse` the symbol
index that editors need. All of them read the sheet with its modules and card files (`project`) and
run the passes of `pipeline`.
"""
