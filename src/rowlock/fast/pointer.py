"""Arrays inside compiled code as bare pointers: no reference counts and no wrap-around of negative indices.

A function that makes pointers ends with `keep_alive` of their arrays: Numba frees an array after its last use.

With ROWLOCK_BOUNDS=1 in the environment (`compiled.BOUNDS`) a pointer has the size of its array, and every index is
checked; negative ones are errors.
"""

import operator
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types as _types
from numba.core import cgutils as _cgutils
from numba.extending import intrinsic, models, overload, register_model

from rowlock.fast import workspace
from rowlock.fast.compiled import BOUNDS, compiled
from rowlock.fast.link_time import CheckedPointer
from rowlock.rules import kernel

types: Any = _types  # untyped: Numba's annotations do not cover this
cgutils: Any = _cgutils
_StructModel: Any = models.StructModel


@register_model(CheckedPointer)
class _CheckedModel(_StructModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [("data", types.CPointer(kind.dtype)), ("size", types.int64)])


def pointer_to(dtype: Any) -> Any:
    return CheckedPointer(dtype) if BOUNDS else types.CPointer(dtype)


INT = types.int64
INTS = pointer_to(types.int64)
FLOATS = pointer_to(types.float32)
# Buffers and data are passed as pointers to tuples: more arguments would make the call of a bot slower.
BUFFERS = types.CPointer(types.Tuple((INTS, INTS, INTS, INTS, FLOATS)))
BOT_DATA = types.CPointer(types.Tuple((pointer_to(types.int32), FLOATS)))
BOT_DATA_ARRAYS = types.Tuple((types.Array(types.int32, 1, "C"), types.Array(types.float32, 1, "C")))
# state, tables, seat, actions, their number, a random word, buffers, read-only data -> index of the chosen action
CHOOSE = types.FunctionType(INT(INTS, INTS, INT, INTS, INT, INT, BUFFERS, BOT_DATA))


def _checked(context: Any, builder: Any, kind: Any, data: Any, size: Any) -> Any:
    struct = cgutils.create_struct_proxy(kind)(context, builder)
    struct.data, struct.size = data, size
    return struct._getvalue()


def _pointers_to(arrays: Any) -> Any:
    if not isinstance(arrays, types.BaseTuple):
        return pointer_to(arrays.dtype)
    kinds = [_pointers_to(array) for array in arrays]
    named = isinstance(arrays, types.BaseNamedTuple)
    return types.NamedTuple(kinds, arrays.instance_class) if named else types.Tuple(kinds)


def _pointer(_: Any, arrays: Any) -> Any:
    def point(context: Any, builder: Any, kind: Any, value: Any) -> Any:
        if isinstance(kind, types.BaseTuple):
            parts = [point(context, builder, part, builder.extract_value(value, i)) for i, part in enumerate(kind)]
            return context.make_tuple(builder, _pointers_to(kind), parts)
        array = context.make_array(kind)(context, builder, value)
        return _checked(context, builder, _pointers_to(kind), array.data, array.nitems) if BOUNDS else array.data

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return point(context, builder, signature.args[0], arguments[0])

    return _pointers_to(arrays)(arrays), codegen


