"""The card game, docs/rules/cards.md: what is not said there is Classic, or the Mixx sheet it is played on."""

import random
from collections import Counter
from itertools import combinations, product

import pytest

from rowlock import Game, Illegal, RecordError, Sheet, VariantError, find_variant, parse, testing
from rowlock.rules.card_game import CardGame, CardTurn
from rowlock.rules.cards import SeenCards
from rowlock.rules.variant import find_setup
from tests.positions import EMPTY, deck, play, shorten, table

CARDS = [f"{colour}{number}" for colour in "rygb" for number in range(2, 13)]
ANNA, BEN = "r4 r5 r7 y2", "b2 b3 b4 b5"
DISPLAY, PILE = "g9 g8 y6 b11", "y12 g3"
FIVE_RED = "R2,3,4,5,6 Y- G- B- x0"
CARD_GAMES = ("cards", "cards-mixx-a", "cards-mixx-b")


def playing(
    variant: str,
    hand: str,
    sheet: str = EMPTY,
    *,
    number: int = 3,
    white: str = "-",
    others: tuple[str, ...] = (),
) -> Game:
    """Anna holds these five cards, this number was announced, she made this mark and is to play."""
    game = announced(variant, hand, [sheet, *others], number)
    play(game, white, *("-" for _ in others))
    return game


def announced(variant: str, hand: str, sheets: list[str], number: int) -> Game:
    """Anna holds these five cards, and this number is on top of the pile."""
    jokers = find_setup(variant).jokers
    *four, fifth = hand.split()
    free = [card for card in deck("", jokers).split() if card not in hand.split()]
    top = next(card for card in free if int(card[1:]) == number)
    free.remove(top)
    hands = [" ".join(four), *(" ".join(free.pop() for _ in range(4)) for _ in sheets[1:])]
    display = " ".join([fifth, *(free.pop() for _ in range(3))])
    game = table(variant, hands, display, f"{free.pop()} {top}", sheets=sheets)
    game.play(0, fifth)
    return game


def marks(game: Game, cards: str) -> set[str]:
    """What can be marked with exactly these cards."""
    return {marked for played, marked in (option.split(" = ") for option in game.options(0)) if played == cards}


def seen(game: Game, seat: int | None = None) -> SeenCards:
    found = game.view(seat).cards
    assert found
    return found


def refused(game: Game, option: str, code: str, why: str) -> None:
    with pytest.raises(Illegal, match=why) as illegal:
        game.play(0, option)
    assert illegal.value.code == code


# The cards


def test_forty_four_cards() -> None:
    """Every number from 2 to 12 in four colours, each card once (docs/rules/cards.md, Cards)."""
    game = Game("cards", 2, seed=0)
    assert Counter(game.pile) == Counter(CARDS)
    assert len(CARDS) == 44


@pytest.mark.parametrize("variant", CARD_GAMES)
def test_eleven_jokers_join(variant: str) -> None:
    """With jokers there is one more card of every number (docs/rules/cards.md, Cards)."""
    game = Game(f"{variant}+jokers", 2, seed=0)
    assert Counter(game.pile) == Counter([*CARDS, *(f"j{number}" for number in range(2, 13))])
    assert (str(game.setup), str(game.variant)) == (f"{variant}+jokers", variant)
    assert game.variant.id == variant


def test_a_card_game_has_cards() -> None:
    with pytest.raises(ValueError, match="classic has no cards"):
        CardGame("classic", 2)


def test_jokers_are_for_cards() -> None:
    with pytest.raises(VariantError, match="classic has no jokers, it is no card game"):
        find_setup("classic+jokers")


@pytest.mark.parametrize(
    ("variant", "sheet"), [("cards", "classic"), ("cards-mixx-a", "mixx-a"), ("cards-mixx-b", "mixx-b")]
)
def test_three_sheets(variant: str, sheet: str) -> None:
    """It is played on the sheet of Classic, of Mixx A or of Mixx B (docs/rules/cards.md, Cards)."""
    assert find_variant(variant).rows == find_variant(sheet).rows
    assert (find_variant(variant).needed, find_variant(variant).closing) == (5, 1)


def test_a_deck_is_shuffled() -> None:
    """A seed gives a deck, another one another; a deck that is named is played with (docs/rules/cards.md, Set-up)."""
    assert Game("cards", 2, seed=1).pile == Game("cards", 3, seed=1).pile
    assert Game("cards", 2, seed=1).pile != Game("cards", 2, seed=2).pile
    assert Game("cards", 2, seed=1, number=1).pile != Game("cards", 2, seed=1).pile
    named = deck("b2 r12")
    assert Game("cards", 2, seed=1, deck=named).deal() == named
    assert Game("cards", 2, seed=1).deal(named) == named


def test_dealing() -> None:
    """A card at a time to everybody in turn, four each; four to the display; the rest is the pile.

    (docs/rules/cards.md, Set-up)
    """
    game = Game("cards", 3, deck=" ".join(CARDS))
    game.deal()
    assert game.hands == (("r2", "r5", "r8", "r11"), ("r3", "r6", "r9", "r12"), ("r4", "r7", "r10", "y2"))
    assert game.display == ("y3", "y4", "y5", "y6")
    assert game.pile == tuple(CARDS[16:])
    assert game.discards == ()


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_players(players: int) -> None:
    """Two to five play, or one for practice (docs/rules/cards.md, Players)."""
    game = Game("cards", players, seed=0)
    game.deal()
    assert [len(hand) for hand in game.hands] == [4] * players
    assert (len(game.display), len(game.pile)) == (4, 40 - 4 * players)


# Step 1: taking


def test_a_player_with_four_cards_takes_one() -> None:
    """Any card of the display, and no other decision (docs/rules/cards.md, Taking)."""
    game = table("cards", [ANNA, BEN], DISPLAY, PILE)
    assert (game.phase, game.to_act) == ("take", (0,))
    assert game.options(0) == ["b11", "g8", "g9", "y6"]
    assert game.options(1) == []
    game.play(0, "y6")
    assert game.hands[0] == ("r4", "r5", "r7", "y2", "y6")


