"""What can be chosen, in which order it is offered, and what somebody means by what they type."""

import re
from collections.abc import Sequence

from rowlock.locale import listed, n, t
from rowlock.rules import kernel
from rowlock.rules.cards import HIDDEN
from rowlock.rules.game import View
from rowlock.rules.variant import CARD_COLOURS
from rowlock.terminal import words

MOST_OFFERED = 9  # plays of cards that are offered by number; others are called by their cards


def menu_of(view: View) -> list[str]:
    """The options of a seat: declining first, then marks in the order of the sheet; plays by their cards."""
    if view.phase == "take":
        found: dict[tuple[int, ...], str] = {}
        for option in view.options:  # two cards of one number look the same from behind: either will do
            found.setdefault(words.numbers_of(option), option)
        return list(found.values())
    codes = view.variant.codes

    def place(option: str) -> tuple[list[tuple[int, int]], int, list[int], str]:
        cards = [(CARD_COLOURS.index(card[0]), int(card[1:])) for card in hand_cards(option)]
        cells = [codes[cell] for cell in words.cells_of(option)]
        return cards, -len(cells) if cells else -len(codes), cells, option

    return sorted(view.options, key=place)


def hand_cards(option: str) -> list[str]:
    """The cards of a play as they are in the hand, a joker without its colour; none where no card is played."""
    cards, played, _ = option.partition(" = ")
    return [re.sub("(?<=[0-9])[rygb]", "", card) for card in cards.split(",")] if played else []


def is_choice_of_cards(menu: Sequence[str]) -> bool:
    """Whether it is still open which cards are played."""
    return any(hand_cards(option) != hand_cards(menu[0]) for option in menu)


def marks_nothing(menu: Sequence[str]) -> bool:
    return not any(map(words.cells_of, menu))


def numbered(menu: Sequence[str]) -> list[tuple[int, str]]:
    """The options with the numbers they can be called by, declining last as 0; cards to take are called by their own.

    Of plays with different cards those are offered in which every card marks; where there are none, single cards.
    """
    if menu[0].startswith(HIDDEN):
        return []
    if is_choice_of_cards(menu):
        return list(enumerate(_offered(menu), 1))
    return [*enumerate(menu[1:], 1), (0, menu[0])]


def _offered(menu: Sequence[str]) -> list[str]:
    full = [option for option in menu if len(words.cells_of(option)) == len(hand_cards(option))]
    alone: dict[str, str] = {}
    for option in menu:
        if len(hand_cards(option)) == 1:
            alone.setdefault(hand_cards(option)[0], option)
    return sorted(full or alone.values(), key=lambda play: -len(words.cells_of(play)))[:MOST_OFFERED]


# What is typed


def narrow(typed: str, menu: Sequence[str]) -> list[str]:
    """The options that may be meant: one, or those left to choose from where cards are named but not what they mark.

    What is no option stays, in notation; the rules tell what is wrong with it.
    """
    if not typed:
        raise ValueError(t("terminal.type"))
    if menu[0].startswith(HIDDEN):
        return [_taken(typed, menu)]
    if not hand_cards(menu[0]) or typed.isdecimal():
        return [understand(typed, menu)]
    if not is_choice_of_cards(menu):
        return [_marked(typed.rpartition("=")[2], menu)]
    cards, equals, marks = typed.partition("=")
    named = re.findall(r"[^\s,]+", cards.casefold())
    found = [option for option in menu if _plays(option, named)]
    if not found:
        readable = named and all(re.fullmatch("[a-z][0-9]+[a-z]?", card) for card in named)
        return [f"{','.join(named)} = x" if readable else typed]
    if equals:
        return [_marked(marks, found)]
    if not marks_nothing(found):
        return [option for option in found if words.cells_of(option) or option == found[0]]
    if found[0].endswith("x") and not marks_nothing(menu):
        raise ValueError(t("terminal.would-misthrow", play=found[0], cost=kernel.MISTHROW_COST))
    return found[:1]


def _plays(option: str, named: Sequence[str]) -> bool:
    """Whether these cards are played, where a joker may be named without its colour."""
    cards = zip(option.partition(" = ")[0].split(","), hand_cards(option), strict=True)
    return len(hand_cards(option)) == len(named) and all(one in named or card in named for one, card in cards)


def _marked(typed: str, menu: Sequence[str]) -> str:
    """The play of these cards that makes the marks typed, in any order."""
    marks = re.findall(r"[^\s,]+", typed.upper())
    for option in menu:
        if sorted(_bare(option)) == sorted(mark.removesuffix("#") for mark in marks):
            return option
    return f"{menu[0].partition(' = ')[0]} = {' '.join(marks).replace('X', 'x')}"


def _bare(option: str) -> list[str]:
    return [mark.removesuffix("#") for mark in option.rpartition(" = ")[2].upper().split(" ")]


def _taken(typed: str, menu: Sequence[str]) -> str:
    due = len(words.numbers_of(menu[0]))
    typed_numbers = re.sub(r"[?,]", " ", typed).split()
    if len(typed_numbers) != due or not all(number.isdecimal() for number in typed_numbers):
        raise ValueError(n("terminal.take-so-many", due, example=",".join(map(str, words.numbers_of(menu[0])))))
    for option in menu:
        if sorted(map(str, words.numbers_of(option))) == sorted(typed_numbers):
            return option
    there = sorted({number for option in menu for number in words.numbers_of(option)})
    raise ValueError(t("terminal.not-displayed", typed=typed[:20], numbers=listed(map(str, there))))


def understand(typed: str, menu: Sequence[str]) -> str:
    """The option meant: by its number, or in notation, where case and the parts `!`, `#` and `+` may be left out."""
    if not typed:
        raise ValueError(t("terminal.type"))
    if typed.isdecimal():
        called = dict(numbered(menu))
        if len(typed) < 4 and int(typed) in called:
            return called[int(typed)]
        raise ValueError(t("terminal.no-number", typed=typed[:20], least=min(called), most=max(called)))
    meant = typed.casefold()
    for same in (str.casefold, lambda option: "".join(words.cells_of(option) or option).casefold()):
        found = [option for option in menu if same(option) == meant]
        if len(found) == 1:
            return found[0]
        if found:
            raise ValueError(t("terminal.say-which", options=listed(found, "or")))
    return "x" if meant == "x" else typed.upper()
