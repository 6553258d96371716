"""A photo, what was read on it and learned from it."""

from collections.abc import Mapping
from typing import Annotated, Any, TypedDict, cast

from webui.api.answers import PointView
from webui.api.answers.history import photo_path
from webui.api.answers.proposals import ProposalView
from webui.eyes.phrases import notices_of, phrase
from webui.eyes.readings import StoredReading, cells_on
from webui.eyes.views import views
from webui.languages import said
from webui.match.taught import used_board
from webui.store.log import Store
from webui.store.rows import Sighting

BoxView = Annotated[list[float], "x, y, width, height in px of the photo"]


class TagView(TypedDict):
    """Where the value of a piece is written on the photo."""

    box: BoxView
    to: Annotated[PointView, "on the outline of its piece: where a line to it ends"]
    text: str


class PhotoView(TypedDict):
    """A way to show the photo."""

    frame: BoxView
    unit: Annotated[float, "px of the photo to a CSS px on a phone"]
    letters: Annotated[
        dict[str, str], "for the colours of dice, where hues alone would tell them apart"
    ]
    dice: list[TagView | None]
    tiles: list[TagView | None]
    perhaps: list[TagView | None]


class PrintedCell(TypedDict):
    """A cell of the board on the photo."""

    cell: Annotated[list[Any], "its name, as readings use it: ['red', 0, 3]"]
    quad: Annotated[list[PointView], "its corners"]


class SightingView(TypedDict):
    """What was read on a photo, and how to show it."""

    sighting: str
    photo: Annotated[str, "address of the upright photo, without metadata"]
    width: int
    height: int
    views: Annotated[
        list[PhotoView],
        "ways to show the photo: the part with the pieces, and the whole if that is more; each"
        " with places for tags that cover no other piece",
    ]
    cells: Annotated[list[PrintedCell], "of a sheet or a track that was found, in order"]
    reading: StoredReading


class SeenView(SightingView):
    """What was read on a photo, and what it would mean by the rules."""

    proposal: ProposalView


class WholeView(TypedDict):
    """The whole photo of which a part was read."""

    photo: Annotated[str, "its address from now on"]


class TaughtView(TypedDict):
    """What was learned of a family's dice."""

    pieces: str
    faces: Annotated[int, "that were learned, on up to two photos"]
    says: Annotated[str, "how photos of this match are read from now on"]


class TaughtBoardView(TypedDict):
    """A match's own board that was learned."""

    board: str
    cells: Annotated[int, "that it has"]
    says: Annotated[str, "on which board photos of this match are read from now on"]


def sighting_view(store: Store, sighting: Sighting) -> SightingView:
    """Return what was read on a photo, and how to show it."""
    reading = sighting.reading
    return SightingView(
        sighting=sighting.id,
        photo=photo_path(sighting.match_id, sighting.photo),
        width=reading["width"],
        height=reading["height"],
        views=cast("list[PhotoView]", views(reading)),
        cells=[
            PrintedCell(cell=cell, quad=quad)
            for cell, quad in cells_on(reading, used_board(store, sighting.match_id))
        ],
        reading=_said(reading),
    )


def _said(reading: Mapping[str, Any]) -> StoredReading:
    """Return a reading with what the eyes warn of in the language of the phone."""
    hint = reading.get("hint")
    sentences = (*reading["warnings"], *notices_of(reading))
    warnings = [said(phrase(text)) for text in sentences]
    put = {**reading, "warnings": warnings, "hint": hint and said(phrase(hint))}
    return cast("StoredReading", put)  # as `PhotoReading` had it when it was stored
