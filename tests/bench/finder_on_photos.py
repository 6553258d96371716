"""What the viewfinder says of real photos: `make finder-on-photos PHOTOS=../shared/photos/train`.

Photos of two dice, held before a camera one after the other: Chromium plays them as the film of its
fake camera. It prints of how many the viewfinder said "All 2 seen" over the values that lie there,
and what it said so over besides: values that no photo shows are silent errors of the preview.
"""

import io
import tempfile
from pathlib import Path
from typing import Annotated

from PIL import Image, ImageOps
from playwright.sync_api import Browser, sync_playwright

from models.dataset.annotation import AnnotatedImage
from models.harness import NothingToMeasure
from models.measure.photos.choice import Photos, SetNames, chosen
from tests.browser.phones import ARGUMENTS, CHROMIUM, GUIDED, PHONE, need_chromium, serving

DICE = 2  # that Beat the Odds wants
SIZE = (1280, 960)  # px of the film
SECONDS, RATE = 5, 30  # for which a photo is held, and Chromium's frames of a film a second
FAKE = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")
SEEN = """() => {
  const said = document.querySelector("dialog.finder [role=status]");
  if (!said.classList.contains("ready")) return null;
  const texts = document.querySelectorAll(".finder-drawn text");
  return Array.from(texts, (one) => one.textContent).sort().join("");
}"""


def main(
    photos: Photos, *, sets: SetNames = ("*",), most: Annotated[int, "photos that are shown"] = 12
) -> None:
    """Show photos to the viewfinder, and print what it says."""
    named = chosen(photos, sets, all_photos=True)
    fit = [image for one in named for image in one.images if shows(image) is not None]
    shown = fit[:: max(1, len(fit) // most)][:most]
    if not shown:
        raise NothingToMeasure(f"No photo there shows {DICE} dice with values.")
    need_chromium()
    with tempfile.TemporaryDirectory() as folder:
        film = Path(folder) / "photos.mjpeg"
        film.write_bytes(b"".join(frame(image) * (SECONDS * RATE) for image in shown))
        said = watched(film, Path(folder), len(shown))
    report([shows(image) or "" for image in shown], said)


def shows(image: AnnotatedImage) -> str | None:
    """Return the values on a photo as the viewfinder would say them, None if it is of no use."""
    values = [die.value for die in image.dice or ()]
    if len(values) != DICE or None in values or image.tiles:
        return None
    return "".join(sorted(map(str, values)))


def frame(image: AnnotatedImage) -> bytes:
    """Return a photo as a frame of the film."""
    with Image.open(image.path) as picture:
        upright = ImageOps.exif_transpose(picture).convert("RGB")
    made = io.BytesIO()
    ImageOps.pad(upright, SIZE, color=(112, 112, 112)).save(made, "JPEG", quality=92)
    return made.getvalue()


def watched(film: Path, folder: Path, photos: int) -> list[str]:
    """Return what the viewfinder said, each reading once, while the film went round."""
    flags = [*ARGUMENTS, *FAKE, f"--use-file-for-fake-video-capture={film}"]
    with serving(folder) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        try:
            address = server.match("beat_the_odds", "Ada", "Ben")["url"]
            return readings(browser, address, 2 * photos * SECONDS)
        finally:
            browser.close()


def readings(browser: Browser, address: str, seconds: int) -> list[str]:
    """Aim for so many seconds; return what all seen dice showed, each time it changed."""
    context = browser.new_context(**PHONE, permissions=["camera"])
    context.add_init_script(GUIDED)
    page = context.new_page()
    page.goto(address)
    page.locator(".glimpsed").wait_for(state="attached")
    page.locator("#camera").evaluate("input => input.click()")
    page.locator(".finder-drawn[viewBox]").wait_for(state="attached", timeout=60_000)
    said: list[str] = []
    for _ in range(10 * seconds):
        found = page.evaluate(SEEN)
        if found and (not said or said[-1] != found):
            said.append(found)
        page.wait_for_timeout(100)
    return said


def report(truths: list[str], said: list[str]) -> None:
    """Print how many of the photos were said right, and what was said that none shows."""
    right = sum(truth in said for truth in truths)
    others = sorted({one for one in said if one not in truths})
    print(f"{len(truths)} photos, {right} said right, {len(truths) - right} not said to be seen")
    print(f"said of none of them: {', '.join(others) or 'nothing'}")
