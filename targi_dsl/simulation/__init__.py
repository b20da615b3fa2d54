"""Many games of one game: played in chunks, counted, summed up and reported."""
