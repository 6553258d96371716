"""The app in the browser alone: built, served below a path, played by tap and photo, cut off."""

import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing, suppress
from io import BytesIO
from pathlib import Path

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect

from tests import FIXTURES
from tests.browser.lite_host import LOADS, LOSES, hosted
from tests.browser.phones import GUIDED, PHONE, wait_until
from tests.webui.serving import serving
from webui.app import create_app
from webui.lite.site import write_worker
from webui.store.backups.backup import back_up
from webui.store.photos.files import PhotoFiles
from webui.store.photos.shelves import shelf_at
from webui.store.upgrade import prepare

ROOT = Path(__file__).parents[2]
PYODIDE = ROOT / "packaging" / "scripts" / "node_modules" / "pyodide"
PHOTO = FIXTURES / "series" / "pig-29" / "photo-001.jpg"
DOMINOES = FIXTURES / "full-set" / "full-set.jpg"  # of which the pips are 168
BEGIN = """(wanted) => fetch('api/matches', {
  method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(wanted),
}).then((answer) => answer.json()).then(({ id }) => id)"""
STARTED = "html[data-ready]"
TWO = re.compile(r"rolls 2: \d")  # a button
# The files of the eyes, the last of which is the runtime, are here for the first photo.
HERE = """async () => {
  for (const name of await caches.keys())
    for (const { url } of await (await caches.open(name)).keys())
      if (url.endsWith('ort.wasm.bundle.min.mjs')) return true;
  return false;
}"""
KEPT = "caches.match('snapshot').then(Boolean)"  # Python as it was after its first start
OLDEST = "0.2.0"
KILLS = int(os.environ.get("KILLS", "3"))  # of a tab: make kill-lite
WORDS = "fetch('words.js').then((answer) => answer.text())"
SHELL = ROOT / "webui" / "lite" / "page"
UPDATE = """async () => {
  const registration = await navigator.serviceWorker.ready;
  await registration.update();
  const worker = registration.installing ?? registration.waiting;
  while (worker.state === 'installing')
    await new Promise((done) => worker.addEventListener('statechange', done));
}"""
SLOW = 180_000  # ms that a start may take beside other tests

pytestmark = [pytest.mark.browser, pytest.mark.release]  # each start takes seconds


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Return a folder in which the site lies below a path."""
    folder = tmp_path_factory.mktemp("host")
    (folder / "some").mkdir()
    command = [sys.executable, "-m", "webui.cli", "site", folder / "some" / "path"]
    subprocess.run([*command, "--pyodide", PYODIDE], check=True, cwd=ROOT, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def lite(site):
    """Return where the site is, below a path of a host."""
    with hosted(site) as host:
        yield f"{host}/some/path/"


@pytest.fixture
def phone(browser):
    context = browser.new_context(**{**PHONE, "service_workers": "allow"})
    context.add_init_script(GUIDED)
    yield context
    context.close()


def opened(page, address):
    page.goto(address)
    page.locator(STARTED).wait_for(timeout=SLOW, state="attached")
    return page.frame_locator("iframe")


def reopened(page, address):
    """Close a tab and open an address in a new one; return that and what it shows."""
    page.close()
    page = page.context.new_page()
    return page, opened(page, address)


def begun(page, shown):
    """Start a match of Pig; return what is shown."""
    shown.locator(".game", has_text="Pig").click()
    expect(shown.locator(".game[aria-pressed=true]")).to_contain_text("Pig")
    shown.get_by_role("button", name="Start").first.click()
    page.wait_for_url("**/#/m/*", timeout=SLOW)
    return shown


def test_a_match_is_played_by_taps_with_the_network_cut(lite, phone):
    page, elsewhere = phone.new_page(), []
    phone.on("request", lambda sent: elsewhere.append(sent.url))
    shown = opened(page, lite)
    phone.set_offline(True)
    begun(page, shown)
    for points in range(6, 103, 6):
        shown.get_by_role("button", name=f"rolls 6: {points}", exact=False).click()
        expect(shown.locator("#prompt")).to_contain_text(f"holds {points}")
    shown.get_by_role("button", name="holds 102", exact=False).click()

    expect(shown.locator("#result-title")).to_be_visible()
    assert [url for url in elsewhere if not url.startswith((lite, "blob:", "data:"))] == []


def test_a_later_start_takes_python_as_the_first_has_left_it(lite, phone):
    page = phone.new_page()
    begun(page, opened(page, lite))
    wait_until(page, lambda: page.evaluate(KEPT))
    phone.set_offline(True)
    page, shown = reopened(page, page.url)

    assert "restored" in page.locator("html").get_attribute("data-ready")
    shown.get_by_role("button", name="rolls 6: 6").click()
    expect(shown.locator("#prompt")).to_contain_text("holds 6")


def test_a_page_opens_by_its_address_where_the_site_is_open_already(lite, phone):
    shown = begun(page := phone.new_page(), opened(page, lite))
    match, prompt = page.url, shown.locator("#prompt")
    for go in (page.goto, lambda _: page.go_back()):
        for address in (f"{lite}#/matches", match):
            go(address)
            expect(prompt).to_be_visible(visible=address == match)
            assert page.url == address


def test_a_phone_takes_it_along_from_a_server(site, phone, tmp_path):
    """The server's own service worker is in charge of the page that leads there."""
    page = phone.new_page()
    with serving(tmp_path, "--lite", str(site / "some" / "path")) as server:
        page.goto(server.address)
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        page.get_by_role("link", name="Take Pipsight along").click()
        page.locator(STARTED).wait_for(timeout=SLOW, state="attached")
    phone.set_offline(True)
    begun(page, page.frame_locator("iframe"))


