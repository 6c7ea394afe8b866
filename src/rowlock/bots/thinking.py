"""`champion --think`: the champion plays on from each of its best options, as long as there is time.

All options meet the same dice or cards, and play goes on for a round only, with cards for two: then the network
judges. So what is compared differs by little but the options themselves, and a few hundred samples tell them apart.
"""

import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rowlock.bots import champion as _champion
from rowlock.bots.bot import Bot, check_seconds, memory_of
from rowlock.fast.compiled import compile_for, compiled, twin
from rowlock.fast.games import Array
from rowlock.fast.kernel import chance as c
from rowlock.fast.kernel import kernel as k
from rowlock.fast.pointer import INT, pointer, types
from rowlock.rules.game import View
from rowlock.rules.variant import Variant

b: Any = twin(_champion)
CANDIDATES = 4
MARGIN = 0.04  # of the chance to win, or of a hundred points: what is further behind is not looked at
# The network's own judgement counts for so many samples, and for this share of those taken: both it and what is seen a
# round later are wrong by some amount that no number of samples mends.
TRUST, SHARE = 16, 0.3
Doubles = NDArray[np.float64]


def _likely(worth: float, players: int) -> float:
    """From log odds to a chance; points stay what they are."""
    return worth if players == 1 else 1.0 / (1.0 + np.exp(-worth))


likely = compiled(_likely)


def _settle(state_: Array, tables_: Array, seat: int, actions: Array, weights_: Any, after: Any, values: Any) -> None:
    """For every action the state after this turn, and how the network judges it."""
    spare_, imagined_ = np.zeros(k.SPARE_SIZE, np.int64), np.zeros(2 * k.state_size(k.MAX_PLAYERS), np.int64)
    found_, decisions_ = np.zeros(k.THOUGHTS, np.int64), np.zeros(k.WISHES, np.int64)
    notes_ = np.zeros(k.SCRATCH, np.float32)
    state, tables, imagined = pointer(state_), pointer(tables_), pointer(imagined_)
    desk = (pointer(spare_), imagined, pointer(found_), pointer(decisions_), pointer(notes_), pointer(weights_))
    colour = b.plan_others(state, tables, seat, desk)
    for option in range(actions.size):
        b.settle(state, tables, seat, actions[option], colour, desk)
        values[option] = likely(b.value(imagined, tables, seat, desk), state[k.PLAYERS])
        for place in range(state_.size):
            after[option, place] = imagined[place]
    # The arrays behind the pointers live until here.
    spare_[0] = imagined_[0] + found_[0] + decisions_[0] + int(notes_[0]) + state_[0] + tables_[0] + int(weights_[0])


def _roll_out(
    after: Array, tables_: Array, seat: int, turns: int, seed: int, first: int, weights_: Any, found_values: Any
) -> None:
    """Play on from some states, all with the same dice; a row of values per sample."""
    spare_, imagined_ = np.zeros(k.SPARE_SIZE, np.int64), np.zeros(2 * k.state_size(k.MAX_PLAYERS), np.int64)
    found_, decisions_ = np.zeros(k.THOUGHTS, np.int64), np.zeros(k.WISHES, np.int64)
    notes_, dice_ = np.zeros(k.SCRATCH, np.float32), np.zeros(6, np.int64)
    state_ = np.zeros(after.shape[1], np.int64)
    state, tables, dice, decisions = pointer(state_), pointer(tables_), pointer(dice_), pointer(decisions_)
    spare, imagined, faces = pointer(spare_), pointer(imagined_), tables_[k.T_FACES]
    desk = (spare, imagined, pointer(found_), decisions, pointer(notes_), pointer(weights_))
    for sample in range(found_values.shape[0]):
        key, salt = c.game_key(seed, first + sample), c.game_salt(seed, first + sample)
        for option in range(after.shape[0]):
            state_[:] = after[option]
            players = state[k.PLAYERS]
            for turn in range(turns):
                if state[k.PHASE] == k.ROLL:
                    c.throw(key, salt, turn, tables, dice)
                    if turn == 0:  # every pair of white dice comes up equally often
                        dice[0] = 1 + (first + sample) % faces
                        dice[1] = 1 + (first + sample) // faces % faces
                    k.roll(state, dice)
                    colour = b.plan_others(state, tables, -1, desk)
                    for player in range(players):
                        decisions[player] = decisions[b.PLANS + player]
                    b.imagine(state, desk)
                    k.act(imagined, tables, decisions, spare)
                    if imagined[k.PHASE] == k.COLOUR:
                        b.follow(tables, colour, desk)
                    for place in range(after.shape[1]):
                        state[place] = imagined[place]
            found_values[sample, option] = likely(b.value(state, tables, seat, desk), players)
    # The arrays behind the pointers live until here.
    spare_[0] = imagined_[0] + found_[0] + decisions_[0] + int(notes_[0]) + dice_[0] + state_[0] + tables_[0]
    notes_[0] = weights_[0]


