"""The command `rowlock`."""

import inspect
import io
import json
import os
import shlex
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from typer.exceptions import TyperException

from rowlock import __version__
from rowlock.locale import language_of, speak, t
from rowlock.places import cache_directory
from rowlock.rules.game import check_lucky
from rowlock.rules.notation import RecordError
from rowlock.rules.variant import Variant, VariantError, find_setup, find_variant, game_names, variant_ids
from rowlock.terminal.failure import BROKEN_RULE, WRONG_USAGE, Failure, complain

if TYPE_CHECKING:
    from rowlock.bots import Bot
    from rowlock.rules.game import Game

BROKEN_PIPE = 141

app = typer.Typer(
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> NoReturn:
    """Run the command; what goes wrong is told in one line."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, io.StringIO())
    status = 0
    try:
        status = app(prog_name="rowlock", standalone_mode=False) or 0
        sys.stdout.flush()
    except BrokenPipeError:
        status = _give_up_output(BROKEN_PIPE)
    except TyperException as error:
        complain(f"rowlock: {error.format_message().rstrip('.')} (rowlock --help tells more)")
        status = error.exit_code
    except RecordError as error:
        complain(str(error))
        status = BROKEN_RULE
    except Failure as error:
        complain(f"rowlock: {error}")
        status = error.status
    except OSError as error:
        complain(f"rowlock: the output cannot be written: {error.strerror}")
        status = _give_up_output(WRONG_USAGE)
    sys.exit(status)


def _give_up_output(status: int) -> int:
    """Nobody takes the output any more: what is still buffered goes nowhere, and Python stays quiet about it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"rowlock {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def rowlock(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    browser: Annotated[bool, typer.Option(help="Open the browser.")] = True,
    language: Annotated[
        str | None, typer.Option(metavar="en|de|nl", help="What games are told in; else what your environment says.")
    ] = None,
) -> None:
    """The Qwixx family of dice and card games: play them, look at their sheets, check and replay game records.

    [bold]To begin with[/bold]

    \b
    rowlock                    play in the browser, with friends on their phones
    rowlock play               you against a bot, in this terminal
    rowlock variants           which games there are
    rowlock show longo         the sheet of one, and what is special about it
    rowlock replay game.rlk    check a game's record and tell its outcome
    rowlock arena greedy eager let bots play each other
    """
    try:
        speak(language or language_of(os.environ))
    except ValueError as error:
        raise Failure(str(error)) from None
    if context.invoked_subcommand is None:
        raise typer.Exit(_play_in_browser(browser))


def _play_in_browser(browser: bool) -> int:
    """Serve to this machine and the local network, and show where."""
    from dataclasses import replace

    from rowlock.server.run import AlreadyOpen, ServeError
    from rowlock.server.run import serve as run
    from rowlock.server.settings import SettingError, read_settings
    from rowlock.terminal.welcome import free_port, open_browser, own_address, welcome

    try:
        settings = read_settings({"ROWLOCK_HOST": "0.0.0.0", **os.environ})
        settings = replace(settings, port=free_port(settings))

        def ready(address: str, *, already: bool = False) -> None:
            typer.echo(welcome(address, settings, already=already))
            sys.stdout.flush()
            if browser:
                open_browser(own_address(address, settings))

        try:
            return run(settings, ready)
        except AlreadyOpen as other:
            if not other.address:
                raise
            ready(other.address, already=True)  # it is what somebody wanted who starts the game a second time
            return 0
    except (SettingError, ServeError) as error:
        raise Failure(str(error)) from None


# What the commands share


def _make_ready(bots: Iterable["Bot"], game: "Game") -> None:
    """Let bots do what they need before a game, in sight of whoever waits for it."""
    from rowlock.bots import BotError
    from rowlock.terminal.solving import make_ready

    try:
        make_ready(bots, game.variant, len(game.players))
    except BotError as error:
        raise Failure(str(error)) from None