@pytest.fixture
def offline(lite, phone):
    """Return a page whose phone has the eyes and lost the network, and what is shown there."""
    page = phone.new_page()
    shown = opened(page, lite)
    wait_until(page, lambda: page.evaluate(HERE))
    phone.set_offline(True)
    return page, shown


def test_photos_of_dice_and_of_loose_dominoes_are_read_with_the_network_cut(offline, lite):
    page, shown = offline
    begun(page, shown)
    shown.locator("input[type=file]").first.set_input_files(PHOTO)
    shown.get_by_role("button", name="Count it").click(timeout=SLOW)

    expect(shown.locator("#prompt")).to_contain_text("holds 3")
    page.frames[1].goto(lite)
    wanted = {"game": "sum", "names": ["Ada", "Ben"], "settings": {"photo": "dominoes"}}
    match = page.frames[1].evaluate(BEGIN, wanted)
    page.frames[1].goto(f"{lite}m/{match}")
    shown.locator("input[type=file]").first.set_input_files(DOMINOES)
    shown.get_by_role("button", name="Count it").click(timeout=SLOW)
    expect(shown.locator(".history")).to_contain_text("168")


def test_the_start_page_is_filled_in_while_python_wakes_and_in_german(lite, browser):
    context = browser.new_context(**{**PHONE, "service_workers": "allow", "locale": "de-AT"})
    page, warnings = context.new_page(), []
    page.on("console", lambda line: warnings.append(line.text))
    page.goto(lite)
    shown = page.frame_locator("iframe")
    shown.locator("#name-1").fill("Zoë")
    assert not page.locator(STARTED).count()
    expect(page.get_by_role("status")).to_contain_text("Pipsight w")
    shown.locator(".dock .main").click()
    page.wait_for_url("**/#/m/*", timeout=SLOW)

    expect(shown.locator("#prompt")).to_contain_text("Zoë", timeout=SLOW)
    expect(shown.locator("html")).to_have_attribute("lang", "de")
    page.goto(f"{lite}#/")
    shown.get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")  # the shell's own
    assert not any("web-share" in each for each in warnings)
    context.close()


def test_a_second_tab_shows_the_matches_of_the_first_and_goes_on_without_it(lite, phone):
    first, second = phone.new_page(), phone.new_page()
    begun(first, opened(first, lite))
    second.goto(first.url)
    expect(second.get_by_role("status")).to_contain_text("open in another tab")
    prompt = second.frame_locator("iframe").locator("#prompt")
    expect(prompt).to_be_visible(timeout=SLOW)
    first.frame_locator("iframe").get_by_role("button", name="rolls 6: 6").click()
    expect(prompt).to_contain_text("holds 6")
    first.close()
    second.locator("html[data-ready*=imported]").wait_for(timeout=SLOW, state="attached")

    expect(prompt).to_contain_text("holds 6")


