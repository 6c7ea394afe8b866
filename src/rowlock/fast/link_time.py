"""How Numba compiles functions that only compiled code calls: those that take pointers.

Numba would optimize each of them together with all that it calls, and so the kernel once for every level of calls above
it. Here they are optimized where they end up: in the functions that Python calls, and in bots. That saves two thirds of
the time to compile. They are not cached either: what they are linked into is.
"""

import logging
from pathlib import Path
from typing import Any

from numba.core import caching as _caching
from numba.core import codegen as _codegen
from numba.core import compiler as _compiler
from numba.core import types as _types

from rowlock.paths import writing

types: Any = _types  # Numba's own annotations do not reach this far
caching: Any = _caching
codegen: Any = _codegen
compiler: Any = _compiler

# Tells what is being compiled, function by function: the first word of a message is "compiling" or "compiled".
log = logging.getLogger("rowlock.compile")

entries: set[Any] = set()  # functions with pointers that are called by their address, such as bots


class Checked(types.Type):  # type: ignore[misc]
    """A pointer, and how many numbers there are."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        super().__init__(f"Checked({dtype})")


def has_pointers(kinds: Any) -> bool:
    return any(
        isinstance(one, (types.CPointer, Checked)) or (isinstance(one, types.BaseTuple) and has_pointers(one.types))
        for one in kinds
    )


class Library(codegen.JITCodeLibrary):  # type: ignore[misc]
    """Code that is only linked into other code: neither optimized nor made executable."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0

    @property
    def codegen(self) -> Any:
        return self

    def set_env(self, *_: Any) -> None:
        """Environments are for functions that use Python objects."""


class Compiler(compiler.Compiler):  # type: ignore[misc]
    def compile_extra(self, function: Any) -> Any:
        if has_pointers(self.state.args) and function not in entries:
            self.state.library = Library(self.state.targetctx.codegen(), function.__qualname__)
            self.state.flags = self.state.flags.copy()
            self.state.flags.no_cpython_wrapper = self.state.flags.no_cfunc_wrapper = True
        return super().compile_extra(function)


class Cache(caching.FunctionCache):  # type: ignore[misc]
    """Keeps functions but those, and tells what has to be compiled."""

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self.name = f"{function.__module__.rpartition('.')[2]}.{function.__name__}"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = super().load_overload(sig, target_context)
        if found is None:
            log.debug("compiling %s", self.name)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        if not isinstance(data.library, Library):
            with writing(Path(self.cache_path)):
                super().save_overload(sig, data)
        log.debug("compiled %s", self.name)