def _variants(files: Sequence[str]) -> list[Variant]:
    """Users' own variants, each under a name of its own."""
    found: dict[str, Variant] = {}
    for file in files:
        variant = _variant(file)
        if variant.id in found:
            raise Failure(f"{file}: id must be one of its own, {variant.id} has been read from another file")
        found[variant.id] = variant
    return list(found.values())


def _variant(name: str) -> Variant:
    try:
        return find_setup(name).variant
    except VariantError as error:
        raise Failure(str(error)) from None


def _complete_variants() -> list[str]:
    return list(game_names())


def _complete_bots(incomplete: str) -> list[str]:
    from rowlock.bots import bot_names

    first = incomplete.rpartition(",")[0]
    return [f"{first},{name}" if first else name for name in bot_names()]


VariantFiles = Annotated[
    list[str] | None,
    typer.Option(
        "--variant-file", metavar="FILE.toml", help="A variant of your own that records may name; repeatable."
    ),
]


Think = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", help="Let bots that can (the champion) look ahead for so long."),
]


# The commands


@app.command()
def play(
    game: Annotated[
        str,
        typer.Argument(
            metavar="VARIANT|FILE.rlk",
            help="The game to play, or a saved one to go on with.",
            autocompletion=_complete_variants,
        ),
    ] = "classic",
    players: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help="People at this keyboard, in turn order: Anna,Ben. The first one begins."),
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            metavar="BOTS",
            help="Bots, after the people: greedy,random; see `rowlock bots`. 'none' for no bot; alone you play greedy.",
            autocompletion=_complete_bots,
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="The same seed gives the same dice, or cards.")] = None,
    save: Annotated[
        str | None,
        typer.Option(metavar="FILE.rlk", help="Where the game is saved; else a file in your data directory."),
    ] = None,
    think: Think = None,
    variant_file: VariantFiles = None,
) -> int:
    """Play in the terminal: people at one keyboard, bots, or both.

    Everything that happens is saved at once. Stop whenever you like (q, or Ctrl-C) and go on later.

    \b
    rowlock play                                      you against greedy
    rowlock play longo --players Anna,Ben             two people
    rowlock play bonus-a --players Anna --bots greedy,greedy
    rowlock play cards+jokers                         the card game, with jokers or without
    rowlock play my.toml                              a variant of your own
    rowlock play saved.rlk                            go on with a saved game
    """
    from rowlock.bots import BotError
    from rowlock.bots.bot import check_seconds
    from rowlock.terminal.opening import Wishes, open_table
    from rowlock.terminal.play import Table, run
    from rowlock.terminal.screen import TerminalScreen, make_console

    files = variant_file or []
    if think is not None:
        try:
            check_seconds(think)
        except BotError as error:
            raise Failure(str(error)) from None
    opened = open_table(Wishes(game, players, bots, seed, save, files, _variants(files)))
    seated, variant, count = opened.bots, opened.game.variant, len(opened.game.players)
    unready = [bot for bot in seated.values() if bot.needs(variant, count)]
    if think is not None:
        seated = {seat: bot.thinking(think) for seat, bot in seated.items()}
        unready = [*seated.values()]
    if unready:  # what makes them ready takes long to load; most games do without
        try:
            _make_ready(unready, opened.game)
        except BaseException:
            opened.file.discard()
            raise
    table = Table(opened.game, seated, TerminalScreen(make_console()), opened.file.write)
    try:
        return run(table, opened.resume)
    except BotError as error:
        raise Failure(f"{error}; the game is saved, go on with: {opened.resume}", BROKEN_RULE) from error


@app.command()
def variants() -> None:
    """List the games, one line each."""
    from rowlock.terminal import draw
    from rowlock.terminal.screen import make_console

    console = make_console()
    console.print(
        draw.variant_list([find_variant(name) for name in variant_ids()], wrap=console.is_terminal), crop=False
    )


