"""Reviews as one HTML page that needs nothing else: tables, curves as SVG, every decision and roll."""

from collections.abc import Iterable, Sequence
from html import escape

from rowlock.analysis.review import Chance, JudgedDecision, Review
from rowlock.analysis.totals import totals
from rowlock.locale import capitalize, language, n, t
from rowlock.networks.option_values import GRADES
from rowlock.terminal import review as text
from rowlock.terminal import words
from rowlock.terminal.records import ReadGame
from rowlock.terminal.replay import game_line

WIDTH, HEIGHT, LEFT, BOTTOM = 400, 170, 44, 18  # of a curve, in its own units
STYLE = """
:root { color-scheme: light dark; --text: #1c1c1e; --page: #ffffff; --line: #c9c9ce; --dim: #5c5c63; --soft: #f3f3f5;
  --p0: #b3261e; --p1: #1f55a8; --p2: #17703a; --p3: #8a5a00; --p4: #6a3fa0; --doubtful: #7a5c00; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --text: #ececf0; --page: #16161a; --line: #45454d; --dim: #a5a5ad;
  --soft: #222228; --p0: #ff8a80; --p1: #8ab4f8; --p2: #7fd69b; --p3: #f2c21a; --p4: #c9a7f5; --doubtful: #f2c21a;
  --bad: #ff8a80; } }
body { margin: 0 auto; padding: 1rem; max-width: 60rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--text);
  background: var(--page); overflow-wrap: break-word; }
h1 { font-size: 1.4rem; }
h2 { font-size: 1.15rem; margin-top: 2.5rem; } h3 { font-size: 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid var(--line);
  vertical-align: top; white-space: nowrap; }
th:first-child, td:first-child, td.words, th.words { text-align: left; white-space: normal; }
td.words { min-width: 7rem; }
th { background: var(--soft); font-weight: 600; }
svg.curve { width: 100%; height: auto; max-width: 40rem; display: block; }
svg text { font-size: 10px; fill: var(--dim); }
svg path { fill: none; stroke-width: 1.5; }
svg.sample { width: 2rem; height: .6rem; vertical-align: middle; margin-right: .3rem; }
.legend { display: flex; flex-wrap: wrap; gap: 0 1rem; } .legend span { min-width: 0; }
.axis { stroke: var(--line); stroke-width: 1; }
.dim { color: var(--dim); }
.doubtful { color: var(--doubtful); }
.mistake, .blunder { color: var(--bad); font-weight: 600; }
details { margin-top: 1rem; } summary { cursor: pointer; }
@media (max-width: 40rem) {
  .players thead { display: none; }
  .players, .players tbody, .players tr, .players td { display: block; text-align: left; }
  .players tr { margin-bottom: .8rem; }
  .players td { display: flex; justify-content: space-between; padding-inline: 0; }
  .players td:first-child { font-weight: 600; }
  .players td::before { content: attr(data-label); color: var(--dim); }
  .players td:first-child::before, .players td:empty { display: none; }
  th, td { padding-inline: .3rem; }
  svg text { font-size: 12px; }
}
"""


def review_page(reviews: Sequence[tuple[ReadGame, Review]]) -> str:
    """The page of some reviews; with several games, their totals come first."""
    parts = [f"<h1>{escape(t('terminal.review-title'))}</h1>"]
    if len(reviews) > 1:
        parts += _totals([found for _, found in reviews])
    for read, found in reviews:
        parts += _game(read, found)
    policy = "default-src 'none'; style-src 'unsafe-inline'"  # nothing is loaded from anywhere
    return (
        f'<!doctype html>\n<html lang="{language()}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(t('terminal.review-title'))}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body>\n</html>\n"
    )


def _totals(reviews: Sequence[Review]) -> list[str]:
    heading = f"<h2>{escape(n('terminal.review-total', len(reviews)))}</h2>"
    tables = []
    for (variant, players), group in totals(reviews).items():
        tables.append(f"<h3>{escape(text.group_title(variant, players, reviews))}</h3>")
        tables.append(_table(*text.total_columns(group, players)))
    notes = filter(None, (t("terminal.review-per-game"), text.unfinished_text(reviews)))
    return [heading, *tables, *(f"<p>{escape(note)}</p>" for note in notes)]


