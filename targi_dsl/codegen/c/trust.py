"""Whether C compiled in memory is trusted: on this machine, and with a program.

Both are tried once, in a process of its own, a program beside its first game. The answers are kept
in the user's cache. A process that crashes or hangs says no.
"""

from __future__ import annotations

import hashlib
import pickle
import platform
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Thread

from targi_dsl.codegen.c.libtcc import identity
from targi_dsl.codegen.c.unit import NotInC
from targi_dsl.ir.game import Game
from targi_dsl.text.cache import folder, installed, keep, read

RUN_ON = (("linux", "x86_64", "glibc"),)
"""The platforms on which the tests of this project were run with libtcc."""

_LONGEST = 20  # seconds after which a process that has not ended counts as hanging
_EQUAL, _TOLD = b"equal", b"told: "
_BEGIN = "import sys; sys.path.insert(0, sys.argv[2]); from {} import main; main()"
_CHILD = "targi_dsl.codegen.c.lockstep"


def check_machine(is_asked: bool = False) -> None:
    """Raises NotInC with the reason if libtcc cannot be used here. On a platform on which nobody
    has run it, it is used only if that was asked for.
    """
    here = (sys.platform, platform.machine(), platform.libc_ver()[0])
    if not is_asked and here not in RUN_ON:
        raise NotInC(f"libtcc has not been run on {' '.join(here).strip()}")
    key = _key("machine", sys.version)
    answer = read(_kept(key), key)
    if answer is None:
        answer = _answer_of(_child("machine"))
        keep(_kept(key), answer, key)
    if answer != _EQUAL:
        raise NotInC(answer.decode("utf-8", "replace"))


class Trial:
    """A program of which C is compiled in memory. Unless that was done before, it is tried beside
    the game. Raises NotInC if it was tried and is not to be used.
    """

    def __init__(self, game: Game, source: str) -> None:
        self._name, self._key, self._child = game.name, _key("program", source), None
        answer = read(_kept(self._key), self._key)
        if answer is None:
            self._child = _child("program", game)
        elif answer != _EQUAL:
            self._raise(answer)

    def check(self) -> None:
        """Raises NotInC, once, if a difference has been found by now."""
        child = self._child
        if child is None or child.poll() is None:
            return
        self._child, answer = None, _answer_of(child)
        keep(_kept(self._key), answer, self._key)
        if answer != _EQUAL:
            self._raise(answer)

    def _raise(self, answer: bytes) -> None:
        """Says it in full once."""
        if answer.startswith(_TOLD):
            raise NotInC("")
        keep(_kept(self._key), _TOLD + answer, self._key)
        said = answer.decode("utf-8", "replace")
        raise NotInC(
            f"C compiled in memory plays {self._name} wrongly ({said}), so it is not used for it "
            f"any more; please report this, with {_kept(self._key)}"
        )


def _child(*given: object) -> subprocess.Popen[bytes] | None:
    """A process that tries something; None if none can be started."""
    mode, *rest = given
    root = str(Path(__file__).parents[3])
    command = [sys.executable, "-P", "-c", _BEGIN.format(_CHILD), str(mode), root]
    try:
        child = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # an interrupt is for the game
        )
    except OSError:
        return None
    Thread(target=_feed, args=(child, *rest), daemon=True).start()
    return child


def _feed(child: subprocess.Popen[bytes], *games: Game) -> None:
    """Hands a game over, and ends the input."""
    assert child.stdin is not None
    with suppress(OSError), child.stdin as pipe:
        for game in games:
            pipe.write(pickle.dumps(game))


def _answer_of(child: subprocess.Popen[bytes] | None) -> bytes:
    if child is None:
        return b"no process can be started to try it"
    assert child.stdout is not None
    try:
        code = child.wait(_LONGEST)
    except subprocess.TimeoutExpired:
        child.kill()
        code = child.wait()
    with child.stdout as pipe:
        return pipe.read() if code == 0 else b"it crashes or hangs"


def _key(*about: str) -> bytes:
    """A checksum of what an answer depends on."""
    parts = [*about, identity(), installed("codegen/c", "engine").hex()]
    return hashlib.sha256("\0".join(parts).encode()).digest()


def _kept(key: bytes) -> Path:
    return folder("trials") / key.hex()
