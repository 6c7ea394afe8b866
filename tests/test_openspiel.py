"""The game of OpenSpiel, whose wheels exist for most systems; where there is none these tests are skipped."""

import random
from typing import Any

import pytest

from rowlock import Game
from rowlock.rules import kernel
from rowlock.rules.variant import game_names
from tests.effort import EFFORT, QUICK

pyspiel: Any = pytest.importorskip("pyspiel", reason="OpenSpiel (PyPI: open_spiel) is not installed")

from rowlock.envs import openspiel  # noqa: E402
from rowlock.envs.table import IllegalAction  # noqa: E402

TABLES = [(name, 1 + (i + more) % 5) for i, name in enumerate(game_names()) for more in range(5)]
TABLES = [("classic", 2), ("cards+jokers", 3)] if QUICK else TABLES[:: 1 if EFFORT == "soak" else 5]


def load(variant: str, players: int, reward: str = "points") -> Any:
    return pyspiel.load_game(openspiel.NAME, {"variant": variant, "players": players, "reward": reward})


def play_on(state: Any, rng: random.Random, moves: int = 10**6) -> None:
    for _ in range(moves):
        if state.is_terminal():
            return
        if state.is_simultaneous_node():
            players = range(state.get_game().num_players())
            state.apply_actions([rng.choice(state.legal_actions(player)) for player in players])
        else:
            state.apply_action(rng.choice(state.legal_actions()))


def tensors(state: Any, player: int) -> tuple[Any, ...]:
    return (
        state.observation_tensor(player),
        state.observation_string(player),
        state.information_state_tensor(player),
        state.information_state_string(player),
    )


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_openspiel_simulations_pass(name: str, players: int) -> None:
    """OpenSpiel's own test: legal actions, chance, clones, serialization, tensors, utilities."""
    reward = ("points", "margin", "win")[players % 3] if players > 1 else "points"
    pyspiel.random_sim_test(load(name, players, reward), num_sims=1, serialize=not QUICK, verbose=False)


def test_a_turn_based_form_passes_too() -> None:
    game = pyspiel.convert_to_turn_based(load("classic", 2))
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


def test_nodes_of_a_turn() -> None:
    """Chance rolls a die at a time, the white action is simultaneous, the colour action is the active player's."""
    state = load("classic", 2).new_initial_state()
    for face in (1, 1, 3, 4, 5, 6):
        assert state.is_chance_node()
        assert state.chance_outcomes() == [(face, pytest.approx(1 / 6)) for face in range(1, 7)]
        state.apply_action(face)
    assert state.game.dice == "11-3456"
    assert state.is_simultaneous_node()
    names = [state.action_to_string(0, action) for action in state.legal_actions(0)]
    assert names == ["-", "R2", "Y2"]
    state.apply_actions([state.legal_actions(0)[1], 0])
    assert state.current_player() == 0
    with pytest.raises(IllegalAction, match=r"action 44 is not legal for player 0; legal: 0 \(-\)"):
        state.apply_action(44)
    state.apply_action(0)
    assert state.is_chance_node()
    with pytest.raises(IllegalAction, match="outcome 7 is not possible; possible: 1, 2, 3, 4, 5, 6"):
        state.apply_action(7)
    for illegal in (7, 99):
        with pytest.raises(pyspiel.SpielError, match=str(illegal)):
            state.apply_action_with_legality_check(illegal)
    assert state.game.scores == (1, 0)
    assert state.returns() == [0, 0]


def test_dice_that_have_left_are_not_rolled() -> None:
    """After a lock, chance rolls one die less."""
    for seed in range(100):
        state, rng = load("classic", 2).new_initial_state(), random.Random(seed)
        while not state.is_terminal() and not (state.is_chance_node() and state.game.closed):
            play_on(state, rng, 1)
        if not state.is_terminal():
            break
    assert len(state.game.closed) == 1
    for _ in range(5):
        assert state.is_chance_node()
        state.apply_action(1)
    assert not state.is_chance_node()
    assert state.game.dice.count(".") == 1