@pytest.mark.parametrize(("played", "lacks"), [("r4 = R4", 1), ("r4,r5 = R4 R5", 2), ("r4,r5,r7 = -", 3)])
def test_as_many_are_taken_as_were_played(played: str, lacks: int) -> None:
    """Until five are held: every choice of so many cards (docs/rules/cards.md, Taking)."""
    game = table("cards", [ANNA], "g9 g8 y6 b11", "y12 g3")
    game.play(0, "g9")
    play(game, "R3")
    game.play(0, played)
    game.deal()
    assert len(game.hands[0]) == 5 - lacks
    cards = sorted(game.display, key=lambda card: ("rygb".index(card[0]), int(card[1:])))
    assert game.options(0) == sorted(",".join(choice) for choice in combinations(cards, lacks))
    game.play(0, game.options(0)[0])
    assert len(game.hands[0]) == 5


def test_the_display_is_filled_up() -> None:
    """From the top of the pile, to four cards again (docs/rules/cards.md, Taking)."""
    game = table("cards", [ANNA], "g9 g8 y6 b11", "y12 g3 b9 r12 b7 b8")
    game.play(0, "g8")
    assert game.display == ("g9", "y12", "y6", "b11")
    play(game, "-")
    game.play(0, "r4,r5,r7 = R4 R5 R7")
    game.deal()
    game.play(0, "g9,y6,b11")
    assert set(game.display) == {"y12", "g3", "b9", "r12"}
    assert game.pile[:2] == ("b7", "b8")


@pytest.mark.parametrize(
    ("option", "code", "why"),
    [
        ("r2", "cards", "r2 is not in the display"),
        ("r4", "cards", "r4 is not in the display"),
        ("y12", "cards", "y12 is not in the display"),
        ("g9,g8", "cards", "1 card must be taken for a hand of 5, not 2"),
        ("-", "syntax", "- are no cards; cards are taken like g9 or g9,b2"),
        ("", "syntax", "cards are taken like"),
        ("g9,", "syntax", "cards are taken like"),
        ("R9", "syntax", "cards are taken like"),
        ("g9 = G9", "syntax", "cards are taken like"),
    ],
)
def test_what_cannot_be_taken(option: str, code: str, why: str) -> None:
    """Cards of the display, as many as are lacking (docs/rules/cards.md, Taking)."""
    refused(table("cards", [ANNA, BEN], DISPLAY, PILE), option, code, why)


def test_cards_can_be_named_in_any_order() -> None:
    game = table("cards", [ANNA], DISPLAY, PILE)
    game.play(0, "g9")
    play(game, "-")
    game.play(0, "r7,r5 = R5 R7")
    game.deal()
    refused(game, "g8,g8", "cards", "g8 is taken twice")
    refused(game, "g8,y6,b11", "cards", "2 cards must be taken for a hand of 5, not 3")
    game.play(0, "b11,y6")
    assert str(game.turns[-1]).startswith("y6,b11 ")
    assert str(game.turns[0]).endswith(" / r5,r7 = R5 R7")


# Step 2: the announced number


def test_the_number_on_top_after_filling_up() -> None:
    """The display draws the twelve first, so three is announced; its card stays (docs/rules/cards.md, Announcing)."""
    game = table("cards", [ANNA, BEN], DISPLAY, PILE)
    game.play(0, "g9")
    assert game.pile[0] == "g3"
    assert game.options(0) == ["-", "B3", "G3", "R3", "Y3"]
    play(game, "-", "-")
    assert game.pile[0] == "g3"


def test_everybody_may_mark_it() -> None:
    """In one row of their own choice, whatever the colour of the card (docs/rules/cards.md, Announcing)."""
    game = table("cards", [ANNA, BEN, "g2 g4 g5 g6"], DISPLAY, PILE)
    game.play(0, "g9")
    assert game.to_act == (0, 1, 2)
    play(game, "R3", "B3", "-")
    assert [str(sheet) for sheet in game.sheets] == ["R3 Y- G- B- x0", "R- Y- G- B3 x0", EMPTY]


def test_nobody_marks_another_number() -> None:
    """Not even the number of a card in hand (docs/rules/cards.md, Announcing)."""
    game = table("cards", [ANNA, BEN], DISPLAY, PILE)
    game.play(0, "g9")
    refused(game, "R4", "sum", "R4: the announced number is 3")
    refused(game, "x", "misthrow", "- is no mark")


def test_decisions_are_hidden_until_all_have_decided() -> None:
    """Nothing is marked before, and a decision can be taken back (docs/rules/cards.md, ruling 1)."""
    game = table("cards", [ANNA, BEN], DISPLAY, PILE)
    game.play(0, "g9")
    game.play(0, "R3")
    assert (game.to_act, game.sheets[0].total) == ((1,), 0)
    assert (game.view(0).decision, game.view(1).decision, game.view().decision) == ("R3", None, None)
    game.take_back(0)
    assert game.to_act == (0, 1)
    play(game, "Y3", "B3")
    assert [sheet.total for sheet in game.sheets] == [1, 1]


def test_several_lock_at_once() -> None:
    """Two players lock the same row in one step, a third another one (docs/rules/cards.md, ruling 1)."""
    sheets = [FIVE_RED, FIVE_RED, "R- Y2,3,4,5,6 G- B- x0"]
    game = announced("cards", "r4 r5 r7 y2 g9", sheets, 12)
    play(game, "R12#", "R12#", "Y12#")
    assert [sheet.locks for sheet in game.sheets] == [["R"], ["R"], ["Y"]]
    assert (game.over, game.closed) == (False, ())


# Step 3: playing cards


def test_one_to_three_cards_must_be_played() -> None:
    """Passing is no option; every choice discards one, two or three cards (docs/rules/cards.md, Playing)."""
    game = playing("cards", "r4 r5 r6 r7 y2")
    assert (game.phase, game.to_act) == ("play", (0,))
    played = {option.split(" = ")[0] for option in game.options(0)}
    reds = [",".join(choice) for size in (1, 2, 3) for choice in combinations(("r4", "r5", "r6", "r7"), size)]
    assert played == {*reds, "y2"}
    refused(game, "-", "syntax", "- is no play; cards are played like r4 = R4")
    refused(game, "x", "syntax", "x is no play")
    refused(game, "R4", "syntax", "R4 is no play")
    refused(game, "r4", "syntax", "r4 is no play")
    refused(game, "r4,r5,r6,r7 = x", "cards", "one to 3 cards are played, not 4")


