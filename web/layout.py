"""Generates the client's constants from the kernel: python web/layout.py > web/src/local/layout.ts"""

import sys
from types import ModuleType

from rowlock.analysis.review import RATING_LIMITS, RATINGS, SOLO_RATING_LIMITS
from rowlock.fast import workspace
from rowlock.networks import option_values, playout
from rowlock.rules import consequences, description, kernel, obstacles
from rowlock.rules.game import REASONS
from rowlock.rules.sheet import BOX_STATES, CELL_STATES, SWAP_STATES
from rowlock.rules.variant import CARD_COLOURS, PAIR_BONUSES, ROW_NAMES
from rowlock.wasm import BOTS, LAYOUT, exports

HEAD = "// Generated from the kernel by web/layout.py; do not edit.\n"
KERNEL = ("MAX_CELLS", "MAX_NUMBERS", "MAX_PLAYERS", "HAND_DEALT", "DISPLAYED", "ROWS", "PASS", "PLAYERS")
PHASES = ("ROLL", "WHITE", "COLOUR", "OVER", "TAKE", "DRAW")
ANALYSIS = ("VALUES", "ERRORS")
BLOCK = ("TABLES", "STATE", "DRAWN", "ACTIONS", "DECISIONS", "OUT", "SIZE")


def typescript() -> str:
    """The constants that the local table needs."""
    described = [name for name in vars(description) if name[:2] in ("S_", "D_", "O_") or name.endswith("_DESCRIPTION")]
    lines = [HEAD]
    lines += [f"export const {name} = {getattr(kernel, name)};" for name in (*KERNEL, *PHASES)]
    lines += _section("Offsets in descriptions of sheets (S), states (D) and options (O).", description, described)
    lines += _section("The parts of the block of memory.", exports, BLOCK)
    lines += _section("Offsets of values in the floats.", workspace, ANALYSIS)
    lines += _section("Depths of values.", playout, ("NETWORK", "ROUND"))
    lines += [
        f"export const GRADES = {list(option_values.GRADES)};",
        f"export const LIMITS = {list(option_values.LIMITS)};",
        f"export const SOLO_LIMITS = {list(option_values.SOLO_LIMITS)};",
        f"export const SURE = {option_values.SURE};",
        f"export const STAKES = {list(option_values.STAKES)};",
        f"export const CONSEQUENCE = {consequences.CONSEQUENCE};",
        f"export const CONSEQUENCES = {list(consequences.NAMES)};",
        f"export const RATINGS = {list(RATINGS)};",
        f"export const RATING_LIMITS = {list(RATING_LIMITS)};",
        f"export const SOLO_RATING_LIMITS = {list(SOLO_RATING_LIMITS)};",
        "",
        f"export const FLOATS = {workspace.FLOATS};",
        f"export const LAYOUT = '{LAYOUT}';",
        f"export const BOTS = {list(BOTS)};",
        f"export const ROW_NAMES = '{''.join(ROW_NAMES)}';",
        f"export const CARD_COLOURS = '{CARD_COLOURS}';",
        f"export const REASONS = {['null' if one is None else one for one in REASONS]};".replace("'null'", "null"),
        f"export const PAIR_BONUSES: Record<string, number> = {dict(PAIR_BONUSES)};",
        f"export const SWAP_SPOT = {obstacles.SWAP_SPOT};",
        "// Obstacles by their numbers, with the names of their values.",
        f"export const OBSTACLES: [string, string[]][] = {[[name, [*names]] for name, names in obstacles.OBSTACLES]};",
        "// By the kernel's states of cells and boxes.",
        f"export const CELL_STATES = {list(CELL_STATES)} as const;",
        f"export const BOX_STATES = {[BOX_STATES.get(i, 'free') for i in range(len(CELL_STATES))]} as const;",
        f"export const SWAP_STATES = {list(SWAP_STATES)} as const;",
    ]
    return "\n".join(lines) + "\n"


def _section(title: str, module: ModuleType, names: "list[str] | tuple[str, ...]") -> list[str]:
    return ["", f"// {title}", *(f"export const {name} = {getattr(module, name)};" for name in names)]


if __name__ == "__main__":
    sys.stdout.write(typescript())
