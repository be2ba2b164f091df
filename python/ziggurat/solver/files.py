"""Where tables lie and how they are named, whether there is room for them, and who may write them."""

from __future__ import annotations

import errno
import fcntl
import math
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ziggurat.cli.errors import require
from ziggurat.protocols import Game

CACHE = "ZIGGURAT_CACHE"  #: the environment variable that names the folder of tables
LIMIT = "max_turns="  #: the option that tables know nothing of: perfect play ignores it
CGROUPS = Path("/sys/fs/cgroup")


@dataclass(frozen=True)
class TableFiles:
    """The files of the table of one game in a folder, whether they are there or not."""

    wdl: Path  #: who wins
    distances: Path  #: and in how many turns
    work: Path  #: what is done so far, while the game is solved
    lock: Path  #: held by the process that solves it

    def parts(self) -> tuple[Path, Path]:
        """What `wdl` and `distances` are called while they are written."""
        return part_of(self.wdl), part_of(self.distances)


def part_of(path: Path) -> Path:
    """What a file is called while it is written."""
    return path.with_name(f"{path.name}.part")


def table_files(game: Game, folder: str | os.PathLike[str] | None = None) -> TableFiles:
    """The files of a game's table in a folder, or in the cache folder; a limit of turns makes no difference."""
    home = cache_folder() if folder is None else Path(checked_path("folder", folder))
    name = "_".join([game.name, *settings_of(game)])
    return TableFiles(*(home / f"{name}.{kind}" for kind in ("wdl", "distances", "work", "lock")))


def beside(path: Path) -> tuple[Path, Path]:
    """The two files of a table of which one is named."""
    return path.with_suffix(".wdl") if path.suffix == ".distances" else path, path.with_suffix(".distances")


def cache_folder() -> Path:
    """The folder of tables: what `ZIGGURAT_CACHE` says, else where the system has a user's caches.

    ImportError, which names the extra, where platformdirs is missing.
    """
    chosen = os.environ.get(CACHE)
    if chosen:
        return Path(chosen)
    require("solver", "platformdirs")
    from platformdirs import user_cache_dir

    return Path(user_cache_dir("ziggurat", appauthor=False))


def settings_of(game: Game) -> list[str]:
    """The options of a game that are not the usual ones, as `NAME=VALUE`; the limit of turns is none of them."""
    inside = str(game).removeprefix(game.name)[1:-1]
    return [setting for setting in inside.split(",") if setting and not setting.startswith(LIMIT)]


def command_of(game: Game) -> str:
    """The command that solves a game."""
    return " ".join(["ziggurat solve", game.name, *(f"--option {setting}" for setting in settings_of(game))])


def checked_path(argument: str, value: str | os.PathLike[str]) -> str:
    """A path as text; TypeError for what is none, ValueError for text that no file can be called."""
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"{argument} is a path, not {value!r}")
    text = os.fspath(value)
    if not isinstance(text, str):
        raise TypeError(f"{argument} is a path of text, not {value!r}")
    try:
        if b"\0" not in text.encode():
            return text
    except UnicodeEncodeError:
        pass
    raise ValueError(f"{argument} is a path of valid Unicode without NUL, not {text!r}")


# Room


def check_memory(game: Game, need: int, memory_gb: float | None) -> None:
    """MemoryError if solving a game needs more bytes than `memory_gb`, or, without it, than are free.

    More than the machine has is never allowed.
    """
    total, free = memory_sizes()
    allowed, words = (free, "are free") if memory_gb is None else (checked_gb(memory_gb), "may be used")
    if total < need and total < allowed:
        allowed, words = total, "are in this machine"
    if need > allowed:
        raise MemoryError(f"to solve {game} takes {gigabytes(need)} of memory, and {gigabytes(allowed)} {words}")


