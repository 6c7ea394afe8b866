"""How `scholar` learns: TD(λ) on the mean and the variance of the lead in the end, from games against itself."""

from functools import cached_property
from math import erf
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from rowlock.bots import gauss as g
from rowlock.bots import scholar as _scholar
from rowlock.bots.weights import Weights
from rowlock.fast.compiled import compiled, twin, use_cache
from rowlock.fast.games import Array
from rowlock.fast.kernel import chance as c
from rowlock.fast.kernel import kernel as k
from rowlock.fast.pointer import laid_out, pointer
from rowlock.rules.variant import Variant
from rowlock.train.training import GAMES, Training, TrainingError, symmetries

s: Any = twin(_scholar)
_OWN = Path(__file__)
TURNS = 4 * k.MAX_CELLS + k.MISTHROWS_TO_END  # of a player in a game at the most: each marks a cell or a misthrow
# Of a state, for a player: what the lead in the end is on average and its square, and the share of the win.
LEAD, SQUARE, SHARE = 0, 1, 2
CAREFUL = 0.1  # the variance learns so much slower than the mean


def _look_back(seat: int, lead: float, trace: float, targets: Any, odd: Any, begin: int, end: int) -> None:
    """From the end of a game back: what a player could expect, from the outcome and from what was expected on the way.

    A turn with a random decision tells nothing about the state before it.
    """
    share = 0.5 * (1.0 + (lead > 0) - (lead < 0))
    square = lead * lead
    for one in range(end - 1, begin - 1, -1):
        expected, expected_square = targets[one, seat, LEAD], targets[one, seat, SQUARE]
        if odd[one]:
            lead, square = expected, expected_square
        targets[one, seat, LEAD], targets[one, seat, SQUARE], targets[one, seat, SHARE] = lead, square, share
        lead = (1.0 - trace) * expected + trace * lead
        square = (1.0 - trace) * expected_square + trace * square


def _play(
    tables_: Array, weights_: Weights, seed: int, explore: float, trace: float, games: int, inputs: Any, targets: Any
) -> int:
    """Play games into the arrays and return how many states there are."""
    players = inputs.shape[1]
    state_, imagined_ = np.zeros(k.state_size(players), np.int64), np.zeros(2 * k.state_size(k.MAX_PLAYERS), np.int64)
    spare_, found_ = np.zeros(k.SPARE_SIZE, np.int64), np.zeros(k.THOUGHTS, np.int64)
    acts_, wishes_ = np.zeros(k.MAX_OPTIONS, np.int64), np.zeros(k.WISHES, np.int64)
    notes_, chosen_, dice_ = np.zeros(k.SCRATCH, np.float32), np.zeros(k.MAX_PLAYERS, np.int64), np.zeros(6, np.int64)
    tables, state, spare, acts = pointer(tables_), pointer(state_), pointer(spare_), pointer(acts_)
    chosen, dice, notes, weights = pointer(chosen_), pointer(dice_), pointer(notes_), pointer(weights_)
    room = laid_out(((spare, pointer(imagined_), pointer(found_), pointer(wishes_), notes),))
    odd = np.zeros(inputs.shape[0], np.bool_)
    threshold = int(explore * 4294967296.0)
    at = 0
    for game in range(games):
        key, salt, begin = c.game_key(seed, game), c.game_salt(seed, game), at
        k.start(state, tables, players)
        while state[k.PHASE] != k.OVER:
            for seat in range(players):
                s.g.judge(state, tables, seat, weights, notes)
                for place in range(g.INPUTS):
                    inputs[at, seat, place] = notes[g.R_INPUT + place]
                mean = float(notes[g.R_MEAN])
                targets[at, seat, LEAD] = mean
                targets[at, seat, SQUARE] = mean * mean + np.exp(float(notes[g.R_SPREAD]))
            turn = state[k.TURN]
            c.throw(key, salt, turn, tables, dice)
            k.roll(state, dice)
            while k.to_act(state) != 0:
                white = state[k.PHASE] == k.WHITE
                for seat in range(players):
                    if (k.to_act(state) >> seat) & 1 == 1:
                        count = k.options(state, tables, seat, acts, spare)
                        slot = 16 + seat + 8 * (1 - white)
                        if c.draw(key, salt, turn, slot) < threshold:
                            chosen[seat] = acts[c.draw(key, salt, turn, 16 + slot) * count >> 32]
                            odd[at] = True
                        else:
                            chosen[seat] = acts[s.decide(state, tables, seat, acts, count, room, weights)]
                k.act(state, tables, chosen, spare)
            at += 1
        for seat in range(players):
            lead = k.total(state, k.sheet_at(seat), tables)
            if players > 1:
                lead -= k.total(state, k.sheet_at(1 - seat), tables)
            look_back(seat, lead / 100.0, trace, targets, odd, begin, at)
    # The arrays behind the pointers live until here.
    state_[0] = imagined_[0] + spare_[0] + found_[0] + acts_[0] + wishes_[0] + chosen_[0] + dice_[0] + tables_[0]
    state_[0] += int(notes_[0]) + int(weights_[0])
    return at