def test_cards_played_together_are_of_one_colour() -> None:
    """Red with yellow is refused, also where nothing is marked (docs/rules/cards.md, Playing)."""
    game = playing("cards", "r4 r5 y6 y2 b9")
    refused(game, "r4,y6 = R4 Y6", "cards", "r4,y6 are of 2 colours, cards played together are of one")
    refused(game, "r4,y6,b9 = x", "cards", "r4,y6,b9 are of 3 colours")


def test_none_some_or_all_are_marked() -> None:
    """Every choice among the numbers played (docs/rules/cards.md, Playing)."""
    game = playing("cards", "r4 r5 r6 y2 b9", white="R3")
    assert marks(game, "r4,r5,r6") == {"-", "R4", "R5", "R6", "R4 R5", "R5 R6", "R4 R6", "R4 R5 R6"}
    game.play(0, "r4,r5,r6 = R4 R6")
    assert str(game.sheets[0]) == "R3,4,6 Y- G- B- x0"


def test_marks_are_those_of_the_cards_played() -> None:
    """A card in hand that is not played marks nothing, and a card marks its own colour and number.

    (docs/rules/cards.md, Playing)
    """
    game = playing("cards", "r4 r5 r7 y2 b9")
    refused(game, "r4 = R5", "cards", "R5 is a red 5, no card played is one")
    refused(game, "r4 = Y4", "cards", "Y4 is a yellow 4, no card played is one")
    refused(game, "r6 = R6", "cards", "r6 is not in the hand")
    refused(game, "r4,r4 = R4", "cards", "r4 is played twice")
    refused(game, "r4 = R4 R4", "order", "R4 is marked already")
    refused(game, "r4 = R13", "cell", "there is no R13")
    refused(game, "r4 = R4#", "written", "R4# is written R4 here")
    refused(game, "r4 = R4+R5", "syntax", r"R4\+R5 is not a mark")
    refused(game, "r4 = ", "syntax", "is no play")
    refused(game, "r4y = Y4", "syntax", "is no play")


def test_marks_go_from_left_to_right() -> None:
    """Marks of earlier turns and of this play alike (docs/rules/cards.md, Playing)."""
    game = playing("cards", "r4 r5 r7 g9 g11", "R4 Y- G10 B- x0")
    assert marks(game, "r4,r5") == {"x", "R5"}
    assert marks(game, "g9,g11") == {"x", "G9"}
    refused(game, "r4,r5 = R4 R5", "order", "R4 is marked already")
    refused(game, "g9,g11 = G11 G9", "order", "G11 is left of G10")
    refused(game, "r5,r7 = R7 R5", "order", "R5 is left of R7")
    refused(playing("cards", "g4 g5 r7 g9 g11"), "g5,g4 = G4 G5", "order", "G5 is left of G4")


def test_red_four_five_seven() -> None:
    """Six alone is left out, so all three may be marked (docs/rules/cards.md, Playing and example 1)."""
    game = playing("cards", "r4 r5 r7 y2 b9")
    assert marks(game, "r4,r5,r7") == {"x", "R4", "R5", "R7", "R4 R5", "R5 R7", "R4 R5 R7"}
    game.play(0, "r4,r5,r7 = R4 R5 R7")
    assert game.sheets[0].rows["R"] == [4, 5, 7]


def test_yellow_two_four_six() -> None:
    """Three and five would be left out: two neighbours at the most (docs/rules/cards.md, example 2)."""
    game = playing("cards", "y2 y4 y6 r2 b9")
    assert marks(game, "y2,y4,y6") == {"x", "Y2", "Y4", "Y6", "Y2 Y4", "Y4 Y6"}
    refused(game, "y2,y4,y6 = Y2 Y4 Y6", "gap", "Y2 Y4 Y6 leaves out 2 numbers in between, 1 may be left out")


def test_green_eleven_nine_three() -> None:
    """Eleven with nine, the three only alone (docs/rules/cards.md, example 3)."""
    game = playing("cards", "g11 g9 g3 r2 b9", number=4)
    assert marks(game, "g3,g9,g11") == {"x", "G11", "G9", "G3", "G11 G9"}
    refused(game, "g11,g9,g3 = G11 G9 G3", "gap", "leaves out 6 numbers")
    refused(game, "g9,g3 = G9 G3", "gap", "leaves out 5 numbers")


def test_the_gap_is_one_of_this_play_only() -> None:
    """Numbers left out before the first one, or since the last turn, do not matter (docs/rules/cards.md, Playing)."""
    game = playing("cards", "r9 r10 r12 y2 b3", "R2 Y- G- B- x0", number=5, white="R5")
    game.play(0, "r9,r10 = R9 R10")
    assert game.sheets[0].rows["R"] == [2, 5, 9, 10]


def test_a_marked_number_in_between_is_left_out_too() -> None:
    """Only what is marked in this step counts: nothing can be marked in between (docs/rules/cards.md, Playing)."""
    game = playing("cards", "r4 r7 y3 y2 b9", number=5, white="R5")
    refused(game, "r4,r7 = R4 R7", "order", "R4 is left of R5")


def test_played_cards_are_discarded() -> None:
    """Marked or not (docs/rules/cards.md, Playing)."""
    game = playing("cards", "r4 r5 r7 y2 b9", others=(EMPTY,))
    game.play(0, "r4,r5,r7 = R4")
    assert game.discards == ("r4", "r5", "r7")
    assert game.hands[0] == ("y2", "b9")
    assert (game.active, game.phase) == (1, "deal")


def test_only_the_active_player_plays_cards() -> None:
    """(docs/rules/cards.md, Playing)"""
    game = playing("cards", "r4 r5 r7 y2 b9", others=(EMPTY,))
    assert game.options(1) == []
    with pytest.raises(Illegal, match="Ben is not to act") as illegal:
        game.play(1, f"{game.hands[1][0]} = x")
    assert illegal.value.code == "to-act"


