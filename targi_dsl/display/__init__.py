"""One position drawn as text, and what can be chosen and what happened put into words."""