def _gradient(weights: Any, inputs: Any, targets: Any, into: Any) -> Any:
    """Add the gradient of the summed loss to `into`; the summed squared errors of win chances and leads come back."""
    first, second = np.zeros(g.FIRST, np.float32), np.zeros(g.SECOND, np.float32)
    d_first, d_second = np.zeros(g.FIRST, np.float32), np.zeros(g.SECOND, np.float32)
    output, d_output = np.zeros(2, np.float32), np.zeros(2, np.float32)
    errors = np.zeros(2)
    for one in range(inputs.shape[0]):
        for u in range(g.FIRST):
            first[u] = weights[g.B_FIRST + u]
        for i in range(g.INPUTS):
            x = inputs[one, i]
            for u in range(g.FIRST):
                first[u] += x * weights[g.W_FIRST + i * g.FIRST + u]
        for u in range(g.SECOND):
            second[u] = weights[g.B_SECOND + u]
        for i in range(g.FIRST):
            first[i] = max(first[i], np.float32(0))
            x = first[i]
            for u in range(g.SECOND):
                second[u] += x * weights[g.W_SECOND + i * g.SECOND + u]
        output[0], output[1] = weights[g.B_OUTPUT], weights[g.B_OUTPUT + 1]
        for u in range(g.SECOND):
            second[u] = max(second[u], np.float32(0))
            for o in range(2):
                output[o] += second[u] * weights[g.W_OUTPUT + 2 * u + o]
        # The loss is what makes the outcome likeliest: log variance / 2 + squared error / (2 variance).
        mean, spread = output[0], min(max(output[1], np.float32(g.LOWEST)), np.float32(g.HIGHEST))
        lead, square = targets[one, LEAD], targets[one, SQUARE]
        missed = square - 2 * mean * lead + mean * mean
        d_output[0] = mean - lead
        d_output[1] = np.float32(CAREFUL) * min(max(1 - missed * np.exp(-spread), np.float32(-4)), np.float32(1))
        chance = 0.5 + 0.5 * erf(mean * np.exp(-0.5 * spread) / np.sqrt(2.0))
        errors[0] += (chance - targets[one, SHARE]) ** 2
        errors[1] += (mean - lead) ** 2
        # and back
        for o in range(2):
            into[g.B_OUTPUT + o] += d_output[o]
        for u in range(g.SECOND):
            x = np.float32(0)
            for o in range(2):
                into[g.W_OUTPUT + 2 * u + o] += d_output[o] * second[u]
                x += d_output[o] * weights[g.W_OUTPUT + 2 * u + o]
            d_second[u] = x if second[u] > 0 else np.float32(0)
            into[g.B_SECOND + u] += d_second[u]
        for i in range(g.FIRST):
            back = np.float32(0)
            x = first[i]
            if x > 0:
                for u in range(g.SECOND):
                    into[g.W_SECOND + i * g.SECOND + u] += x * d_second[u]
                    back += weights[g.W_SECOND + i * g.SECOND + u] * d_second[u]
            d_first[i] = back
            into[g.B_FIRST + i] += back
        for i in range(g.INPUTS):
            x = inputs[one, i]
            if x != 0:
                for u in range(g.FIRST):
                    into[g.W_FIRST + i * g.FIRST + u] += x * d_first[u]
    return errors


look_back = compiled(_look_back, _OWN)
_play_compiled = compiled(_play, _OWN)
use_cache(_OWN)
gradient: Any = numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=True)(_gradient)


class ScholarTraining(Training):
    bot = _scholar.Scholar

    @staticmethod
    def fresh(variant: Variant, seed: int) -> Weights:
        """Weights to begin with; leads are expected to vary by some thirty points."""
        if variant.cards or variant.lucky:
            raise TrainingError("scholar sees neither cards nor lucky numbers")
        random = np.random.default_rng(seed)
        weights = np.zeros(g.WEIGHTS, np.float32)
        weights[: g.INPUTS * g.FIRST] = random.normal(0, (2 / g.INPUTS) ** 0.5, g.INPUTS * g.FIRST)
        weights[g.W_SECOND : g.B_SECOND] = random.normal(0, (2 / g.FIRST) ** 0.5, g.FIRST * g.SECOND)
        weights[g.W_OUTPUT : g.B_OUTPUT : 2] = random.normal(0, (1 / g.SECOND) ** 0.5, g.SECOND)
        weights[g.B_OUTPUT + 1] = -2.5
        return weights

    def part(self, part: int, slope: Weights) -> tuple[float, float, float]:
        """Play and learn from some games; how many samples they gave, and the sums of their squared errors."""
        settings, players = self.settings, 1 if self.settings.table == "solo" else 2
        seed = self.seed_of(part)
        tables, room = np.array(self.variant.tables, np.int64), GAMES * TURNS * players
        inputs = np.zeros((room, players, g.INPUTS), np.float32)
        targets = np.zeros((room, players, 3), np.float32)
        count = _play_compiled(tables, self.weights, seed, settings.explore, settings.trace, GAMES, inputs, targets)
        order = self._columns[np.random.default_rng(seed).integers(len(self._columns), size=(count, 1))]
        seen = np.take_along_axis(inputs[:count], np.broadcast_to(order, (count, players, g.INPUTS)), axis=2)
        errors = gradient(self.weights, seen.reshape(-1, g.INPUTS), targets[:count].reshape(-1, 3), slope)
        return count * players, errors[0], errors[1]

    @cached_property
    def _columns(self) -> NDArray[np.int64]:
        """For every order of rows in which the game is the same, where each input is found."""
        orders = symmetries(self.variant)
        found = np.tile(np.arange(g.INPUTS), (len(orders), 1))
        for rows in (g.NEXT, g.MARKS, g.OTHER + g.NEXT, g.OTHER + g.MARKS, g.CLOSED):
            found[:, rows : rows + k.ROWS] = rows + orders
        return found
