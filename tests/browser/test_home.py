"""The first minute: from home to one's own options, and a table set up with others."""

import re

from playwright.sync_api import Browser, Page, expect

from rowlock.rules.variant import variant_ids
from tests.browser.people import DECIDING, Person, box_of
from tests.server.serving import Server

SMALL = {"width": 360, "height": 640}


def own_options(page: Page) -> None:
    """Whoever begins: the options are those of the person at this device."""
    page.wait_for_selector(DECIDING)
    expect(page.locator(".own-sheet")).to_be_visible()


def test_a_newcomer_plays_any_game_after_one_tap(browser: Browser, server: Server) -> None:
    """From home to one's own options, with "Play now" and with every tile; the limit is two taps."""
    for game in (None, *variant_ids()):
        new = Person(browser, server.url).open()
        if game is None:
            expect(new.page.get_by_role("button", name="Play now")).to_contain_text("against Dash")  # the easiest level
            new.page.get_by_role("button", name="Play now").click()
        else:
            tile = new.page.locator("li", has=new.page.locator(f"a[href='rules/{game}']"))
            tile.get_by_role("button", name=re.compile("^Play ")).click()
        own_options(new.page)
        assert new.errors == []
        new.close()


def test_home_remembers_the_opponent_and_options_are_one_tap_away(browser: Browser, server: Server) -> None:
    ida = Person(browser, server.url).open()
    page = ida.page
    page.get_by_label("Opponent").select_option(label="Level 4: Ada")
    page.reload()
    expect(page.get_by_role("button", name="Play now")).to_contain_text("against Ada")
    page.get_by_role("link", name="Options of Longo").click()
    expect(page.get_by_role("radio", name="Longo")).to_be_checked()
    expect(page.locator("#player-1")).to_have_value("evolved")
    page.locator("#player-1").select_option("rush")
    page.get_by_role("button", name="Open the table").click()
    own_options(page)
    ida.open()
    expect(page.get_by_role("button", name="Play now")).to_contain_text("against Bolt")
    assert ida.errors == []
    ida.close()


def test_home_leads_to_settings_tables_and_the_challenge(browser: Browser, server: Server) -> None:
    """A returning player finds the field for a code before the tables, which say what they wait for."""
    ada = Person(browser, server.url, "de-DE")
    ada.sit_down(server.create(2), "Ada").page.wait_for_selector(".seat")
    ada.open().page.get_by_role("button", name="Jetzt spielen").click()
    ada.wait_for_table().open()
    expect(ada.page.locator(".state")).to_have_text(["läuft", "wartet auf Mitspieler"])
    assert box_of(ada.page.locator("#code"))["y"] < box_of(ada.page.locator("#recent"))["y"]
    days = ada.page.locator(".days span")
    expect(days).to_have_count(7)
    assert sorted(days.all_inner_texts()) == sorted("MDMDFSS")
    expect(ada.page.locator("a[href=challenge]")).to_contain_text("Spielen")
    gear = ada.page.locator(".hero").get_by_role("link", name="Einstellungen")
    assert box_of(gear)["y"] < 100
    gear.click()
    expect(ada.page.get_by_role("heading", level=1)).to_have_text("Einstellungen")
    assert ada.errors == []
    ada.close()


def test_vibration_is_offered_only_with_a_touch_screen(browser: Browser, server: Server) -> None:
    for size, count in ((SMALL, 1), ({"width": 1280, "height": 800}, 0)):
        one = Person(browser, server.url, size=size).open("/settings")
        one.sees("Roll the dice yourself")
        expect(one.page.get_by_role("checkbox", name="Vibration")).to_have_count(count)
        one.close()


def test_who_opens_a_table_has_a_seat_and_the_stored_name(browser: Browser, server: Server) -> None:
    ida = Person(browser, server.url).open("/settings")
    ida.page.get_by_label("Your name").fill("Ida")
    ida.page.get_by_label("Your name").press("Enter")
    page = ida.open("/new").page
    page.get_by_role("button", name="One more seat").click()
    page.get_by_label("Seat 3", exact=True).select_option("here")
    for seat, (option, name, placeholder) in {
        1: ("You", "Ida", "Your name"),
        3: ("At this device", "", "Name"),
    }.items():
        expect(page.get_by_label(f"Seat {seat}", exact=True).locator("option:checked")).to_have_text(option)
        expect(page.get_by_label(f"Name on seat {seat}")).to_have_value(name)
        expect(page.get_by_label(f"Name on seat {seat}")).to_have_attribute("placeholder", placeholder)
    ida.close()


def test_seats_are_chosen_before_one_is_taken(browser: Browser, server: Server) -> None:
    """Who finds no free seat may open a table."""
    table = server.create(2)
    one = Person(browser, server.url).open(f"/t/{table}")
    take = one.page.get_by_role("button", name="Take a seat")
    assert box_of(one.page.get_by_label("Free seat 2"))["y"] < box_of(take)["y"]
    server.join(table, "Ann", "Ben")
    expect(take).to_have_count(0)
    one.page.get_by_role("link", name="Open a table of your own").click()
    expect(one.page.get_by_role("heading", level=1)).to_have_text("New table")
    one.close()


def test_several_people_here_without_names_are_numbered(browser: Browser, server: Server) -> None:
    both = Person(browser, server.url).open("/new")
    both.page.get_by_label("Seat 2", exact=True).select_option("here")
    both.page.get_by_role("button", name="Open the table").click()
    both.wait_to_decide()
    names = both.page.locator(".seats .name")
    expect(names).to_have_count(2)
    assert sorted(names.all_inner_texts()) == ["Player 1", "Player 2"]
    assert both.errors == []
    both.close()


def test_the_host_sets_the_table_up_in_the_lobby(browser: Browser, server: Server) -> None:
    """Bots into free seats, another game and options; the others see it. The button to start is in sight."""
    table = server.create(3)
    host = Person(browser, server.url, size=SMALL).sit_down(table, "Hanna")
    page = host.page
    start = page.get_by_role("button", name="Start without waiting")
    assert box_of(start)["y"] + box_of(start)["height"] <= SMALL["height"]
    expect(page.locator(".code")).to_have_text(f"{table[:3]}{table[3:]}{' '.join(table)}")

    guest = Person(browser, server.url).sit_down(table, "Gus")
    expect(guest.page.get_by_role("button", name="Change game or options")).to_have_count(0)
    expect(guest.page.locator("#player-2")).to_have_count(0)

    page.get_by_label("Seat 3", exact=True).select_option("rush")
    expect(page.get_by_role("heading", name="All seats are taken")).to_be_visible()
    page.get_by_role("button", name="One more seat").click()
    page.get_by_label("Seat 4", exact=True).select_option("greedy")
    page.get_by_role("button", name="Take seat 3 away").click()
    page.get_by_role("button", name="Change game or options").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name="Longo").check()
    dialog.get_by_label("Time per decision").select_option("60")
    dialog.get_by_role("button", name="Change", exact=True).click()
    expect(guest.page.get_by_role("heading", level=1)).to_have_text("Table: Longo")
    guest.sees(re.compile("60 seconds per decision"))
    guest.sees("Penny")

    page.get_by_role("button", name="Start the game").click()
    for person in (host, guest):
        person.wait_for_table()
        assert person.errors == []
        person.close()