# Jokers


def test_a_joker_takes_any_colour() -> None:
    """The player of a joker names its colour (docs/rules/cards.md, Jokers)."""
    game = playing("cards+jokers", "j5 r7 y2 b9 b11")
    assert {option for option in game.options(0) if option.startswith("j5")} == {
        f"j5{colour} = {mark}" for colour in "rygb" for mark in ("x", f"{colour.upper()}5")
    }
    game.play(0, "j5g = G5")
    assert game.sheets[0].rows["G"] == [5]
    assert game.discards == ("j5",)


def test_a_joker_beside_cards_has_their_colour() -> None:
    """Together they are of one colour, two jokers too (docs/rules/cards.md, Jokers)."""
    game = playing("cards+jokers", "j5 j6 r7 y2 b9")
    assert marks(game, "r7,j5r,j6r") == {"x", "R5", "R6", "R7", "R5 R6", "R6 R7", "R5 R7", "R5 R6 R7"}
    assert {option.split(" = ")[0] for option in game.options(0) if option.count(",") == 2} == {
        "r7,j5r,j6r",
        "y2,j5y,j6y",
        "b9,j5b,j6b",
    }
    refused(game, "r7,j5y = R7", "cards", "r7,j5y are of 2 colours")
    refused(game, "j5r,j6y = R5 Y6", "cards", "j5r,j6y are of 2 colours")


def test_a_joker_without_a_colour() -> None:
    """Its colour is always named, also where nothing is marked (docs/rules/cards.md, Jokers)."""
    game = playing("cards+jokers", "j5 r7 y2 b9 b11")
    for wrong in ("j5 = R5", "j5 = x", "r7,j5 = R7"):
        refused(game, wrong, "cards", "j5 is played as a colour: j5r, j5y, j5g, j5b")
    refused(game, "j5j = R5", "syntax", "is no play")
    refused(game, "j6r = R6", "cards", "j6 is not in the hand")
    refused(game, "j5r,j5y = R5", "cards", "j5 is played twice")


def test_a_joker_as_the_colour_of_a_closed_row() -> None:
    """It can take that colour and marks nothing then (docs/rules/cards.md, ruling 2)."""
    game = playing("cards+jokers", "j5 r7 y2 b9 b11", "R2,3,4,5,6,12# Y- G- B- x0")
    assert marks(game, "j5r") == {"x"}
    assert marks(game, "r7,j5r") == {"x"}


def test_a_joker_and_its_twin_give_one_mark() -> None:
    """Red five and a joker five played as red: R5, once (docs/rules/cards.md, ruling 3)."""
    game = playing("cards+jokers", "j5 r5 y2 b9 r6")
    assert marks(game, "r5,j5r") == {"x", "R5"}
    assert marks(game, "r5,r6,j5r") == {"x", "R5", "R6", "R5 R6"}
    game.play(0, "r5,j5r = R5")
    assert game.sheets[0].rows["R"] == [5]
    assert game.discards == ("r5", "j5")


# Misthrows


def test_no_mark_in_either_step() -> None:
    """A misthrow, written x, whether or not a mark was possible (docs/rules/cards.md, Misthrow)."""
    game = playing("cards", "r4 r5 r7 y2 b9")
    refused(game, "r4 = -", "misthrow", "no mark was made: write x")
    game.play(0, "r4 = x")
    assert (game.sheets[0].misthrows, game.scores) == (1, (-5,))


def test_a_mark_in_one_step_is_enough() -> None:
    """Marking the announced number, or with cards (docs/rules/cards.md, Misthrow)."""
    game = playing("cards", "r4 r5 r7 y2 b9", white="Y3")
    refused(game, "r4 = x", "misthrow", "a mark was made before: write -")
    game.play(0, "r4 = -")
    assert game.sheets[0].misthrows == 0
    game = playing("cards", "r4 r5 r7 y2 b9")
    game.play(0, "r4 = R4")
    assert game.sheets[0].misthrows == 0


def test_nobody_else_gets_a_misthrow() -> None:
    """Ben marked nothing and was not active (docs/rules/cards.md, Misthrow)."""
    game = playing("cards", "r4 r5 r7 y2 b9", others=(EMPTY,))
    game.play(0, "r4 = x")
    assert [sheet.misthrows for sheet in game.sheets] == [1, 0]


# The pile


def test_the_pile_is_renewed_when_its_last_card_is_drawn() -> None:
    """The display is full again, and there is a number to announce (docs/rules/cards.md, Pile and ruling 4)."""
    game = shorten(table("cards", [ANNA, BEN], DISPLAY, PILE), 1)
    discards = set(game.discards)
    game.play(0, "g9")
    assert (game.phase, game.to_act) == ("deal", ())
    assert (len(game.display), game.pile) == (4, ())
    game.deal()
    assert game.phase == "white"
    assert (set(game.pile), game.discards) == (discards, ())
    assert len(game.display) == 4
    assert seen(game).top == int(game.pile[0][1:])


def test_a_pile_with_a_card_left_is_not_renewed() -> None:
    """(docs/rules/cards.md, Pile)"""
    game = shorten(table("cards", [ANNA, BEN], DISPLAY, PILE), 2)
    game.play(0, "g9")
    assert (game.phase, game.pile) == ("white", ("g3",))
    assert len(game.discards) == 30


def test_renewed_in_the_middle_of_filling_up() -> None:
    """What the display still lacks comes from the new pile (docs/rules/cards.md, ruling 4)."""
    game = table("cards", [ANNA], "g9 g8 y6 b11", "y12 g3 b9")
    game.play(0, "g9")
    play(game, "-")
    game.play(0, "r4,r5,r7 = R4 R5 R7")
    game.deal()
    shorten(game, 1)
    game.play(0, "g8,y6,b11")
    assert (game.phase, game.pile) == ("deal", ())
    assert set(game.display) == {"y12", "g3"}
    new = ["r12", "b2", *(card for card in game.discards if card not in ("r12", "b2"))]
    game.deal(" ".join(new))
    assert set(game.display) == {"y12", "g3", "r12", "b2"}
    assert game.pile == tuple(new[2:])
    assert game.discards == ()
    assert f" ~{','.join(new)} {new[2][1:]}:" in f" {game.turns[-1]}"


