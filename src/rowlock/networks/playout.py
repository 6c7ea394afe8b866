"""Playing on with the champion in every seat: roll-outs, and the values of nodes.

A *node* is a state, and the decisions that some players have made in it. Its value is the share of the win of each
player, or in a solo game the points, if the champion makes all other decisions. The network evaluates the next state
between two turns (in card games also before cards are played), or the states that roll-outs reach. Hidden cards are
sampled; the caller has removed from the state what may not be known. Where the options of one seat are compared, what
others decide at the same time is sampled too.
"""

from math import exp

from rowlock.fast.workspace import (
    GIVEN,
    REPLIES,
    REPLY_CHANCES,
    REPLY_COUNTS,
    SHARES,
    STARTS,
    VALUES,
    GameBuffers,
    NetworkBuffers,
)
from rowlock.networks import evaluation
from rowlock.rules import chance, hidden_cards, kernel
from rowlock.rules.kernel import Ints

NETWORK, ROUND, GAME = range(3)  # depths: the network evaluates a node at once, after one round, or no state at all
CARD_BATCH = 16
# The most batches of samples per option: roll-outs of a round with dice, with cards, and of whole games.
ROUND_BATCHES, CARD_ROUND_BATCHES, GAME_BATCHES = 24, 6, 60
CURVE_BATCHES, CARD_CURVE_BATCHES = 4, 2  # the batches of samples of a node in the curve of a review
# How others decide at the same time as the seat whose options are compared: one time in ten in any way, else the less
# often the worse it is for them by the network's values, e times less often for every 2 % of the win.
ANY_REPLY, REPLY_SCALE = 0.1, 0.02
REPLY_SAMPLES = 16  # of these decisions, where only the network evaluates what follows
REPLY_STEPS = (0.414214, 0.732051, 0.236068, 0.645751, 0.316625)  # per player: multiples of them are spread evenly
CARD_ROUNDS = 2  # in card games roll-outs of two rounds are better, see docs/experiments.md


def play_decisions(tables: Ints, decided: int, game: GameBuffers, buffers: NetworkBuffers) -> None:
    """Play one decision of each seat that has to act: as in `chosen` for a bit set of seats, else the champion's."""
    state, state_for_seat, _, options, chosen = game
    scratch, _, _, _, _, _ = buffers
    for player in range(state[kernel.PLAYERS]):
        if (kernel.to_act(state) & ~decided) >> player & 1 == 1:
            kernel.copy_for_seat(state, player, state_for_seat)
            count = kernel.options(state_for_seat, tables, player, options, scratch)
            chosen[player] = options[evaluation.decide(state_for_seat, tables, player, options, count, buffers, None)]
    kernel.act(state, tables, chosen, scratch)


def play_dice_turn(state: Ints, tables: Ints, buffers: NetworkBuffers) -> None:
    """Play a turn of a dice game: after the roll all players plan their actions at once, and then act as planned."""
    _, simulated, _, _, _, _ = buffers
    planned_colour = evaluation.plan_others(state, tables, evaluation.NO_SEAT, buffers)
    evaluation.simulate_turn(state, tables, evaluation.NO_SEAT, kernel.PASS, planned_colour, buffers)
    kernel.copy_state(simulated, 0, state, 0)


def play_turns(
    tables: Ints, last_turn: int, seed: int, sample: int, game: GameBuffers, buffers: NetworkBuffers
) -> None:
    """Play on until the turn `last_turn` waits to begin, or to the end; in all games of a sample chance is the same."""
    state, _, drawn, _, _ = game
    key, salt = chance.game_key(seed, sample), chance.game_salt(seed, sample)
    has_cards, faces = tables[kernel.T_CARDS] > 0, tables[kernel.T_FACES]
    first_turn = state[kernel.TURN]
    while state[kernel.PHASE] != kernel.OVER and (state[kernel.PHASE] != kernel.ROLL or state[kernel.TURN] < last_turn):
        if not has_cards:
            turn = state[kernel.TURN] - first_turn
            chance.throw(key, salt, turn, tables, drawn)
            if turn == 0:  # every pair of white dice comes up equally often
                drawn[0] = 1 + sample % faces
                drawn[1] = 1 + sample // faces % faces
            kernel.roll(state, drawn)
            play_dice_turn(state, tables, buffers)
        elif kernel.waits_for_chance(state):
            chance.act(state, tables, key, salt, drawn)
        else:
            play_decisions(tables, 0, game, buffers)