def test_returns_are_the_points() -> None:
    for reward in ("points", "margin", "win"):
        state = load("longo", 3, reward).new_initial_state()
        play_on(state, random.Random(2))
        scores, returns = state.game.scores, state.returns()
        if reward == "points":
            assert returns == [*scores]
        else:
            assert sum(returns) == pytest.approx(0)
            assert returns.index(max(returns)) in state.game.winners
    with pytest.raises((ValueError, RuntimeError)):
        load("classic", 1, "win")


def test_players_remember() -> None:
    """Information states of different histories differ, even where observations are the same."""
    game = load("classic", 2)
    seen = []
    for face in (2, 3):
        state = game.new_initial_state()
        for die in (1, 1, face, face, 1, 1):
            state.apply_action(die)
        state.apply_actions([0, 0])
        state.apply_action(0)
        seen.append(tensors(state, 1))
    assert seen[0][:2] == seen[1][:2]
    assert seen[0][2] != seen[1][2]
    assert seen[0][3] != seen[1][3]


def card_number(name: str) -> int:
    """A card as the page numbers it, or the number on a back."""
    number = int(name.strip("rygbj?'"))
    return number if name.startswith("?") else 12 * "rygbj".index(name[0]) + number - 2


def places(name: str) -> list[int]:
    """The places in the name of an action: `1+3`."""
    return [int(place) - 1 for place in name.split("+")]


@pytest.mark.parametrize(("variant", "players"), [("longo", 1), ("classic", 3), ("cards", 2), ("cards+jokers", 3)])
def test_the_history_is_what_the_page_says(variant: str, players: int) -> None:
    """Worked out from views and actions, in the words of docs/environments.md."""
    state, rng = load(variant, players).new_initial_state(), random.Random(4)
    expected: list[list[int]] = [[] for _ in range(players)]
    phase = "deal"
    while not state.is_terminal():
        views = [state.game.view(seat) for seat in range(players)]
        cards = views[0].cards is not None
        if state.is_chance_node():
            state.apply_action(rng.choice(state.legal_actions()))
            if not state.is_chance_node() and not cards:
                dice = state.game.dice.replace("-", "").replace(".", "0")
                expected = [seen + [int(face) for face in dice] for seen in expected]
            for seat, seen in enumerate(expected):
                if state.game.phase == "take" and not seen:
                    hands = state.game.view(seat).cards.hands
                    for one in (*hands[seat:], *hands[:seat]):
                        seen += [card_number(card) + (not card.startswith("?")) for card in one]
        else:
            deciding = views[0].to_act
            actions = [rng.choice(state.legal_actions(seat)) for seat in deciding]
            name, phase = state.spaces.action_name(actions[0]), state.game.phase
            hand = views[deciding[0]].cards.hands[deciding[0]] if cards else ()
            display = state.game.full_state()[0][kernel.DISPLAY : kernel.DISPLAY + kernel.DISPLAYED]
            if len(actions) > 1:
                state.apply_actions(actions)
            else:
                state.apply_action(actions[0])
            for seat, seen in enumerate(expected):
                if phase == "take":
                    taken = places(name.removeprefix("take "))
                    seen += [card_number(card) for card in views[0].cards.display]
                    seen.append(sum(1 << place for place in taken))
                    cards_taken = [display[place] for place in taken] if seat == deciding[0] else []
                    seen += (cards_taken + [0] * 3)[:3]
                elif phase == "play":
                    _, colour, played, *marked = name.split()
                    marking = places(marked[1]) if marked else []
                    numbers = [1 + 2 * card_number(hand[one]) + (one in marking) for one in places(played)]
                    seen += [*(numbers + [0] * 3)[:3], 1 + "RYGB".index(colour)]
                else:
                    seen += [1 + action for action in actions]
        if cards and state.game.phase == "white" and phase != "white":
            expected = [[*seen, state.game.view(0).cards.top] for seen in expected]
        phase = state.game.phase
    for seat, seen in enumerate(expected):
        size = state.spaces.size
        tensor = [int(number) for number in state.information_state_tensor(seat)]
        assert tensor[:size] == [int(number) for number in state.observation_tensor(seat)]
        assert tensor[size : size + len(seen)] == seen
        assert not any(tensor[size + len(seen) :])