def check_disk(game: Game, folder: Path, need: int) -> None:
    """OSError if there are fewer bytes free where a folder is, or will be."""
    home = next(path for path in [folder.absolute(), *folder.absolute().parents] if path.exists())
    free = shutil.disk_usage(home).free
    if need > free:
        words = f"to solve {game} takes {gigabytes(need)} of disk, and {gigabytes(free)} are free there"
        raise OSError(errno.ENOSPC, words, str(folder))


def checked_gb(memory_gb: float) -> int:
    """Gigabytes as bytes; TypeError or ValueError for what is no size."""
    if isinstance(memory_gb, bool) or not isinstance(memory_gb, (int, float)):
        raise TypeError(f"memory_gb is a number or None, not {memory_gb!r}")
    if not 0 < memory_gb < math.inf:
        raise ValueError(f"memory_gb is greater than 0 and finite, not {memory_gb!r}")
    return int(memory_gb * 1e9)


def gigabytes(size: int) -> str:
    """A size for people: 10^9 bytes are a gigabyte."""
    return f"{size / 1e9:,.2f} GB" if size >= 10_000_000 else f"{size / 1e6:,.2f} MB"


def memory_sizes() -> tuple[int, int]:
    """(bytes of memory, those that are free), of what this process may use: a container may have a limit."""
    total = free = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    for line in _read(Path("/proc/meminfo")).splitlines():
        if line.startswith("MemAvailable:"):
            free = int(line.split()[1]) * 1024
    for limit, used in _limits():
        total, free = min(total, limit), min(free, max(limit - used, 0))
    return total, free


def _limits() -> Iterator[tuple[int, int]]:
    """(limit, used) in bytes of each control group around this process that has a limit."""
    group = next((line[4:] for line in _read(Path("/proc/self/cgroup")).splitlines() if line.startswith("0::/")), "")
    folder = CGROUPS / group
    while folder.is_relative_to(CGROUPS):
        limit, used = _read(folder / "memory.max").strip(), _read(folder / "memory.current").strip()
        if limit.isdigit() and used.isdigit():
            yield int(limit), int(used) - _cached(_read(folder / "memory.stat"))
        folder = folder.parent


def _cached(stat: str) -> int:
    """Bytes of files in memory, which are given up when others need it."""
    sizes = dict(line.split() for line in stat.splitlines())
    return int(sizes.get("active_file", 0)) + int(sizes.get("inactive_file", 0))


def _read(path: Path) -> str:
    """A file of the system; no text where there is none."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


# Writing


@contextmanager
def locked(files: TableFiles) -> Iterator[None]:
    """Holds the lock of a table; BlockingIOError if another process has it. It goes when the process ends, however."""
    files.lock.parent.mkdir(parents=True, exist_ok=True)
    descriptor = _lock(files.lock)
    try:
        yield
    finally:
        files.lock.unlink(missing_ok=True)
        os.close(descriptor)


def _lock(path: Path) -> int:
    """The descriptor of a lock that is held. A file that its last holder has just removed is no lock: once more."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_at(descriptor, path):
                return descriptor
        except BlockingIOError:
            os.close(descriptor)
            raise BlockingIOError(errno.EWOULDBLOCK, "another process is solving this game here", str(path)) from None
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _is_at(descriptor: int, path: Path) -> bool:
    """Is an open file the one that has this name?"""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


@contextmanager
def replaced(files: TableFiles) -> Iterator[tuple[Path, Path]]:
    """Yields the names under which to write the two files; they replace older ones if the block ends well.

    Distances come first: where there is a new `wdl`, all is there.
    """
    parts = files.parts()
    try:
        yield parts
        for part in parts:
            _settle(part)
        for part, path in [*zip(parts, (files.wdl, files.distances), strict=True)][::-1]:
            part.replace(path)
        _settle(files.wdl.parent)
    finally:
        for part in parts:
            part.unlink(missing_ok=True)


def _settle(path: Path) -> None:
    """Wait until a file or folder is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