def settle(tables: Ints, decided: int, game: GameBuffers, buffers: NetworkBuffers) -> None:
    """Make the decisions of a node and the champion's, until the network can evaluate the state."""
    state, _, _, _, _ = game
    if kernel.to_act(state) != 0 and (decided != 0 or not can_evaluate(state, tables)):
        play_decisions(tables, decided, game, buffers)
        if not can_evaluate(state, tables):
            play_decisions(tables, 0, game, buffers)


def others_to_act(state: Ints, seat: int) -> int:
    """The bit set of the players who decide at the same time as a seat; nobody if the seat is NO_SEAT."""
    return 0 if seat == evaluation.NO_SEAT else kernel.to_act(state) & ~(1 << seat)


def write_replies(state: Ints, tables: Ints, seat: int, work: Ints, game: GameBuffers, buffers: NetworkBuffers) -> None:
    """Write the options of all players who decide at the same time as a seat, and how probable each of them is."""
    _, state_for_seat, _, options, _ = game
    scratch, simulated, _, _, floats, _ = buffers
    for player in range(state[kernel.PLAYERS]):
        if (others_to_act(state, seat) >> player) & 1 == 0:
            continue
        kernel.copy_for_seat(state, player, state_for_seat)
        count = kernel.options(state_for_seat, tables, player, options, scratch)
        replies, chances = REPLIES + player * kernel.MAX_OPTIONS, REPLY_CHANCES + player * kernel.MAX_OPTIONS
        planned_colour = evaluation.plan_others(state_for_seat, tables, player, buffers)
        best, whole = 0.0, 0.0
        for i in range(count):
            evaluation.simulate_turn(state_for_seat, tables, player, options[i], planned_colour, buffers)
            share = 1.0 / (1.0 + exp(-evaluation.state_value(simulated, tables, player, buffers, None)))
            work[replies + i] = options[i]
            floats[chances + i] = share
            best = max(best, share)
        for i in range(count):
            floats[chances + i] = exp((floats[chances + i] - best) / REPLY_SCALE)
            whole += floats[chances + i]
        for i in range(count):
            floats[chances + i] = ANY_REPLY / count + (1.0 - ANY_REPLY) * floats[chances + i] / whole
        work[REPLY_COUNTS + player] = count


def draw_replies(seat: int, sample: int, work: Ints, game: GameBuffers, buffers: NetworkBuffers) -> int:
    """Draw what others decide at the same time as a seat in a sample; return the bit set of all who have decided."""
    state, _, _, _, chosen = game
    _, _, _, _, floats, _ = buffers
    for player in range(state[kernel.PLAYERS]):
        if (others_to_act(state, seat) >> player) & 1 == 1:
            drawn = (sample + 0.5) * REPLY_STEPS[player] % 1.0
            reply = 0
            while reply < work[REPLY_COUNTS + player] - 1:
                drawn -= floats[REPLY_CHANCES + player * kernel.MAX_OPTIONS + reply]
                if drawn < 0.0:
                    break
                reply += 1
            chosen[player] = work[REPLIES + player * kernel.MAX_OPTIONS + reply]
    return others_to_act(state, seat)


def can_evaluate(state: Ints, tables: Ints) -> bool:
    """Whether the network can evaluate a state: dice games between turns, card games also before cards are played."""
    phase = state[kernel.PHASE]
    return kernel.to_act(state) == 0 or ((tables[kernel.T_CARDS] > 0) & (phase == kernel.COLOUR))


def write_shares(state: Ints, tables: Ints, buffers: NetworkBuffers) -> None:
    """Write each player's share of the win, which add up to 1, or the points of a solo game, to the floats SHARES."""
    _, _, _, _, floats, _ = buffers
    players = state[kernel.PLAYERS]
    if players == 1:
        floats[SHARES] = 100.0 * evaluation.state_value(state, tables, 0, buffers, None)
        return
    over = state[kernel.PHASE] == kernel.OVER
    winners = kernel.winners(state, tables)
    whole = 0.0
    for player in range(players):
        if over:
            floats[SHARES + player] = float((winners >> player) & 1)
        else:
            floats[SHARES + player] = 1.0 / (1.0 + exp(-evaluation.state_value(state, tables, player, buffers, None)))
        whole += floats[SHARES + player]
    for player in range(players):
        floats[SHARES + player] /= whole


def last_turn(state: Ints, tables: Ints, depth: int) -> int:
    """The turn before which roll-outs of a node end; in card games the rest of the present turn does not count."""
    turn = state[kernel.TURN] + (state[kernel.PHASE] != kernel.ROLL)
    if depth == GAME:
        return turn + kernel.MAX_PLAYERS * kernel.MAX_TURNS
    return turn + state[kernel.PLAYERS] * (CARD_ROUNDS if tables[kernel.T_CARDS] > 0 else 1)


