"""`rowlock.wasm`: rules, chance and bots as a WebAssembly module, so that the browser client plays without a server."""

from pathlib import Path

MODULE = Path(__file__).with_name("rowlock.wasm")
SOURCES_HASH = MODULE.with_suffix(".sources")  # the hash of the sources from which the module was built
BOTS = ("random", "eager", "rush", "greedy", "evolved", "champion")  # weakest first; the index is the bot's number