@app.command()
def show(
    variant: Annotated[
        str,
        typer.Argument(
            metavar="VARIANT", help="A game's name, or your own .toml file.", autocompletion=_complete_variants
        ),
    ],
) -> None:
    """Draw the sheet of a game and say what is special about it.

    \b
    rowlock show mixx-a
    rowlock show cards+jokers      the card game, with jokers or without
    rowlock show my.toml           a variant of your own
    rowlock show longo | less      no colours in a pipe, letters instead
    """
    from rowlock.terminal import draw
    from rowlock.terminal.screen import make_console

    try:
        found = find_setup(variant)
    except VariantError as error:
        raise Failure(str(error)) from None
    console = make_console()
    console.print(draw.variant_sheet(found, draw.Look.of(console)), crop=False)


@app.command()
def replay(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Records to read; - for standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per game and line.")] = False,
    each: Annotated[
        bool, typer.Option("--each", help="With --json: an object for every decision, as things stood before it.")
    ] = False,
    variant_file: VariantFiles = None,
) -> int:
    """Check the records of games and tell what came of them.

    A record that breaks a rule gets one line on standard error: file, line, turn, player, what is wrong and a code.
    Exit status: 0 all is well, 1 a record breaks a rule, 2 wrong usage or a file that cannot be read.

    \b
    rowlock replay game.rlk
    rowlock replay --json *.rlk
    rowlock replay --json --each - < game.rlk
    """
    from rowlock.terminal import replay as reading

    if each and not as_json:
        raise Failure("--each goes with --json")
    for stream in (sys.stdout, sys.stderr):
        # Records are UTF-8 whatever the locale is; the names of files come out byte for byte as they were given.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
    try:
        return reading.replay(files, _variants(variant_file or []), as_json=as_json, each=each)
    except BrokenPipeError:
        return BROKEN_PIPE


@app.command()
def bots() -> None:
    """List the bots, from the weakest up: their levels, and what they are called in the browser."""
    from rowlock.bots import LEVELS, BotError, bot_names, find_bot
    from rowlock.locale import catalogue

    typer.echo(f"{'level':6} {'bot':10} {'browser':8} plays")
    for name in bot_names():
        level, called = LEVELS.index(name) + 1 if name in LEVELS else "", ""
        try:
            bot = find_bot(name)
            about = inspect.getdoc(bot)
            if bot.offered:
                called = catalogue("en").get(f"bot.{name}.name", [""])[0]
        except BotError as error:
            about = str(error)
        typer.echo(f"{level:<6} {name:10} {called:8} {about}")


