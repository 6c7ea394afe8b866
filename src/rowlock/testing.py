"""Conformance kits: is a variant's file a game that can be played, does a bot keep to the rules?

Use them in tests of your own: `check_variant("my.toml")`, `check_bot(MyBot())`. What fails says which law was broken
and shows the record that breaks it.
"""

import random
import re
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rowlock.bots import Bot, Stream, compiled_form
from rowlock.rules import kernel, notation
from rowlock.rules.explain import Illegal
from rowlock.rules.game import Game
from rowlock.rules.sheet import Sheet
from rowlock.rules.variant import Setup, Variant, find_setup, variant_ids

# Laws of a moment


def options_can_be_played(game: Game) -> None:
    """Options are sorted, never repeat, and every one of them can be played."""
    for player in game.to_act:
        options = game.options(player)
        found, spare = [0] * kernel.MAX_OPTIONS, [0] * kernel.SCRATCH_SIZE
        count = kernel.options(list(game.view(player).state), game.variant.tables, player, found, spare)
        assert options == sorted(options)
        assert len(set(options)) == len(set(found[:count])) == count, options
        for option in options:
            game.copy().play(player, option)


def nothing_else_can_be_played(game: Game) -> None:
    """What is not an option is refused, and whoever is not to act has none."""
    everything = {
        f"{before}{name}{after}" for name in game.variant.codes for before in ("", "!") for after in ("", "#")
    }
    for player in range(len(game.players)):
        options = set(game.options(player))
        if player not in game.to_act:
            assert not options
        chains = [option.split("+") for option in options]
        garbled = {"+".join(chain[:n]) for chain in chains for n in range(len(chain))}
        garbled |= {"+".join(chain[:1] + chain[:0:-1]) for chain in chains}
        for option in (everything | garbled | {"-", "x", "", "R", "5"}) - options:
            try:
                game.copy().play(player, option)
            except Illegal:
                continue
            raise AssertionError(f"{option} is no option of player {player} and was played")


def totals_are_sums(game: Game) -> None:
    """A total is the sum of its parts, and the score is the total."""
    for sheet, score in zip(game.sheets, game.scores, strict=True):
        assert sheet.total == sum(sheet.points.values()) == score
    best = [p for p, score in enumerate(game.scores) if score == max(game.scores)]
    assert game.winners == (tuple(best) if game.over else None)


def sheets_are_read_as_written(game: Game) -> None:
    """A sheet is read as it is written; rows that others have closed are the game's knowledge, not the sheet's."""
    for sheet in game.sheets:
        twin = Sheet.parse(str(sheet), game.variant)
        assert str(twin) == str(sheet)
        assert (twin.rows, twin.fields, twin.points) == (sheet.rows, sheet.fields, sheet.points)


def copies_are_apart(game: Game) -> None:
    """Whatever happens to a copy, its origin stays as it was."""
    before, twin = game.record(), game.copy()
    assert twin == game
    for player in twin.to_act:
        twin.play(player, twin.options(player)[-1])
    if not twin.over and not twin.to_act:
        twin.chance()
    twin.tags["Event"] = "copy"
    assert game.record() == before
    assert twin != game or not game.to_act


def undo_restores(game: Game) -> None:
    """Undo takes back exactly the last event."""
    if not game.over:
        twin = game.copy()
        if not twin.to_act:
            twin.chance()
        else:
            twin.play(twin.to_act[-1], twin.options(twin.to_act[-1])[0])
        assert twin != game
        twin.undo()
        assert twin == game


def record_is_the_game(game: Game) -> None:
    """Reading what was written gives the same game.

    Decisions that nobody has seen yet are in no record, nor is a taking while the new pile it needs is to be shuffled.
    """
    seen = game.copy()
    for player in list(seen.view().decided):
        seen.take_back(player)
    if seen.variant.cards and not seen.to_act and not seen.pile:
        seen.undo()
    (twin,) = notation.read(seen.record().encode(), variants=[game.variant])
    assert twin == seen
    assert twin.record() == seen.record()


# Laws of a step: two moments with one event between them


