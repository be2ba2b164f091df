"""A GTP engine in a process of its own, as a referee sees it: it may crash, hang or talk nonsense."""

import os
import re
import select
import shlex
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic, sleep

from ziggurat.formats.errors import shortened

LONGEST_ANSWER = 1 << 20  #: bytes
FAREWELL = 1.0  #: seconds that an engine has to end after `quit`
GLANCE = 0.01  #: seconds between looks at whether it has


class EngineError(Exception):
    """An engine has done what it must not; `kind` is one of KINDS."""

    KINDS = ("crash", "timeout", "garbage", "refused", "illegal", "resign")

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Engine:
    """A running engine. OSError if it cannot be started."""

    def __init__(self, command: str | Sequence[str], show_errors: bool = False) -> None:
        words = shlex.split(command) if isinstance(command, str) else list(command)
        if not words:
            raise ValueError("the command of an engine is not empty")
        self.process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if show_errors else subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,  # so that what it starts is ended with it
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.stdin, self.stdout = self.process.stdin.fileno(), self.process.stdout.fileno()
        os.set_blocking(self.stdin, False)
        self.received = b""
        self.count = 0

    def ask(self, command: str, seconds: float) -> str:
        """The text of the answer. EngineError if there is none in time, if it is none, or if it says `?`."""
        self.count += 1
        end = monotonic() + seconds
        self.send(f"{self.count} {command}\n".encode(), end)
        kind, number, text = self.parsed(command, self.receive(command, end))
        if number != str(self.count):
            raise EngineError("garbage", f"'{command}' is answered under the number '{number}', not {self.count}")
        if kind == "?":
            raise EngineError("refused", f"'{command}': {shortened(text)}")
        return text

    def knows(self, command: str, seconds: float) -> bool:
        """Does the engine know a command?"""
        return self.ask(f"known_command {command}", seconds).strip().lower() == "true"

    def send(self, data: bytes, end: float) -> None:
        """Write all of it, while the engine reads."""
        while data:
            if not select.select([], [self.stdin], [], max(end - monotonic(), 0))[1]:
                raise EngineError("timeout", "does not read what it is asked")
            try:
                data = data[os.write(self.stdin, data) :]
            except BrokenPipeError:
                raise EngineError("crash", "has ended") from None

    def receive(self, command: str, end: float) -> bytes:
        """An answer, up to the empty line behind it."""
        while True:
            self.received = self.received.replace(b"\r", b"").lstrip(b"\n")
            if self.received[:1] not in (b"", b"=", b"?") or len(self.received) > LONGEST_ANSWER:
                raise EngineError("garbage", f"'{command}' is answered by {shortened(repr(self.received[:60]))}")
            text, stop, rest = self.received.partition(b"\n\n")
            if stop:
                self.received = rest
                return text
            left = end - monotonic()  # empty lines without end are no answer either
            if left <= 0 or not select.select([self.stdout], [], [], left)[0]:
                raise EngineError("timeout", f"no answer to '{command}' in time")
            data = os.read(self.stdout, 1 << 16)
            if not data:
                raise EngineError("crash", f"has ended instead of answering '{command}'")
            self.received += data

    def parsed(self, command: str, data: bytes) -> tuple[str, str, str]:
        """The sign, the number and the text of an answer."""
        match = re.fullmatch(r"([=?])(\d*)(?:[ \t\n](.*))?", data.decode("utf-8", "replace"), re.DOTALL)
        if match is None:
            raise EngineError("garbage", f"'{command}' is answered by {shortened(repr(data[:60]))}")
        return match[1], match[2], (match[3] or "").strip()

    def close(self) -> None:
        """End the process: politely, then not. What it has started and not ended itself is ended, too."""
        if self.process.returncode is None:
            with suppress(EngineError):
                self.send(b"quit\n", monotonic() + FAREWELL)
            end = monotonic() + FAREWELL
            while not self.has_ended() and monotonic() < end:
                sleep(GLANCE)
        self.kill()

    def has_ended(self) -> bool:
        """Has the process ended? It is not waited for: its number must stay that of its group until `kill`."""
        if not hasattr(os, "waitid"):  # macOS before Python 3.13: `close` gives it all its time
            return False
        try:
            return os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:  # where SIGCHLD is ignored nobody is waited for
            return True

    def kill(self) -> None:
        """End the process, and what it has started, at once; also what an ended process has left behind."""
        if self.process.returncode is None:  # not poll(): who has been waited for may have lent his number to others
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
