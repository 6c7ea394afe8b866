"""`rowlock.wasm`: rules, chance and bots as a WebAssembly module, so that the browser client plays without a server."""

import hashlib
from pathlib import Path

from rowlock.rules import layout

MODULE = Path(__file__).with_name("rowlock.wasm")
SOURCES_HASH = MODULE.with_suffix(".sources")  # the hash of the sources from which the module was built
BOTS = ("random", "eager", "rush", "greedy", "evolved", "champion")  # weakest first; the index is the bot's number
_OFFSETS = {name: value for name, value in vars(layout).items() if name.isupper()}
# A name of the layout of the kernel's data: a client cannot use tables or states of another layout.
LAYOUT = hashlib.sha256(repr(_OFFSETS).encode()).hexdigest()[:12]
