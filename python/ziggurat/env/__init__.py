"""The games as environments of others: one module for each library, and each is loaded when it is first asked for.

`ziggurat.env.gymnasium` (extra `gymnasium`), `ziggurat.env.pettingzoo` (extra `pettingzoo`), `ziggurat.env.openspiel`
(extra `openspiel`). A module whose library is missing raises an ImportError that names the extra.
"""

from importlib import import_module
from types import ModuleType

__all__ = ["gymnasium", "openspiel", "pettingzoo"]  # what __getattr__ knows


def __getattr__(name: str) -> ModuleType:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; there are: {', '.join(__all__)}")
    return import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
