"""Builds `rowlock.wasm`: python -m rowlock.wasm.build [FILE]

Numba compiles the functions of `exports` to LLVM's intermediate representation, which needs nothing at run time. LLVM
turns that into a WebAssembly object, and a linker makes the module: `wasm-ld`, or the one of the PyPI package `ziglang`
or of Rust.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

if __name__ == "__main__":
    # Before the first import of Numba: optimized code would already contain the pointer size of this machine. Compiled
    # code is kept apart: other programs need it optimized, and of a function from the cache there is no code for LLVM.
    os.environ["NUMBA_OPT"] = "0"
    _cache = tempfile.TemporaryDirectory()
    os.environ["ROWLOCK_HOME"] = _cache.name

import llvmlite.binding as llvm  # type: ignore[import-untyped]

from rowlock.fast import pointer, workspace
from rowlock.fast.compiled import compilable_imports, compiled_copy
from rowlock.fast.link_time import entry_points
from rowlock.fast.pointer import FLOATS, INTS, pointer_to, types
from rowlock.wasm import MODULE, SOURCES_HASH, exports

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint"  # every current browser has these
STACK_BYTES = 65536
_I32 = types.int32
_FUNCTIONS = {
    "start": (INTS, _I32, _I32),
    "set_lucky": (INTS, _I32, _I32, _I32),
    "set_sheet": (INTS, _I32, _I32),
    "draw_chance": (INTS, _I32, _I32),
    "let_chance_act": (INTS,),
    "options": (INTS, _I32),
    "act": (INTS,),
    "describe_state": (INTS, _I32),
    "describe_option": (INTS, _I32, _I32),
    "why_not": (INTS, _I32, _I32, _I32, _I32, _I32),
    "choose": (INTS, FLOATS, pointer_to(types.int32), FLOATS, _I32, _I32, _I32, _I32),
    "node_value": (INTS, FLOATS, FLOATS, _I32, _I32, _I32),
    "write_option_values": (INTS, FLOATS, FLOATS, _I32, _I32, _I32, _I32, _I32),
    "write_consequences": (INTS, _I32, _I32),
    "free_options": (INTS, _I32, _I32),
    "describe_free_option": (INTS, _I32, _I32),
    "locked_by_others": (INTS, _I32),
    "doubtful_rows": (INTS, _I32, _I32),
    "mark_freely": (INTS, _I32, _I32, _I32),
    "announce_roll": (INTS,),
    "end_game": (INTS,),
    "why_no_mark": (INTS, _I32, _I32),
}


class BuildError(RuntimeError):
    """The module cannot be built here."""


def find_linker() -> list[str] | None:
    """The command of a linker for WebAssembly; None if there is none."""
    if found := shutil.which("wasm-ld"):
        return [found]
    if find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "wasm-ld"]
    if rustc := shutil.which("rustc"):
        answer = subprocess.run([rustc, "--print", "sysroot"], capture_output=True, text=True, check=False)
        linkers = sorted(Path(answer.stdout.strip()).glob("lib/rustlib/*/bin/rust-lld")) if answer.stdout else []
        return [str(linkers[0]), "-flavor", "wasm"] if linkers else None
    return None


def sources_hash() -> str:
    """A hash of the sources from which the module is built."""
    modules: dict[str, ModuleType] = {}
    queue: list[ModuleType] = [exports, pointer, workspace, sys.modules[__name__]]
    while queue:
        module = queue.pop()
        if module.__name__ not in modules:
            modules[module.__name__] = module
            queue += compilable_imports(module)
    digest = hashlib.sha256()
    for path in sorted(Path(module.__file__ or "") for module in modules.values()):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def build() -> bytes:
    """The module, built from the current sources."""
    linker = find_linker()
    if linker is None:
        raise BuildError("no linker for WebAssembly found: install lld, or the PyPI package ziglang")
    with tempfile.TemporaryDirectory() as folder:
        object_file, module = Path(folder) / "rowlock.o", Path(folder) / "rowlock.wasm"
        object_file.write_bytes(_object_code())
        options = ["--no-entry", "--strip-all", "--allow-undefined", "--gc-sections", "-z", f"stack-size={STACK_BYTES}"]
        exported = [f"--export={name}" for name in (*_FUNCTIONS, "__heap_base")]
        subprocess.run([*linker, *options, *exported, str(object_file), "-o", str(module)], check=True)
        return module.read_bytes()


def _object_code() -> bytes:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(opt=3, features=FEATURES)
    mangled_names = {}
    linked = None
    for name, argument_types in _FUNCTIONS.items():
        mangled, text = _intermediate_code(name, argument_types)
        mangled_names[mangled] = name
        module = llvm.parse_assembly(_for_wasm(text, machine))
        if linked is None:
            linked = module
        else:
            linked.link_in(module)
    assert linked is not None
    defined = {function.name for function in linked.functions if not function.is_declaration}
    if missing := [name for mangled, name in mangled_names.items() if mangled not in defined]:
        raise BuildError(f"there is no code of {', '.join(missing)}")
    for function in linked.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name in mangled_names else "internal"
    for variable in linked.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"
    text = str(linked)
    for mangled, name in mangled_names.items():
        text = text.replace(f'@"{mangled}"', f"@{name}").replace(f"@{mangled}", f"@{name}")
    module = llvm.parse_assembly(text)
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=2))
    builder.getModulePassManager().run(module, builder)
    code: bytes = machine.emit_object(module)
    return code


def _intermediate_code(name: str, argument_types: Any) -> tuple[str, str]:
    """The name of a compiled function, and LLVM's code of it and of everything that it calls."""
    function = getattr(compiled_copy(exports), name)
    entry_points.add(function.py_func)
    function.compile(_I32(*argument_types))
    (result,) = function.overloads.values()
    return result.fndesc.mangled_name, str(result.library._final_module)


def _for_wasm(text: str, machine: Any) -> str:
    """LLVM's code for WebAssembly instead of this machine; WebAssembly has no common symbols."""
    text = re.sub(r"^target datalayout = .*$", f'target datalayout = "{machine.target_data}"', text, flags=re.MULTILINE)
    text = re.sub(r"^target triple = .*$", f'target triple = "{TRIPLE}"', text, flags=re.MULTILINE)
    return re.sub(r'"target-(cpu|features)"="[^"]*"', "", text).replace(" common ", " internal ")


def main(file: str | None = None) -> None:
    """Write the module into the package, with the hash of its sources, or to another file."""
    try:
        module = build()
    except BuildError as error:
        raise SystemExit(f"rowlock.wasm: {error}") from None
    if file:
        Path(file).write_bytes(module)
    else:
        MODULE.write_bytes(module)
        SOURCES_HASH.write_text(sources_hash() + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
