"""From written to meant: layers, names, types, checks, lowering; a game, or its problems."""
