"""Why generated C does not play."""


class NotInC(Exception):
    """Generated C cannot play this game; the argument says why."""


class Faulty(NotInC):
    """The reason is a compiler that is there but does not work as it should."""
