"""What a step sounds, feels and looks like: once for each, and only as its owner chose."""

import pytest
from playwright.sync_api import expect

from tests.browser.phones import HeldRequests, photo
from tests.matches import CALLED
from tests.webui import sights

pytestmark = pytest.mark.browser

# Instead of what a test cannot hear: each call is written down.
STUBS = """
    window.calls = [];
    const note = (kind) => (what) => void calls.push([kind, what]);
    const stub = (owner, name, value) => Object.defineProperty(owner, name, { value });
    const level = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
    const connect = (to) => to;
    const node = { frequency: level, gain: level, connect, start: note("strike"), stop() {} };
    stub(window, "AudioContext", class {
        currentTime = 0;
        resume() {}
        createOscillator() { return node; }
        createGain() { return node; }
    });
    const speak = ({ text, lang }) => calls.push(["says", `${lang} ${text}`]);
    stub(window, "speechSynthesis", { cancel() {}, speak });
    stub(navigator, "vibrate", note("buzz"));
    const release = () => {
        lock.released = true;
        calls.push(["asleep"]);
    };
    stub(navigator, "wakeLock", { request: async () => {
        calls.push(["awake"]);
        return (window.lock = { released: false, release });
    } });
"""
ROLL = {"move": "Roll", "pips": 6}
WIDE = {"width": 820, "height": 1180}
WRITTEN = """
    window.shownTexts = [];
    const look = (one) => {
        if (one.dataset?.score === "0") shownTexts.push(one.textContent);
        else if (one.className === "celebration") shownTexts.push("celebration");
    };
    addEventListener("DOMContentLoaded", () => new MutationObserver((changes) => {
        for (const { target, addedNodes } of changes) [target, ...addedNodes].forEach(look);
    }).observe(document.body, { childList: true, subtree: true }));
"""


def stubbed(opened, made, script=STUBS, **options):
    page = opened("about:blank", own=True, viewport=WIDE, **options)
    page.add_init_script(script)
    page.goto(made["url"])
    expect(page.locator("#state")).to_have_text("live")
    expect(page.locator("[name=awake]")).to_be_checked()
    return page


def calls(page, number):
    """Return what was called since last time, once there is so much of it."""
    page.wait_for_function("number => calls.length >= number", arg=number)
    return list(page.evaluate("calls.splice(0)"))


def step(server, page, made, *moves):
    """Let another phone make a step, and wait until this one shows it."""
    made |= server.play(made, *moves)
    table = page.locator(f"[data-table*='\"seq\": {made['seq']},']")
    expect(table).to_have_count(1)


@pytest.mark.release
def test_a_step_buzzes_once_and_is_silent_until_sounds_are_asked_for_and_the_screen_stays_on(
    opened, server
):
    made = server.match("pig", "Ana", "Ben")
    page = stubbed(opened, made)
    page.get_by_text("Sounds and speech").click()
    assert calls(page, 1) == [["awake"]]
    page.evaluate("lock.released = true; document.dispatchEvent(new Event('visibilitychange'))")
    assert calls(page, 1) == [["awake"]]  # held again on return

    step(server, page, made, ROLL)
    assert calls(page, 1) == [["buzz", 20]]

    page.get_by_label("Sounds", exact=True).check()
    page.get_by_label("Say each step aloud").check()
    assert [kind for kind, *_ in calls(page, 3)] == ["strike", "strike", "says"]
    step(server, page, made, ROLL)
    made_of = calls(page, 4)
    assert [kind for kind, *_ in made_of] == ["strike", "strike", "buzz", "says"]
    assert made_of[-1][1].startswith("en Ana rolls 6. Ana 0 (+12 this turn), Ben 0.")

    page.reload()
    expect(page.locator("[name=sounds]")).to_be_checked()
    page.get_by_text("Sounds and speech").click()
    page.get_by_label("Buzz").uncheck()
    calls(page, 1)
    step(server, page, made, {"move": "Hold"})
    assert [kind for kind, *_ in calls(page, 3)] == ["strike", "strike", "says"]
    page.get_by_label("Keep the screen on").uncheck()
    assert calls(page, 1) == [["asleep"]]


@pytest.mark.release
def test_what_to_sound_is_chosen_once_the_choice_is_heard(opened, server):
    page = opened("about:blank", own=True)
    late = HeldRequests("**/senses.js*").of(page)
    page.goto(server.match("pig", "Ana", "Ben")["url"])
    late.wait()
    expect(page.get_by_text("Sounds and speech")).to_be_hidden()

    late.go_on()

    page.get_by_text("Sounds and speech").click()
    page.get_by_label("Sounds", exact=True).check()
    page.reload()
    expect(page.get_by_label("Sounds", exact=True)).to_be_checked()


def test_what_is_not_allowed_is_said_once_with_the_sentence(opened, server, show):
    page = stubbed(opened, server.match("gords", "Ana", "Ben", opening=CALLED[:2]))
    page.get_by_text("Sounds and speech").click()
    page.get_by_label("Say each step aloud").check()
    page.get_by_label("Sounds", exact=True).check()
    calls(page, 4)
    show(lambda *_asked: sights.track(4, 2))  # lower than the bid that stands

    page.locator("#camera").set_input_files(photo(1))
    expect(page.locator("#findings .wrong")).to_be_visible()

    heard = calls(page, 4)
    assert [kind for kind, *_ in heard] == ["strike", "strike", "buzz", "says"]
    assert heard[2] == ["buzz", [40, 60, 40]]
    said = page.locator("#findings .wrong").inner_text().splitlines()[0]  # then its rule
    assert heard[3][1].lower() == f"en illegal: {said}".lower()


def winning(server):
    return server.match("pig", "Ana", "Ben", opening=[ROLL, ROLL], target=10)


@pytest.mark.release
def test_numbers_count_up_and_a_win_is_celebrated_once(opened, server):
    made = winning(server)
    page = stubbed(opened, made, WRITTEN, reduced_motion="no-preference")

    step(server, page, made, {"move": "Hold"})

    expect(page.locator('[data-score="0"]')).to_have_text("12")
    page.wait_for_function("() => shownTexts.includes('celebration')")
    expect(page.locator(".celebration")).to_have_count(0)
    texts = page.evaluate("shownTexts")
    assert texts.count("celebration") == 1
    numbers = [int(one) for one in texts if one.isdigit()]
    assert numbers == sorted(numbers) or numbers[0] == 12
    assert numbers[-1] == 12
    assert 0 in numbers


def test_with_reduced_motion_all_is_there_at_once(opened, server):
    made = winning(server)
    page = stubbed(opened, made, WRITTEN, reduced_motion="reduce")

    step(server, page, made, {"move": "Hold"})

    assert page.locator('[data-score="0"]').inner_text() == "12"
    assert set(page.evaluate("shownTexts")) <= {"12"}
    assert not page.evaluate("document.getAnimations().length")
