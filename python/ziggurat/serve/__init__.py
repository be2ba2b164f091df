"""A server for front ends: one JSON object a line in, one out, for all games (docs/protocol.md).

`Server.answer` takes a request and `Server.run` whole streams; `ziggurat serve --stdio` is `run` on a process's own.
"""

from ziggurat.serve.errors import RequestError
from ziggurat.serve.server import Limits, Server

__all__ = ["Limits", "RequestError", "Server"]
