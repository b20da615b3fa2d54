"""Reads and writes the files of designers and players. Errors of the system become Problems:
missing permissions, names that are too long, loops of links, a full disk and so on.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from targi_dsl.text.decoding import LARGEST_FILE, check_size, decode
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.source import Source

MOST_BELOW = 20_000
"""The most files below a folder that are searched."""

_FLAGS = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_NO_WAITING = getattr(os, "O_NONBLOCK", 0)


# ---- tests ----


def exists(path: Path) -> bool:
    """Whether a file or folder of this name exists, a broken link included. Raises Problems if the
    system does not tell.
    """
    with _as_problems("E005", "cannot read the file", path):
        return _is_there(path)


def _is_there(path: Path) -> bool:
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def is_file(path: Path) -> bool:
    """Whether it is a regular file."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def is_folder(path: Path) -> bool:
    """Whether it is a folder."""
    try:
        return stat.S_ISDIR(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def files_below(folder: Path, *suffixes: str) -> Iterator[Path]:
    """The files with one of these suffixes, sorted by path, without hidden ones. Raises Problems if
    there are too many files.
    """
    count = 0
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        count += len(names)
        if count > MOST_BELOW:
            text = f"Files are looked for among at most {MOST_BELOW:,}."
            hint = "Name a folder further down."
            raise Problems([Problem("E023", "too many files", None, text, hint, file=str(folder))])
        for name in sorted(names):
            if name.endswith(suffixes) and not name.startswith("."):
                yield Path(place, name)


def destination(path: Path) -> Path:
    """The file that is written under this name, with links resolved. Raises Problems for an
    impossible name.
    """
    with _as_problems("E021", "cannot write the file", path):
        return Path(os.path.realpath(path))


# ---- reading ----


def read_file(name: str, most: int = LARGEST_FILE) -> Source:
    """The text of a file. Raises Problems if it cannot be read, is too large, or is not text."""
    return decode(name, read_bytes(name, most), most)


def read_bytes(name: str, most: int = LARGEST_FILE) -> bytes:
    """The bytes of a regular file. Raises Problems if it cannot be read or is too large. Never
    blocks: pipes and devices are refused.
    """
    with _as_problems("E005", "cannot read the file", name):
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
    return Problem("E006", "not a plain file", None, f"This is {what}.", file=_display_name(name))


# ---- writing ----


def write_file(path: Path, text: str) -> None:
    """Writes one file atomically, replacing an existing one; raises Problems."""
    write_files({path: text}, replace=True)


def write_files(
    texts: Mapping[Path, str | bytes], *, replace: bool = False, make_folders: bool = False
) -> None:
    """Writes all of the files or none; raises Problems if one cannot be written, or exists and must
    not be replaced. Each file is written beside its destination and then renamed, so that it is
    never partial.
    """
    if not replace:
        check_absent(texts)
    folders: list[Path] = []
    written: dict[Path, Path] = {}
    try:
        for path, text in texts.items():
            with _as_problems("E021", "cannot write the file", path):
                target = destination(path)
                _check_replaceable(target)
                if make_folders:
                    folders += _make_folders(target.parent)
                written[target] = _write_beside(target, _encoded(text))
        _move_all(written)
    except BaseException:
        for beside in written.values():
            beside.unlink(missing_ok=True)
        for folder in reversed(folders):
            with suppress(OSError):
                folder.rmdir()
        raise


class Growing:
    """A file that is appended to piece by piece. If a piece cannot be written, earlier ones are
    kept, and nothing of it is.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.size = path, 0
        with self._as_problems():
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _FLAGS
            self._descriptor = os.open(path, flags | _NO_WAITING, 0o666)
            if _NO_WAITING:  # opening fails for a pipe without a reader; writing may block
                os.set_blocking(self._descriptor, True)

    def append(self, data: bytes) -> None:
        """Writes a piece. Raises Problems if that fails."""
        left = memoryview(data)
        try:
            with self._as_problems():
                while left:
                    left = left[os.write(self._descriptor, left) :]
        except Problems:
            with suppress(OSError):
                os.ftruncate(self._descriptor, self.size)
            raise
        self.size += len(data)

    def close(self) -> None:
        """Closes the file."""
        with self._as_problems():
            os.close(self._descriptor)

    def _as_problems(self) -> AbstractContextManager[None]:
        return _as_problems("E021", "cannot write the file", self.path)


def check_absent(paths: Iterable[Path]) -> None:
    """Raises Problems for files that exist or could not be written."""
    existing = []
    for path in paths:
        with _as_problems("E021", "cannot write the file", path):
            existing += [path] * _is_there(path)
    if existing:
        raise Problems(map(_already_there, existing))


def _already_there(path: Path) -> Problem:
    text = "It stays as it is, and nothing is written."
    return Problem("E020", "the file exists already", None, text, file=_display_name(path))


def _encoded(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8")


def _check_replaceable(path: Path) -> None:
    """Refuses to replace anything but a regular file; renaming would remove a device."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "It is a device, a pipe or a socket")


def _make_folders(folder: Path) -> list[Path]:
    """Makes missing folders; returns them, outermost first."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return missing[::-1]


def _write_beside(target: Path, data: bytes) -> Path:
    """Writes a file beside the target, with the target's permissions or those of a new file."""
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
    """A new file in the target's folder, and its name; unnamed if the system supports that, so that
    nothing remains if the program is killed.
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
    """Renames finished files to their destinations; if one fails, restores the others."""
    before: dict[Path, bytes | None] = {}
    try:
        for target, beside in written.items():
            with _as_problems("E021", "cannot write the file", target):
                # A single rename happens or does not: only for several must the old files be kept.
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
def _as_problems(code: str, title: str, name: str | Path) -> Iterator[None]:
    """Turns an error of the system into a Problem."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise Problems(
            [Problem(code, title, None, f"{reason(error)}.", file=_display_name(name))]
        ) from error


def reason(error: OSError | ValueError) -> str:
    """An error of the system in words, without a full stop."""
    if isinstance(error, OSError):
        return error.strerror or "The system refuses it"
    return "The name has a character that no file name can have"


def _display_name(name: str | Path) -> str:
    """A file name for a message; lone surrogates appear as `?`."""
    return str(name).encode("utf-8", "replace").decode()
