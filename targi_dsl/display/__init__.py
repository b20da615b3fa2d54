"""Renders views for people: as text for a terminal, as SVG pictures; and finds the choice that
typed words mean.
"""
