"""The menu of options, and the option that a typed text stands for."""

import re
from collections.abc import Sequence

from rowlock.locale import format_list, n, t
from rowlock.rules.cards import HIDDEN
from rowlock.rules.game import View
from rowlock.rules.variant import CARD_COLOURS
from rowlock.terminal import words

MAX_SUGGESTED = 9  # number of plays that can be chosen by a number; for the others, the cards are typed
MAX_QUOTED = 20  # characters of typed text that an error message repeats
MAX_DIGITS = 3  # more than any menu needs; Python refuses to convert very long texts to int


def make_menu(view: View) -> list[str]:
    """The options in menu order: declining, marks in the order of the sheet, swaps; plays are sorted by card."""
    if view.phase == "take":
        takes: dict[tuple[int, ...], str] = {}
        for option in view.options:  # cards with the same number look the same from the back
            takes.setdefault(words.numbers_of(option), option)
        return list(takes.values())
    codes = view.variant.codes

    def sort_key(option: str) -> tuple[list[tuple[int, int]], int, bool, list[int], str]:
        cards = [(CARD_COLOURS.index(card[0]), int(card[1:])) for card in hand_cards(option)]
        cells = [codes[cell] for cell in words.cells_of(option)]
        # No marks first, then most marks first.
        return cards, -len(cells) if cells else -len(codes), ">" in option, cells, option

    return sorted(view.options, key=sort_key)


def hand_cards(option: str) -> list[str]:
    """The cards of a play, jokers without their chosen colour; the list is empty if an option plays no cards."""
    cards, separator, _ = option.partition(" = ")
    return [re.sub("(?<=[0-9])[rygb]", "", card) for card in cards.split(",")] if separator else []


def is_choice_of_cards(menu: Sequence[str]) -> bool:
    """Whether some options play other cards than the first option."""
    return any(hand_cards(option) != hand_cards(menu[0]) for option in menu)


def marks_nothing(menu: Sequence[str]) -> bool:
    return not any(map(words.cells_of, menu))


def numbered(menu: Sequence[str]) -> list[tuple[int, str]]:
    """The options with their numbers; declining comes last and has number 0.

    Takes have no numbers, because a typed number names a card. Of plays with different cards only a few are numbered:
    those in which every card marks, or else those of single cards.
    """
    if menu[0].startswith(HIDDEN):
        return []
    if is_choice_of_cards(menu):
        return list(enumerate(_suggested_plays(menu), 1))
    return [*enumerate(menu[1:], 1), (0, menu[0])]


def _suggested_plays(menu: Sequence[str]) -> list[str]:
    every_card_marks = [option for option in menu if len(words.cells_of(option)) == len(hand_cards(option))]
    of_one_card: dict[str, str] = {}
    for option in menu:
        if len(hand_cards(option)) == 1:
            of_one_card.setdefault(hand_cards(option)[0], option)
    return sorted(every_card_marks or of_one_card.values(), key=lambda play: -len(words.cells_of(play)))[:MAX_SUGGESTED]


# Typed text


def match_options(typed: str, menu: Sequence[str]) -> list[str]:
    """The options that the typed text matches; several if it names cards but not the marks.

    Text that matches no option is returned in notation, so that the rules can explain what is wrong with it.
    """
    if not typed:
        raise ValueError(t("terminal.type"))
    if menu[0].startswith(HIDDEN):
        return [_parse_take(typed, menu)]
    if not hand_cards(menu[0]) or typed.isdecimal():
        return [parse_choice(typed, menu)]
    if not is_choice_of_cards(menu):
        return [_find_play(typed.rpartition("=")[2], menu)]
    cards, equals, marks = typed.partition("=")
    typed_cards = re.findall(r"[^\s,]+", cards.casefold())
    matches = [option for option in menu if _plays_cards(option, typed_cards)]
    if not matches:
        are_cards = typed_cards and all(re.fullmatch("[a-z][0-9]+[a-z]?", card) for card in typed_cards)
        return [f"{','.join(typed_cards)} = x" if are_cards else typed]
    if equals:
        return [_find_play(marks, matches)]
    if not marks_nothing(matches):
        # Of the options without marks, one for each colour of a joker, only the first is kept.
        return [option for option in matches if words.cells_of(option) or option == matches[0]]
    if matches[0].endswith("x") and not marks_nothing(menu):
        raise ValueError(t("terminal.would-misthrow", play=matches[0]))
    return matches[:1]


def _plays_cards(option: str, typed: Sequence[str]) -> bool:
    """Whether the option plays the typed cards; a joker may be typed without its colour."""
    names = zip(option.partition(" = ")[0].split(","), hand_cards(option), strict=True)
    return len(hand_cards(option)) == len(typed) and all(
        name in typed or without_colour in typed for name, without_colour in names
    )


def _find_play(typed: str, menu: Sequence[str]) -> str:
    """The play that makes the typed marks, which may be in any order."""
    marks = re.findall(r"[^\s,]+", typed.upper())
    for option in menu:
        if sorted(_marks_without_locks(option)) == sorted(mark.removesuffix("#") for mark in marks):
            return option
    return f"{menu[0].partition(' = ')[0]} = {' '.join(marks).replace('X', 'x')}"


def _marks_without_locks(option: str) -> list[str]:
    return [mark.removesuffix("#") for mark in option.rpartition(" = ")[2].upper().split(" ")]


def _parse_take(typed: str, menu: Sequence[str]) -> str:
    count = len(words.numbers_of(menu[0]))
    typed_numbers = re.sub(r"[?,]", " ", typed).split()
    if len(typed_numbers) != count or not all(number.isdecimal() for number in typed_numbers):
        raise ValueError(n("terminal.take-so-many", count, example=",".join(map(str, words.numbers_of(menu[0])))))
    for option in menu:
        if sorted(map(str, words.numbers_of(option))) == sorted(typed_numbers):
            return option
    available = sorted({number for option in menu for number in words.numbers_of(option)})
    raise ValueError(t("terminal.not-displayed", typed=typed[:MAX_QUOTED], numbers=format_list(map(str, available))))


def parse_choice(typed: str, menu: Sequence[str]) -> str:
    """The option with this number or notation; case does not matter, and all but the first cell may be left out."""
    if not typed:
        raise ValueError(t("terminal.type"))
    if typed.isdecimal():
        by_number = dict(numbered(menu))
        if len(typed) <= MAX_DIGITS and int(typed) in by_number:
            return by_number[int(typed)]
        least, most = min(by_number), max(by_number)
        raise ValueError(t("terminal.no-number", typed=typed[:MAX_QUOTED], least=least, most=most))
    folded = typed.casefold()
    for spelling in (str.casefold, lambda option: "".join(words.cells_of(option) or option).casefold()):
        matches = [option for option in menu if spelling(option) == folded]
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise ValueError(t("terminal.say-which", options=format_list(matches, "or")))
    return "x" if folded == "x" else typed.upper()
