"""OpenSpiel: importing this module registers the game `python_rowlock` with the parameters variant, players and reward.

Chance rolls one die, or draws one card of the deck, at a time. The white action is a simultaneous node, the colour
action is one of the active player. An illegal action raises `IllegalAction`, which says which action it was.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyspiel

from rowlock.envs.rewards import check_reward, values
from rowlock.envs.table import IllegalAction
from rowlock.fast.fields import fields_of
from rowlock.rules import kernel
from rowlock.rules.cards import card_list
from rowlock.rules.game import Game
from rowlock.rules.spaces import Spaces

NAME = "python_rowlock"
DEFAULTS = {"variant": "classic", "players": 2, "reward": "points"}

_Type = pyspiel.GameType


def _game_type(information: Any, utility: Any) -> Any:
    return _Type(
        short_name=NAME,
        long_name="Rowlock: the Qwixx family of dice games",
        dynamics=_Type.Dynamics.SIMULTANEOUS,
        chance_mode=_Type.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information,
        utility=utility,
        reward_model=_Type.RewardModel.TERMINAL,
        max_num_players=kernel.MAX_PLAYERS,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=DEFAULTS,
    )


class RowlockGame(pyspiel.Game):  # type: ignore[misc]
    """The game: a variant, a number of players, and what players are rewarded for."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = {**DEFAULTS, **(params or {})}
        self.spaces, self.reward = Spaces(params["variant"], params["players"]), params["reward"]
        players, variant, tables = self.spaces.players, self.spaces.variant, self.spaces.variant.tables
        check_reward(self.reward, players)
        cells = sum(tables[kernel.T_CELLS : kernel.T_CELLS + kernel.ROWS + kernel.MAX_FIELDS])
        # In each of their turns, active players mark something or take a misthrow.
        turns = players * (cells * (1 + variant.second) + variant.misthrows_to_end)
        self.history_size = turns * _seen_in_turn(self.spaces) + (kernel.HAND_DEALT * players if variant.cards else 0)
        drawn = len(variant.cards.deck(self.spaces.jokers)) if variant.cards else kernel.DICE_COUNT
        lowest, highest = variant.lowest_total, variant.highest_total
        bounds = {"points": (lowest, highest), "margin": (lowest - highest, highest - lowest), "win": (-1, players - 1)}
        zero_sum = self.reward != "points"
        hidden = _Type.Information.IMPERFECT_INFORMATION if variant.cards else _Type.Information.PERFECT_INFORMATION
        super().__init__(
            _game_type(hidden, _Type.Utility.ZERO_SUM if zero_sum else _Type.Utility.GENERAL_SUM),
            pyspiel.GameInfo(
                num_distinct_actions=len(self.spaces.actions),
                max_chance_outcomes=kernel.MAX_CARDS if variant.cards else 1 + max(variant.dice),
                num_players=players,
                min_utility=float(bounds[self.reward][0]),
                max_utility=float(bounds[self.reward][1]),
                utility_sum=0.0 if zero_sum else None,
                max_game_length=turns * (3 if variant.cards else 2),
            ),
            params,
        )
        self._most_drawn = turns * drawn

    def max_chance_nodes_in_history(self) -> int:
        return self._most_drawn

    def new_initial_state(self) -> "RowlockState":
        return RowlockState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        return Observer(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class Position:
    """What a state copies: a game, what chance has drawn of a roll or a shuffle, and what each player has seen."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.drawn: list[int] = []
        self.seen: list[list[int]] = [[] for _ in (*game.players, "a spectator")]

    def __deepcopy__(self, _: Any) -> "Position":
        copy = Position(self.game.copy())
        copy.drawn, copy.seen = self.drawn.copy(), [numbers.copy() for numbers in self.seen]
        return copy

    def remember(self, numbers: Sequence[int]) -> None:
        """Let all players remember the same numbers."""
        for seen in self.seen:
            seen += numbers


def _seen_in_turn(spaces: Spaces) -> int:
    """How many numbers a player remembers of a turn."""
    if not spaces.variant.cards:
        return kernel.DICE_COUNT + spaces.players + 1  # dice, white decisions, decision in the colour action
    # Display, places taken, cards taken, number, decisions in the white action, cards played, their colour.
    return kernel.DISPLAYED + 1 + kernel.MOST_PLAYED + 1 + spaces.players + kernel.MOST_PLAYED + 1


class RowlockState(pyspiel.State):  # type: ignore[misc]
    """A state of the game; `game` is Rowlock's `Game`."""

    def __init__(self, game: RowlockGame) -> None:
        super().__init__(game)
        self._at = Position(Game(game.spaces.setup, game.spaces.players, seed=0))
        self._skip_empty_deals()

    @property
    def spaces(self) -> Spaces:
        spaces: Spaces = self.get_game().spaces
        return spaces

    @property
    def game(self) -> Game:
        return self._at.game

    # Who is to act

    def current_player(self) -> int:
        if self.game.over:
            return int(pyspiel.PlayerId.TERMINAL)
        if not self.game.to_act:
            return int(pyspiel.PlayerId.CHANCE)
        if len(self.game.to_act) > 1:
            return int(pyspiel.PlayerId.SIMULTANEOUS)
        return self.game.to_act[0]

    def is_terminal(self) -> bool:
        return self.game.over

    # What is legal

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self._options(player))

    def _options(self, player: int) -> dict[int, str]:
        """The options of a player by the index of their action."""
        return {self.spaces.index_of[code]: option for option, code in self.game.actions(player).items()}

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """A die shows each face with the same probability; each card that is left is the next one with the same."""
        left = self._left_to_draw()
        return [(outcome, 1 / len(left)) for outcome in left]

    def _left_to_draw(self) -> list[int]:
        if self.spaces.variant.cards:
            return [card for card in self._cards_to_shuffle() if card not in self._at.drawn]
        return [*range(1, 1 + self.spaces.variant.faces_of(self.game.dice_left[len(self._at.drawn)]))]

    def _cards_to_shuffle(self) -> list[int]:
        """The deck, or the discards when the pile is empty; nothing at the beginning of a later turn."""
        state, _ = self.game.full_state()
        return card_list(kernel.cards_to_shuffle(state, self.spaces.variant.tables))

    # Acting

    def _apply_action(self, action: int) -> None:
        if self.game.to_act:
            self._decide([(self.game.to_act[0], action)])
            return
        possible = self._left_to_draw()
        if action not in possible:
            raise IllegalAction(f"outcome {action} is not possible; possible: {', '.join(map(str, possible))}")
        self._at.drawn.append(action)
        cards = self.spaces.variant.cards
        if cards and len(self._at.drawn) == len(self._cards_to_shuffle()):
            dealt = self.game.turns_completed == 0 and self.game.phase == "deal" and not self.game.turns
            self.game.chance(" ".join(map(cards.name, self._at.drawn)))
            if dealt:
                self._remember_hands()
            self._remember_number()
            self._at.drawn.clear()
        elif not cards and len(self._at.drawn) == len(self.game.dice_left):
            self.game.chance(self.game.write_roll(self._at.drawn))
            state, _ = self.game.full_state()
            self._at.remember(state[kernel.DICE : kernel.DICE + kernel.DICE_COUNT])
            self._at.drawn.clear()

    def _apply_actions(self, actions: list[int]) -> None:
        self._decide(list(enumerate(actions)))

    def _decide(self, decisions: list[tuple[int, int]]) -> None:
        options = []
        for player, action in decisions:
            legal = self._options(player)
            if action not in legal:
                names = ", ".join(f"{index} ({option})" for index, option in sorted(legal.items()))
                raise IllegalAction(f"action {action} is not legal for player {player}; legal: {names}")
            options.append((player, legal[action]))
        before, _ = self.game.full_state()
        for player, option in options:
            self.game.play(player, option)
        self._remember_decisions(before, decisions)
        self._skip_empty_deals()

    def _skip_empty_deals(self) -> None:
        """Begin the turn of a card game, if there is nothing to shuffle."""
        state, _ = self.game.full_state()
        if self.spaces.variant.cards and kernel.waits_for_chance(state) and not self._cards_to_shuffle():
            self.game.chance()

    # What players remember

    def _remember_hands(self) -> None:
        state, _ = self.game.full_state()
        numbers = self.spaces.variant.tables[kernel.T_LOWEST]
        for seat, seen in enumerate(self._at.seen):
            for distance in range(self.spaces.players):
                player = kernel.player_after(seat, distance, self.spaces.players)
                hand = card_list(state[kernel.HAND + player])
                backs = sorted(numbers + card % kernel.MAX_NUMBERS for card in hand)
                seen += [card + 1 for card in hand] if player == seat else backs

    def _remember_number(self) -> None:
        state, _ = self.game.full_state()
        if state[kernel.PHASE] == kernel.WHITE:
            self._at.remember([state[kernel.NUMBER]])

    def _remember_decisions(self, before: list[int], decisions: list[tuple[int, int]]) -> None:
        player, action = decisions[0]
        code = self.spaces.actions[action]
        if kernel.plays_cards(code):  # places in the hand would tell of the other cards: remember the cards
            hand, played = card_list(before[kernel.HAND + player]), kernel.cards_played(code)
            marking = kernel.cards_marking(code)
            cards = [1 + 2 * card + (marking >> i & 1) for i, card in enumerate(hand) if played >> i & 1]
            self._at.remember([*_padded(cards), 1 + kernel.colour_played(code)])
        elif kernel.takes_cards(code):
            places = kernel.places_taken(code)
            display = before[kernel.DISPLAY : kernel.DISPLAY + kernel.DISPLAYED]
            taken = [card for place, card in enumerate(display) if places >> place & 1]
            numbers = before[kernel.DISPLAY_NUMBERS : kernel.DISPLAY_NUMBERS + kernel.DISPLAYED]
            for seat, seen in enumerate(self._at.seen):
                seen += [*numbers, places, *_padded(taken if seat == player else [])]
            self._remember_number()
        else:
            self._at.remember([1 + index for _, index in decisions])

    def seen(self, player: int | None) -> list[int]:
        """What a player, or a spectator, has seen in the game, in order; `docs/environments.md` lists these numbers."""
        return self._at.seen[-1 if player is None else player]

    # Results and texts

    def returns(self) -> list[float]:
        if not self.game.over:
            return [0.0] * self.spaces.players
        leaders = [seat in self.game.leaders for seat in range(self.spaces.players)]
        found: list[float] = values(self.get_game().reward, self.game.scores, leaders, True).tolist()
        return found

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            cards = self.spaces.variant.cards
            return cards.name(action) if cards and 0 <= action < kernel.MAX_CARDS else str(action)
        known = 0 <= action < len(self.spaces.actions)
        return self._options(player).get(action) or (self.spaces.action_name(action) if known else str(action))

    def __str__(self) -> str:
        drawn = " ".join(self._action_to_string(pyspiel.PlayerId.CHANCE, outcome) for outcome in self._at.drawn)
        return "\n".join(
            [*map(str, self.game.turns), f"{self.game.phase} {drawn}".rstrip(), *map(str, self.game.sheets)]
        )


