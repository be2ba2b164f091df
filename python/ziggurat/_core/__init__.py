"""The native engine: the build for the best instruction-set level that this CPU has.

`ZIGGURAT_ISA` forces one (v2, v3 or v4 on x86-64).
"""

import os
from importlib import import_module

from ziggurat._core import _cpu


def _choose() -> str:
    """The level to load: what `ZIGGURAT_ISA` says, else the best that CPU and package both have."""
    supported = _cpu.levels()
    forced = os.environ.get("ZIGGURAT_ISA")
    if forced and forced not in supported:
        raise ImportError(f"ZIGGURAT_ISA is {forced!r}, but this CPU has: {', '.join(supported) or 'none of the levels'}")
    for name in [forced] if forced else supported:
        try:
            import_module(f"ziggurat._core._{name}")
        except ModuleNotFoundError:
            continue
        return name
    raise ImportError(f"no build of the native engine for this CPU, which has: {', '.join(supported) or 'no x86-64-v2'}")


level: str = _choose()
_module = import_module(f"ziggurat._core._{level}")
families = _module.families
Unit = _module.Unit
for _name in dir(_module):
    if _name.endswith(("Game", "State")):
        globals()[_name] = getattr(_module, _name)


def supported_levels() -> list[str]:
    """Instruction-set levels that this CPU can run, best first."""
    return _cpu.levels()