@pytest.mark.parametrize("script", [LOADS, LOSES], ids=["still loads", "has just been closed"])
def test_a_second_tab_is_answered_though_the_first_could_not_yet(lite, phone, script):
    first, second = phone.new_page(), phone.new_page()
    opened(first, lite)
    first.add_init_script(script)
    first.reload()
    if script == LOSES:
        first.locator(STARTED).wait_for(timeout=SLOW, state="attached")
    second.goto(f"{lite}#/rules/pig")
    expect(second.get_by_role("status")).to_contain_text("open in another tab")
    second.wait_for_timeout(1500)  # it has asked
    first.evaluate("go()")

    expect(second.frame_locator("iframe").locator("h1")).to_be_visible(timeout=60_000)


def test_a_match_moves_to_a_server_and_back(lite, phone, tmp_path):
    page = phone.new_page()
    shown = begun(page, opened(page, lite))
    shown.get_by_role("button", name="rolls 6: 6").click()
    expect(shown.locator("#prompt")).to_contain_text("holds 6")
    frame = page.frames[1]
    frame.goto(f"{frame.url}/share")
    with page.expect_download() as saved:
        shown.get_by_role("link", name="Save this match as a recording").click()

    url = f"sqlite:///{tmp_path / 'log.db'}"
    prepare(url)
    server = create_app(url, tmp_path / "photos").test_client()
    sent = {"recording": (BytesIO(saved.value.path().read_bytes()), "match.jsonl")}
    there = server.post("/open", data=sent).location
    assert "holds 6" in server.get(there).text

    back = tmp_path / "back.jsonl"
    back.write_bytes(server.get(f"{there}/recording.jsonl").data)
    frame.goto(lite)
    shown.locator("#recording").set_input_files(back)
    shown.get_by_role("button", name="Open", exact=True).click()
    expect(shown.locator("#prompt")).to_contain_text("holds 6")


def test_a_tab_killed_at_any_moment_loses_no_acknowledged_step(lite, phone):
    """What the tally has shown is there after the tab has ended with a tap on its way.

    That tap may be stored, or sent again by the page when it is opened: it is no longer awaited.
    """
    page, chance, shown_last, taps = phone.new_page(), random.Random(66), 0, 0
    shown = begun(page, opened(page, lite))
    for _ in range(KILLS):
        prompt, tap = shown.locator("#prompt"), shown.get_by_role("button", name=TWO)
        for _tap in range(chance.randint(1, 3)):
            before = held(prompt)
            tap.click()
            expect(prompt).not_to_contain_text(re.compile(rf"holds {before}\b|to roll"))
            shown_last, taps = held(prompt), taps + 1
        tap.click(no_wait_after=True)
        page.wait_for_timeout(chance.random() * 60)  # ms, any moment of a step on its way
        taps += 1
        page, shown = reopened(page, page.url)
        assert shown_last <= held(shown.locator("#prompt")) <= 2 * taps


def held(prompt):
    """Return the points that the player holds."""
    found = re.search(r"holds (\d+)", prompt.inner_text())
    return int(found[1]) if found else 0


FILLS = """
let full = false;
const put = IDBObjectStore.prototype.put;
IDBObjectStore.prototype.put = function (...all) {
  if (full) throw new DOMException("no room", "QuotaExceededError");
  return put.apply(this, all);
};
new BroadcastChannel("full").onmessage = ({ data }) => (full = data);
"""  # in the worker: Chromium lets nobody set the room of a test's phone


def test_full_storage_says_so_and_the_step_counts_once_when_there_is_room(site, phone):
    folder = site / "full"
    shutil.copytree(site / "some" / "path", folder)
    worker = folder / "python_worker.js"
    worker.write_text(worker.read_text() + FILLS)
    shutil.copy(SHELL / "service_worker.js", folder)
    write_worker(folder)
    page = phone.new_page()
    with hosted(site) as host:
        shown = begun(page, opened(page, f"{host}/full/"))
        page.evaluate("(window.disk = new BroadcastChannel('full')).postMessage(true)")
        shown.get_by_role("button", name=TWO).click()

        expect(shown.locator("#entry-says")).to_contain_text("storage of this phone is full")
        expect(shown.locator("#prompt")).to_contain_text("rolls the die")
        page.evaluate("disk.postMessage(false)")

        expect(shown.locator("#prompt")).to_contain_text("holds 2", timeout=60_000)
        page, shown = reopened(page, page.url)
        expect(shown.locator("#prompt")).to_contain_text("holds 2")
        expect(shown.locator(".history > li")).to_have_count(1)


