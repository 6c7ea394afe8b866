"""The kernel compiled: the same source executed a second time, every function handed to Numba.

Compiled code is kept on disk in a directory named after a hash of all sources it can come from, so that an edit is
noticed wherever it is (Numba itself looks at one file only).
"""

import hashlib
import importlib.util
import linecache
import os
import re
import sys
import warnings
from functools import cache
from pathlib import Path
from threading import RLock
from types import FunctionType, ModuleType
from typing import Any

import numba
from numba.core.errors import NumbaError, NumbaExperimentalFeatureWarning

from rowlock import paths
from rowlock.fast import link_time

# Bots enter compiled games as first-class functions; our tests hold Numba to what we need of them.
warnings.filterwarnings("ignore", "First-class function", NumbaExperimentalFeatureWarning)

BOUNDS = os.environ.get("ROWLOCK_BOUNDS") == "1"  # a build for tests: every index is checked

_njit: Any = numba.njit  # whose own annotations know no keywords handed on
_PACKAGE = Path(__file__).parents[1]
_STYLED = ("rowlock.rules.", "rowlock.networks.", "rowlock.bots.")  # where modules in the kernel's style live
_LAYERS = ("rules", "fast", "solver", "networks", "bots", "train")  # a function depends on its own and those before it
_COPIES = "rowlock.fast.copies."
_copies: dict[str, ModuleType] = {}
_lock = RLock()  # servers compile several bots at a time


@cache
def _directory(layers: tuple[str, ...], others: tuple[Path, ...] = ()) -> Path:
    digest = hashlib.sha256(f"{numba.__version__} {sys.version} {BOUNDS}".encode())
    own = [path for layer in layers for path in (_PACKAGE / layer).glob("*.py")]
    for path in (*sorted(own), *others):
        digest.update(path.name.encode() + path.read_bytes())
    directory = paths.cache_directory() / "compiled" / digest.hexdigest()[:16]
    with paths.writing(directory):
        directory.mkdir(parents=True, exist_ok=True)  # Numba would quietly take another place
    return directory


def compiled(function: Any, *others: Path, **options: bool) -> Any:
    """Compile a function in the kernel's style; its cache notices edits of its layer, those below, and other files."""
    package, _, rest = function.__module__.removeprefix(_COPIES).partition(".")
    layer = rest.partition(".")[0] if package == "rowlock" else "bots"
    below = _LAYERS[: max(2, _LAYERS.index(layer) + 1)]
    numba.config.CACHE_DIR = str(_directory(below, others))  # type: ignore[attr-defined]
    made = _njit(nogil=True, error_model="numpy", boundscheck=BOUNDS, pipeline_class=link_time.Compiler, **options)(
        function
    )
    made._cache = link_time.Cache(function)
    return made


def compile_for(function: Any, signature: Any) -> Any:
    """Compile now, for these types alone, or take it from the cache."""
    with _lock:
        if not function.signatures:
            link_time.entries.add(function.py_func)
            function.compile(signature)
            function.disable_compile()
    return function


def compiled_copy(module: ModuleType) -> Any:
    """The compiled copy of a module: the same source, with its functions compiled, and so the modules it uses."""
    with _lock:
        return _copies[module.__name__] if module.__name__ in _copies else _make_copy(module)


def _make_copy(module: ModuleType) -> ModuleType:
    name = _COPIES + module.__name__
    spec = importlib.util.spec_from_file_location(name, module.__file__)
    assert spec
    assert spec.loader
    second = importlib.util.module_from_spec(spec)
    second.__package__, second.__spec__ = module.__package__, None  # relative imports mean what they mean in the module
    _copies[module.__name__] = sys.modules[name] = second
    spec.loader.exec_module(second)
    others = _sources(module)
    # What a bot decides by is called by its address, and may be called by other bots before that.
    link_time.entries.update(
        one.choose for one in vars(second).values() if isinstance(one, type) and hasattr(one, "choose")
    )
    for other in _in_style(module):
        compiled_copy(other)
    for key, value in list(vars(second).items()):
        if isinstance(value, FunctionType) and value.__module__ == name:
            setattr(second, key, compiled(value, *others))
        elif isinstance(value, FunctionType) and value.__module__ in _copies:
            setattr(second, key, getattr(_copies[value.__module__], value.__name__))
        elif isinstance(value, ModuleType) and value.__name__ in _copies:
            setattr(second, key, _copies[value.__name__])
    return second


def _in_style(module: ModuleType) -> list[ModuleType]:
    """The modules in the kernel's style that a module uses: ours, and beside a user's bot the user's own."""
    found = {}
    for value in vars(module).values():
        other = sys.modules.get(value.__module__) if isinstance(value, FunctionType) else value
        if isinstance(other, ModuleType) and other is not module:
            if other.__name__.startswith(_STYLED) or _beside(other, module):
                found[other.__name__] = other
    return list(found.values())


def _beside(other: ModuleType, module: ModuleType) -> bool:
    """Whether both belong to the same user: they are in one folder or one package, and not part of Rowlock."""
    files = [Path(one.__file__ or "") for one in (other, module) if getattr(one, "__file__", None)]
    if len(files) < 2 or any(_PACKAGE in file.parents for file in files):
        return False
    package = module.__name__.partition(".")[0] if module.__package__ else None
    return files[0].parent == files[1].parent or other.__name__.partition(".")[0] == package


def _sources(module: ModuleType) -> tuple[Path, ...]:
    """The files outside Rowlock that a module's compiled code comes from."""
    found: set[Path] = set()
    waiting = [module]
    while waiting:
        one = waiting.pop()
        file = Path(one.__file__ or "")
        if file not in found and _PACKAGE not in file.parents:
            found.add(file)
            waiting += _in_style(one)
    return tuple(sorted(found))


def explain_failure(error: NumbaError) -> str:
    """Why something cannot be compiled, in a line: the line of source that Numba stumbles over, and the reason."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    reason = next((line for line in lines if not line.startswith("Failed in")), lines[0])
    if reason.endswith("signature:"):
        reason = f"{reason} {lines[lines.index(reason) + 1].removeprefix('>>> ')}"
    for file, number in re.findall(r"^During: .* at (.+) \((\d+)\)$", str(error), re.MULTILINE):
        if Path(numba.__file__).parent not in Path(file).parents:
            return f"{file}:{number}: {linecache.getline(file, int(number)).strip()}: {reason}"
    return reason