def test_a_new_pile_is_the_discards_and_nothing_else() -> None:
    """None is lost and none is added (docs/rules/cards.md, Pile)."""
    game = shorten(table("cards", [ANNA, BEN], DISPLAY, PILE), 1)
    game.play(0, "g9")
    right = list(game.discards)
    for wrong, why in [
        (right[1:], f"{right[0]} is missing: there are 31 cards, not 30"),
        ([*right, right[0]], f"{right[0]} is in it twice"),
        ([*right, "r4"], "r4 is not one of them"),
        ([*right[1:], "j5"], "j5 is not one of them, there are no jokers"),
        ([*right[1:], "r1"], "r1 is not a card"),
    ]:
        with pytest.raises(Illegal, match=why) as illegal:
            game.deal(" ".join(wrong))
        assert (illegal.value.code, illegal.value.player) == ("pile", "Anna")
    assert game.deal(" ".join(right[::-1])) == " ".join(right[::-1])


def test_a_new_pile_is_shuffled() -> None:
    """The same seed, the same order (docs/rules/cards.md, Pile)."""
    piles = []
    for _ in range(2):
        game = shorten(table("cards", [ANNA, BEN], DISPLAY, PILE), 1)
        game.play(0, "g9")
        before = game.discards
        piles.append(game.deal().split())
    assert piles[0] == piles[1] != list(before)
    assert set(piles[0]) == set(before)


# Closing and the end


def test_closing_needs_five_marks_before() -> None:
    """With four the last cell cannot be marked; with five its lock is marked too and counts.

    (docs/rules/cards.md, Closing)
    """
    game = announced("cards", "r4 r5 r7 y2 b9", ["R2,3,4,5 Y- G- B- x0", FIVE_RED], 12)
    assert game.options(0) == ["-", "B12", "G12"]
    assert game.options(1) == ["-", "B12", "G12", "R12#"]
    refused(game, "R12#", "needed", "R12 needs 5 marks before it, there are 4")
    play(game, "-", "R12#")
    assert game.sheets[1].points["R"] == 28


@pytest.mark.parametrize(("sheet", "locks"), [("R2,3,4,5 Y- G- B- x0", False), (FIVE_RED, True)])
def test_closing_with_a_card(sheet: str, locks: bool) -> None:
    """(docs/rules/cards.md, Closing)"""
    game = playing("cards", "r12 r5 r7 y2 b9", sheet)
    assert ("R12#" in marks(game, "r12")) == locks
    if locks:
        refused(game, "r12 = R12", "written", "R12 is written R12# here")
        game.play(0, "r12 = R12#")
        assert (game.sheets[0].locks, game.scores) == (["R"], (28,))
    else:
        refused(game, "r12 = R12#", "needed", "R12 needs 5 marks before it, there are 4")


def test_a_row_closes_for_the_player_who_locks_it() -> None:
    """Ben goes on marking in red, Anna does not (docs/rules/cards.md, Closing)."""
    game = announced("cards", "r7 r8 y7 y8 b9", ["R2,3,4,5,6,12# Y- G- B- x0", FIVE_RED], 7)
    assert game.options(0) == ["-", "B7", "G7", "Y7"]
    assert game.options(1) == ["-", "B7", "G7", "R7", "Y7"]
    refused(game, "R7", "closed", "R7: row R is closed")
    play(game, "-", "R7")
    assert marks(game, "r7,r8") == {"x"}
    refused(game, "r7 = R7", "closed", "R7: row R is closed")


def test_closed_is_what_everybody_has_locked() -> None:
    """(docs/rules/cards.md, Closing)"""
    game = announced("cards", "r4 r5 r7 y2 b9", ["R2,3,4,5,6,12# Y- G- B- x0", FIVE_RED], 12)
    assert not game.closed
    play(game, "-", "R12#")
    assert (game.closed, game.over) == (("R",), False)


def test_marks_of_the_same_play_count_towards_the_five() -> None:
    """Four marks, then R10 and R12 with one play: R10 is the fifth (docs/rules/cards.md, ruling 5)."""
    game = playing("cards", "r10 r11 r12 y2 b9", "R2,3,4,5 Y- G- B- x0")
    assert marks(game, "r10,r12") == {"x", "R10", "R10 R12#"}
    assert marks(game, "r11,r12") == {"x", "R11", "R11 R12#"}
    refused(game, "r10,r12 = R12# R10", "needed", "R12 needs 5 marks before it, there are 4")
    game.play(0, "r10,r12 = R10 R12#")
    assert game.sheets[0].points["R"] == 28


def test_two_marks_of_the_same_play_count_towards_the_five() -> None:
    """Three marks before, G4 and G3 and then G2 (docs/rules/cards.md, ruling 5)."""
    game = playing("cards", "g4 g3 g2 y2 b9", "R- Y- G12,11,10 B- x0", number=5)
    assert marks(game, "g2,g3,g4") == {"x", "G4", "G3", "G4 G3", "G4 G3 G2#"}


def test_the_announced_mark_counts_towards_the_five() -> None:
    """(docs/rules/cards.md, Closing)"""
    game = playing("cards", "r12 r5 r7 y2 b9", "R2,3,4,5 Y- G- B- x0", number=8, white="R8")
    assert "R12#" in marks(game, "r12")


def test_two_rows_of_one_player_end_the_game() -> None:
    """At once, with the play that locks the second (docs/rules/cards.md, End)."""
    game = playing("cards", "y12 r5 r7 y2 b9", "R2,3,4,5,6,12# Y2,3,4,5,6 G- B- x0", others=(EMPTY,))
    game.play(0, "y12 = Y12#")
    assert (game.over, game.reason, game.turns_completed) == (True, "rows", 1)
    assert (game.scores, game.winners, game.closed) == ((56, 0), (0,), ())
    with pytest.raises(Illegal, match="the game is over"):
        game.deal()