@app.command()
def arena(
    players: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT", help="Who plays, 1 to 5 bots (rowlock bots lists them).", autocompletion=_complete_bots
        ),
    ],
    variant: Annotated[
        str, typer.Option(help="The game, or the file of your own.", autocompletion=_complete_variants)
    ] = "classic",
    games: Annotated[int | None, typer.Option(help="How many games; 10,000 unless --until is given.")] = None,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same games.")] = None,
    until: Annotated[
        float | None, typer.Option(help="Play until every 95 % interval is this many percentage points wide.")
    ] = None,
    workers: Annotated[int | None, typer.Option(help="Threads or processes; as many as there are cores.")] = None,
    ray: Annotated[
        str | None, typer.Option(metavar="ADDRESS|local", help="Play on a Ray cluster (needs rowlock\\[cluster]).")
    ] = None,
    records: Annotated[str | None, typer.Option(help="Write every game to this file.")] = None,
    game: Annotated[int | None, typer.Option(help="Play one game of the run alone, by its number from 0.")] = None,
    plot: Annotated[str | None, typer.Option(help="Draw points and margins to this .png or .svg file.")] = None,
    move_timeout: Annotated[
        float, typer.Option(help="Seconds a bot in plain Python may take for a move, besides --think.")
    ] = 10.0,
    think: Think = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as one JSON object.")] = False,
) -> None:
    """Let bots play each other, and tell who is better and how sure that is.

    \b
    rowlock arena greedy evolved
    rowlock arena random eager greedy --variant longo --games 100000 --plot points.png
    rowlock arena evolved greedy --until 0.5 --seed 1 --json
    rowlock arena greedy eager --variant cards+jokers
    """
    from rich.console import Console

    if not (cache_directory() / "compiled").is_dir():
        typer.echo("compiling the rules, once ...", err=True)  # the imports below do it
    from rowlock.arena import match
    from rowlock.arena.match import GAMES, make_setting
    from rowlock.arena.plot import check_plot
    from rowlock.arena.plot import plot as draw
    from rowlock.terminal import report
    from rowlock.terminal.solving import make_ready

    try:
        if plot:
            check_plot(plot)
        setting = make_setting(players, variant, seed)
        make_ready(setting.bots, setting.variant, len(setting.bots))
        total = 1 if game is not None else games or (None if until else GAMES)
        progress = report.Running(Console(stderr=True), total)
        try:
            result = match(
                players,
                variant,
                games,
                seed=seed,
                until=until,
                workers=workers,
                ray=ray,
                records=records,
                game=game,
                move_timeout=move_timeout,
                think=think,
                progress=progress,
            )
        finally:
            progress.stop()
    except ValueError as error:
        raise Failure(str(error)) from None
    if as_json:
        typer.echo(json.dumps(result.as_json(), ensure_ascii=False))
    else:
        report.show(Console(highlight=False), result)
    if plot:
        draw(result, plot)


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="The address to listen at; 0.0.0.0 lets others in.")] = None,
    port: Annotated[int | None, typer.Option(help="The port to listen at; 0 takes a free one.")] = None,
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="Where tables are kept: sqlite:///FILE or postgresql://….")
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(metavar="URL", help="The address people use, behind a reverse proxy.")
    ] = None,
    sync: Annotated[str | None, typer.Option(help="normal survives kill -9, full also a power cut.")] = None,
    setting: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="Any other setting; repeatable.")
    ] = None,
) -> int:
    """Serve tables to browsers, terminals and bots.

    Settings can also stand in the environment: ROWLOCK_PORT=80. The documentation lists them all.

    \b
    rowlock serve
    rowlock serve --host 0.0.0.0 --port 80
    rowlock serve --database postgresql://user@host/rowlock --setting keep_days=30
    """
    from rowlock.server.run import ServeError
    from rowlock.server.run import serve as run
    from rowlock.server.settings import SettingError, read_settings

    named = {"host": host, "port": port, "database": database, "base_url": base_url, "sync": sync}
    given = [(name, value) for name, value in named.items() if value is not None]
    given += [(name, value) for name, _, value in (one.partition("=") for one in setting or [])]
    try:
        settings = read_settings(given=given)
        known = f", known as {settings.base_url}" if settings.base_url else ""
        return run(settings, ready=lambda address: typer.echo(f"rowlock serves at {address}{known}"))
    except (SettingError, ServeError) as error:
        raise Failure(str(error)) from None


@app.command()
def join(
    address: Annotated[str, typer.Argument(metavar="URL", help="A server's address with a table's code: host/ABC234.")],
    name: Annotated[str, typer.Option(metavar="NAME", help="What you are called at the table.")] = "",
    bot: Annotated[
        str | None,
        typer.Option(metavar="BOT", help="Let this bot play instead of you.", autocompletion=_complete_bots),
    ] = None,
) -> int:
    """Play at a server's table from this terminal, or let a bot play there.

    The seat is kept on this machine: whoever stops (q, or Ctrl-C) comes back to it with the same command.

    \b
    rowlock join http://127.0.0.1:8000/ABC234 --name Anna
    rowlock join http://127.0.0.1:8000/ABC234 --bot greedy
    """
    from rowlock.bots import BotError, find_bot
    from rowlock.server.client import ServerError
    from rowlock.terminal.join import Visit, let_play, sit_down
    from rowlock.terminal.play import INTERRUPTED, Quit
    from rowlock.terminal.screen import TerminalScreen, make_console

    screen = TerminalScreen(make_console())
    try:
        player = find_bot(bot) if bot else None
        client, seat = sit_down(address, name or bot or t("seat.me"))
        if player:
            let_play(player, client, screen)
            seat.forget()
        else:
            Visit(client, seat, screen).play()
    except BotError as error:
        raise Failure(str(error)) from None
    except ServerError as error:
        raise Failure(str(error), BROKEN_RULE) from None
    except (Quit, EOFError):
        status = 0
    except KeyboardInterrupt:
        status = INTERRUPTED
        screen.say("")
    else:
        return 0
    options = [word for option, value in (("--name", name), ("--bot", bot)) if value for word in (option, value)]
    screen.say(t("terminal.seat-kept", command=shlex.join(["rowlock", "join", address, *options])), unbroken=True)
    return status


