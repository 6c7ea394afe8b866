"""Starting a new game or resuming a saved one: its players, its bots and its save file."""

import secrets
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from rowlock.bots import Bot, BotError
from rowlock.bots.bot import lookahead_bots
from rowlock.bots.loading import is_code, load_bots, short_name, split_bots, tag_name
from rowlock.locale import t
from rowlock.rules import notation
from rowlock.rules.chance import MAX_SEED
from rowlock.rules.game import BOTS_TAG, DICE_TAG, ENTERED, Game
from rowlock.rules.notation import RecordError
from rowlock.rules.variant import Setup, Variant, VariantError, find_setup
from rowlock.terminal.errors import BROKEN_RULE, CommandError, as_command_error, warn_if_think_is_ignored
from rowlock.terminal.play import bots_of, seat_bots
from rowlock.terminal.progress import show_progress
from rowlock.terminal.save_file import SaveFile

DEFAULT_BOT = "greedy"
ROLLED = "rolled"


@dataclass
class PlayOptions:
    """The arguments and options of `rowlock play`; `variants` are read from `variant_files`."""

    source: str  # a variant, or the file of a saved game
    players: str | None
    bots: str | None
    sheets: str | None  # a letter per player, separated by commas
    dice: str | None  # `ENTERED` or `ROLLED`
    seed: int | None
    save: str | None
    think: float | None
    weights: str | None
    variant_files: Sequence[str]
    variants: Sequence[Variant]


@dataclass
class GameSession:
    """A game with its bots by seat, its save file and the command that resumes it."""

    game: Game
    bots: Mapping[int, Bot]
    file: SaveFile
    resume_command: str


def open_game(options: PlayOptions) -> GameSession:
    """Start a new game or resume a saved one, and prepare its bots."""
    session = _new_or_saved_game(options)
    try:
        _prepare_bots(session, options.think)
    except BaseException:
        session.file.discard()
        raise
    return session


def _prepare_bots(session: GameSession, think: float | None) -> None:
    game = session.game
    variant = game.variant.with_sheets(game.sheets[seat].letter or "" for seat in session.bots)
    if think is not None:
        bots_by_name = {game.players[seat]: bot for seat, bot in session.bots.items()}
        with as_command_error(BotError):
            thinking_bots = lookahead_bots(bots_by_name, think)
        warn_if_think_is_ignored(bots_by_name, thinking_bots)
        session.bots = {seat: thinking_bots.get(game.players[seat], bot) for seat, bot in session.bots.items()}
    elif not any(bot.needs(variant, len(game.players)) for bot in session.bots.values()):
        return
    with as_command_error(BotError), show_progress() as display:
        from rowlock.terminal.solving import prepare_bots  # slow to import, and most games do not need it

        prepare_bots(session.bots.values(), variant, len(game.players), display)


def _new_or_saved_game(options: PlayOptions) -> GameSession:
    try:
        return _new_game(options, find_setup(options.source, custom=options.variants))
    except VariantError as error:
        if options.source.endswith(".rlk") or (not options.source.endswith(".toml") and Path(options.source).is_file()):
            return _resume_game(options)
        raise CommandError(str(error)) from None


def _new_game(options: PlayOptions, setup: Setup) -> GameSession:
    players = t("seat.me") if options.players is None else options.players
    people = [name.strip(" ") for name in players.split(",")]
    if options.bots is None:
        bots = [DEFAULT_BOT] if len(people) == 1 else []
    else:
        bots = [] if options.bots in ("", "none") else split_bots(options.bots)
    names, _ = seat_bots(people, [short_name(bot) for bot in bots])
    if not all(_is_text(name) for name in names):
        raise CommandError("names must be valid text, not these bytes: " + ascii(",".join(names)))
    now = datetime.now().astimezone()
    try:
        game = Game(setup, names, seed=options.seed, sheets=_read_letters(options.sheets))
        game.tags["Date"] = f"{now:%Y-%m-%d}"
        if bots:
            game.tags[BOTS_TAG] = "; ".join([""] * len(people) + [tag_name(bot) for bot in bots])
        _set_dice(game, options.dice)
        bots_by_seat = dict(enumerate(load_bots(bots, options.weights), len(people)))
    except BotError as error:
        raise CommandError(str(error), details=error.details) from None
    except ValueError as error:
        raise CommandError(str(error)) from None
    file = _create_file(options.save) if options.save else _create_file_by_date(setup.variant, now)
    # If the variant is the user's own, resuming needs its file too.
    custom_file = [] if options.source == str(setup) else [options.source]
    return GameSession(game, bots_by_seat, file, _resume_command(file, [*custom_file, *options.variant_files], bots))


