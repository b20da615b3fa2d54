"""A position as a picture: one SVG drawing of what an observer knows."""

from targi_dsl.display.picture.drawing import picture

__all__ = ["picture"]
