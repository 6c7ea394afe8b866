"""Reviews: what every roll and every decision of a game changed, and what each decision cost.

The values along a game are those of a spectator, who sees what has been revealed so far. Each change belongs to one
event: to chance, or to the decision of one player. Simultaneous decisions come in seat order from the active player on,
and the champion makes those that are still open. So the value at the start and all changes add up to the result.

The loss of a decision is judged from what its player could know. It need not be the spectator's change.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from rowlock.analysis.hint import cells_left, consequences_of
from rowlock.analysis.values import DECIMALS, OptionValue, Values, grade, sure_loss, values_for
from rowlock.networks.option_values import GRADES, STAKES
from rowlock.rules import kernel
from rowlock.rules.game import BOTS_TAG, Decision, Game

# The mean loss per decision below which a player has each rating: shares of the win, in a solo game points; with more
# than two players times STAKES. In Classic for two each word is that of one bot, from
# champion to random, see docs/results/review.md.
RATINGS = ("champion", "expert", "strong", "steady", "learning", "beginner")
RATING_LIMITS, SOLO_RATING_LIMITS = (0.002, 0.007, 0.014, 0.025, 0.044), (0.1, 0.4, 0.9, 1.8, 5.0)


@dataclass(frozen=True)
class Chance:
    """A roll or a deal, and the values after it."""

    turn: int
    what: str
    value: list[float]
    kind: str = "chance"


@dataclass(frozen=True)
class JudgedDecision:
    """A decision: what it cost, its options with their values for the player, and the values after it."""

    turn: int
    phase: str
    player: int
    played: str
    best: str
    loss: float
    error: float  # the standard error of the loss
    grade: str
    options: list[OptionValue]  # the best one first
    value: list[float]
    kind: str = "decision"


@dataclass(frozen=True)
class Summary:
    """What a player's game was made of: `start + luck + own + others` is the result."""

    player: int
    decisions: int  # those with a choice
    loss: float
    grades: dict[str, int]
    rating: str | None  # None without decisions
    start: float
    luck: float
    own: float
    others: float
    result: float


@dataclass(frozen=True)
class Review:
    """The review of a game; values are shares of the win, in a solo game points."""

    game: Game = field(repr=False)
    source: str  # where the values come from: `network`, `round`, `game` or `exact`
    start: list[float]
    events: list[Chance | JudgedDecision]
    summary: list[Summary]

    @property
    def decisions(self) -> list[JudgedDecision]:
        return [event for event in self.events if isinstance(event, JudgedDecision)]

    @property
    def curve(self) -> list[list[float]]:
        """The values at the start and after every event."""
        return [self.start, *(event.value for event in self.events)]

    def worst(self, count: int = 3) -> list[JudgedDecision]:
        """The decisions that surely cost most, without those that are fine; those of the tag `Bots` come last."""
        bots = [player for player, bot in enumerate(self.game.tags.get(BOTS_TAG, "").split("; ")) if bot]
        graded = [one for one in self.decisions if one.grade != GRADES[0]]
        return sorted(graded, key=lambda one: (one.player in bots, -sure_loss(one.loss, one.error)))[:count]

    def consequences(self, decision: JudgedDecision, option: OptionValue) -> list[tuple[str, int, int]]:
        """What an option of a decision would have brought about, see `Hint`."""
        return consequences_of(self._moment(decision), decision.player, option.action)

    def cells_left(self, decision: JudgedDecision, option: OptionValue) -> list[tuple[int, int]]:
        """The rows in which an option of a decision would have made marks, with the cells behind the last mark."""
        return cells_left(self._moment(decision), decision.player, option.action)

    def _moment(self, decision: JudgedDecision) -> Game:
        """The game when a decision was made."""
        moments = (moment for moment, _ in self.game.decision_points())
        return next(one for one in moments if (one.turn, one.phase) == (decision.turn, decision.phase))

    def as_json(self) -> dict[str, Any]:
        """The object that `rowlock review --json` prints."""
        game = self.game
        return {
            "variant": str(game.setup),
            "players": list(game.players),
            "scores": list(game.scores),
            "winners": None if game.winners is None else list(game.winners),
            "source": self.source,
            "start": self.start,
            "events": [_event_as_json(event) for event in self.events],
            "summary": [asdict(one) for one in self.summary],
        }


