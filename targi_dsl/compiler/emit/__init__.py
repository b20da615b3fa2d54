"""Takes a checked game, and gives its program: instructions, guards and the slots they need."""