@app.command()
def solve(
    variant: Annotated[
        str, typer.Argument(help="The game, or the file of your own.", autocompletion=_complete_variants)
    ],
    players: Annotated[
        int, typer.Option(min=1, max=5, help="At a friendly table of so many: own turns come round, nobody interferes.")
    ] = 1,
    wait: Annotated[int, typer.Option(min=0, help="How many others' turns come before the first own one.")] = 0,
    lucky: Annotated[str | None, typer.Option(help="The lucky numbers, like 5/8; without them there are none.")] = None,
    plot: Annotated[
        str | None, typer.Option(help="Draw scores, misthrows and the first roll to this .png or .svg file.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the value as one JSON object.")] = False,
) -> None:
    """The expected score of perfect play, exactly; solved once, kept on disk, answered at once ever after.

    \b
    rowlock solve classic
    rowlock solve classic --players 4 --wait 1
    rowlock solve longo --lucky 5/8 --plot longo.png
    """
    if not (cache_directory() / "compiled").is_dir():
        typer.echo("compiling the rules, once ...", err=True)  # the imports below do it
    from rowlock.arena.plot import check_plot
    from rowlock.arena.solved import plot_solution
    from rowlock.solver.space import Space
    from rowlock.solver.store import Interrupted
    from rowlock.terminal.solving import solution_of

    if wait >= players:
        raise Failure(f"among {players} at most {players - 1} turns of others come before one's own, not {wait}")
    try:
        if plot:
            check_plot(plot)
        solution, cached = solution_of(Space(_variant(variant), _lucky(variant, lucky)), players)
    except (ValueError, Interrupted) as error:
        raise Failure(str(error)) from None
    told = {
        "variant": solution.space.variant.id,
        "players": players,
        "wait": wait,
        "lucky": lucky,
        "value": solution.value(wait=wait),
        "states": solution.states,
        "seconds": solution.seconds,
        "cached": cached,
    }
    if as_json:
        typer.echo(json.dumps(told))
    else:
        how = "from disk" if cached else f"solved in {solution.seconds:.1f} s"
        typer.echo(f"{told['value']:.4f} points expected ({solution.states:,} states, {how})")
    if plot:
        plot_solution(solution, plot)


