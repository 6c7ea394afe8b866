"""Opening a table: a new game or a saved one, who sits there and where it is kept."""

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
from rowlock.locale import t
from rowlock.rules import notation
from rowlock.rules.game import Game
from rowlock.rules.notation import RecordError
from rowlock.rules.variant import Setup, Variant, VariantError, find_setup
from rowlock.terminal.errors import BROKEN_RULE, Failure, failures, report_hasty
from rowlock.terminal.play import BOTS_TAG, bots_of, seat_bots
from rowlock.terminal.progress import shown
from rowlock.terminal.save_file import SaveFile

OPPONENT = "greedy"


@dataclass
class PlayOptions:
    """What was asked for on the command line."""

    game: str
    players: str | None
    bots: str | None
    seed: int | None
    save: str | None
    think: float | None
    variant_files: Sequence[str]
    variants: Sequence[Variant]


@dataclass
class OpenedGame:
    """A game that can be played, and how to come back to it."""

    game: Game
    bots: Mapping[int, Bot]
    file: SaveFile
    resume: str


def open_table(wishes: PlayOptions) -> OpenedGame:
    """Begin a game, or go on with a saved one, with bots that are ready for it."""
    opened = _open(wishes)
    try:
        _make_ready(opened, wishes.think)
    except BaseException:
        opened.file.discard()
        raise
    return opened


def _make_ready(opened: OpenedGame, think: float | None) -> None:
    game = opened.game
    if think is not None:
        named = {game.players[seat]: bot for seat, bot in opened.bots.items()}
        with failures(BotError):
            thinking = lookahead_bots(named, think)
        report_hasty(named, thinking)
        opened.bots = {seat: thinking.get(game.players[seat], bot) for seat, bot in opened.bots.items()}
    elif not any(bot.needs(game.variant, len(game.players)) for bot in opened.bots.values()):
        return
    with failures(BotError), shown() as display:
        from rowlock.terminal.solving import make_ready  # it takes long to load; most games do without

        make_ready(opened.bots.values(), game.variant, len(game.players), display)


def _open(wishes: PlayOptions) -> OpenedGame:
    try:
        return _begin(wishes, find_setup(wishes.game, custom=wishes.variants))
    except VariantError as error:
        if wishes.game.endswith(".rlk") or (not wishes.game.endswith(".toml") and Path(wishes.game).is_file()):
            return _go_on(wishes)
        raise Failure(str(error)) from None


def _begin(wishes: PlayOptions, setup: Setup) -> OpenedGame:
    people = [t("terminal.you")] if wishes.players is None else [name.strip(" ") for name in wishes.players.split(",")]
    if wishes.bots is None:
        bots = [OPPONENT] if len(people) == 1 else []
    else:
        bots = [] if wishes.bots in ("", "none") else [name.strip(" ") for name in wishes.bots.split(",")]
    names, seats = seat_bots(people, bots)
    if not all(_is_text(name) for name in names):
        raise Failure("a name is text, these bytes are not: " + ascii(",".join(names)))
    now = datetime.now().astimezone()
    try:
        game = Game(setup, names, seed=wishes.seed)
        game.tags["Date"] = f"{now:%Y-%m-%d}"
        if bots:
            game.tags[BOTS_TAG] = "; ".join(seats)
        playing = bots_of(game)
    except ValueError as error:
        raise Failure(str(error)) from None
    file = _claim(wishes.save) if wishes.save else _claim_by_date(setup.variant, now)
    own = [] if wishes.game == str(setup) else [wishes.game]  # the file of the variant itself
    return OpenedGame(game, playing, file, _resume(file, [*own, *wishes.variant_files]))


def _is_text(name: str) -> bool:
    """A shell can hand over bytes that are no characters; no record could hold them."""
    return not any("\ud800" <= char <= "\udfff" for char in name)


def _go_on(wishes: PlayOptions) -> OpenedGame:
    if wishes.players is not None or wishes.bots is not None:
        raise Failure(f"--players and --bots are for a new game, {wishes.game} has its players")
    game = _read(wishes)
    game.seed = secrets.randbits(63) if wishes.seed is None else wishes.seed
    try:
        bots = bots_of(game)
    except BotError as error:
        raise Failure(f"{wishes.game}: {error}", BROKEN_RULE) from None
    file = _claim(wishes.save) if wishes.save else SaveFile(Path(wishes.game))
    return OpenedGame(game, bots, file, _resume(file, wishes.variant_files))


def _read(wishes: PlayOptions) -> Game:
    try:
        games = list(notation.read_all(Path(wishes.game), variants=wishes.variants, name=wishes.game))
    except OSError as error:
        raise Failure(f"{wishes.game}: cannot be read: {error.strerror}") from None
    if len(games) != 1:
        raise Failure(f"{wishes.game}: a file with one game can be played, this one has {len(games) or 'none'}")
    if isinstance(games[0], RecordError):
        raise games[0]
    return games[0]


def _claim(name: str) -> SaveFile:
    try:
        return SaveFile.create(Path(name))
    except FileExistsError:
        raise Failure(
            f"{name}: exists already; go on with it (rowlock play {shlex.quote(name)}) or save elsewhere"
        ) from None
    except OSError as error:
        raise Failure(f"{name}: cannot be written: {error.strerror}") from None


def _claim_by_date(variant: Variant, now: datetime) -> SaveFile:
    try:
        return SaveFile.create_by_date(variant.id, now)
    except OSError as error:
        raise Failure(f"{error.filename}: cannot be written: {error.strerror}; name another file with --save") from None


def _resume(file: SaveFile, variant_files: Sequence[str]) -> str:
    """The command that goes on with a game; a user's own variant is named with its file."""
    files = [word for name in variant_files for word in ("--variant-file", name)]
    # From `make play` the command is in .venv, not on the path.
    command = "rowlock" if shutil.which("rowlock") or not sys.argv[0].endswith("rowlock") else sys.argv[0]
    return shlex.join([command, "play", file.argument, *files])
