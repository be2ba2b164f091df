"""The command line `ziggurat` (extra `cli`). Nothing here imports typer or rich before a command runs."""

import os
import signal
import sys
from collections.abc import Sequence

from ziggurat.cli.errors import CommandError, MissingExtraError, require


def main(args: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code: 0, 2 for what cannot be done as asked, 130 after Ctrl-C."""
    try:
        require("cli", "typer", "rich")
        from ziggurat.cli.app import run

        code = run(sys.argv[1:] if args is None else args)
        if sys.stdout is not None:  # as it is where the shell has closed it
            sys.stdout.flush()
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C would break into the farewell
        print("ziggurat: interrupted", file=sys.stderr)
        return 130
    except (CommandError, MissingExtraError) as error:
        return _complain(str(error))
    except BrokenPipeError:
        _forget_output()
        return 1
    except OSError as error:
        _forget_output()
        return _complain(str(error))
    return code


def _complain(message: str) -> int:
    """One line on stderr, whatever the message holds."""
    line = " ".join(message.split())
    print("ziggurat:", "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line), file=sys.stderr)
    return 2


def _forget_output() -> None:
    """Nobody reads stdout any more: let the interpreter's last flush succeed."""
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, sys.stdout.fileno())
    os.close(sink)