def test_two_rows_of_two_players_do_not() -> None:
    """Red of Anna's, yellow of Ben's (docs/rules/cards.md, End)."""
    ben = "R- Y2,3,4,5,6,12# G- B- x0"
    game = playing("cards", "r12 r5 r7 y2 b9", FIVE_RED, others=(ben,))
    game.play(0, "r12 = R12#")
    assert (game.over, game.closed) == (False, ())


def test_the_second_row_of_any_player_would_end_the_game() -> None:
    """(docs/rules/cards.md, End)"""
    game = playing("cards", "r12 r5 r7 y2 b9", FIVE_RED, others=(EMPTY,))
    assert not game.last_row
    game.play(0, "r12 = R12#")
    assert (game.last_row, game.closed) == (True, ())


def test_the_announced_number_may_end_the_game() -> None:
    """Ben locks his second row: no cards are played, and Anna gets no misthrow (docs/rules/cards.md, ruling 6)."""
    ben = "R2,3,4,5,6,12# Y2,3,4,5,6 G- B- x0"
    game = announced("cards", "r4 r5 r7 y2 b9", ["R- Y- G- B- x3", ben], 12)
    play(game, "-", "Y12#")
    assert (game.over, game.reason, game.turns_completed) == (True, "rows", 1)
    assert game.sheets[0].misthrows == 3
    assert len(game.hands[0]) == 5
    assert str(game.turns[-1]).endswith(" 12: - Y12#")


def test_all_marks_of_the_last_step_count() -> None:
    """Everybody's mark is made before the end is tested (docs/rules/cards.md, ruling 1)."""
    anna = "R2,3,4,5,6,12# Y2,3,4,5,6 G- B- x0"
    game = announced("cards", "r4 r5 r7 y2 b9", [anna, EMPTY], 12)
    play(game, "Y12#", "G12")
    assert (game.over, game.scores) == (True, (56, 1))


def test_the_fourth_misthrow_ends_the_game() -> None:
    """(docs/rules/cards.md, End)"""
    game = playing("cards", "r4 r5 r7 y2 b9", "R2 Y- G- B- x3", others=("R- Y- G- B- x3",))
    game.play(0, "r4 = x")
    assert (game.over, game.reason) == (True, "misthrows")
    assert (game.scores, game.winners) == ((-19, -15), (1,))


def test_scores_are_those_of_classic() -> None:
    """k(k+1)/2 for k marks, five less for a misthrow (docs/rules/cards.md, End)."""
    for sheet in ("R2,3,4,5,6,12# Y2,4 G12 B- x2", "R2,3,4,5,6,7,8,9,10,11,12# Y- G- B9 x0"):
        assert Sheet.parse(sheet, "cards").points == Sheet.parse(sheet, "classic").points


def test_turns_go_round() -> None:
    """In seating order, with one's own hand (docs/rules/cards.md, Players)."""
    game = table("cards", [ANNA, BEN, "g2 g4 g5 g6"], DISPLAY, PILE)
    active = []
    for _ in range(4):
        active.append(game.active)
        game.play(game.active, game.options(game.active)[0])
        play(game, "-", "-", "-")
        game.play(game.active, next(one for one in game.options(game.active) if one.endswith(" = x")))
        game.deal()
    assert active == [0, 1, 2, 0]


# Mixx sheets


def test_mixx_a_marks_in_different_rows() -> None:
    """Red 3, 8 and 11 are Y3, B8 and R11; marks are written row by row (docs/rules/cards.md, Mixx sheets)."""
    game = playing("cards-mixx-a", "r3 r8 r11 y2 b9", number=5)
    assert marks(game, "r3,r8,r11") == {
        "x",
        *("R11", "Y3", "B8"),
        *("R11 Y3", "R11 B8", "Y3 B8"),
        "R11 Y3 B8",
    }
    game.play(0, "r11,r3,r8 = B8 R11 Y3")
    assert str(game.sheets[0]) == "R11 Y3 G- B8 x0"
    assert str(game.turns[-1]).endswith(" / r3,r8,r11 = R11 Y3 B8")


def test_every_card_has_one_cell_of_mixx_a() -> None:
    """The cell of its colour and number, in whichever row (docs/rules/cards.md, Mixx sheets)."""
    colours = {"R": "YYYBBBGGGRR", "Y": "RRGGGGBBYYY", "G": "BBBYYYRRRGG", "B": "GGRRRRYYBBB"}
    five = {"R": "R2,3,4,5,6", "Y": "Y2,3,4,5,6", "G": "G12,11,10,9,8", "B": "B12,11,10,9,8"}
    for row, name in product("RYGB", range(11)):
        number = name + 2 if row in "RY" else 12 - name
        card = f"{colours[row][name].lower()}{number}"
        last = name == 10
        sheet = " ".join(five[one] if last and one == row else f"{one}-" for one in "RYGB")
        hand = [card, *[other for other in ("r6", "y6", "g6", "b6", "r7") if other != card][:4]]
        game = playing("cards-mixx-a", " ".join(hand), f"{sheet} x0", number=5)
        assert marks(game, card) == {"x", f"{row}{number}{'#' if last else ''}"}


@pytest.mark.parametrize(
    ("variant", "hand", "cards", "marked"),
    [
        ("cards-mixx-a", "g4 g7 r2 y2 b9", "g4,g7", "Y4 Y7"),
        ("cards-mixx-a", "r7 r10 r2 y2 b9", "r7,r10", "B10 B7"),
        ("cards-mixx-b", "r10 r7 y2 b9 g2", "r7,r10", "R10 R7"),
        ("cards-mixx-b", "y9 y2 y3 b9 g2", "y2,y3,y9", "Y9 Y2 Y3"),
    ],
)
def test_any_number_may_be_left_out_on_mixx_sheets(variant: str, hand: str, cards: str, marked: str) -> None:
    """More than one, on both of them (docs/rules/cards.md, Mixx sheets and ruling 7)."""
    game = playing(variant, hand, number=5)
    assert marked in marks(game, cards)
    game.play(0, f"{cards} = {marked}")
    assert game.sheets[0].total == len(marked.split()) * (len(marked.split()) + 1) // 2