def _game(read: ReadGame, found: Review) -> list[str]:
    solo = len(found.game.players) == 1
    parts = [
        f"<h2>{escape(game_line(read.game, read.file, read.number))}</h2>",
        f"<p>{escape(words.winners_text(read.game))}</p>",
        _table(*text.review_columns(found)),
        f"<p>{escape(text.without_luck(found))}</p>",
        _curve(found, solo),
    ]
    worst = found.worst(text.WORST)
    if worst:
        parts += [f"<h3>{escape(t('terminal.review-worst'))}</h3>", "<ol>"]
        for decision in worst:
            lines = map(escape, text.decision_lines(found, decision))
            parts.append(f"<li>{'<br>'.join(lines)}</li>")
        parts.append("</ol>")
    parts += [_events(found, solo), f'<p class="dim">{escape(text.values_note(found, solo))}</p>']
    return parts


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    labels = [escape(capitalize(heading)) for heading in (t("end.player"), *headings[1:])]
    head = "".join(f'<th scope="col">{label}</th>' for label in labels)
    body = "".join(
        "<tr>"
        + "".join(f'<td data-label="{label}">{escape(cell)}</td>' for label, cell in zip(labels, row, strict=True))
        + "</tr>"
        for row in rows
    )
    return f'<div class="wide"><table class="players"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _curve(found: Review, solo: bool) -> str:
    """The curve of every player, with a dot at each mistake and blunder."""
    curve, players = found.curve, found.game.players
    if len(curve) < 2:
        return ""
    top = max(value[0] for value in curve) if solo else 1.0
    bottom = min(0.0, *(value[0] for value in curve)) if solo else 0.0

    def at(index: int, value: float) -> tuple[float, float]:
        x = LEFT + (WIDTH - LEFT - 8) * index / (len(curve) - 1)
        return round(x, 1), round(8 + (HEIGHT - BOTTOM - 8) * (top - value) / ((top - bottom) or 1), 1)

    shapes = []
    for value in (bottom, (bottom + top) / 2, top):
        _, y = at(0, value)
        shapes.append(f'<line class="axis" x1="{LEFT}" x2="{WIDTH - 8}" y1="{y}" y2="{y}"/>')
        label = words.decimal(value, 0) if solo else f"{100 * value:.0f} %"
        shapes.append(f'<text x="{LEFT - 6}" y="{y + 4}" text-anchor="end">{label}</text>')
    for index in (0, len(found.events) - 1):
        x, _ = at(index + 1, 0.0)
        shapes.append(f'<text x="{x}" y="{HEIGHT - 4}" text-anchor="middle">{found.events[index].turn}</text>')
    for player in range(len(players)):
        points = [at(index, value[player]) for index, value in enumerate(curve)]
        path = "M" + " L".join(f"{x},{y}" for x, y in points)
        shapes.append(f'<path d="{path}" {_stroke(player)}/>')
        for index, event in enumerate(found.events, 1):
            if isinstance(event, JudgedDecision) and event.player == player and event.grade in GRADES[2:]:
                x, y = points[index]
                title = escape(f"{event.turn}. {words.option_text(event.played)}: {t(f'grade.{event.grade}')}")
                shapes.append(
                    f'<circle cx="{x}" cy="{y}" r="3" style="fill: var(--p{player})"><title>{title}</title></circle>'
                )
    legend = "".join(
        '<span><svg class="sample" viewBox="0 0 32 10" aria-hidden="true">'
        f'<path d="M0,5 L32,5" {_stroke(index)}/></svg>{escape(name)}</span>'
        for index, name in enumerate(players)
    )
    dots = f"<span>{escape(t('terminal.review-dots'))}</span>" if any("<circle" in shape for shape in shapes) else ""
    label = escape(t("terminal.values-points" if solo else "terminal.values-win"))
    return (
        f'<h3>{label}</h3><p class="legend">{legend}{dots}</p>'
        f'<svg class="curve" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">'
        + "".join(shapes)
        + "</svg>"
    )


def _stroke(player: int) -> str:
    """The colour of a player's line, and the style for readers who cannot tell the colours apart."""
    dash = ("none", "8 3", "2 3", "8 3 2 3", "12 4")[player]
    return f'style="stroke: var(--p{player})" stroke-dasharray="{dash}"'


def _events(found: Review, solo: bool) -> str:
    """A table of everything that happened, with the values after it and what it changed."""
    players = found.game.players
    names = "".join(f'<th scope="col">{escape(name)}</th>' for name in players)
    titles = "".join(
        f'<th scope="col" class="words">{escape(capitalize(t(f"terminal.review-{name}")))}</th>'
        for name in ("event", "judged")
    )
    rows = []
    before = found.start
    for event in found.events:
        cells = "".join(
            f"<td>{words.value(now, solo)}<br><span class=dim>{_change(now - earlier, solo)}</span></td>"
            for now, earlier in zip(event.value, before, strict=True)
        )
        what, judged = _words(found, event, solo)
        rows.append(
            f'<tr><td>{event.turn}</td><td class="words">{what}</td><td class="words">{judged}</td>{cells}</tr>'
        )
        before = event.value
    head = f'<th scope="col">{escape(capitalize(t("terminal.review-turn")))}</th>{titles}{names}'
    return (
        f"<details><summary>{escape(t('terminal.review-all'))}</summary>"
        f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div></details>'
    )


def _change(change: float, solo: bool) -> str:
    return words.signed(change if solo else 100 * change, 1)


def _words(found: Review, event: Chance | JudgedDecision, solo: bool) -> tuple[str, str]:
    """What happened, and how a decision is judged."""
    if isinstance(event, Chance):
        return escape(words.chance_text(event.what)), ""
    what = escape(f"{found.game.players[event.player]}: {words.option_text(event.played)}")
    if len(event.options) == 1:
        return what, ""
    grade = f'<span class="{event.grade}">{escape(t(f"grade.{event.grade}"))}</span>'
    if event.grade == GRADES[0]:
        return what, grade
    cost = escape(words.loss(event.loss, event.error, solo))
    better = escape(t("terminal.review-than", option=words.option_text(event.best)))
    return what, f"{grade} {cost}<br>{better}"
