"""Games for other people's libraries, on the public names of the package alone."""
