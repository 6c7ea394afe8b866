"""The kernel compiled: the same source executed a second time, every function handed to Numba.

Compiled code is kept on disk in a directory named after a hash of all sources it can come from, so that an edit is
noticed wherever it is (Numba itself looks at one file only).
"""

import hashlib
import importlib.util
import os
import sys
import warnings
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numba
from numba.core.errors import NumbaExperimentalFeatureWarning

from rowlock import places
from rowlock.fast import inner

# Bots enter compiled games as first-class functions; our tests hold Numba to what we need of them.
warnings.filterwarnings("ignore", "First-class function", NumbaExperimentalFeatureWarning)

BOUNDS = os.environ.get("ROWLOCK_BOUNDS") == "1"  # a build for tests: every index is checked

_njit: Any = numba.njit  # whose own annotations know no keywords handed on
_PACKAGE = Path(__file__).parents[1]
_STYLED = ("rowlock.rules.", "rowlock.networks.", "rowlock.bots.")  # where modules in the kernel's style live
_LAYERS = ("rules", "fast", "solver", "networks", "bots", "train")  # a function depends on its own and those before it
_COPIES = "rowlock.fast.copies."
_copies: dict[str, ModuleType] = {}


@cache
def _directory(layers: tuple[str, ...], others: tuple[Path, ...] = ()) -> Path:
    digest = hashlib.sha256(f"{numba.__version__} {sys.version} {BOUNDS}".encode())
    own = [path for layer in layers for path in (_PACKAGE / layer).glob("*.py")]
    for path in (*sorted(own), *others):
        digest.update(path.name.encode() + path.read_bytes())
    return places.cache_directory() / "compiled" / digest.hexdigest()[:16]


def compiled(function: Any, *others: Path, **options: bool) -> Any:
    """Compile a function in the kernel's style; its cache notices edits of its layer, those below, and other files."""
    package, _, rest = function.__module__.removeprefix(_COPIES).partition(".")
    layer = rest.partition(".")[0] if package == "rowlock" else "bots"
    below = _LAYERS[: max(2, _LAYERS.index(layer) + 1)]
    numba.config.CACHE_DIR = str(_directory(below, others))  # type: ignore[attr-defined]
    made = _njit(nogil=True, error_model="numpy", boundscheck=BOUNDS, pipeline_class=inner.Compiler, **options)(
        function
    )
    made._cache = inner.Cache(function)
    return made


def compile_for(function: Any, signature: Any) -> Any:
    """Compile now, for these types alone, or take it from the cache."""
    if function.signatures:
        return function
    inner.entries.add(function.py_func)
    function.compile(signature)
    function.disable_compile()
    return function


def compiled_copy(module: ModuleType) -> Any:
    """The compiled copy of a module: the same source, with its functions compiled, and so the modules it uses."""
    if module.__name__ in _copies:
        return _copies[module.__name__]
    name = _COPIES + module.__name__
    spec = importlib.util.spec_from_file_location(name, module.__file__)
    assert spec
    assert spec.loader
    second = importlib.util.module_from_spec(spec)
    _copies[module.__name__] = sys.modules[name] = second
    spec.loader.exec_module(second)
    source = Path(spec.origin or "")
    others = () if _PACKAGE in source.parents else (source,)
    for value in list(vars(second).values()):
        if isinstance(value, ModuleType) and value.__name__.startswith(_STYLED):
            compiled_copy(value)
        elif isinstance(value, FunctionType) and value.__module__.startswith(_STYLED):
            compiled_copy(sys.modules[value.__module__])
    for key, value in list(vars(second).items()):
        if isinstance(value, FunctionType) and value.__module__ == name:
            setattr(second, key, compiled(value, *others))
        elif isinstance(value, FunctionType) and value.__module__ in _copies:
            setattr(second, key, getattr(_copies[value.__module__], key))
        elif isinstance(value, ModuleType) and value.__name__ in _copies:
            setattr(second, key, _copies[value.__name__])
    return second
