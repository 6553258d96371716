"""How fast a browser's own eyes are while one aims: `make bench-finder`.

Read in the page's thread, so that its processor can be slowed as a phone's is; the product reads in
a thread of its own, beside the page, on which outlines follow the camera from one reading to the
next: that is counted apart. Then how long a person waits, with the files at hand, from
opening the viewfinder to the first outline.
"""

import base64
import os
import statistics
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page

from tests import FIXTURES, ROOT
from tests.browser.eyes.test_finder import CAMERA
from tests.browser.phones import GUIDED, PHONE, server_and_browser

SLOWER = (1, 4)  # than this machine's processor
FRAMES = 24
TABLES = {
    "six dice": (ROOT / "webui" / "static" / "samples" / "farkle.jpg", False),
    "ten dice": (FIXTURES / "boards" / "ten.jpg", False),
    "28 tiles": (FIXTURES / "full-set" / "full-set.jpg", True),
}
CAMERA_PX = 2560  # of the longer side, as the viewfinder wants them
# The camera is one px off from frame to frame, so that no two are alike.
READ = """async ([photo, halves, count, longest]) => {
  const given = JSON.parse(document.querySelector("main").dataset.eyes);
  const absolute = ([name, path]) => [name, new URL(path, location.href).href];
  const files = Object.fromEntries(Object.entries(given).map(absolute));
  const at = (name) => import(files.runtime.replace(/vendor.*/, name));
  const { networks, constants } = await (await at("eyes/networks.js")).openNetworks(files);
  const { frameSize, grab } = await at("camera/finder.js");
  const spent = {};
  const timed = (name) => async (...given) => {
    const began = performance.now();
    const answer = await networks[name](...given);
    spent[name] += performance.now() - began;
    return answer;
  };
  const watched = { detector: timed("detector"), classifier: timed("classifier") };
  const read = (await at("eyes/reader.js")).reader(watched, constants);
  const bytes = Uint8Array.from(atob(photo), (letter) => letter.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes]));
  const scale = longest / Math.max(picture.width, picture.height);
  const [wide, high] = [picture.width - 1, picture.height];
  const [resizeWidth, resizeHeight] = [wide, high].map((px) => Math.round(px * scale));
  const seen = (x) => createImageBitmap(picture, x, 0, wide, high, { resizeWidth, resizeHeight });
  const cameras = await Promise.all([seen(0), seen(1)]);
  const [width, height] = frameSize(resizeWidth, resizeHeight);
  const took = [];
  let [side, wanted] = [null, null];
  for (let i = 0; i < count; i++) {
    const began = performance.now();
    const frame = grab(cameras[i % 2], width, height, side, wanted);
    const grabbed = performance.now() - began;
    Object.assign(spent, { detector: 0, classifier: 0 });
    const options = { next: true, side, around: wanted, wide: width, halves };
    const { faces, around } = await read(frame, options);
    wanted = around;
    frame.close();
    const all = performance.now() - began;
    const sizes = faces.map((face) => face.size).sort((a, b) => a - b);
    side = sizes.length ? sizes[sizes.length >> 1] : null;
    const ours = all - grabbed - spent.detector - spent.classifier;
    took.push({ all, grabbed, ...spent, ours });
  }
  return took;
}"""

# The same camera, as outlines follow it on the page's own thread while a frame is read.
TRACK = """async ([photo, count]) => {
  const { runtime } = JSON.parse(document.querySelector("main").dataset.eyes);
  const at = (name) => import(runtime.replace(/vendor.*/, name));
  const { BEAT } = await at("camera/finder.js");
  const { Track } = await at("camera/track.js");
  const { thumbnail, thumbnailPen } = await at("camera/thumbnail.js");
  const bytes = Uint8Array.from(atob(photo), (letter) => letter.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes]));
  const { width, height } = picture;
  const from = (x) => createImageBitmap(picture, x, 0, width - 1, height);
  const frames = await Promise.all([from(0), from(1)]);
  const [track, pen] = [new Track(), thumbnailPen()];
  const took = [];
  for (let i = 0; i < count; i++) {
    const began = performance.now();
    track.step(thumbnail(pen, frames[i % 2], width - 1, height));
    track.transform(width, height);
    took.push(performance.now() - began);
  }
  return [BEAT, took];
}"""

WATCH = """() => new Promise((done) => {
  const began = performance.now();
  const look = () => {
    if (document.querySelector(".finder-drawn text")) done(performance.now() - began);
    else requestAnimationFrame(look);
  };
  document.querySelector("#camera").click();
  look();
})"""


def frames_read(page: Page, photo: Path, halves: bool) -> list[dict[str, float]]:
    """Return the ms of each frame, whole and by stage, without those that warm up."""
    sent = base64.b64encode(photo.read_bytes()).decode()
    took: list[dict[str, float]] = page.evaluate(READ, [sent, halves, FRAMES, CAMERA_PX])
    return took[len(took) // 3 :]


def followed(page: Page, photo: Path) -> str:
    """Return how often a second outlines follow the camera while frames are read beside it."""
    sent = base64.b64encode(photo.read_bytes()).decode()
    beat, took = page.evaluate(TRACK, [sent, FRAMES])
    ms = statistics.median(took[len(took) // 3 :])
    return f"outlines follow {1000 / max(beat, ms):.1f} times a second, {ms:.1f} ms each"


def row(name: str, slower: int, took: list[dict[str, float]]) -> str:
    """Return a line: frames a second, and the mean ms of each stage; a few are looked at whole."""
    mean = {stage: statistics.mean(one[stage] for one in took) for stage in took[0]}
    stages = ", ".join(f"{stage} {ms:.0f}" for stage, ms in mean.items() if stage != "all")
    return f"{name:9} {slower}x slower: {1000 / mean['all']:5.1f} read a second, ms: {stages}"


def waited(page: Page) -> float:
    """Return the ms from a tap on Photograph until something is outlined."""
    return float(page.evaluate(WATCH))


def first_outline(browser: Browser, address: str) -> float:
    """Return the ms from a tap on Photograph to the first outline, with the files at hand."""
    context = browser.new_context(**PHONE)
    context.add_init_script(GUIDED)
    sample = base64.b64encode(TABLES["six dice"][0].read_bytes()).decode()
    context.add_init_script(CAMERA % sample)
    page = opened(context, address)
    waited(page)
    page.close()
    ms = waited(opened(context, address))
    context.close()
    return ms


def opened(context: BrowserContext, address: str) -> Page:
    """Open a match whose page has its eyes."""
    page = context.new_page()
    with page.expect_response("**/joined/sight.js"):
        page.goto(address)
    page.locator(".glimpsed").wait_for(state="attached")
    return page


def slowed(page: Page, slower: int) -> None:
    """Slow the processor of a page's own thread."""
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})


def main() -> None:
    """Print the figures, and the load that they were measured under."""
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    with server_and_browser() as (server, browser):
        address = server.match("farkle", "Ada", "Ben")["url"]
        for slower in SLOWER:
            for name, (photo, halves) in TABLES.items():
                page = browser.new_page()
                page.goto(address)
                slowed(page, slower)
                print(row(name, slower, frames_read(page, photo, halves)), flush=True)
                print(f"{'':9} {followed(page, photo)}", flush=True)
                page.close()
        print(f"first outline {first_outline(browser, address):.0f} ms after a tap on Photograph")
    print(f"load {os.getloadavg()[0]:.1f} after")
