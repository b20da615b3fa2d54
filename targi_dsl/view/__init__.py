"""View models: everything that one viewer sees of a table, in words, as one plain value that any
front end can draw. `views.view` makes one from an observation; it depends on nothing else.
"""
