"""Takes declarations and the symbol table, and gives rules, definitions and expressions in
which every name is resolved and every type checked.
"""
