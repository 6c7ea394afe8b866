"""Playing at a server's table from the terminal, oneself or through a bot."""

import random
from collections.abc import Callable, Iterator

from rowlock.bots import Bot
from rowlock.locale import capital, n, t
from rowlock.rules.game import Game
from rowlock.server import protocol as p
from rowlock.server.client import Client, game_of
from rowlock.terminal import words
from rowlock.terminal.play import COMMANDS, Quit, Screen, menu_of, understand

Decide = Callable[[Game, int], str]


def by_bot(bot: Bot) -> Decide:
    """Let a bot decide."""

    def decide(game: Game, seat: int) -> str:
        view = game.view(seat)
        return bot.decide(view, list(view.options), random.SystemRandom())

    return decide


def by_person(screen: Screen) -> Decide:
    """Ask the person at the keyboard."""

    def decide(game: Game, seat: int) -> str:
        view = game.view(seat)
        menu = menu_of(view)
        if len(menu) == 1:
            screen.say(t("terminal.nothing", name=view.players[seat]))
            return menu[0]
        screen.position(view, menu)
        while True:
            typed = screen.ask(f"{view.players[seat]}> ", secret=False).strip()
            command = COMMANDS.get(typed.lower())
            if command == "quit":
                raise Quit
            if command == "sheets":
                screen.sheets(view)
            elif command:
                for option in menu:
                    screen.say(f"  {option}  {words.meaning(view, option)}")
            else:
                try:
                    option = understand(typed, menu)
                except ValueError as error:
                    screen.say(f"{capital(str(error))}.")
                    continue
                if option in menu:
                    return option
                screen.say(t("terminal.no-option", option=option))

    return decide


class Visit:
    """A game at somebody else's table, as it is told on the screen."""

    def __init__(self, client: Client, screen: Screen, decide: Decide) -> None:
        self.client, self.screen, self.decide = client, screen, decide
        self._told = self._rolled = 0
        self._decided: set[tuple[int, str, int]] = set()

    def play(self) -> None:
        """Play to the end."""
        waiting = ""
        for view in self.client.views():
            if view.position is None:
                free = sum(seat.name is None for seat in view.seats)
                text = n("terminal.waiting", free, table=view.table)
                if text != waiting:
                    self.screen.say(text)
                waiting = text
                continue
            game = game_of(view)
            self._tell(view, game)
            for own in view.own:
                self._act(view, game, own)
        self._end()

    def _act(self, view: p.View, game: Game, own: p.Own) -> None:
        moment = (game.turn, game.phase, own.seat)
        if own.options and moment not in self._decided:
            self._decided.add(moment)
            self.client.decide(view, own.seat, self.decide(game, own.seat))

    def _tell(self, view: p.View, game: Game) -> None:
        """What has been revealed since the last view, and the dice of a new turn."""
        sentences = list(_revealed(view, game))
        for sentence in sentences[self._told :]:
            self.screen.say(sentence)
        self._told = len(sentences)
        if game.phase == "white" and self._rolled != game.turn:
            self._rolled = game.turn
            self.screen.rolled(game.view())

    def _end(self) -> None:
        view = self.client.view
        assert view
        game = game_of(view)
        self.screen.scores(game)
        self.screen.say(f"{capital(words.standing(game))}. {words.winners(game)}.")


def _revealed(view: p.View, game: Game) -> Iterator[str]:
    for number, turn in enumerate(view.log, 1):
        if turn.white is not None:
            yield words.white_decisions(game.players, turn.white)
        if turn.colour is not None:
            yield words.colour_decision(game.players, number, turn.colour)
