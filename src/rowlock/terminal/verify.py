"""Reads records and prints whether the chance of every game follows from its secrets."""

import sys
from collections.abc import Sequence

from rowlock.locale import n, t
from rowlock.rules.fairness import FairSeed, commitment, first_difference
from rowlock.rules.game import Game
from rowlock.rules.variant import Variant
from rowlock.terminal.errors import BROKEN_RULE
from rowlock.terminal.records import Records, read_games


def verify(files: Sequence[str], variants: Sequence[Variant]) -> int:
    """Verify the games of the files, print a result for each and return the exit status."""
    records: Records[Game] = Records(files, variants, read_games, quiet=False)
    status, with_games = 0, set[str]()
    for file, number, game in records:
        with_games.add(file)
        verified, lines = _check(game)
        status = status if verified else BROKEN_RULE
        heading, *more = lines
        sys.stdout.write(f"{t('terminal.verify-game', file=file, number=number, text=heading)}\n")
        sys.stdout.writelines(f"  {line}\n" for line in more)
    return max(status, records.status, 0 if with_games >= set(files) else BROKEN_RULE)


def _check(game: Game) -> tuple[bool, list[str]]:
    """Whether all chance of a game is proved, and what to say about it."""
    try:
        fair = FairSeed.of_tags(game.tags)
    except ValueError as error:
        return False, [str(error)]
    if fair is None:
        return False, [t("terminal.verify-no-secrets")]
    difference = first_difference(game, fair)
    if difference is not None:
        key = "terminal.verify-turn" if difference.turn else "terminal.verify-order"
        return False, [t(key, **difference._asdict())]
    if not game.over:
        return False, [t("terminal.verify-unfinished", turn=game.turn)]
    drawn = sum(1 for _, text in game.chance_points() if text)
    commitments = [(t("terminal.verify-table", table=fair.table), fair.seed), *fair.shares]
    no_share = t("terminal.verify-no-share")
    lines = [f"{commitment(secret) if secret else no_share:64}  {name}" for name, secret in commitments]
    void = [n("fair.void-starts", fair.void_starts)] if fair.void_starts else []
    return True, [n("terminal.verify-proved", drawn), *void, t("terminal.verify-commitments"), *lines]
