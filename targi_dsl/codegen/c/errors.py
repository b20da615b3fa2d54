"""Why generated C does not play."""


class NotInC(Exception):
    """Generated C cannot play this game; the argument says why."""


class Faulty(NotInC):
    """An installed compiler does not work as it should."""
