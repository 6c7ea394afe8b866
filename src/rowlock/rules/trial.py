"""Actions tried on a copy of a state."""

from rowlock.rules import kernel as k
from rowlock.rules.kernel import Ints


def act_alone(state: Ints, tables: Ints, seat: int, action: int, imagined: Ints, decisions: Ints, spare: Ints) -> None:
    """The state after a player's action, as if all others passed, in `imagined`."""
    k.copy_state(state, 0, imagined, 0)
    for player in range(state[k.PLAYERS]):
        decisions[player] = k.PASS
    decisions[seat] = action
    k.act(imagined, tables, decisions, spare)
