"""Conformance checks for variants and bots.

Use them in your own tests: `check_variant("my.toml")`, `check_bot(MyBot())`. A failure names the law that does not
hold and shows the record of the game.
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
from rowlock.rules.option import Option, read_option
from rowlock.rules.sheet import Sheet
from rowlock.rules.variant import Setup, Variant, find_setup, variant_ids

# Laws that hold at every moment of a game


def options_can_be_played(game: Game) -> None:
    """Options are sorted and unique, and each of them can be played."""
    for player in game.to_act:
        options = game.options(player)
        actions, scratch = [0] * kernel.MAX_OPTIONS, [0] * kernel.SCRATCH_SIZE  # an action is an option's code
        count = kernel.options(list(game.view(player).state), game.variant.tables, player, actions, scratch)
        assert options == sorted(options)
        assert len(set(options)) == len(set(actions[:count])) == count, options
        for option in options:
            game.copy().play(player, option)


def nothing_else_can_be_played(game: Game) -> None:
    """Everything that is not an option is refused, and a player who is not to act has no options."""
    marks = {f"{prefix}{cell}{suffix}" for cell in game.variant.codes for prefix in ("", "!") for suffix in ("", "#")}
    for player in range(len(game.players)):
        options = set(game.options(player))
        if player not in game.to_act:
            assert not options
        chains = [option.split("+") for option in options]
        # Chains of forced marks that are cut short, or are in the wrong order.
        garbled = {"+".join(chain[:length]) for chain in chains for length in range(len(chain))}
        garbled |= {"+".join(chain[:1] + chain[:0:-1]) for chain in chains}
        for option in (marks | garbled | {"-", "x", "", "R", "5"}) - options:  # - is a pass, x a misthrow
            try:
                game.copy().play(player, option)
            except Illegal:
                continue
            raise AssertionError(f"{option} is not an option of player {player} but was played")


def obstacles_are_what_options_lack(game: Game) -> None:
    """Nothing prevents marking a cell or using a swap field if and only if an option does it."""
    for player in range(len(game.players)):
        options = [read_option(option) for option in game.actions(player)]
        if game.phase == "play":
            _check_obstacles_of_play(game, player, options)
            continue
        free = {one.marks[0] for one in options if one.marks and one.swapped is None}
        assert {spot for spot in game.variant.codes if game.why_not(player, spot) is None} == free
        for swap in game.variant.swap_names:
            with_swap = (one for one in options if one.swapped is not None)
            free = {one.marks[0] for one in with_swap if swap in _swap_names(one.swapped, one.marks[0])}
            assert (game.why_not(player, swap) is None) == bool(free)
            assert {spot for spot in game.variant.codes if game.why_not(player, spot, swap) is None} == free


def _swap_names(swapped: int | None, cell: str) -> tuple[str, str]:
    """How a swap field may be called that exchanges a white sum for the number of a cell."""
    return f"{swapped}/{cell[1:]}", f"{cell[1:]}/{swapped}"


def _check_obstacles_of_play(game: Game, player: int, options: list[Option]) -> None:
    """With cards, a cell can be marked in addition to a play that was chosen before."""
    chosen = [*game.actions(player)]
    assert all(game.why_not(player, spot) is not None for spot in game.variant.codes)
    for text, play in list(zip(chosen, options, strict=True))[:: 1 + len(options) // 8]:
        larger = [set(one.marks) for one in options if one.cards == play.cards]
        for spot in set(game.variant.codes) - set(play.marks):
            allowed = {*play.marks, spot} in larger
            assert (game.why_not(player, spot, chosen=text) is None) == allowed, f"{spot} after {text}"


def totals_are_sums(game: Game) -> None:
    """A total is the sum of its parts, and the score is the total."""
    for sheet, score in zip(game.sheets, game.scores, strict=True):
        assert sheet.total == sum(sheet.points.values()) == score
    best = [player for player, score in enumerate(game.scores) if score == max(game.scores)]
    assert game.winners == (tuple(best) if game.over else None)


def sheets_are_read_as_written(game: Game) -> None:
    """Parsing the notation of a sheet gives the same sheet; it omits which rows other players have closed."""
    for sheet in game.sheets:
        parsed = Sheet.parse(str(sheet), game.variant)
        assert str(parsed) == str(sheet)
        assert (parsed.rows, parsed.fields, parsed.points) == (sheet.rows, sheet.fields, sheet.points)


def copies_are_apart(game: Game) -> None:
    """Changes to a copy do not change the original."""
    before, copy = game.record(), game.copy()
    assert copy == game
    for player in copy.to_act:
        copy.play(player, copy.options(player)[-1])
    if not copy.over and not copy.to_act:
        copy.chance()
    copy.tags["Event"] = "copy"
    assert game.record() == before
    assert copy != game or not game.to_act


def undo_restores(game: Game) -> None:
    """Undo takes back the last event and nothing else."""
    if not game.over:
        copy = game.copy()
        if not copy.to_act:
            copy.chance()
        else:
            copy.play(copy.to_act[-1], copy.options(copy.to_act[-1])[0])
        assert copy != game
        copy.undo()
        assert copy == game


def record_is_the_game(game: Game) -> None:
    """Reading a game's record gives the same game.

    A record omits decisions that are not revealed yet, and cards taken just before a new pile is shuffled.
    """
    recorded = game.copy()
    for player in list(recorded.view().decided):
        recorded.take_back(player)
    if recorded.variant.cards and not recorded.to_act and not recorded.pile:
        recorded.undo()
    (parsed,) = notation.read(recorded.record().encode(), variants=[game.variant])
    assert parsed == recorded
    assert parsed.record() == recorded.record()


# Laws of a step: they compare a game before and after one event


def marks_move_right(before: Game, after: Game) -> None:
    """Marks stay, and new marks are to the right of all old ones in their row; a joined one may lie anywhere."""
    for old, new in zip(before.sheets, after.sheets, strict=True):
        old_cells, all_cells = marked_cells(old), marked_cells(new)
        assert old_cells <= all_cells, "a mark was removed"
        for code in all_cells - old_cells:
            rightmost = max((mark for mark in old_cells if kernel.row_of(mark) == kernel.row_of(code)), default=-1)
            joined = joined_to(new, code)
            assert code > rightmost or joined in all_cells - old_cells, "a mark left of an older one"
        for cell, other in new.joined:
            codes = {new.variant.codes[cell], new.variant.codes[other]}
            assert len(codes & all_cells) != 1, "one of two joined cells"
        assert new.misthrows >= old.misthrows


def marked_cells(sheet: Sheet) -> set[int]:
    """The codes of all marked cells and bonus fields."""
    ints = list(sheet.ints)
    return {code for code in sheet.variant.cells if kernel.code_is_marked(ints, 0, code)}


def joined_to(sheet: Sheet, code: int) -> int | None:
    """The code of the cell joined to a cell."""
    codes = sheet.variant.codes
    pairs = [(codes[cell], codes[other]) for cell, other in sheet.joined]
    return {**dict(pairs), **{other: cell for cell, other in pairs}}.get(code)


def boxes_and_swaps_stay(before: Game, after: Game) -> None:
    """Second boxes stay under marked cells; swap fields are used from left to right, one at a time, with a mark."""
    for old, new in zip(before.sheets, after.sheets, strict=True):
        for name, numbers in new.second.items():
            assert set(old.second[name]) <= set(numbers) <= set(new.rows[name])
            for number in set(numbers) - set(old.second[name]):
                assert [n for n in new.rows[name] if n in old.rows[name]][-1:] == [number]
        if old.swaps != new.swaps:
            assert old.swaps == new.swaps[:-1]
            assert before.phase == "white"
            assert old.rows != new.rows


def closing_needs_marks(before: Game, after: Game) -> None:
    """A row is locked only with enough marks before the closing cell, and the lock counts as a mark."""
    for old, new in zip(before.sheets, after.sheets, strict=True):
        for name in set(new.locks) - set(old.locks):
            row = "RYGB".index(name)
            numbers, count = new.rows[name], new.ints[kernel.COUNT + row]
            assert before.variant.closes(before.variant.codes[f"{name}{numbers[-1]}"])
            assert count == len(numbers) + len(new.second.get(name, [])) + 1
            assert count - 2 >= before.variant.needed_in(row)
            assert name in after.closed or before.variant.cards  # with cards a row is closed for one player only


def closed_rows_never_change(before: Game, after: Game) -> None:
    """A closed row does not change any more but for joined marks, and its die is out of the game."""
    for name in before.closed:
        assert name in after.closed
        for old, new in zip(before.sheets, after.sheets, strict=True):
            codes = (new.variant.codes[f"{name}{number}"] for number in set(new.rows[name]) - set(old.rows[name]))
            assert all(joined_to(new, code) is not None for code in codes)
            assert old.second.get(name) == new.second.get(name)
        # A die that leaves the game in this turn stays in the roll until the turn ends. Dice are written WW-RYGB.
        assert after.phase != "white" or not after.dice or after.dice[3 + "RYGB".index(name)] == "."


def cards_are_somewhere_once(game: Game) -> None:
    """Every card is in exactly one place: a hand, the display, the pile or the discards."""
    if game.variant.cards:
        everywhere = [card for hand in game.hands for card in hand] + [*game.display, *game.pile, *game.discards]
        assert sorted(everywhere) == sorted(map(game.variant.cards.name, game.variant.cards.deck(game.jokers)))
        dealt = game.turn > 1 or game.phase != "deal"
        assert len(game.display) == (kernel.DISPLAYED if dealt else 0) or (game.phase == "deal" and not game.pile)
        full, before_taking = kernel.HAND_FULL, (kernel.HAND_FULL - kernel.MOST_PLAYED, kernel.HAND_FULL - 1)
        sizes = {"take": before_taking, "white": (full, full), "play": (full, full)}
        fewest, most = sizes.get(game.phase, (0, full))
        assert fewest <= len(game.hands[game.active]) <= most


def views_hide_colours(game: Game) -> None:
    """A view shows the numbers, never the colours, of cards in other hands, the display and the pile."""
    if not game.variant.cards:
        return
    for seat in (None, *range(len(game.players))):
        view = game.view(seat)
        assert view.cards
        own = game.hands[seat] if seat is not None else ()
        visible = set(re.findall(r"\b[rygbj]\d+", repr((view.options, view.cards, view.decision))))
        assert visible <= {*own, *game.discards}, f"seat {seat} sees {visible}"
        for player, hand in enumerate(game.hands):
            expected = hand if player == seat else tuple(sorted((f"?{card[1:]}" for card in hand), key=_number))
            assert view.cards.hands[player] == expected
            assert player == seat or view.state[kernel.HAND + player] == 0
        assert [card[1:] for card in game.display] == [card[1:].rstrip("'") for card in view.cards.display]
        assert not any(view.state[kernel.DISPLAY : kernel.DISPLAY + kernel.DISPLAYED])
        assert len(view.state) == kernel.state_size(len(game.players)), "the view must not hold the pile"


def _number(card: str) -> int:
    return int(card[1:])


MOMENT_LAWS: tuple[Callable[[Game], None], ...] = (
    options_can_be_played,
    nothing_else_can_be_played,
    obstacles_are_what_options_lack,
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
    boxes_and_swaps_stay,
)


def step(game: Game, rng: random.Random) -> None:
    """Play the next event: chance, or a decision that usually marks as far left as possible.

    With uniformly random decisions hardly any row would ever be locked.
    """
    if not game.to_act:
        game.chance()
        return
    player = rng.choice(game.to_act)
    options = game.options(player)
    leftmost = min(options, key=lambda option: (option[-1] in "-x", _skipped_cells(game, player, option)))
    game.play(player, leftmost if rng.random() < 0.7 else rng.choice(options))


def _skipped_cells(game: Game, player: int, option: str) -> int:
    """How many cells an option skips in its row: in a chain the first mark counts, in a play of cards the last one."""
    name = option.split("= ")[-1].lstrip("!").split("+")[0].split(" ")[-1].rstrip("#")
    code = game.variant.codes.get(name, 0)
    return kernel.place_in_row(code) - game.sheets[player].ints[kernel.NEXT + kernel.row_of(code)]


def check_variant(variant: str | Path | Variant, games: int = 10, seed: int = 0) -> None:
    """Play whole games of a variant with 1 to 5 players, and check all laws after every event."""
    setup = find_setup(variant)
    for number in range(games):
        game = Game(setup, 1 + number % kernel.MAX_PLAYERS, seed=seed, number=number)
        rng = random.Random(f"{seed} {number}")
        while not game.over:
            before = game.copy()
            with _name_failures("the law 'the game goes on'", before):
                step(game, rng)
            for law in STEP_LAWS:
                check_law(law, before, game)
            for moment_law in MOMENT_LAWS:
                check_law(moment_law, game)


def check_law(law: Callable[..., None], *games: Game) -> None:
    """Check one of `MOMENT_LAWS` for a game, or one of `STEP_LAWS` for a game before and after an event."""
    with _name_failures(f"the law '{law.__name__.replace('_', ' ')}'", games[-1], f"{law.__doc__}\n"):
        law(*games)


@contextmanager
def _name_failures(check: str, game: Game, details: str = "") -> Iterator[None]:
    """Turn errors into an `AssertionError` that names the check and the variant and shows the record."""
    try:
        yield
    except Exception as error:
        kind = "" if isinstance(error, AssertionError) else f"{type(error).__name__}: "
        why = str(error) or traceback.extract_tb(error.__traceback__)[-1].line  # an assertion without a message
        raise AssertionError(f"{check} fails at {game.setup}: {details}{kind}{why}\n{game.record()}") from error


def check_bot(bot: Bot, variants: Iterable[str | Path | Variant] | None = None, games: int = 5, seed: int = 0) -> None:
    """Let a bot play all seats of games with 1 to 5 players, in the variants that it is ready for.

    Its decision must be one of the options, and the same random numbers must give the same decision, compiled or not.
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
                with _name_failures(type(bot).__name__, game):
                    _check_decision(bot, game)


def _check_compiled(bot: Bot, setup: Setup, seed: int) -> None:
    if compiled_form(bot) is None:
        return
    from rowlock.arena.engine import CompiledEngine
    from rowlock.arena.match import make_config
    from rowlock.arena.worker import play_games

    config = make_config([bot, bot], setup, seed, with_records=True)
    engine = CompiledEngine(config, 1)
    compiled, plain = list(engine.records(0, engine.play(0, 3))), play_games(config, 0, 3, [], [0.0] * 3).records
    for record, expected in zip(compiled, plain, strict=True):
        assert record == expected, f"{type(bot).__name__} at {setup}, compiled:\n{record}\ninterpreted:\n{expected}"


def _check_decision(bot: Bot, game: Game) -> None:
    player = game.to_act[0]
    view = game.view(player)
    options = list(view.options)
    option, again = (bot.decide(view, list(options), Stream.of(game, view)) for _ in range(2))
    where = f"player {player}, options {options}:"
    assert option in options, f"{where} {option!r} is not an option"
    assert option == again, f"{where} the same random numbers gave {option} and {again}"
    assert view == game.view(player), f"{where} the bot changed the view"
    game.play(player, option)