def test_left_to_right_on_mixx_b() -> None:
    """By place, not by number: R10 stands left of R6 (docs/rules/cards.md, Mixx sheets)."""
    game = playing("cards-mixx-b", "r6 r10 r2 y2 b9", number=5)
    assert marks(game, "r6,r10") == {"x", "R10", "R6", "R10 R6"}
    refused(game, "r6,r10 = R6 R10", "order", "R10 is left of R6")


def test_a_closed_row_is_closed_whatever_the_card() -> None:
    """Row R is closed to Anna: no yellow R3; red cards mark Y3 and G5 all the same (docs/rules/cards.md, ruling 8)."""
    game = playing("cards-mixx-a", "y3 y8 r3 r5 r11", "R2,5,6,8,9,12# Y- G- B- x0", number=6)
    assert marks(game, "y3,y8") == {"x", "G8"}
    assert marks(game, "r3,r5,r11") == {"x", "Y3", "G5", "Y3 G5"}
    refused(game, "y3 = R3", "closed", "R3: row R is closed")


def test_marks_between_rows_count_in_any_order() -> None:
    """Two rows are locked in one play; each needs five of its own (docs/rules/cards.md, ruling 5 and ruling 9)."""
    sheet = "R2,3,4,5 Y- G12,11,10,9,8 B- x0"
    game = playing("cards-mixx-a", "r11 r12 r4 y2 b9", sheet, number=6)
    assert marks(game, "r4,r11,r12") == {
        *("x", "R11", "G4", "R11 G4"),
        *("R11 R12#", "R11 R12# G4"),
    }


def test_a_play_is_finished_before_the_end_is_tested() -> None:
    """R12 locks Anna's second row, the mark in B is made all the same (docs/rules/cards.md, ruling 9)."""
    sheet = "R2,3,4,5,6 Y2,3,4,5,6,12# G- B- x0"
    game = playing("cards-mixx-a", "r12 r9 r2 y2 b9", sheet, number=7)
    game.play(0, "r9,r12 = R12# B9")
    assert (game.over, game.reason) == (True, "rows")
    assert game.sheets[0].rows["B"] == [9]


# What is seen


def test_backs_show_numbers() -> None:
    """Of other hands and of the display everybody sees the numbers, only one's own hand with colours.

    (docs/rules/cards.md, Secrets)
    """
    game = table("cards", [ANNA, BEN], DISPLAY, PILE)
    anna, ben, nobody = seen(game, 0), seen(game, 1), seen(game)
    assert anna.hands == (("r4", "r5", "r7", "y2"), ("?2", "?3", "?4", "?5"))
    assert ben.hands == (("?2", "?4", "?5", "?7"), ("b2", "b3", "b4", "b5"))
    assert nobody.hands == (("?2", "?4", "?5", "?7"), ("?2", "?3", "?4", "?5"))
    assert anna.display == ben.display == nobody.display == ("?9", "?8", "?6", "?11")


def test_the_pile_shows_its_top_number_and_its_count() -> None:
    """Also before anything is taken (docs/rules/cards.md, Secrets)."""
    game = table("cards", [ANNA, BEN], DISPLAY, PILE)
    assert (seen(game).top, seen(game).pile) == (12, 32)
    game.play(0, "g9")
    assert (seen(game, 1).top, seen(game, 1).pile) == (3, 31)


def test_played_cards_were_shown() -> None:
    """Everybody may look through the discards (docs/rules/cards.md, Secrets)."""
    game = playing("cards", "r4 r5 r7 y2 b9", others=(EMPTY,))
    game.play(0, "r4,r5 = R4 R5")
    for seat in (None, 0, 1):
        assert seen(game, seat).discards == ("r4", "r5")


def test_taking_is_by_number() -> None:
    """The player who takes does not see the colours; a second nine is `?9'` (docs/rules/cards.md, Secrets)."""
    game = table("cards", [ANNA, BEN], "g9 b9 y6 b11", PILE)
    assert list(game.view(0).options) == ["?9", "?9'", "?6", "?11"]
    assert game.view(1).options == game.view().options == {}
    copy = game.copy()
    game.play(0, "?9")
    copy.play(0, "?9'")
    assert ("g9" in game.hands[0], "b9" in copy.hands[0]) == (True, True)
    game = table("cards", [ANNA, BEN], DISPLAY, PILE)
    refused(game, "?7", "cards", r"\?7 is not in the display")
    refused(game, "?9'", "cards", r"\?9' is not in the display")
    refused(game, "?9,?8", "cards", "1 card must be taken for a hand of 5, not 2")


def test_a_refusal_shows_no_colour() -> None:
    """Naming a card that is not in the display reveals no colour (docs/rules/cards.md, Secrets)."""
    for display in (DISPLAY, "b9 b8 g6 y11"):
        game = table("cards", [ANNA, "r2 r3 y4 y5"], display, PILE)
        refused(game, "?", "syntax", r"^turn 1, Anna: \? are no cards; cards are taken like g9 or g9,b2$")
        refused(game, "r9", "cards", "^turn 1, Anna: r9 is not in the display$")


def test_several_are_taken_by_number() -> None:
    game = table("cards", [ANNA], "g9 b9 y6 b11", PILE)
    game.play(0, "?6")
    play(game, "-")
    game.play(0, "r4,r5 = R4 R5")
    game.deal()
    assert "?9,?9'" in game.view(0).options
    game.play(0, "?9,?9'")
    assert {"g9", "b9"} <= set(game.hands[0])


def test_nothing_of_the_pile_is_in_a_view() -> None:
    """A view's numbers hold neither the pile nor a hidden colour (docs/rules/cards.md, Secrets)."""
    one = table("cards", [ANNA, BEN], DISPLAY, PILE)
    other = table("cards", [ANNA, "r2 r3 y4 y5"], "b9 b8 g6 y11", "g12 b3")
    assert one.view(0) == other.view(0)
    assert one.view() != table("cards", [ANNA, BEN], DISPLAY, "g3 y12").view()