_OWN = Path(__file__)
# Compiled when this module is imported, not when a decision is due.
_INTS, _STATES = types.Array(INT, 1, "C"), types.Array(INT, 2, "C")
_WEIGHTS, _VALUES, _ROWS = types.float32[::1], types.float64[::1], types.float64[:, ::1]
_settle_compiled = compile_for(
    compiled(_settle, _OWN), types.void(_INTS, _INTS, INT, _INTS, _WEIGHTS, _STATES, _VALUES)
)
_roll_out_compiled = compile_for(
    compiled(_roll_out, _OWN), types.void(_STATES, _INTS, INT, INT, INT, INT, _WEIGHTS, _ROWS)
)


def settle(view: View, actions: Sequence[int]) -> tuple[Array, Doubles]:
    """For every action of the seat that looks the state after this turn, and how the network judges it.

    With cards it is as much of the turn as the seat can foresee.
    """
    _, weights = memory_of(_champion.Champion, view.variant, len(view.players))
    tables, state = np.array(view.variant.tables, np.int64), np.array(view.state, np.int64)
    after, values = np.zeros((len(actions), state.size), np.int64), np.zeros(len(actions))
    _settle_compiled(state, tables, view.seat, np.array(actions, np.int64), weights, after, values)
    return after, values


def roll_out(view: View, after: Array, turns: int, samples: int, seed: int, first: int = 0) -> Doubles:
    """A row per sample: what each of the states is worth some turns later, all of them with the same dice."""
    _, weights = memory_of(_champion.Champion, view.variant, len(view.players))
    values = np.zeros((samples, len(after)))
    tables = np.array(view.variant.tables, np.int64)
    _roll_out_compiled(after, tables, view.seat, turns, seed, first, weights, values)
    return values


class Ahead(NamedTuple):
    """How to look ahead: the roll-out, from states with dice and from actions with cards, how far and in what steps."""

    roll_out: Callable[[View, Array, int, int, int, int], Doubles]
    rounds: int
    samples: int  # between two looks at the clock


def way_ahead(variant: Variant, players: int) -> Ahead:
    """As single decisions judged it: see docs/champion.md."""
    if not variant.cards:
        return Ahead(roll_out, rounds=1, samples=variant.dice[0] ** 2)  # every pair of white dice once
    from rowlock.bots import cardthinking  # only where there are cards: compiling it takes seconds

    return Ahead(cardthinking.roll_out, rounds=2, samples=16 // players)


class Thinking(Bot):
    """The champion, looking ahead for some seconds before every decision that is not clear."""

    def __init__(self, seconds: float, *, samples: int | None = None, turns: int | None = None) -> None:
        check_seconds(seconds)
        self.seconds, self.samples, self.turns = seconds, samples, turns

    def needs(self, variant: Variant, players: int) -> str | None:
        return _champion.Champion().needs(variant, players)

    def prepare(
        self,
        variant: Variant,
        players: int,
        progress: Callable[[float], None] = lambda _: None,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        super().prepare(variant, players, progress, stop)
        way_ahead(variant, players)

    def decide(self, view: View, options: Sequence[str], rng: random.Random) -> str:
        ahead = way_ahead(view.variant, len(view.players))
        begin = time.perf_counter()
        if len(options) == 1:
            return options[0]
        actions = [view.options[option] for option in options]
        after, values = settle(view, actions)
        starts = np.array(actions, np.int64) if view.variant.cards else after
        kept = [int(one) for one in np.argsort(-values, kind="stable")[:CANDIDATES]]
        kept = [one for one in kept if values[one] >= values[kept[0]] - MARGIN]
        sums, count, seed = np.zeros(len(options)), 0, rng.getrandbits(62)
        differences, since = np.zeros((2, len(options))), 0  # sums of differences to the best, and of their squares
        best, turns = kept[0], self.turns or ahead.rounds * len(view.players)
        elapsed = spent = time.perf_counter() - begin
        while len(kept) > 1 and (count < self.samples if self.samples else elapsed < self.seconds):
            found = ahead.roll_out(view, starts[kept], turns, ahead.samples, seed, count)
            count, since = count + ahead.samples, since + ahead.samples
            sums[kept] += found.sum(axis=0)
            apart = found - found[:, [kept.index(best)]]
            differences[:, kept] += apart.sum(axis=0), (apart**2).sum(axis=0)
            kept = _still_in_it(kept, differences, since)
            leader = max(kept, key=lambda one: sums[one] + (TRUST + SHARE * count) * values[one])
            if leader != best:
                best, since = leader, 0
                differences[:] = 0
            now = time.perf_counter() - begin
            elapsed, spent = now + (now - spent) / 2, now  # another round must have a fair chance to end in time
        return options[best]


def _still_in_it(kept: list[int], differences: Doubles, count: int) -> list[int]:
    """Without those that are clearly behind the best."""
    mean = differences[0] / count
    error = np.sqrt(np.maximum(differences[1] / count - mean**2, 1e-9) / count)
    return [one for one in kept if count < 64 or mean[one] > -3 * error[one]]