def marks_move_right(before: Game, after: Game) -> None:
    """Marks stay, and new ones stand to the right of all old ones in their row."""
    for old, new in zip(before.sheets, after.sheets, strict=True):
        for row in range(kernel.ROWS + len(before.variant.fields)):
            marks, more = old.ints[kernel.MARKS + row], new.ints[kernel.MARKS + row]
            assert marks & ~more == 0, "a mark has gone"
            fresh = more & ~marks
            assert fresh == 0 or fresh & -fresh > marks, "a mark left of an older one"
        assert new.misthrows >= old.misthrows


def closing_needs_marks(before: Game, after: Game) -> None:
    """Nobody locks a row without enough marks before the closing cell, and a lock is a mark that counts."""
    for old, new in zip(before.sheets, after.sheets, strict=True):
        for name in set(new.locks) - set(old.locks):
            row = "RYGB".index(name)
            numbers = new.rows[name]
            assert len(numbers) > before.variant.needed
            assert before.variant.closes(before.variant.codes[f"{name}{numbers[-1]}"])
            assert new.ints[kernel.COUNT + row] == len(numbers) + 1
            assert name in after.closed or before.variant.cards


def closed_rows_never_change(before: Game, after: Game) -> None:
    """A closed row stays closed, as it was when it closed, and its die is gone."""
    for name in before.closed:
        assert name in after.closed
        for old, new in zip(before.sheets, after.sheets, strict=True):
            assert old.rows[name] == new.rows[name]
        # Until the turn's end the dice show the roll, also that of a die which leaves in this very turn.
        assert after.phase != "white" or not after.dice or after.dice[3 + "RYGB".index(name)] == "."


def cards_are_somewhere_once(game: Game) -> None:
    """Every card is in a hand, in the display, in the pile or among the discards, and nowhere else."""
    if game.variant.cards:
        everywhere = [card for hand in game.hands for card in hand] + [*game.display, *game.pile, *game.discards]
        assert sorted(everywhere) == sorted(map(game.variant.cards.name, game.variant.cards.deck(game.jokers)))
        dealt = game.turn > 1 or game.phase != "deal"
        assert len(game.display) == (kernel.DISPLAYED if dealt else 0) or (game.phase == "deal" and not game.pile)
        holding = {"take": (2, 4), "white": (5, 5), "play": (5, 5)}.get(game.phase, (0, 5))
        assert holding[0] <= len(game.hands[game.active]) <= holding[1]


def views_hide_colours(game: Game) -> None:
    """Of a card in another hand, in the display or on the pile a view shows the number, never the colour."""
    if not game.variant.cards:
        return
    for seat in (None, *range(len(game.players))):
        view = game.view(seat)
        assert view.cards
        own = game.hands[seat] if seat is not None else ()
        told = set(re.findall(r"\b[rygbj]\d+", repr((view.options, view.cards, view.decision))))
        assert told <= {*own, *game.discards}, f"seat {seat} sees {told}"
        for player, hand in enumerate(game.hands):
            shown = hand if player == seat else tuple(sorted((f"?{card[1:]}" for card in hand), key=_number))
            assert view.cards.hands[player] == shown
            assert player == seat or view.state[kernel.HAND + player] == 0
        assert [card[1:] for card in game.display] == [card[1:].rstrip("'") for card in view.cards.display]
        assert not any(view.state[kernel.DISPLAY : kernel.DISPLAY + kernel.DISPLAYED])
        assert len(view.state) == kernel.state_size(len(game.players)), "the pile is nobody's to see"


def _number(card: str) -> int:
    return int(card[1:])


MOMENT_LAWS: tuple[Callable[[Game], None], ...] = (
    options_can_be_played,
    nothing_else_can_be_played,
    totals_are_sums,
    sheets_are_read_as_written,
    copies_are_apart,
    undo_restores,
    record_is_the_game,
    cards_are_somewhere_once,
    views_hide_colours,
)
STEP_LAWS: tuple[Callable[[Game, Game], None], ...] = (
    marks_move_right,
    closing_needs_marks,
    closed_rows_never_change,
)