def _event_as_json(event: Chance | JudgedDecision) -> dict[str, Any]:
    fields = {"turn": event.turn, "kind": event.kind, **vars(event)}
    if isinstance(event, JudgedDecision):
        fields["options"] = [one.as_json() for one in event.options]
    fields["value"] = fields.pop("value")  # the last one
    return fields


def review(
    game: Game,
    depth: str = "round",
    *,
    values: Values | None = None,
    progress: Callable[[float], None] = lambda _: None,
) -> Review:
    """Review a game as far as it has been played.

    `depth` is `network` (quick), `round` (roll-outs of one round) or `game` (roll-outs of whole games). `progress`
    receives the share of the work that is done.
    """
    values = values or values_for(game, depth)
    points = [*game.decision_points()]
    start = values.of_node(_beginning(game), {})
    events: list[Chance | JudgedDecision] = []
    for i, (moment, decisions) in enumerate(points):
        events += _chance_events(moment, values)
        events += _judged_decisions(moment, decisions, values)
        progress((i + 1) / len(points))
    if game.to_act:
        events += _chance_events(next(reversed([*game.moments()])), values)
    return Review(game, values.source, start, events, _summaries(game, start, events))


def _beginning(game: Game) -> Game:
    """The game before its first roll or deal."""
    beginning = game.copy()
    while beginning.between_turns or beginning.phase not in ("roll", "deal") or beginning.turns_completed:
        beginning.undo()
    return beginning


def _chance_events(moment: Game, values: Values) -> list[Chance | JudgedDecision]:
    """The roll or deal before a decision point, if there was one."""
    if moment.phase in ("colour", "play"):
        return []
    cards = moment.view().cards
    what = moment.dice or ""
    if cards:
        what = f"{cards.top}:" if moment.phase == "white" else " ".join(cards.display)
    return [Chance(moment.turn, what, values.of_node(moment, {}))]


def _judged_decisions(moment: Game, decisions: Mapping[int, Decision], values: Values) -> list[Chance | JudgedDecision]:
    judged: list[Chance | JudgedDecision] = []
    made: dict[int, Decision] = {}
    players = len(moment.players)
    for player in sorted(decisions, key=lambda p: kernel.turns_between(moment.active, p, players)):
        made[player] = decisions[player]
        action = decisions[player].action
        options = values.of_options(moment, player, action)
        played = next(one for one in options if one.action == action)
        best = options[0]
        loss = round(best.value - played.value, DECIMALS)
        value = values.of_node(moment, made)
        judged.append(
            JudgedDecision(
                moment.turn,
                moment.phase,
                player,
                played.option,
                best.option,
                loss,
                played.error,
                grade(loss, played.error, players),
                options,
                value,
            )
        )
    return judged


def _summaries(game: Game, start: list[float], events: list[Chance | JudgedDecision]) -> list[Summary]:
    players = len(game.players)
    summaries = []
    for player in range(players):
        parts = {"luck": 0.0, "own": 0.0, "others": 0.0}
        before = start[player]
        for event in events:
            part = "luck" if isinstance(event, Chance) else "own" if event.player == player else "others"
            parts[part] += event.value[player] - before
            before = event.value[player]
        own = [
            one for one in events if isinstance(one, JudgedDecision) and one.player == player and len(one.options) > 1
        ]
        loss = sum(one.loss for one in own)
        grades = {name: sum(one.grade == name for one in own) for name in GRADES[1:]}
        rounded = {name: round(value, DECIMALS) for name, value in parts.items()}
        rating = rating_of(loss / len(own), players) if own else None
        summaries.append(
            Summary(
                player, len(own), round(loss, DECIMALS), grades, rating, start=start[player], result=before, **rounded
            )
        )
    return summaries


def rating_of(mean_loss: float, players: int) -> str:
    """The word for a mean loss per decision."""
    limits = SOLO_RATING_LIMITS if players == 1 else RATING_LIMITS
    return RATINGS[sum(mean_loss / STAKES[players] >= limit for limit in limits)]
