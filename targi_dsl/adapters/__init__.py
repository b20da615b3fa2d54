"""Games for other libraries, built on the public names of the package alone."""