def step(game: Game, rng: random.Random) -> None:
    """Let the next event happen: chance, or a decision that mostly marks as far left as it can.

    Play that picks any option throws rows away before one of them can be locked.
    """
    if not game.to_act:
        game.chance()
        return
    player = rng.choice(game.to_act)
    options = game.options(player)
    near = min(options, key=lambda option: (option[-1] in "-x", _skipped(game, player, option)))
    game.play(player, near if rng.random() < 0.7 else rng.choice(options))


def _skipped(game: Game, player: int, option: str) -> int:
    name = option.split("= ")[-1].lstrip("!").split("+")[0].split(" ")[-1].rstrip("#")
    row, cell = divmod(game.variant.codes.get(name, 0), kernel.MAX_CELLS)
    return cell - game.sheets[player].ints[kernel.NEXT + row]


def check_variant(variant: str | Path | Variant, games: int = 10, seed: int = 0) -> None:
    """Play games of a variant with 1 to 5 players to their end and hold every moment and step against the laws."""
    setup = find_setup(variant)
    for number in range(games):
        game = Game(setup, 1 + number % kernel.MAX_PLAYERS, seed=seed, number=number)
        rng = random.Random(f"{seed} {number}")
        while not game.over:
            before = game.copy()
            with _named("the law 'the game goes on'", before):
                step(game, rng)
            for law in STEP_LAWS:
                check_law(law, before, game)
            for moment_law in MOMENT_LAWS:
                check_law(moment_law, game)


def check_law(law: Callable[..., None], *moments: Game) -> None:
    """Hold a law of `MOMENT_LAWS` or `STEP_LAWS` against a moment, or against two with one event between them."""
    with _named(f"the law '{law.__name__.replace('_', ' ')}'", moments[-1], f"{law.__doc__}\n"):
        law(*moments)


@contextmanager
def _named(what: str, game: Game, more: str = "") -> Iterator[None]:
    """What fails in here says what it is, at which variant, why, and shows the record."""
    try:
        yield
    except Exception as error:
        kind = "" if isinstance(error, AssertionError) else f"{type(error).__name__}: "
        why = str(error) or traceback.extract_tb(error.__traceback__)[-1].line  # an assertion may be its own reason
        raise AssertionError(f"{what} fails at {game.setup}: {more}{kind}{why}\n{game.record()}") from error


def check_bot(bot: Bot, variants: Iterable[str | Path | Variant] | None = None, games: int = 5, seed: int = 0) -> None:
    """Let a bot play every seat of games with 1 to 5 players, where it is ready for them.

    It must always return an option, the same again on the same draws, and decide alike where it has a compiled form.
    """
    for setup in map(find_setup, variants or variant_ids()):
        variant = setup.variant
        if bot.needs(variant, 2) is None:
            _check_compiled(bot, setup, seed)
        for number in range(games):
            players = 1 + number % kernel.MAX_PLAYERS
            game = Game(setup, players, seed=seed, number=number)
            while not game.over and bot.needs(variant, players) is None:
                if not game.to_act:
                    game.chance()
                    continue
                with _named(type(bot).__name__, game):
                    _check_decision(bot, game)


def _check_compiled(bot: Bot, setup: Setup, seed: int) -> None:
    if compiled_form(bot) is None:
        return
    from rowlock.arena.engine import CompiledEngine
    from rowlock.arena.match import make_config
    from rowlock.arena.worker import play_games

    setting = make_config([bot, bot], setup, seed, records=True)
    engine = CompiledEngine(setting, 1)
    compiled, plain = list(engine.records(0, engine.play(0, 3))), play_games(setting, 0, 3, [], [0.0] * 3).records
    for one, other in zip(compiled, plain, strict=True):
        assert one == other, f"{type(bot).__name__} decides otherwise compiled at {setup}:\n{one}\nand plain:\n{other}"


def _check_decision(bot: Bot, game: Game) -> None:
    player = game.to_act[0]
    view = game.view(player)
    options = list(view.options)
    decided = [bot.decide(view, list(options), Stream.of(game, view)) for _ in range(2)]
    where = f"player {player}, options {options}:"
    assert decided[0] in options, f"{where} {decided[0]!r} is not an option"
    assert decided[0] == decided[1], f"{where} the same draws gave {decided[0]} and {decided[1]}"
    assert view == game.view(player), f"{where} the bot changed what it was shown"
    game.play(player, decided[0])
