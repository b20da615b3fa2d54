"""The compiler: layers, names, types, checks and lowering, from files to a game or its problems."""