def decide_as_given(work: Ints, decided: int, game: GameBuffers) -> None:
    """Copy the decisions that a bit set of seats has made in a node, for `play_decisions`."""
    state, _, _, _, chosen = game
    for player in range(state[kernel.PLAYERS]):
        if (decided >> player) & 1 == 1:
            chosen[player] = work[GIVEN + player]


def prepare_start(
    node: Ints, tables: Ints, decided: int, seat: int, work: Ints, begin: int, game: GameBuffers,
    buffers: NetworkBuffers,
) -> None:  # fmt: skip
    """Write the state from which samples of a node begin to `work`.

    With dice it is settled once for all samples, unless others decide at the same time as the seat whose options are
    compared. The decisions of the bit set `decided` are in `work`, from GIVEN on.
    """
    state, _, _, _, _ = game
    kernel.copy_state(node, 0, state, 0)
    if tables[kernel.T_CARDS] == 0 and others_to_act(state, seat) == 0:
        decide_as_given(work, decided, game)
        settle(tables, decided, game, buffers)
    kernel.copy_state(state, 0, work, begin)


def play_sample(
    tables: Ints, decided: int, seat: int, depth: int, seed: int, sample: int, work: Ints, begin: int,
    game: GameBuffers, buffers: NetworkBuffers,
) -> None:  # fmt: skip
    """Play one sample of a node from its start in `work`, and write the shares in the state that it reaches.

    `seat` is the one whose options are compared, or NO_SEAT: then the champion makes all open decisions.
    """
    state, _, drawn, _, _ = game
    kernel.copy_state(work, begin, state, 0)
    last = last_turn(state, tables, depth)
    if tables[kernel.T_CARDS] > 0:
        key, salt = chance.game_key(seed, sample), chance.game_salt(seed, sample)
        if state[kernel.PHASE] == kernel.ROLL and state[kernel.TURN] == 0:
            chance.act(state, tables, key, salt, drawn)
        else:
            hidden_cards.sample(state, tables, key, salt, drawn)
        write_replies(state, tables, seat, work, game, buffers)
    if kernel.to_act(state) != 0:
        decide_as_given(work, decided, game)
        decided |= draw_replies(seat, sample, work, game, buffers)
        settle(tables, decided, game, buffers)
    if depth != NETWORK:
        play_turns(tables, last, seed, sample, game, buffers)
    write_shares(state, tables, buffers)


def samples_per_batch(tables: Ints) -> int:
    """How many samples are taken at a time: with dice, each pair of white dice comes up once."""
    return CARD_BATCH if tables[kernel.T_CARDS] > 0 else tables[kernel.T_FACES] * tables[kernel.T_FACES]


def most_batches(tables: Ints, depth: int, players: int, hint: bool) -> int:
    """After how many batches of samples roll-outs of options end at the latest.

    A round takes longer with more players, and somebody waits for a hint.
    """
    if depth == GAME:
        return GAME_BATCHES
    most = CARD_ROUND_BATCHES if tables[kernel.T_CARDS] > 0 else ROUND_BATCHES
    return most * 2 // players if hint and players > 2 else most


def network_samples(node: Ints, tables: Ints, seat: int) -> int:
    """How many samples the network evaluates: with dice only what others decide at the same time is hidden."""
    if tables[kernel.T_CARDS] > 0:
        return CARD_BATCH
    return 1 if others_to_act(node, seat) == 0 else REPLY_SAMPLES


def curve_samples(node: Ints, tables: Ints, depth: int) -> int:
    """How many samples the value of a node in the curve of a review has."""
    if depth == NETWORK:
        return network_samples(node, tables, evaluation.NO_SEAT)
    return samples_per_batch(tables) * (CARD_CURVE_BATCHES if tables[kernel.T_CARDS] > 0 else CURVE_BATCHES)


def node_value(
    node: Ints, tables: Ints, decided: int, depth: int, seed: int, work: Ints, game: GameBuffers,
    buffers: NetworkBuffers,
) -> None:  # fmt: skip
    """Write the value of a node for each player to the floats VALUES.

    No game is played to its end for it: roll-outs of one round have a smaller error in the same time.
    """
    _, _, _, _, floats, _ = buffers
    players = node[kernel.PLAYERS]
    samples = curve_samples(node, tables, depth)
    prepare_start(node, tables, decided, evaluation.NO_SEAT, work, STARTS, game, buffers)
    for player in range(players):
        floats[VALUES + player] = 0.0
    for sample in range(samples):
        play_sample(tables, decided, evaluation.NO_SEAT, min(depth, ROUND), seed, sample, work, STARTS, game, buffers)
        for player in range(players):
            floats[VALUES + player] += floats[SHARES + player]
    for player in range(players):
        floats[VALUES + player] /= samples