def test_a_copy_of_older_matches_is_put_back_and_all_are_saved_again(lite, phone, tmp_path):
    """The copy is of the first version that made any, and is brought up to date here."""
    page = phone.new_page()
    opened(page, f"{lite}#/matches")
    wait_until(page, lambda: page.evaluate(HERE))
    phone.set_offline(True)
    shown = page.frame_locator("iframe")
    put_back(shown, tmp_path)
    page.wait_for_url(re.compile(r"path/#/$"), timeout=SLOW)
    page.frames[1].goto(f"{lite}matches")
    expect(shown.locator(".matches > li").first).to_be_visible(timeout=SLOW)
    with page.expect_download() as saved:
        shown.get_by_role("link", name="Save all matches and photos").click()

    with zipfile.ZipFile(saved.value.path()) as whole:
        assert json.loads(whole.read("backup.json"))["matches"] > 0


@pytest.mark.parametrize("by", [0, 1], ids=["by the first", "by the second"])
def test_a_copy_put_back_beside_another_tab_is_what_both_show(lite, phone, tmp_path, by):
    tabs = [phone.new_page(), phone.new_page()]
    begun(tabs[0], opened(tabs[0], lite))
    tabs[1].goto(tabs[0].url)
    shown = [tab.frame_locator("iframe") for tab in tabs]
    expect(shown[1].locator("#prompt")).to_be_visible(timeout=SLOW)
    old = f"m-{tabs[0].url.rpartition('/')[2]}"
    tabs[by].frames[1].goto(f"{lite}matches")
    expect(shown[by].locator(f"[id='{old}']")).to_be_visible()
    put_back(shown[by], tmp_path)
    expect(shown[by].locator(f"[id='{old}']")).to_have_count(0, timeout=SLOW)
    for tab, frame in zip(tabs, shown, strict=True):
        lead(tab, f"{lite}#/matches")
        expect(frame.locator(".matches > li").first).to_be_visible(timeout=SLOW)
        expect(frame.locator(f"[id='{old}']")).to_have_count(0)


def lead(tab, address):
    """Lead a tab to an address, which may just load again by itself."""
    for _ in range(9):
        with suppress(PlaywrightError):
            tab.goto(address)
            return tab.reload()
    return pytest.fail(f"{address} is not reached")


def put_back(shown, folder):
    """Put back a backup of a database of the oldest version."""
    database, copy = folder / "old.db", folder / "copy.zip"
    with closing(sqlite3.connect(database)) as made:
        made.executescript((FIXTURES / "databases" / f"{OLDEST}.sql").read_text())
    back_up(f"sqlite:///{database}", PhotoFiles(shelf_at(folder / "photos")), copy)
    shown.get_by_label("The file of the copy").set_input_files(copy)
    shown.get_by_role("button", name="Put it back").click()


def test_a_half_loaded_build_says_so_and_a_new_one_comes_whole_with_the_old_matches(site, phone):
    """The host replaces the folder while the old build is loaded, then the new one is whole."""
    folder = site / "two"
    shutil.copytree(site / "some" / "path", folder)
    whole = (folder / "app.zip").read_bytes()
    (folder / "app.zip").write_bytes(b"half")
    page = phone.new_page()
    with hosted(site) as host:
        page.goto(f"{host}/two/")
        expect(page.get_by_role("status")).to_contain_text("Not all of Pipsight", timeout=SLOW)
        (folder / "app.zip").write_bytes(whole)
        page.locator(STARTED).wait_for(timeout=SLOW, state="attached")
        begun(page, page.frame_locator("iframe"))

        newer = (folder / "words.js").read_text().replace('"en";', '"en"; // newer')
        (folder / "words.js").write_text(newer)
        shutil.copy(SHELL / "service_worker.js", folder)
        write_worker(folder)
        page.evaluate(UPDATE)
        page, shown = reopened(page, page.url)
        wait_until(page, lambda: "newer" in page.evaluate(WORDS))
    expect(shown.locator("#prompt")).to_be_visible()
