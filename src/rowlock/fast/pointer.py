"""Arrays inside compiled code as bare pointers: no reference counts and no wrap-around of indices in the inner loop.

Whoever takes a pointer must keep its array alive: name the array once more after the last use of the pointer.
"""

from typing import Any

from numba import types as _types
from numba.core import cgutils as _cgutils
from numba.extending import intrinsic

types: Any = _types  # Numba's own annotations do not reach this far
cgutils: Any = _cgutils

INT = types.int64
INTS = types.CPointer(types.int64)
FLOATS = types.CPointer(types.float32)
# What belongs together is handed on as one pointer to a tuple: every further argument costs a bot's call dearly.
ROOM = types.CPointer(types.Tuple((INTS, INTS, INTS, INTS, FLOATS)))
MEMORY = types.CPointer(types.Tuple((types.CPointer(types.int32), FLOATS)))
MEMORY_ARRAYS = types.Tuple((types.Array(types.int32, 1, "C"), types.Array(types.float32, 1, "C")))
# state, tables, seat, actions, how many, a random word, room to try things, memory -> which of the actions
CHOOSE = types.FunctionType(INT(INTS, INTS, INT, INTS, INT, INT, ROOM, MEMORY))


def _pointer(_: Any, array: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, arguments[0]).data

    return types.CPointer(array.dtype)(array), codegen


def _laid_out(_: Any, values: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(
            cgutils.alloca_once_value(builder, arguments[0]), context.get_value_type(signature.return_type)
        )

    return types.CPointer(values.dtype)(values), codegen


def _further(_: Any, begin: Any, places: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.gep(arguments[0], [arguments[1]])

    return begin(begin, places), codegen


pointer: Any = intrinsic(_pointer)
laid_out: Any = intrinsic(_laid_out)  # a tuple of equal things, by a pointer that lives as long as the calling function
further: Any = intrinsic(_further)  # a pointer, so many places on
