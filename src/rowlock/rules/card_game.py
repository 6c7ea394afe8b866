"""A game with cards: hands, display, pile and discards, and the course of a turn."""

from collections.abc import Iterable, Sequence
from typing import ClassVar, NamedTuple

from rowlock.rules import cards, fairness, kernel
from rowlock.rules.card_explain import explain_play, explain_take
from rowlock.rules.chance import game_key, game_salt, shuffle
from rowlock.rules.explain import Illegal
from rowlock.rules.game import Game, Snapshot
from rowlock.rules.variant import Cards


class CardTurn(NamedTuple):
    """A turn of a card game as a record writes it, and its active player; what has not happened yet is None."""

    active: int
    taken: str | None = None
    renewed: str | None = None  # the new pile, if the discards were shuffled
    number: int | None = None  # the announced number
    white: tuple[str, ...] | None = None
    played: str | None = None

    def __str__(self) -> str:
        if self.taken is None or self.number is None:
            return ""  # also if cards are taken and a new pile is due: a record cannot end there, so it omits the cards
        words = [self.taken, *([f"~{self.renewed}"] if self.renewed else []), f"{self.number}:", *(self.white or ())]
        return " ".join(words if self.played is None else [*words, "/", self.played])

    def hidden(self) -> "CardTurn":
        """The turn as all players see it: without the colours of hidden cards."""
        taken = cards.hide_taken(self.taken) if self.taken else None
        return self._replace(taken=taken, renewed=cards.HIDDEN if self.renewed else None)


