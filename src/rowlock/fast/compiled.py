"""The kernel compiled: the same source executed a second time, every function handed to Numba.

Compiled code is kept on disk in a directory named after a hash of all sources it comes from, so that an edit anywhere
is noticed (Numba itself looks at one file only).
"""

import hashlib
import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numba

from rowlock import places

_PACKAGE = Path(__file__).parents[1]
_twins: dict[str, ModuleType] = {}


@cache
def use_cache() -> Path:
    """Tell Numba where compiled code of exactly these sources is kept."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for folder in ("rules", "fast", "solver", "bots"):
        for path in sorted((_PACKAGE / folder).glob("*.py")):
            digest.update(path.name.encode() + path.read_bytes())
    directory = places.cache_directory() / "compiled" / digest.hexdigest()[:16]
    numba.config.CACHE_DIR = str(directory)  # type: ignore[attr-defined]
    return directory


def compiled(function: Any) -> Any:
    """Compile a function that keeps to the kernel's style."""
    use_cache()
    return numba.njit(cache=True, nogil=True, error_model="numpy")(function)


def twin(module: ModuleType) -> Any:
    """A module's second life: the same source, its functions compiled, what it imports from other twins too."""
    if module.__name__ in _twins:
        return _twins[module.__name__]
    name = f"rowlock.fast.twins.{module.__name__}"
    spec = importlib.util.spec_from_file_location(name, module.__file__)
    assert spec
    assert spec.loader
    second = importlib.util.module_from_spec(spec)
    _twins[module.__name__] = sys.modules[name] = second
    spec.loader.exec_module(second)
    for key, value in list(vars(second).items()):
        if isinstance(value, FunctionType) and value.__module__ == name:
            setattr(second, key, compiled(value))
        elif isinstance(value, FunctionType) and value.__module__ in _twins:
            setattr(second, key, getattr(_twins[value.__module__], key))
        elif isinstance(value, ModuleType) and value.__name__ in _twins:
            setattr(second, key, _twins[value.__name__])
    return second
