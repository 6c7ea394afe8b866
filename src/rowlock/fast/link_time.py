"""Faster compilation of functions that take pointers: they are called by compiled code, never by Python.

Numba optimizes each function together with everything it calls, so the kernel would be optimized again for every
caller. Here functions with pointers are optimized only after they are linked into a function that Python calls, or into
a bot. That saves two thirds of the compile time. They are not cached; the functions into which they are linked are.
"""

import logging
from pathlib import Path
from typing import Any

from numba.core import caching as _caching
from numba.core import codegen as _codegen
from numba.core import compiler as _compiler
from numba.core import types as _types

from rowlock.paths import name_path_in_errors

types: Any = _types  # untyped: Numba's annotations do not cover this
caching: Any = _caching
codegen: Any = _codegen
compiler: Any = _compiler

# Reports every function that is compiled: the first word of a message is "compiling" or "compiled".
log = logging.getLogger("rowlock.compile")

entry_points: set[Any] = set()  # functions with pointers that are called by their address, such as bots


class CheckedPointer(types.Type):  # type: ignore[misc]
    """A pointer and the number of items behind it."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        super().__init__(f"CheckedPointer({dtype})")


def has_pointers(argument_types: Any) -> bool:
    return any(
        isinstance(argument, (types.CPointer, CheckedPointer))
        or (isinstance(argument, types.BaseTuple) and has_pointers(argument.types))
        for argument in argument_types
    )


class LinkOnlyLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]
    """Code that is linked into other code; it is neither optimized nor made executable on its own."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """A null pointer: Numba asks for the address, but nothing calls it."""
        return 0

    @property
    def codegen(self) -> Any:
        """This object, so that Numba's call of `codegen.set_env` reaches the method below."""
        return self

    def set_env(self, *_: Any) -> None:
        """Do nothing: only functions that use Python objects have environments."""


class Compiler(compiler.Compiler):  # type: ignore[misc]
    """Gives functions with pointers a `LinkOnlyLibrary`, and no wrappers for calls from Python or C."""

    def compile_extra(self, function: Any) -> Any:
        if has_pointers(self.state.args) and function not in entry_points:
            self.state.library = LinkOnlyLibrary(self.state.targetctx.codegen(), function.__qualname__)
            self.state.flags = self.state.flags.copy()
            self.state.flags.no_cpython_wrapper = self.state.flags.no_cfunc_wrapper = True
        return super().compile_extra(function)


class Cache(caching.FunctionCache):  # type: ignore[misc]
    """Caches all functions except those with a `LinkOnlyLibrary`, and logs what is compiled."""

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self.name = f"{function.__module__.rpartition('.')[2]}.{function.__name__}"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        cached = super().load_overload(sig, target_context)
        if cached is None:
            log.debug("compiling %s", self.name)
        return cached

    def save_overload(self, sig: Any, data: Any) -> None:
        if not isinstance(data.library, LinkOnlyLibrary):
            with name_path_in_errors(Path(self.cache_path)):
                super().save_overload(sig, data)
        log.debug("compiled %s", self.name)
