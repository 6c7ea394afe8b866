"""Arrays inside compiled code as bare pointers: no reference counts and no wrap-around of indices in the inner loop.

Whoever takes a pointer must keep its array alive: name the array once more after the last use of the pointer.
"""

from typing import Any

from numba import types as _types
from numba.extending import intrinsic

types: Any = _types  # Numba's own annotations do not reach this far

INT = types.int64
INTS = types.CPointer(types.int64)
ROOM = types.UniTuple(INTS, 4)
# state, tables, seat, actions, how many, a random word, room to try things -> which of the actions
CHOOSE = types.FunctionType(INT(INTS, INTS, INT, INTS, INT, INT, ROOM))


def _pointer(_: Any, array: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, arguments[0]).data

    return types.CPointer(array.dtype)(array), codegen


pointer: Any = intrinsic(_pointer)