def test_the_history_has_room_for_long_games() -> None:
    """Players who mark as little as they can, which makes the longest games."""
    for name in ("classic", "double-a", "cards"):
        state = load(name, 2).new_initial_state()
        rng = random.Random(3)
        while not state.is_terminal():
            if state.is_chance_node():
                play_on(state, rng, 1)
            elif state.is_simultaneous_node():
                state.apply_actions([0, 0])
            else:
                legal = state.legal_actions()
                state.apply_action(legal[min(1, len(legal) - 1)])
        assert len(state.seen(0)) <= state.get_game().history_size
        assert len(tensors(state, 0)[2]) == state.spaces.size + state.get_game().history_size


def deal(deck: str, variant: str = "cards") -> Any:
    state = load(variant, 2).new_initial_state()
    cards = state.spaces.variant.cards
    by_name = {cards.name(card): card for card in cards.deck(False)}
    for name in deck.split(" "):
        state.apply_action(by_name[name])
    return state


def decks(kept: list[str], rng: random.Random) -> str:
    """A deck that begins with these cards; the rest is shuffled."""
    every = [f"{colour}{number}" for colour in "rygb" for number in range(2, 13)]
    rest = [card for card in every if card not in kept]
    rng.shuffle(rest)
    return " ".join(kept + rest)


def other_colours(deck: str, known: set[str]) -> str:
    """The deck with colours exchanged between all cards of the same number that the player does not know."""
    cards = deck.split(" ")
    for number in range(2, 13):
        places = [i for i, card in enumerate(cards) if card[1:] == str(number) and card not in known]
        names = [cards[i] for i in places]
        for i, name in zip(places, [*names[1:], *names[:1]], strict=True):
            cards[i] = name
    return " ".join(cards)


@pytest.mark.parametrize("seed", range(3 if QUICK else 30))
def test_nothing_hidden_leaks(seed: int) -> None:
    """Player 1 sees the same, whatever the colours of the cards that only backs are known of."""
    rng = random.Random(seed)
    deck = decks([], rng)
    hand = set(deck.split(" ")[1:8:2])  # cards are dealt in turn
    other = other_colours(deck, hand)
    assert deck != other
    states = [deal(deck), deal(other)]
    assert set(states[0].game.hands[1]) == hand
    assert tensors(states[0], 1) == tensors(states[1], 1)
    assert tensors(states[0], 0) != tensors(states[1], 0)
    taken = rng.choice(states[0].legal_actions())
    for state in states:
        state.apply_action(taken)
    assert tensors(states[0], 1) == tensors(states[1], 1)
    white = [rng.choice(states[0].legal_actions(player)) for player in (0, 1)]
    for state in states:
        assert state.is_simultaneous_node()
        state.apply_actions(white)
    assert tensors(states[0], 1) == tensors(states[1], 1)


def test_a_play_does_not_tell_of_other_cards() -> None:
    """Where a card was in the hand depends on colours of the rest, so others remember the card itself."""
    hand = ["r2", "b3", "y7", "b4", "g9", "b5", "g8", "b6"]  # player 0 has r2 y7 g8 g9
    deck, seen = decks([*hand, "b2"], random.Random(6)).split(" "), []
    for first, displayed in (("r2", "b2"), ("b2", "r2")):
        deck[0], deck[8] = first, displayed
        state = deal(" ".join(deck))
        state.apply_action(state.legal_actions()[-1])  # takes the last card of the display
        state.apply_actions([0, 0])
        play = next(action for action in state.legal_actions() if state.action_to_string(0, action) == "g9 = x")
        state.apply_action(play)
        seen.append((play, tensors(state, 1)))
    assert seen[0][0] != seen[1][0]
    assert seen[0][1] == seen[1][1]


def test_clones_are_independent() -> None:
    state = load("cards", 2).new_initial_state()
    play_on(state, random.Random(1), 60)
    text, copy = str(state), state.clone()
    play_on(copy, random.Random(2), 30)
    assert str(state) == text
    assert str(copy) != text
    assert isinstance(copy.game, Game)
