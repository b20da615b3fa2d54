"""What people do with whole games: compare them, draw their decks, begin a variant."""
