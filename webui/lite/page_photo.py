"""Photos read by the page's own eyes (webui/static/eyes): its faces as a reading for the rules."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from scorer import Equipment
from scorer.messages import _
from vision.dominoes.copies import doubt_copies
from vision.quad import Quad
from vision.reading import SURE_COLOUR, Face, Reading, TileReading, UnreadPiece
from vision.warnings import CUT, DOUBLE_SIX, LONE_HALF, hint, is_cut_off, where_all
from webui.errors import NotRead, WholeWanted
from webui.eyes.eyes import Eyes
from webui.eyes.photo import PhotoReading
from webui.eyes.table import doubts, table_from
from webui.eyes.views import quad_of

WHOLE = _("Send the whole photo.")
NO_EYES = _("This browser cannot read photos. Tap what lies on the table.")
NOT_HERE = _(
    "Without a server no camera watches the table, and no dice or boards are taught. "
    "Take photos, or play on a Pipsight server."
)
NO_BOARDS = _(
    "Without a server only loose dice and loose dominoes up to double six are read from photos. "
    "Tap what lies on the table, or play on a Pipsight server."
)


@dataclass(slots=True)
class PageEyes:
    """`found` is what the page saw on the photo of this request; None: it cannot read photos."""

    found: Mapping[str, Any] | None = None

    @property
    def eyes(self) -> Eyes:
        """Return what looks; it learns and watches nothing."""
        looks = (_refuse, _refuse, _refuse, _refuse)
        return Eyes(self.see, *looks, learns=False, reads=_is_loose)

    def see(
        self,
        photo: bytes,
        equipment: Equipment,
        spot: int = 0,
        /,
        *,
        part: object = None,
        **_taught: object,
    ) -> PhotoReading:
        """Return what the page saw, as `webui.eyes.photo.see` does; raises NotRead."""
        if part is not None:
            raise WholeWanted(WHOLE)
        if self.found is None:
            raise NotRead(NO_EYES)
        if not _is_loose(equipment):
            raise NotRead(NO_BOARDS)
        reading, coloured = reading_of(self.found, equipment), bool(equipment.colours)
        return PhotoReading(
            reading.to_json("photo.jpg"),
            table_from(reading, spot, coloured=coloured, loose=equipment.loose),
            doubts(reading, coloured=coloured, loose=equipment.loose),
            photo,
            reading,
        )


def _is_loose(equipment: Equipment) -> bool:
    in_places = equipment.board or equipment.beside or (equipment.tiles and not equipment.loose)
    return not in_places and (equipment.largest or DOUBLE_SIX) <= DOUBLE_SIX


def _refuse(*_asked: object) -> NoReturn:
    raise NotRead(NOT_HERE)


def reading_of(found: Mapping[str, Any], equipment: Equipment) -> Reading:
    """Return what the page saw, with what a person is asked about it."""
    size = found["width"], found["height"]
    faces = tuple(_face(face, equipment) for face in found["faces"])
    tiles = doubt_copies([_tile(tile, equipment) for tile in found["tiles"]])
    missed = tuple(map(quad_of, found["perhaps"]))
    said = hint(missed, *size, more=bool(faces or tiles))
    halves = [half.quad for tile in tiles for half in tile.halves]
    are_cut = [
        *(is_cut_off(face.quad, *size) for face in faces),
        *(is_cut_off(half, *size, half=True) for half in halves),
    ]
    is_more = found["cut"] and len(faces) != equipment.dice
    cut = [CUT] if any(are_cut) or is_more else []
    if alone := [face.quad for face in faces] if equipment.tiles else []:
        cut.append(LONE_HALF.format(where_all(alone, *size)))
    return Reading(
        *size, () if equipment.tiles else faces, tuple(tiles),
        warnings=(*cut, *([said] if said else [])), missed_candidates=missed, hint=said,
        unread=tuple(map(_unread, found["unread"])), ms=found["ms"],
    )  # fmt: skip


def _tile(found: Mapping[str, Any], equipment: Equipment) -> TileReading:
    first, second = (_face(half, equipment) for half in found["halves"])
    sure = found["sure"] and first.sure and second.sure
    return TileReading(Quad.around(found["quad"]), (first, second), found["confidence"], sure)


def _unread(found: Mapping[str, Any]) -> UnreadPiece:
    return UnreadPiece(found["kind"], Quad.around(found["quad"]), found["probability"])


def _face(found: Mapping[str, Any], equipment: Equipment) -> Face:
    """Return a face with a colour of the game, if the game has colours."""
    of_game = [each for each in found["colours"] if each[0] in equipment.colours] or found[
        "colours"
    ]
    total = sum(share for _, share in of_game) or 1.0
    colours = tuple((str(name), float(share) / total) for name, share in of_game)
    sure = found["sure"] and (not equipment.colours or colours[0][1] >= SURE_COLOUR)
    return Face(quad_of(found["quad"]), tuple(found["probs"]), colours, found["confidence"], sure)
