"""Compiled copies of modules: the source executed a second time, with every function compiled by Numba.

Compiled code is cached on disk in a directory named after a hash of all sources that it can depend on, so that every
edit is noticed (Numba itself checks one file only).
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

# Bots are passed to compiled games as first-class functions, which Numba calls experimental; tests cover our use.
warnings.filterwarnings("ignore", "First-class function", NumbaExperimentalFeatureWarning)

BOUNDS = os.environ.get("ROWLOCK_BOUNDS") == "1"  # for tests: check every index

_njit: Any = numba.njit  # untyped: Numba's annotations do not allow **keywords
_PACKAGE = Path(__file__).parents[1]
# Packages of modules in the kernel's style, which `rowlock.rules.kernel` describes.
_COMPILABLE = ("rowlock.rules.", "rowlock.networks.", "rowlock.bots.")
_LAYERS = ("rules", "fast", "solver", "networks", "bots", "wasm", "train")  # each depends on those before it
_COPY_PREFIX = "rowlock.fast.copies."  # a copy is named this and the name of its original
_copies: dict[str, ModuleType] = {}  # by the name of the original module
_lock = RLock()  # servers compile several bots concurrently


@cache
def _directory(layers: tuple[str, ...], user_files: tuple[Path, ...] = ()) -> Path:
    """Make the cache directory for code that depends on these layers and files, and return it."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version} {BOUNDS}".encode())
    sources = [path for layer in layers for path in (_PACKAGE / layer).glob("*.py")]
    for path in (*sorted(sources), *user_files):
        digest.update(path.name.encode() + path.read_bytes())
    directory = paths.cache_directory() / "compiled" / digest.hexdigest()[:16]  # a short name that is still unique
    with paths.name_path_in_errors(directory):
        directory.mkdir(parents=True, exist_ok=True)  # otherwise Numba silently uses another directory
    return directory


def compiled(function: Any, *user_files: Path, **numba_flags: bool) -> Any:
    """Compile a function in the kernel's style; editing its layer, lower layers or `user_files` renews its cache."""
    package, _, rest = function.__module__.removeprefix(_COPY_PREFIX).partition(".")
    layer = rest.partition(".")[0] if package == "rowlock" else "bots"  # a user's module
    layers = _LAYERS[: max(2, _LAYERS.index(layer) + 1)]  # at least rules and fast
    # A global setting, which `link_time.Cache` reads below.
    numba.config.CACHE_DIR = str(_directory(layers, user_files))  # type: ignore[attr-defined]
    flags = {"nogil": True, "error_model": "numpy", "boundscheck": BOUNDS, **numba_flags}
    dispatcher = _njit(pipeline_class=link_time.Compiler, **flags)(function)
    dispatcher._cache = link_time.Cache(function)
    return dispatcher


def compile_for(function: Any, signature: Any) -> Any:
    """Compile a function now, only for this signature, or load it from the cache."""
    with _lock:
        if not function.signatures:
            link_time.entry_points.add(function.py_func)
            function.compile(signature)
            function.disable_compile()
    return function


def compiled_copy(module: ModuleType) -> Any:
    """The compiled copy of a module: the same source with compiled functions, using compiled copies of its imports."""
    with _lock:
        return _copies[module.__name__] if module.__name__ in _copies else _make_copy(module)


def _make_copy(module: ModuleType) -> ModuleType:
    name = _COPY_PREFIX + module.__name__
    spec = importlib.util.spec_from_file_location(name, module.__file__)
    assert spec
    assert spec.loader
    copy = importlib.util.module_from_spec(spec)
    copy.__package__, copy.__spec__ = module.__package__, None  # for relative imports
    _copies[module.__name__] = sys.modules[name] = copy
    spec.loader.exec_module(copy)
    user_files = _user_sources(module)
    # Games call a bot's `choose` by its address, so it is an entry point even if another bot also calls it directly.
    link_time.entry_points.update(
        value.choose for value in vars(copy).values() if isinstance(value, type) and hasattr(value, "choose")
    )
    for imported in compilable_imports(module):
        compiled_copy(imported)
    for key, value in list(vars(copy).items()):
        if isinstance(value, FunctionType) and value.__module__ == name:
            setattr(copy, key, compiled(value, *user_files))
        elif isinstance(value, FunctionType) and value.__module__ in _copies:
            setattr(copy, key, getattr(_copies[value.__module__], value.__name__))
        elif isinstance(value, ModuleType) and value.__name__ in _copies:
            setattr(copy, key, _copies[value.__name__])
    return copy


def compilable_imports(module: ModuleType) -> list[ModuleType]:
    """The imports of a module that can be compiled: Rowlock's modules and, for a user's bot, the user's own."""
    imports = {}
    for value in vars(module).values():
        imported = sys.modules.get(value.__module__) if isinstance(value, FunctionType) else value
        if isinstance(imported, ModuleType) and imported is not module:
            if imported.__name__.startswith(_COMPILABLE) or _same_user_package(imported, module):
                imports[imported.__name__] = imported
    return list(imports.values())


def _same_user_package(other: ModuleType, module: ModuleType) -> bool:
    """Whether two modules are outside Rowlock and in the same folder or package."""
    # Built-in modules have no file.
    files = [Path(item.__file__ or "") for item in (other, module) if getattr(item, "__file__", None)]
    if len(files) < 2 or any(_PACKAGE in file.parents for file in files):
        return False
    package = module.__name__.partition(".")[0] if module.__package__ else None
    return files[0].parent == files[1].parent or other.__name__.partition(".")[0] == package


def _user_sources(module: ModuleType) -> tuple[Path, ...]:
    """The files outside Rowlock that a module's compiled code depends on."""
    files: set[Path] = set()
    queue = [module]
    while queue:
        current = queue.pop()
        file = Path(current.__file__ or "")
        if file not in files and _PACKAGE not in file.parents:
            files.add(file)
            queue += compilable_imports(current)
    return tuple(sorted(files))


def explain_failure(error: NumbaError) -> str:
    """One line for an error of Numba: the source line that cannot be compiled, and the reason."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    reason = next((line for line in lines if not line.startswith("Failed in")), lines[0])
    if reason.endswith("signature:"):  # the signature is on the next line
        reason = f"{reason} {lines[lines.index(reason) + 1].removeprefix('>>> ')}"
    for file, number in re.findall(r"^During: .* at (.+) \((\d+)\)$", str(error), re.MULTILINE):
        if Path(numba.__file__).parent not in Path(file).parents:
            return f"{file}:{number}: {linecache.getline(file, int(number)).strip()}: {reason}"
    return reason