class CardGame(Game):
    """A game of a variant with cards, with or without jokers."""

    # The index is the kernel's `PHASE`; `deal` is both `ROLL` and `DRAW`.
    PHASES: ClassVar[tuple[str, ...]] = ("deal", "white", "play", "over", "take", "deal")
    CHANCE_FIRST = "the cards are to be dealt first"

    def _init_cards(self, deck: str | None) -> None:
        if not self.variant.cards:
            raise ValueError(f"{self.variant} has no cards")
        self._state += [0] * kernel.MAX_CARDS  # from index `_size` on: the pile
        self._state[kernel.JOKERS] = int(self.jokers)
        self._deck = self._read_deck(deck) if deck is not None else []  # []: the seed shuffles the deck

    @property
    def _card_set(self) -> Cards:
        assert self.variant.cards
        return self.variant.cards

    # What is legal, and acting

    def _write_option(self, player: int, action: int, scratch: list[int]) -> str:
        if kernel.plays_cards(action):
            marks = self._write_marks(player, action, scratch)
            return cards.write_play(self._card_set, self._state, player, action, marks)
        if kernel.takes_cards(action):
            return cards.write_take(self._card_set, self._state, action)
        return super()._write_option(player, action, scratch)

    def seen_actions(self, seat: int) -> dict[str, int]:
        actions = self.actions(seat)
        if self._state[kernel.PHASE] == kernel.TAKE:
            return {cards.write_seen_take(self._state, action): action for action in actions.values()}
        return actions

    def _normalize(self, legal: dict[str, int], option: str) -> str:
        """Accept cards in any order, and cards to be taken also by the numbers on their backs."""
        if self._state[kernel.PHASE] == kernel.WHITE:
            return option
        option = cards.sort_option(option)
        if option not in legal and self._state[kernel.PHASE] == kernel.TAKE:
            return next(
                (text for text, action in legal.items() if cards.write_seen_take(self._state, action) == option), option
            )
        return option

    def _explain(self, player: int, option: str, legal: list[str]) -> tuple[str, str]:
        if self._state[kernel.PHASE] == kernel.TAKE:
            return explain_take(self.variant, self._state, player, option)
        if self._state[kernel.PHASE] == kernel.COLOUR:
            return explain_play(self.variant, self._state, player, option, legal)
        return super()._explain(player, option, legal)

    def _after_action(self, state: list[int]) -> None:
        kernel.draw_after_taking(state, self.variant.tables, state[self._size :])

    # Chance

    def roll(self, dice: str | None = None) -> str:
        raise Illegal("to-act", f"{self.variant} has no dice to roll, its cards are dealt", self.turn, None)

    def deal(self, deck: str | None = None) -> str:
        """Begin a turn; in the first turn, deal the deck. If the pile is empty, make the discards the new pile.

        `deck` sets the order of the deck or pile, the top card first; without it the cards are shuffled. Return the
        cards in their order, or "" if there was nothing to shuffle.
        """
        self._check_chance("cards", "dealt")
        state = self._state.copy()
        dealt: list[int] = []
        if self._to_shuffle(state):
            dealt = self._new_pile(deck) if state[kernel.PHASE] == kernel.DRAW else self._new_deck(deck)
            state[self._size :] = _padded(dealt)
        elif deck:
            raise Illegal("deck", "the deck is dealt, there is nothing to shuffle now", self.turn, None)
        kernel.let_chance_act(state, self.variant.tables, dealt)
        self._push(state)
        return " ".join(self._names(dealt))

    def _to_shuffle(self, state: list[int]) -> list[int]:
        """The cards that are shuffled next in a state, in ascending order."""
        return cards.card_list(kernel.cards_to_shuffle(state, self.variant.tables))

    def _whole_deck(self) -> list[int]:
        """The deck as it was dealt; before the deal, the deck given to the game or shuffled."""
        if not self._history:
            return self._deck if self._deck and self.fair_key is None else self._shuffled()
        # The first snapshot is from before the deal. The state after it has the whole deck in place of the pile.
        after_deal = self._history[1][0] if len(self._history) > 1 else self._state
        return after_deal[self._size : self._size + kernel.bits(kernel.all_cards(after_deal, self.variant.tables))]

    def _shuffled(self) -> list[int]:
        """The deck, or the discards if they are to become the new pile, shuffled with the seed."""
        pile = self._to_shuffle(self._state)
        if self.fair_key is not None:
            fairness.shuffle(self.fair_key, self.turn, pile)
            return pile
        key, salt = game_key(self.seed, self.number), game_salt(self.seed, self.number)
        shuffle(key, salt, self._state[kernel.TURN], pile, len(pile))
        return pile

    def _drawn(self, before: list[int], after: list[int]) -> str:
        return " ".join(self._names(after[self._size : self._size + len(self._to_shuffle(before))]))

    def _read_deck(self, deck: str) -> list[int]:
        try:
            return cards.read_cards(self._card_set, deck.split(" "), self._card_set.deck(self.jokers))
        except cards.CardError as error:
            raise Illegal("deck", f"the deck of {self.setup}: {error}", None, None) from None

    def _new_deck(self, deck: str | None) -> list[int]:
        return self._whole_deck() if deck is None else self._read_deck(deck)

    def _new_pile(self, pile: str | None) -> list[int]:
        if pile is None:
            return self._shuffled()
        try:
            return cards.read_cards(self._card_set, pile.split(" "), cards.card_list(self._state[kernel.DISCARDS]))
        except cards.CardError as error:
            raise Illegal("pile", f"the discards: {error}", self.turn, self.players[self.active]) from None

    # Properties

    @property
    def dice(self) -> None:
        return None

    @property
    def hands(self) -> tuple[tuple[str, ...], ...]:
        hands = self._state[kernel.HAND : kernel.HAND + len(self.players)]
        return tuple(self._names(cards.card_list(hand)) for hand in hands)

    @property
    def display(self) -> tuple[str, ...]:
        places = self._state[kernel.DISPLAY : kernel.DISPLAY + kernel.DISPLAYED]  # each holds a card + 1, or 0
        return self._names(place - 1 for place in places if place)

    @property
    def pile(self) -> tuple[str, ...]:
        if self._state[kernel.PHASE] == kernel.ROLL and self._state[kernel.TURN] == 0:
            return self._names(self._whole_deck())
        begin = self._size + self._state[kernel.DRAWN]
        return self._names(self._state[begin : begin + self._state[kernel.PILE]])

    @property
    def discards(self) -> tuple[str, ...]:
        return self._names(cards.card_list(self._state[kernel.DISCARDS]))

    def _names(self, kernel_cards: Iterable[int]) -> tuple[str, ...]:
        return cards.card_names(self._card_set, kernel_cards)

    def _turns(self, snapshots: Iterable[Snapshot]) -> Sequence[CardTurn]:
        turns: list[CardTurn] = []
        previous_phase = kernel.ROLL
        for state, decisions in snapshots:
            revealed = state is not self._state
            options = tuple(decisions[p].option for p in sorted(decisions)) if revealed else ()
            if state[kernel.PHASE] == kernel.TAKE:
                turns.append(CardTurn(state[kernel.ACTIVE], options[0] if options else None))
            elif state[kernel.PHASE] == kernel.WHITE and turns:  # `determinize` can begin a game within a turn
                whole_pile = state[self._size : self._size + state[kernel.DRAWN] + state[kernel.PILE]]
                renewed = ",".join(self._names(whole_pile)) if previous_phase == kernel.DRAW else None
                turns[-1] = turns[-1]._replace(renewed=renewed, number=state[kernel.NUMBER], white=options or None)
            elif state[kernel.PHASE] == kernel.COLOUR and options and turns:
                turns[-1] = turns[-1]._replace(played=options[0])
            previous_phase = state[kernel.PHASE]
        return turns

    def _visible(self, seat: int | None) -> tuple[list[int], cards.SeenCards | None]:
        state = self._state[: self._size]
        kernel.hide(state, -1 if seat is None else seat)  # -1: a spectator
        return state, cards.visible_cards(self._card_set, state)

    @property
    def deck(self) -> tuple[str, ...]:
        """The whole deck in the order of dealing, the first card on top."""
        return self._names(self._whole_deck())


def _padded(pile: list[int]) -> list[int]:
    """The pile with zeros up to the length that the state has for it."""
    return pile + [0] * (kernel.MAX_CARDS - len(pile))