def _padded(cards: list[int]) -> list[int]:
    return cards + [0] * (kernel.MOST_PLAYED - len(cards))


class Observer:
    """Observations, and information states: an observation followed by all that the player has seen."""

    def __init__(self, game: RowlockGame, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"observations have no parameters, not {params}")
        self._spaces, self._recall = game.spaces, kind.perfect_recall
        self._own_cards = kind.private_info != pyspiel.PrivateInfoType.NONE
        size = game.spaces.size
        self.tensor = np.zeros(size + (game.history_size if self._recall else 0), np.float32)
        self.dict = fields_of(game.spaces, self.tensor[:size])
        if self._recall:
            self.dict["history"] = self.tensor[size:]

    def set_from(self, state: RowlockState, player: int) -> None:
        full, _ = state.game.full_state()
        if not self._own_cards:
            kernel.hide(full, -1)
        self.tensor.fill(0)
        self.tensor[: self._spaces.size] = self._spaces.observe(full, player)
        if self._recall:
            seen = state.seen(player if self._own_cards else None)
            self.tensor[self._spaces.size : self._spaces.size + len(seen)] = seen

    def string_from(self, state: RowlockState, player: int) -> str:
        view = state.game.view(player if self._own_cards else None)
        lines = [f"player {player}, {view.phase} {view.dice or ''}".rstrip(), *map(str, view.sheets)]
        if view.cards:
            hands = " / ".join(" ".join(hand) for hand in view.cards.hands)
            lines += [f"hands {hands}", f"display {' '.join(view.cards.display)}, top {view.cards.top}"]
            lines += [f"discards {' '.join(view.cards.discards)}"]
        if self._recall:
            lines.append(" ".join(map(str, state.seen(view.seat))))
        return "\n".join(lines)


pyspiel.register_game(_game_type(_Type.Information.IMPERFECT_INFORMATION, _Type.Utility.GENERAL_SUM), RowlockGame)
