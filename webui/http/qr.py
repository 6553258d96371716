"""QR codes of an address: for the terminal and for the page."""

import io
from functools import lru_cache

import segno
from segno.helpers import make_wifi_data


def terminal(address: str) -> str:
    """Return a QR code drawn with half blocks, two modules a letter; dark on a light ground."""
    text = io.StringIO()
    segno.make(address, error="m", micro=False).terminal(text, compact=True)
    return text.getvalue()


@lru_cache(maxsize=256)  # a tenth of the time of a match's page
def svg(address: str) -> str:
    """Return a QR code as an SVG element for a page, black on white in any colour scheme."""
    code = segno.make(address, error="m", micro=False)
    return str(
        code.svg_inline(border=2, light="#fff", omitsize=True, svgclass="qr", lineclass=None)
    )


def wifi_svg(name: str, password: str) -> str:
    """Return the QR code by which a phone joins a Wi-Fi; without a password it is an open one."""
    return svg(make_wifi_data(name, password or None, "WPA" if password else "nopass"))
