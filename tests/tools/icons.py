"""`make icons`: the installed page's icons, drawn from webui/static/icons/favicon.svg."""

import io
import re

from PIL import Image

from tests import ROOT
from tests.browser.phones import chromium

FOLDER = ROOT / "webui" / "static" / "icons"
# Side in px, and the share of it that the drawing takes: of a maskable icon a phone shows no more
# than a circle 80 % across. What a phone rounds itself is coloured to its edges.
ICONS = {
    "icon-192.png": (192, 1.0),
    "icon-512.png": (512, 1.0),
    "icon-maskable.png": (512, 0.8),
    "icon-apple.png": (180, 0.9),
}
COLOURS = 32  # of the palette; edges are smooth with fewer
PAGE = "<body style='margin:0;background:{ground}'>{drawing}"


def drawn(drawing: str, share: float) -> str:
    """Return a page of the drawing; where it does not fill the icon, its ground does."""
    if share == 1:
        return PAGE.format(ground="transparent", drawing=drawing)
    ground = re.findall(r'<rect[^>]*fill="(#\w+)"', drawing)[0]
    room = 50 / share
    wide = f'viewBox="{50 - room} {50 - room} {2 * room} {2 * room}"'
    return PAGE.format(ground=ground, drawing=drawing.replace('viewBox="0 0 100 100"', wide))


def main() -> None:
    """Write the icons and say how large they are."""
    drawing = (FOLDER / "favicon.svg").read_text(encoding="utf-8")
    with chromium() as browser:
        for name, (side, share) in ICONS.items():
            page = browser.new_page(viewport={"width": side, "height": side})
            page.set_content(drawn(drawing, share))
            shot = Image.open(io.BytesIO(page.screenshot(omit_background=True)))
            shot.quantize(COLOURS).save(FOLDER / name, optimize=True)
            print(f"{name}: {(FOLDER / name).stat().st_size} bytes")


if __name__ == "__main__":
    main()