def test_a_turn_as_everybody_saw_it() -> None:
    """Cards taken and a new pile without colours, cards played with them (docs/rules/cards.md, Secrets)."""
    game = shorten(table("cards", [ANNA, BEN], DISPLAY, PILE), 1)
    game.play(0, "g9")
    game.deal(" ".join(["b12", *(card for card in game.discards if card != "b12")]))
    play(game, "-", "-")
    game.play(0, "r4 = R4")
    (turn,) = game.turns
    assert isinstance(turn, CardTurn)
    assert str(turn.hidden()) == "?9 ~? 12: - - / r4 = R4"


# A game from outside


def test_what_can_be_done_when() -> None:
    game = Game("cards", ["Anna", "Ben"], seed=0)
    assert (game.phase, game.to_act, game.dice, seen(game).top) == ("deal", (), None, None)
    with pytest.raises(Illegal, match="turn 1, Anna: the cards are to be dealt first") as illegal:
        game.play(0, "r5")
    assert illegal.value.code == "to-act"
    with pytest.raises(Illegal, match="cards has no dice to roll, its cards are dealt"):
        game.roll()
    game.deal()
    with pytest.raises(Illegal, match="the cards of turn 1 are dealt already"):
        game.deal()
    with pytest.raises(Illegal, match="classic has no cards to deal, its dice are rolled"):
        Game("classic", 2).deal()
    with pytest.raises(ValueError, match="classic has no cards"):
        Game("classic", 2, deck=deck(""))


def test_a_deck_is_dealt_once() -> None:
    """Turns after the first begin without one."""
    game = playing("cards", "r4 r5 r7 y2 b9")
    game.play(0, "r4 = R4")
    with pytest.raises(Illegal, match="the deck is dealt, there is nothing to shuffle now") as illegal:
        game.deal(deck(""))
    assert illegal.value.code == "deck"
    assert game.deal() == ""
    assert game.phase == "take"


@pytest.mark.parametrize(
    ("jokers", "wrong", "why"),
    [
        (False, deck("").replace("r5", "r6"), "the deck of cards: r6 is in it twice"),
        (False, deck("").replace("r5 ", ""), "the deck of cards: r5 is missing: there are 44 cards, not 43"),
        (False, f"{deck('')} r2", "the deck of cards: r2 is in it twice"),
        (False, deck("", jokers=True), "the deck of cards: j2 is not one of them, there are no jokers"),
        (True, deck(""), "the deck of cards.jokers: j2 is missing: there are 55 cards, not 44"),
        (False, deck("").replace("r5", "r13"), "the deck of cards: r13 is not a card; cards are written like r5"),
        (False, deck("").replace("r5", "R5"), "the deck of cards: R5 is not a card"),
        (False, deck("").replace("r5", "r05"), "the deck of cards: r05 is not a card"),
        (False, deck("").replace("r5 ", "r5  "), "the deck of cards: '' is not a card"),
        (False, "", "the deck of cards: '' is not a card"),
    ],
)
def test_a_wrong_deck(jokers: bool, wrong: str, why: str) -> None:
    """Every card once, one space between them (docs/rules/cards.md, Cards)."""
    with pytest.raises(Illegal, match=why) as illegal:
        Game("cards+jokers" if jokers else "cards", 2, deck=wrong)
    assert illegal.value.code == "deck"
    assert (illegal.value.turn, illegal.value.player) == (None, None)


def test_undo_goes_back_step_by_step() -> None:
    """Through a play, marks, a new pile, a taking and the deal."""
    game = shorten(table("cards", [ANNA, BEN], DISPLAY, PILE), 1)
    path = []
    for event in (
        lambda: game.play(0, "g9"),
        lambda: game.deal(),
        lambda: game.play(1, "-"),
        lambda: game.play(0, "-"),
        lambda: game.play(0, "r4 = x"),
        lambda: game.deal(),
    ):
        path.append(game.copy())
        event()
    cards = (game.hands, game.display, game.pile, game.discards)
    for before in reversed(path):
        game.undo()
        assert game == before
        assert (game.hands, game.display, game.pile) == (before.hands, before.display, before.pile)
    assert (game.hands, game.display, game.pile, game.discards) != cards


def test_the_deal_can_be_taken_back() -> None:
    """What is dealt then is what would have been dealt before."""
    game = Game("cards", 2, seed=0)
    before, record = game.pile, game.record()
    game.deal(deck("b2 b3"))
    game.undo()
    assert (game.pile, game.record()) == (before, record)
    assert game.deal() == " ".join(before)


def test_a_copy_is_independent() -> None:
    game = table("cards", [ANNA, BEN], DISPLAY, PILE)
    copy = game.copy()
    copy.play(0, "g9")
    assert (game.phase, game.hands[0], game.display) == ("take", ("r4", "r5", "r7", "y2"), ("g9", "g8", "y6", "b11"))
    game.play(0, "y6")
    assert copy.hands[0] != game.hands[0]


def test_a_new_pile_is_in_the_record() -> None:
    """Before it is shuffled, when it is, and when the next taking is open."""
    game = Game("cards", 5, seed=0)
    rng = random.Random(0)
    while game.pile:
        testing.step(game, rng)
    turn = game.turn
    while game.turn == turn:
        testing.record_is_the_game(game)
        testing.step(game, rng)
    testing.record_is_the_game(game)


def test_a_record_while_a_new_pile_is_due() -> None:
    """A record cannot end there: it ends before the cards are taken."""
    game = shorten(table("cards", [ANNA, BEN], DISPLAY, PILE), 1)
    game.play(0, "g9")
    assert game.record().endswith("\n\n1.\n")


def test_a_record_names_colours() -> None:
    """Taking by number is for a seat that sees backs; a record tells which card it was."""
    game = table("cards", [ANNA, BEN], DISPLAY, PILE)
    with pytest.raises(RecordError, match=r"turn 1, Anna: \?9 are no cards; a record names the cards .* \[syntax\]$"):
        parse(f"{game.record()[:-1]} ?9 3: - -\n")
    assert parse(f"{game.record()[:-1]} g9 3: - -\n").phase == "play"
