"""The one way in which files are opened, and the one in which they are written.

Whatever the system says against it is told as a Problem: no permission, a name that is too long, a
loop of links, a folder in the place of a file, a character that no file name can have, no space.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from targi_dsl.text.decoding import LARGEST_FILE, check_size, decode
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.source import Source

_FLAGS = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_NO_WAITING = getattr(os, "O_NONBLOCK", 0)


# ---- questions ----


def exists(path: Path) -> bool:
    """Whether there is anything of that name, a broken link too; raises Problems if the system
    refuses to tell.
    """
    with _told("E005", "cannot read the file", path):
        return _is_there(path)


def _is_there(path: Path) -> bool:
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def is_file(path: Path) -> bool:
    """Whether a plain file can be found there."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return False


# ---- reading ----


def read_file(name: str, most: int = LARGEST_FILE) -> Source:
    """The text of a file; raises Problems when it cannot be read, is too large, or is no text."""
    return decode(name, read_bytes(name, most), most)


def read_bytes(name: str, most: int = LARGEST_FILE) -> bytes:
    """The bytes of a plain file that is not too large; raises Problems when it cannot be read.

    Nothing is waited for: a pipe or a device is refused, and no more is read than the file has.
    """
    with _told("E005", "cannot read the file", name):
        descriptor = os.open(name, os.O_RDONLY | _FLAGS | _NO_WAITING)
        try:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                raise Problems([_not_plain(name, found)])
            check_size(name, found.st_size, most)
            with os.fdopen(descriptor, "rb", closefd=False) as file:
                return file.read(found.st_size)
        finally:
            os.close(descriptor)


def _not_plain(name: str, found: os.stat_result) -> Problem:
    what = "a folder" if stat.S_ISDIR(found.st_mode) else "a device, a pipe or a socket"
    return Problem("E006", "not a plain file", None, f"This is {what}.", file=_shown(name))


# ---- writing ----


def write_file(path: Path, text: str) -> None:
    """Writes one file, whole or not at all, in place of one that is there; raises Problems."""
    write_files({path: text}, replace=True)


def write_files(
    texts: Mapping[Path, str | bytes], *, replace: bool = False, make_folders: bool = False
) -> None:
    """Writes the files, all of them or none; raises Problems when one is there already and is not
    to be replaced, or cannot be written.

    Each is written beside its place and then moved there, so that nobody ever finds half of it.
    """
    if not replace:
        check_absent(texts)
    made: list[Path] = []
    written: dict[Path, Path] = {}
    try:
        for path, text in texts.items():
            with _told("E021", "cannot write the file", path):
                target = Path(os.path.realpath(path))
                _check_replaceable(target)
                if make_folders:
                    made += _make_folders(target.parent)
                written[target] = _write_beside(target, _encoded(text))
        _move_all(written)
    except BaseException:
        for beside in written.values():
            beside.unlink(missing_ok=True)
        for folder in reversed(made):
            with suppress(OSError):
                folder.rmdir()
        raise


def check_absent(paths: Iterable[Path]) -> None:
    """Raises Problems for the files that exist already, or could not be written."""
    there = []
    for path in paths:
        with _told("E021", "cannot write the file", path):
            there += [path] * _is_there(path)
    if there:
        raise Problems(map(_already_there, there))


def _already_there(path: Path) -> Problem:
    text = "It stays as it is, and nothing is written."
    return Problem("E020", "the file exists already", None, text, file=_shown(path))


def _encoded(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8")


def _check_replaceable(path: Path) -> None:
    """Only a plain file gives way to another: a move would do away with a device."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "It is a device, a pipe or a socket")


def _make_folders(folder: Path) -> list[Path]:
    """The folders that had to be made, the outermost first."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return missing[::-1]


def _write_beside(target: Path, data: bytes) -> Path:
    """A finished file beside the target, with its permissions or those of a new file."""
    descriptor, name = _open_beside(target)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
            if hasattr(os, "fchmod") and target.exists():
                os.fchmod(descriptor, stat.S_IMODE(target.stat().st_mode))
            if not name:
                name = _name_beside(target)
                # A folder is named so that the link in /proc is followed (AT_SYMLINK_FOLLOW).
                os.link(f"/proc/self/fd/{descriptor}", name, src_dir_fd=descriptor)
    except BaseException:
        if name:
            Path(name).unlink(missing_ok=True)
        raise
    return Path(name)


def _open_beside(target: Path) -> tuple[int, str]:
    """A new file in the folder of the target, and its name: none yet where the system can do
    without, so that nothing is left behind by a program that is killed.
    """
    with suppress(AttributeError, OSError):
        if Path("/proc/self/fd").is_dir():
            return os.open(target.parent, os.O_WRONLY | os.O_TMPFILE | _FLAGS, 0o666), ""
    name = _name_beside(target)
    return os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FLAGS, 0o666), name


def _name_beside(target: Path) -> str:
    # Short, so that it is no longer than a name may be.
    return str(target.with_name(f".{target.name[:60]}.{os.getpid()}.{os.urandom(4).hex()}"))


def _move_all(written: dict[Path, Path]) -> None:
    """Moves finished files into their places; if one cannot be moved, puts back what was there."""
    before: dict[Path, bytes | None] = {}
    try:
        for target, beside in written.items():
            with _told("E021", "cannot write the file", target):
                # A single file is moved or is not: only of several must one be kept to put back.
                before[target] = (
                    target.read_bytes() if len(written) > 1 and is_file(target) else None
                )
                beside.replace(target)
    except BaseException:
        *moved, _ = before
        for target in moved:
            _put_back(target, before[target])
        raise


def _put_back(target: Path, data: bytes | None) -> None:
    with suppress(OSError):
        if data is None:
            target.unlink()
        else:
            _write_beside(target, data).replace(target)


# ---- what the system says ----


@contextmanager
def _told(code: str, title: str, name: str | Path) -> Iterator[None]:
    """Turns what the system says into a Problem."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise Problems(
            [Problem(code, title, None, f"{reason(error)}.", file=_shown(name))]
        ) from error


def reason(error: OSError | ValueError) -> str:
    """What the system says against a file, without a full stop."""
    if isinstance(error, OSError):
        return error.strerror or "The system refuses it"
    return "The name has a character that no file name can have"


def _shown(name: str | Path) -> str:
    """A name for a message; lone surrogates, which no text may have, as `?`."""
    return str(name).encode("utf-8", "replace").decode()
