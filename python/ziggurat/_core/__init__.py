"""The native engine: the build for the best instruction-set level that this CPU has, as `_native`.

`ZIGGURAT_ISA` forces one (v2, v3 or v4 on x86-64).
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING

from ziggurat._core import _cpu

if TYPE_CHECKING:
    from ziggurat._core import _native  # the stub of every level


def _choose() -> str:
    """The level to load: what `ZIGGURAT_ISA` says, else the best that CPU and package both have."""
    supported = supported_levels()
    forced = os.environ.get("ZIGGURAT_ISA")
    if forced and forced not in supported:
        raise ImportError(
            f"ZIGGURAT_ISA is {forced!r}, but this CPU has: {', '.join(supported) or 'none of the levels'}"
        )
    for name in [forced] if forced else supported:
        try:
            import_module(f"ziggurat._core._{name}")
        except ModuleNotFoundError:
            continue
        return name
    wanted = f"level {forced}" if forced else f"any level of this CPU: {', '.join(supported) or 'older than x86-64-v2'}"
    raise ImportError(f"there is no build of the native engine for {wanted}")


def supported_levels() -> list[str]:
    """Instruction-set levels that this CPU can run, best first."""
    return _cpu.levels()


level: str = _choose()
if not TYPE_CHECKING:
    _native = import_module(f"ziggurat._core._{level}")
families = _native.families
Buffers = _native.Buffers
Unit = _native.Unit
