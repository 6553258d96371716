"""A page that judges which frames of a camera it need not send: still_table.js in Chromium."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, field

from playwright.sync_api import Page

from tests import ROOT
from tests.webui.camera.watched_film import FilmCamera
from webui.camera.cameras import REST_S

CAMERA = ROOT / "webui" / "static" / "camera"
SCRIPTS = [CAMERA / "thumbnail.js", CAMERA / "still_table.js"]
BEAT = 600  # bytes of a request without a picture, its headers
SAME = """async ([jpeg, at, elsewhere]) => {
  const bytes = Uint8Array.from(atob(jpeg), (letter) => letter.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes]));
  const grey = still.view(bitmap, bitmap.width, bitmap.height);
  if (!elsewhere && still.unchanged(grey, at)) return true;
  still.keep(grey, at);
  return false;
}"""


@dataclass
class SparingPage:
    """A page that judges which frames of one camera need not be sent."""

    page: Page
    seq: int = -1  # of the match when the last frame was sent
    told_s: float = 0.0  # when the server last heard
    seen_s: float = 0.0  # when the page last looked
    all: list[int] = field(default_factory=list)  # bytes of every frame
    sent: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Begin with a table of which nothing is known."""
        joined = "".join(one.read_text(encoding="utf-8") for one in SCRIPTS)
        source = re.sub(r"^import .*;$|^export ", "", joined, flags=re.M)
        self.page.evaluate(f"() => {{ {source}; window.still = new StillTable(); }}")

    def says(self, jpeg: bytes, time_s: float, seq: int = 0) -> str:
        """Return what is sent of a frame: the frame, "unchanged" or nothing ("")."""
        self.all.append(len(jpeg))
        given = [base64.b64encode(jpeg).decode(), 1000 * time_s, seq != self.seq]
        same = self.page.evaluate(SAME, given)
        if same and time_s - self.told_s < REST_S:
            return ""
        self.told_s, self.seq = time_s, seq
        self.sent.append(BEAT if same else len(jpeg))
        return "unchanged" if same else "frame"

    def take(self, waiting: str, time_s: float) -> None:
        """Take what the server's answer waits for."""
        self.page.evaluate("([waiting, at]) => still.waits(waiting, at)", [waiting, 1000 * time_s])

    def send(self, camera: FilmCamera, jpeg: bytes) -> None:
        """Send the server what a frame of a match's film needs."""
        since_s, self.seen_s = self.seen_s, camera.now_s
        match self.says(jpeg, camera.now_s, camera.says.get("seq", 0)):
            case "frame":
                camera.send(jpeg, f"&since={since_s:.3f}")
            case "unchanged":
                camera.send(b"", "&unchanged=1")
            case _:
                return
        self.take(camera.says["waiting"], camera.now_s)

    @property
    def spared(self) -> str:
        """Say how much was sent."""
        pictures = sum(size != BEAT for size in self.sent)
        size, whole = sum(self.sent) / 1000, sum(self.all) / 1000
        return (
            f"{pictures} of {len(self.all)} frames ({pictures / len(self.all):.0%}),"
            f" {len(self.sent) - pictures} beats, {size:.0f} of {whole:.0f} kB ({size / whole:.0%})"
        )
