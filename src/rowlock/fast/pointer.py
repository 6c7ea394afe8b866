"""Bare pointers to arrays, for compiled code: without reference counts and without wrap-around of negative indices.

A function that makes pointers must end with `keep_alive` of their arrays, as Numba frees an array after its last use.

With ROWLOCK_BOUNDS=1 in the environment (`compiled.BOUNDS`) a pointer knows the size of its array, and every index is
checked; a negative index is an error.
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
    def __init__(self, manager: Any, type_: Any) -> None:
        super().__init__(manager, type_, [("data", types.CPointer(type_.dtype)), ("size", types.int64)])


def pointer_to(dtype: Any) -> Any:
    return CheckedPointer(dtype) if BOUNDS else types.CPointer(dtype)


INT = types.int64
INTS = pointer_to(types.int64)
FLOATS = pointer_to(types.float32)
# A bot's buffers and data are passed as pointers to tuples, because more arguments would make its call slower.
BUFFERS = types.CPointer(types.Tuple((INTS, INTS, INTS, INTS, FLOATS)))
BOT_DATA = types.CPointer(types.Tuple((pointer_to(types.int32), FLOATS)))
BOT_DATA_ARRAYS = types.Tuple((types.Array(types.int32, 1, "C"), types.Array(types.float32, 1, "C")))
# A bot: state, tables, seat, actions, their number, a random word, buffers, data -> index of the chosen action
CHOOSE = types.FunctionType(INT(INTS, INTS, INT, INTS, INT, INT, BUFFERS, BOT_DATA))


def _make_checked(context: Any, builder: Any, pointer_type: Any, data: Any, size: Any) -> Any:
    struct = cgutils.create_struct_proxy(pointer_type)(context, builder)
    struct.data, struct.size = data, size
    return struct._getvalue()


def _pointer_type(arrays: Any) -> Any:
    """The type of `pointer(arrays)`, given the type of an array or of a tuple."""
    if not isinstance(arrays, types.BaseTuple):
        return pointer_to(arrays.dtype)
    members = [_pointer_type(member) for member in arrays]
    named = isinstance(arrays, types.BaseNamedTuple)
    return types.NamedTuple(members, arrays.instance_class) if named else types.Tuple(members)


# For `intrinsic`, this function and the next six map argument types to a signature and a function that generates code.
# `gep` (getelementptr) is LLVM's instruction for the address of an item.
def _pointer(_: Any, arrays: Any) -> Any:
    def make(context: Any, builder: Any, type_: Any, value: Any) -> Any:
        if isinstance(type_, types.BaseTuple):
            pointers = [make(context, builder, type_[i], builder.extract_value(value, i)) for i in range(len(type_))]
            return context.make_tuple(builder, _pointer_type(type_), pointers)
        array = context.make_array(type_)(context, builder, value)
        return _make_checked(context, builder, _pointer_type(type_), array.data, array.nitems) if BOUNDS else array.data

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return make(context, builder, signature.args[0], arguments[0])

    return _pointer_type(arrays)(arrays), codegen


def _slice(_: Any, whole: Any, begin: Any, size: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        whole, begin, size = arguments
        if not BOUNDS:
            return builder.gep(whole, [begin])
        data = cgutils.create_struct_proxy(signature.return_type)(context, builder, whole).data
        return _make_checked(context, builder, signature.return_type, builder.gep(data, [begin]), size)

    return whole(whole, INT, INT), codegen


def _tuple_pointer(_: Any, values: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        stored = cgutils.alloca_once_value(builder, arguments[0])
        return builder.bitcast(stored, context.get_value_type(signature.return_type))

    return types.CPointer(values.dtype)(values), codegen


def _pointer_offset(_: Any, begin: Any, offset: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        begin, offset = arguments
        return builder.gep(begin, [offset])

    return begin(begin, offset), codegen


def _keep_alive(_: Any, arrays: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        for index, array_type in enumerate(signature.args[0]):
            array = builder.extract_value(arguments[0], index)
            data = context.make_array(array_type)(context, builder, array).data
            # This assembly code is empty, but the compiler must assume that it reads the memory behind the pointer.
            function = ir.FunctionType(ir.VoidType(), [data.type])
            builder.asm(function, "", "r,~{memory}", [data], side_effect=True)
        return context.get_dummy_value()

    return types.void(arrays), codegen


def _data_of(_: Any, checked: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return cgutils.create_struct_proxy(signature.args[0])(context, builder, arguments[0]).data

    return types.CPointer(checked.dtype)(checked), codegen


def _size_of(_: Any, checked: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return cgutils.create_struct_proxy(signature.args[0])(context, builder, arguments[0]).size

    return INT(checked), codegen


pointer: Any = intrinsic(_pointer)  # a pointer to an array; for a tuple of arrays, a tuple of pointers
_unchecked_slice: Any = intrinsic(_slice)
tuple_pointer: Any = intrinsic(_tuple_pointer)  # a pointer to a uniform tuple, valid until the calling function returns
pointer_offset: Any = intrinsic(_pointer_offset)  # a pointer moved by a number of items
keep_alive: Any = intrinsic(_keep_alive)  # keeps the arrays of a tuple in memory until this point
data_of: Any = intrinsic(_data_of)
size_of: Any = intrinsic(_size_of)

OUT_OF_BOUNDS = "an index is outside its buffer"


def _checked_slice(whole: Any, begin: int, size: int) -> Any:
    if begin < 0 or size < 0 or begin + size > size_of(whole):
        raise IndexError(OUT_OF_BOUNDS)
    return _unchecked_slice(whole, begin, size)


slice_pointer: Any = compiled(_checked_slice) if BOUNDS else _unchecked_slice  # (pointer, begin, size)


@overload(operator.getitem)
def _get(numbers: Any, index: Any) -> Any:
    if not isinstance(numbers, CheckedPointer):
        return None  # Numba tries its other implementations

    def get(numbers: Any, index: Any) -> Any:
        if index < 0 or index >= size_of(numbers):
            raise IndexError(OUT_OF_BOUNDS)
        return data_of(numbers)[index]

    return get


@overload(operator.setitem)
def _set(numbers: Any, index: Any, value: Any) -> Any:
    if not isinstance(numbers, CheckedPointer):
        return None  # Numba tries its other implementations

    def set_(numbers: Any, index: Any, value: Any) -> None:
        if index < 0 or index >= size_of(numbers):
            raise IndexError(OUT_OF_BOUNDS)
        data_of(numbers)[index] = value

    return set_


def _game_buffers(ints: Any) -> Any:
    """The buffers of a game in `workspace.INTS` integers: state, state for a seat, drawn, options, chosen actions."""
    return (
        slice_pointer(ints, workspace.STATE, workspace.STATE_SIZE),
        slice_pointer(ints, workspace.STATE_FOR_SEAT, workspace.STATE_SIZE),
        slice_pointer(ints, workspace.DRAWN, kernel.MAX_CARDS),
        slice_pointer(ints, workspace.GAME_OPTIONS, kernel.MAX_OPTIONS),
        slice_pointer(ints, workspace.CHOSEN, kernel.MAX_PLAYERS),
    )


def _bot_buffers(ints: Any, floats: Any) -> Any:
    """The buffers of a bot in `workspace.INTS` integers: scratch, states, options, decisions; and its floats."""
    return (
        slice_pointer(ints, workspace.SCRATCH, kernel.SCRATCH_SIZE),
        slice_pointer(ints, workspace.STATES, workspace.STATES_SIZE),
        slice_pointer(ints, workspace.OPTIONS, workspace.OPTIONS_SIZE),
        slice_pointer(ints, workspace.DECISIONS, workspace.DECISIONS_SIZE),
        floats,
    )


game_buffers, bot_buffers = compiled(_game_buffers), compiled(_bot_buffers)
