"""Operations on whole games: invariants, coverage, differences, canonical form, drawing decks in
advance, and new games.
"""