def _slice(_: Any, whole: Any, begin: Any, size: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.return_type
        if not BOUNDS:
            return builder.gep(arguments[0], [arguments[1]])
        struct = cgutils.create_struct_proxy(kind)(context, builder, arguments[0])
        return _checked(context, builder, kind, builder.gep(struct.data, [arguments[1]]), arguments[2])

    return whole(whole, INT, INT), codegen


def _tuple_pointer(_: Any, values: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(
            cgutils.alloca_once_value(builder, arguments[0]), context.get_value_type(signature.return_type)
        )

    return types.CPointer(values.dtype)(values), codegen


def _pointer_offset(_: Any, begin: Any, count: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.gep(arguments[0], [arguments[1]])

    return begin(begin, count), codegen


def _keep_alive(_: Any, arrays: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        for place, kind in enumerate(signature.args[0]):
            array = builder.extract_value(arguments[0], place)
            data = context.make_array(kind)(context, builder, array).data
            # Empty, but the compiler must assume that it reads the memory behind the pointer.
            function = ir.FunctionType(ir.VoidType(), [data.type])
            builder.asm(function, "", "r,~{memory}", [data], side_effect=True)
        return context.get_dummy_value()

    return types.void(arrays), codegen


def _data(_: Any, checked: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return cgutils.create_struct_proxy(signature.args[0])(context, builder, arguments[0]).data

    return types.CPointer(checked.dtype)(checked), codegen


def _size(_: Any, checked: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return cgutils.create_struct_proxy(signature.args[0])(context, builder, arguments[0]).size

    return INT(checked), codegen


pointer: Any = intrinsic(_pointer)  # to an array, or a tuple of pointers to a tuple of arrays
_unchecked_slice: Any = intrinsic(_slice)
tuple_pointer: Any = intrinsic(_tuple_pointer)  # to a uniform tuple, valid until the calling function returns
pointer_offset: Any = intrinsic(_pointer_offset)  # a pointer plus a number of items
keep_alive: Any = intrinsic(_keep_alive)  # keeps a tuple of arrays until this point
data: Any = intrinsic(_data)
size: Any = intrinsic(_size)

OUT_OF_BOUNDS = "an index is outside its buffer"


def _checked_slice(whole: Any, begin: int, count: int) -> Any:
    if begin < 0 or count < 0 or begin + count > size(whole):
        raise IndexError(OUT_OF_BOUNDS)
    return _unchecked_slice(whole, begin, count)


slice_pointer: Any = compiled(_checked_slice) if BOUNDS else _unchecked_slice  # (pointer, begin, size)


@overload(operator.getitem)
def _get(numbers: Any, index: Any) -> Any:
    if not isinstance(numbers, CheckedPointer):
        return None

    def get(numbers: Any, index: Any) -> Any:
        if index < 0 or index >= size(numbers):
            raise IndexError(OUT_OF_BOUNDS)
        return data(numbers)[index]

    return get


@overload(operator.setitem)
def _set(numbers: Any, index: Any, value: Any) -> Any:
    if not isinstance(numbers, CheckedPointer):
        return None

    def set_(numbers: Any, index: Any, value: Any) -> None:
        if index < 0 or index >= size(numbers):
            raise IndexError(OUT_OF_BOUNDS)
        data(numbers)[index] = value

    return set_


def _game_buffers(ints: Any) -> Any:
    """The buffers of a game in an array of `workspace.INTS`: state, seen, drawn, found, chosen."""
    return (
        slice_pointer(ints, workspace.STATE, workspace.STATE_SIZE),
        slice_pointer(ints, workspace.SEEN, workspace.STATE_SIZE),
        slice_pointer(ints, workspace.DRAWN, kernel.MAX_CARDS),
        slice_pointer(ints, workspace.GAME_OPTIONS, kernel.MAX_OPTIONS),
        slice_pointer(ints, workspace.CHOSEN, kernel.MAX_PLAYERS),
    )


def _bot_buffers(ints: Any, floats: Any) -> Any:
    """The buffers of a bot in an array of `workspace.INTS`, and one of `workspace.FLOATS`."""
    return (
        slice_pointer(ints, workspace.SCRATCH, kernel.SCRATCH_SIZE),
        slice_pointer(ints, workspace.STATES, workspace.STATES_SIZE),
        slice_pointer(ints, workspace.OPTIONS, workspace.OPTIONS_SIZE),
        slice_pointer(ints, workspace.DECISIONS, workspace.DECISIONS_SIZE),
        floats,
    )


game_buffers, bot_buffers = compiled(_game_buffers), compiled(_bot_buffers)