def _set_dice(game: Game, dice: str | None) -> None:
    """Note in the record whether dice are entered; without an option a saved game stays as it is."""
    if dice not in (None, ROLLED, ENTERED):
        raise CommandError(f"--dice is {ROLLED} or {ENTERED}, not {dice}")
    if dice == ENTERED and game.variant.cards:
        raise CommandError(f"{game.variant} has no dice to enter")
    if dice == ENTERED:
        game.tags[DICE_TAG] = ENTERED
    elif dice == ROLLED:
        game.tags.pop(DICE_TAG, None)


def _read_letters(sheets: str | None) -> list[str] | None:
    """The letters of the sheets; a space around them and their case do not matter."""
    return None if sheets is None else [letter.strip(" ").upper() for letter in sheets.split(",")]


def _is_text(name: str) -> bool:
    """Whether a record can contain the name. Python decodes arguments that are not valid UTF-8 to surrogates."""
    return not any("\ud800" <= char <= "\udfff" for char in name)


def _resume_game(options: PlayOptions) -> GameSession:
    for_new_games = f"--players, --bots and --sheets are for new games; {options.source} already has its players"
    if options.players is not None or options.sheets is not None:
        raise CommandError(for_new_games)
    game = _read_saved(options)
    try:
        saved = bots_of(game)
    except BotError as error:
        raise CommandError(f"{options.source}: {error}", BROKEN_RULE) from None
    programs = [name for name in saved.values() if is_code(name)]
    if options.bots is not None and not programs:
        raise CommandError(for_new_games)
    bots = [*saved.values()] if options.bots is None else split_bots(options.bots)
    if programs and (options.bots is None or len(bots) != len(saved)):
        # A record may come from somebody else: what it names is run only if the user names it too.
        raise CommandError(
            f"{options.source}: its bot {programs[0]} is a program; to run it, name all bots: "
            f"--bots {shlex.quote(','.join(saved.values()))}"
        )
    game.seed = secrets.randbelow(MAX_SEED + 1) if options.seed is None else options.seed
    _set_dice(game, options.dice)
    try:
        bots_by_seat = dict(zip(saved, load_bots(bots, options.weights), strict=True))
    except BotError as error:
        raise CommandError(f"{options.source}: {error}", BROKEN_RULE, error.details) from None
    file = _create_file(options.save) if options.save else SaveFile(Path(options.source))
    return GameSession(game, bots_by_seat, file, _resume_command(file, options.variant_files, bots))


def _read_saved(options: PlayOptions) -> Game:
    try:
        games = list(notation.read_all(Path(options.source), variants=options.variants, name=options.source))
    except OSError as error:
        raise CommandError(f"{options.source}: cannot be read: {error.strerror}") from None
    if len(games) != 1:
        raise CommandError(f"{options.source}: must hold exactly one game to be played, not {len(games)}")
    if isinstance(games[0], RecordError):
        raise games[0]
    return games[0]


def _create_file(name: str) -> SaveFile:
    try:
        return SaveFile.create(Path(name))
    except FileExistsError:
        resume = f"rowlock play {shlex.quote(name)}"
        raise CommandError(f"{name}: already exists; resume it ({resume}) or save to another file") from None
    except OSError as error:
        raise CommandError(f"{name}: cannot be written: {error.strerror}") from None


def _create_file_by_date(variant: Variant, now: datetime) -> SaveFile:
    try:
        return SaveFile.create_by_date(variant.id, now)
    except OSError as error:
        why = f"{error.filename}: cannot be written: {error.strerror}"
        raise CommandError(f"{why}; choose another file with --save") from None


def _resume_command(file: SaveFile, variant_files: Sequence[str], bots: Sequence[str]) -> str:
    """The command that resumes a game, with the files of the user's own variants and programs."""
    file_options = [word for name in variant_files for word in ("--variant-file", name)]
    if any(map(is_code, bots)):
        file_options += ["--bots", ",".join(bots)]
    # After `make play` the command is in .venv, which is not on the PATH.
    command = "rowlock" if shutil.which("rowlock") or not sys.argv[0].endswith("rowlock") else sys.argv[0]
    return shlex.join([command, "play", file.argument, *file_options])