def _lucky(variant: str, text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    low, _, high = text.partition("/")
    if not (low.isdecimal() and high.isdecimal()):
        raise Failure(f"lucky numbers are written like 5/8, not {text}")
    try:
        return check_lucky(_variant(variant), [(int(low), int(high))], 1)[0]
    except ValueError as error:
        raise Failure(str(error)) from None


@app.command()
def hint(
    file: Annotated[str, typer.Argument(help="The record of an unfinished game for one.")],
    variant_file: VariantFiles = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the options as one JSON object.")] = False,
) -> None:
    """Every legal option of a game for one with the final score it leads to on average, best first."""
    from rowlock.rules.notation import read
    from rowlock.solver import hint as hints
    from rowlock.solver.space import NotSolvable
    from rowlock.solver.store import Interrupted
    from rowlock.terminal.solving import solution_of

    try:
        game = list(read(file, variants=_variants(variant_file or [])))[-1]
        space = hints.space_of(game)
        if game.over:
            raise Failure(f"{file}: the game is over")
        if not game.to_act:
            raise Failure(f"{file}: the game waits for no decision; end its record after the dice or the white mark")
        solution, _ = solution_of(space, 1)
    except IndexError:
        raise Failure(f"{file}: there is no game in it") from None
    except (NotSolvable, Interrupted) as error:
        raise Failure(str(error)) from None
    except OSError as error:
        raise Failure(f"{file}: cannot be read: {error.strerror}") from None
    options = hints.worths(game, solution)
    if as_json:
        told = [{"option": option, "value": value} for option, value in options]
        typer.echo(json.dumps({"variant": game.variant.id, "phase": game.phase, "options": told}))
    else:
        for option, value in options:
            typer.echo(f"{value:9.4f}  {option}")


@app.command()
def train(
    variant: Annotated[
        str, typer.Argument(help="The game, or the file of your own.", autocompletion=_complete_variants)
    ],
    solo: Annotated[bool, typer.Option("--solo", help="Learn to play alone, for points, not against others.")] = False,
    steps: Annotated[
        int, typer.Option(min=1, help="How long: with dice 20,000 steps are about six minutes on one core.")
    ] = 20_000,
    seed: Annotated[int, typer.Option(min=0, max=2**20, help="On cores the same seed gives the same weights.")] = 1,
    bot: Annotated[str, typer.Option(help="Who learns: the champion, or the yardstick `scholar`.")] = "champion",
    out: Annotated[str | None, typer.Option(metavar="FILE.npz", help="Where the weights go.")] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="As many as there are cores unless told.")] = None,
    gpu: Annotated[bool, typer.Option("--gpu", help="Learn on a GPU; needs the extra rowlock\\[gpu].")] = False,
    plot: Annotated[str | None, typer.Option(help="Draw the learning curves to this .png or .svg file.")] = None,
) -> int:
    """Teach the champion a game, by games against itself.

    For a variant of your own the weights are kept where the champion looks for them; for a built-in game name a file.
    Ctrl-C stops, the same command goes on.

    \b
    rowlock train my.toml --plot curves.png
    rowlock train classic --solo --out solo.npz
    """
    from pathlib import Path

    from rowlock.arena.plot import check_plot
    from rowlock.networks.weights import weights_path
    from rowlock.places import data_directory
    from rowlock.terminal.training import train as run
    from rowlock.train.plot import plot as draw
    from rowlock.train.scholar import ScholarTraining
    from rowlock.train.training import Settings, Training, TrainingError

    found, settings = _variant(variant), Settings("solo" if solo else "several", steps, seed)
    pupils: dict[str, type[Training]] = {"champion": Training, "scholar": ScholarTraining}
    if bot not in pupils:
        raise Failure(f"{bot!r} cannot learn; {' and '.join(pupils)} can")
    if gpu and bot != "champion":
        raise Failure(f"{bot} does not learn on a GPU; without --gpu it learns on the cores")
    if out is None and found.id in variant_ids():
        raise Failure(f"{found} is built in; --out FILE.npz says where the weights go")
    unfinished = data_directory() / "trainings" / f"{bot}-{found}-{settings.table}.npz"
    try:
        if plot:
            check_plot(plot)
        begun = unfinished.exists()
        pupil = pupils[bot]
        if gpu:
            from rowlock.train.gpu import GpuTraining, make_ready

            make_ready()
            pupil = GpuTraining
        training = pupil.load(unfinished, found, settings) if begun else pupil.begin(found, settings)
        weights = Path(out) if out else weights_path(bot, found)
        if not run(training, unfinished, weights, threads):
            complain("rowlock: stopped; the same command goes on from the last point of the curves")
            return 130
    except (TrainingError, ValueError) as error:
        raise Failure(str(error)) from None
    unfinished.unlink(missing_ok=True)
    if plot:
        draw(training, plot)
    typer.echo(f"learnt {found}, {'alone' if solo else 'against others'}: {weights}")
    return 0


@app.command(hidden=True)
def warm() -> None:
    """Compile the rules and keep the result, so that the first game need not wait for it."""
    from rowlock.arena import match
    from rowlock.bots import CompiledBot, find_bot
    from rowlock.bots.registry import BUILT_IN

    for name in BUILT_IN:
        CompiledBot(find_bot(name))
    for variant in map(find_variant, ("classic", "cards")):
        find_bot("champion").thinking(1.0).prepare(variant, 2)
    match(["random"], games=1)
