"""Real dice: people roll them on their own table and enter what they show."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from rowlock import parse, read
from tests.browser.people import AUTOPLAY, Person
from tests.browser.test_local import check_record, download_record
from tests.browser.test_offline import start_again, visit
from tests.server.serving import Server

# Plays like AUTOPLAY, and enters faces that a small generator of random numbers gives.
ENTER_AND_PLAY = f"""() => {{
  let word = 1;
  const enter = setInterval(() => {{
    if (document.querySelector('.table.over')) return clearInterval(enter);
    const faces = document.querySelectorAll('.pad button');
    word = (word * 1103515245 + 12345) % 2147483648;
    faces[Math.floor(word / 65536) % faces.length]?.click();
  }}, 10);
  ({AUTOPLAY})();
}}"""


def enter(one: Person, dice: str) -> None:
    """Tap what the dice show, one die after the other."""
    for digit in dice:
        one.page.locator(".pad button").nth(int(digit) - 1).click()


def test_two_people_and_a_bot(browser: Browser, server: Server) -> None:
    """Wrong dice are corrected after the bot has decided; they stand once a person has."""
    table = server.create([None, None, "greedy"], dice="entered")
    people = {name: Person(browser, server.url).sit_down(table, name) for name in ("Anna", "Ben")}
    watcher = Person(browser, server.url).watch(server, table)
    order = [seat["name"] for seat in server.ask(f"/api/tables/{table}").json["seats"]]
    if order[0] not in people:  # the bot begins: any person rolls for it
        expect(people["Ben"].status).to_have_text("Roll for Penny and enter: white 1")
        enter(people["Anna"], "413256")
        for one in people.values():
            one.decide()
        order = [*order[1:], order[0]]
    rolling, other = (
        (people[order[0]], people[order[1]]) if order[1] in people else (people[order[0]], people[order[2]])
    )
    expect(rolling.status).to_have_text("Roll the dice and enter: white 1")
    for one in (other, watcher):
        expect(one.status).to_contain_text(f"{order[0]} rolls the dice and enters them.")
        expect(one.page.locator(".pad")).to_have_count(0)
    rolling.page.keyboard.type("665")
    rolling.page.keyboard.press("Backspace")
    rolling.page.keyboard.type("3256")
    for one in (rolling, other, watcher):
        expect(one.page.get_by_role("img", name="white die 6")).to_have_count(2)
    expect(rolling.page.get_by_text("has decided")).to_have_count(1)

    rolling.page.get_by_role("button", name="Correct the dice").click()
    for die, face in (("White 1", 4), ("White 2", 1)):
        rolling.page.get_by_role("button", name=f"{die}: 6").first.click()  # in the tray
        rolling.page.get_by_role("group", name=die).get_by_role("button", name=f"{die}: {face}").click()
    rolling.page.get_by_role("button", name="Save").click()
    for one in (rolling, other, watcher):
        expect(one.page.get_by_role("img", name="white die 4")).to_be_visible()
        expect(one.page.get_by_role("img", name="white die 1")).to_be_visible()
    expect(other.page.get_by_text("has decided")).to_have_count(1)  # the bot, anew
    other.decide()
    expect(rolling.page.get_by_role("button", name="Correct the dice")).to_have_count(0)
    rolling.decide()
    rolling.decide()
    expect(other.page.locator(".pad")).to_be_visible()
    game = parse(server.ask(f"/api/tables/{table}/record").body.decode())
    assert (game.tags["Dice"], game.turns[-1].dice) == ("entered", "41-3256")  # type: ignore[union-attr]
    for one in (*people.values(), watcher):
        assert one.errors == []
        one.close()


def test_on_one_device_without_a_connection(browser: Browser, server: Server, tmp_path: Path) -> None:
    """Entered, reloaded, corrected, and played to the end: dice of closed rows are not asked for."""
    one = visit(browser, server.url)
    one.context.set_offline(True)
    page = start_again(one, "/new?game=classic&name=Anna&name=Ben&pause=0")
    page.get_by_role("button", name="Take seat 3 away").click()  # for a friend with the link
    page.get_by_label("Dice", exact=True).select_option("entered-by-anybody")
    page.get_by_role("button", name="Open the table").click()
    enter(one, "663256")
    expect(page.get_by_role("img", name="white die 6")).to_have_count(2)
    page.reload()
    expect(page.get_by_role("img", name="white die 6")).to_have_count(2)
    page.get_by_role("button", name="Correct the dice").click()
    page.get_by_role("button", name="White 1: 6").first.click()
    page.keyboard.type("4")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("img", name="white die 4")).to_be_visible()
    page.reload()
    expect(page.get_by_role("img", name="white die 4")).to_be_visible()
    page.evaluate(ENTER_AND_PLAY)
    one.wait_for_end()
    record = download_record(page, tmp_path)
    check_record(record)
    (game,) = read(record)
    assert (game.tags["Dice"], game.turns[0].dice) == ("entered", "46-3256")  # type: ignore[union-attr]
    assert one.errors == []
    one.close()
