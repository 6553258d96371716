"""Writes the table of limits in docs/trust.md from what the code declares: `make limits`."""

from tests import ROOT
from tests.tools.addresses import renewed
from webui.api import camera, live
from webui.camera import cameras
from webui.errors import BY_STATUS
from webui.http import bodies, connections, guests, shares
from webui.http import live as streams
from webui.jobs import order
from webui.match import player_names
from webui.pages.start import start
from webui.store.tables import phones, webhooks

PAGE = ROOT / "docs" / "trust.md"
BEGIN = "<!-- begin: made by `make limits` -->\n"
HOURS = 5  # of the sentences that say when it goes on


def size(number):
    """Return a number of bytes in words.

    >>> size(256 * 1024), size(40_000_000), size(50_000_000_000)
    ('256 kB', '40 MB', '50 GB')
    """
    if number < 1e6:
        return f"{number // 1024} kB"
    return f"{number / 1e6:.0f} MB" if number < 1e9 else f"{number / 1e9:.0f} GB"


def rows():
    """Yield each limit: what is limited, to how much, and what a guest is answered."""
    too_large = f"413: {BY_STATUS[413][1]}"
    yield "a JSON body or form", size(bodies.BODY_BYTES), too_large
    yield "a photo", size(bodies.PHOTO_BYTES), "413, the same"
    yield "a frame of a camera", size(camera.FRAME_BYTES), "413, the same"
    yield "a recording", size(start.RECORDING_BYTES), "413, the same"
    greediest = "the greediest address loses one"
    yield "all bodies that are arriving", size(connections.BODIES_BYTES), greediest
    yield "headers of a request", f"{connections.HEAD_SECONDS:.0f} s", "closed"
    slow = (
        f"{connections.STALL_SECONDS:.0f} s of silence, {connections.BODY_RATE:.0f} bytes a second"
    )
    yield "a body", slow, "closed"
    yield ("connections", f"{connections.CONNECTIONS:,}", "the greediest address loses one")
    yield "live streams", f"{streams.LISTENERS:,}", "503; the page asks every few seconds instead"
    yield "matches of one stream", f"{live.MOST_FOLLOWED}", "400: the number is named"
    for spent, usual in shares.USUAL.items():
        amount = size(usual) if spent == "bytes" else f"{usual:,}"
        answer = f"429: {shares.REFUSED[spent](HOURS)}" if spent == "photos" else "429, likewise"
        yield f"{spent} a day of a guest", amount, answer
    yield "the same of all phones of an address", f"{shares.CROWD} times that", "429"
    code = f"{guests.TRIES} in {guests.TRY_SECONDS} s"
    yield "wrong codes of an address", code, f"429: {guests.too_many(60)}"
    yield "photos waiting to be read", f"{order.WAITING}", f"503: {order.FULL}"
    yield (
        "photos waiting of a match, of an address",
        (f"{order.OF_ONE_MATCH}, {order.OF_ONE_ADDRESS}"),
        f"503: {order.YOURS}",
    )
    yield "watching cameras", f"{cameras.MOST}", f"503: {cameras.FULL}"
    yield "phones of a match", f"{phones.MOST}", "the oldest is forgotten"
    yield (
        "webhooks, watch-only links of a match",
        (f"{webhooks.MOST}, {phones.MOST_VIEWERS}"),
        "a sentence in the form",
    )
    yield (
        "letters of a name, of a note",
        (f"{player_names.NAME_LENGTH}, {player_names.NOTE_LENGTH}"),
        "a sentence in the form",
    )


def written():
    """Return the page with its table made anew."""
    lines = [f"| {what} | {most} | {answer} |\n" for what, most, answer in rows()]
    head = "| limit | at most | beyond it |\n| --- | --- | --- |\n"
    return renewed(PAGE, BEGIN, head + "".join(lines))


if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
