"""What ends a command with one line on stderr and exit code 2."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module


class CommandError(Exception):
    """A command cannot do what it was asked to do; the message says why."""


class MissingExtraError(ImportError):
    """A package that an extra brings is not installed."""


def require(extra: str, *packages: str) -> None:
    """Import packages of an extra; MissingExtraError tells how to get them."""
    try:
        for package in packages:
            import_module(package)
    except ModuleNotFoundError as error:
        raise MissingExtraError(f'{error.name} is missing: pip install "ziggurat[{extra}]"', name=error.name) from error


@contextmanager
def engine_errors() -> Iterator[None]:
    """What the engine refuses becomes a CommandError with the engine's words."""
    try:
        yield
    except (ValueError, OverflowError) as error:
        raise CommandError(str(error)) from error
    except MemoryError as error:
        raise CommandError(f"not enough memory: {error}") from error


@contextmanager
def system_errors() -> Iterator[None]:
    """What the system refuses becomes a CommandError that names the file."""
    try:
        yield
    except OSError as error:
        raise CommandError(system_words(error)) from error


def system_words(error: OSError) -> str:
    """What the system refuses, in a line."""
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{error.strerror or error}"
