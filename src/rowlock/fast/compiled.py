"""The kernel compiled: the same source executed a second time, every function handed to Numba.

Compiled code is kept on disk in a directory named after a hash of all sources it comes from, so that an edit anywhere
is noticed (Numba itself looks at one file only).
"""

import hashlib
import importlib.util
import sys
import warnings
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numba
from numba.core.errors import NumbaExperimentalFeatureWarning

from rowlock import places

# Bots enter compiled games as first-class functions; our tests hold Numba to what we need of them.
warnings.filterwarnings("ignore", "First-class function", NumbaExperimentalFeatureWarning)

_PACKAGE = Path(__file__).parents[1]
_STYLED = ("rowlock.rules.", "rowlock.bots.")  # where modules in the kernel's style live
_twins: dict[str, ModuleType] = {}


@cache
def _directory(others: tuple[Path, ...]) -> Path:
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    own = [path for folder in ("rules", "fast", "solver", "bots") for path in (_PACKAGE / folder).glob("*.py")]
    for path in (*sorted(own), *others):
        digest.update(path.name.encode() + path.read_bytes())
    return places.cache_directory() / "compiled" / digest.hexdigest()[:16]


def use_cache(*others: Path) -> None:
    """Tell Numba where compiled code of exactly our sources, and those of others, is kept."""
    numba.config.CACHE_DIR = str(_directory(others))  # type: ignore[attr-defined]


def compiled(function: Any, *others: Path) -> Any:
    """Compile a function that keeps to the kernel's style; its cache notices edits of other sources too."""
    use_cache(*others)
    return numba.njit(cache=True, nogil=True, error_model="numpy")(function)


def compile_for(function: Any, signature: Any) -> Any:
    """Compile now, for these types alone, or take it from the cache."""
    if function.signatures:
        return function
    function.compile(signature)
    function.disable_compile()
    return function


def twin(module: ModuleType) -> Any:
    """A module's second life: the same source, its functions compiled, the modules of that kind it imports too."""
    if module.__name__ in _twins:
        return _twins[module.__name__]
    name = f"rowlock.fast.twins.{module.__name__}"
    spec = importlib.util.spec_from_file_location(name, module.__file__)
    assert spec
    assert spec.loader
    second = importlib.util.module_from_spec(spec)
    _twins[module.__name__] = sys.modules[name] = second
    spec.loader.exec_module(second)
    source = Path(spec.origin or "")
    others = () if _PACKAGE in source.parents else (source,)
    for value in list(vars(second).values()):
        if isinstance(value, ModuleType) and value.__name__.startswith(_STYLED):
            twin(value)
        elif isinstance(value, FunctionType) and value.__module__.startswith(_STYLED):
            twin(sys.modules[value.__module__])
    for key, value in list(vars(second).items()):
        if isinstance(value, FunctionType) and value.__module__ == name:
            setattr(second, key, compiled(value, *others))
        elif isinstance(value, FunctionType) and value.__module__ in _twins:
            setattr(second, key, getattr(_twins[value.__module__], key))
        elif isinstance(value, ModuleType) and value.__name__ in _twins:
            setattr(second, key, _twins[value.__name__])
    return second
