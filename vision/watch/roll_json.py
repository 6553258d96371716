"""A settled roll as JSON, with a sentence about what to check if it is not sure."""

from __future__ import annotations

from typing import Any

from vision.watch.pace import longest
from vision.watch.state import SettledRoll


def as_json(roll: SettledRoll) -> dict[str, Any]:
    """Return a roll as the JSON object described in docs/develop/interfaces.md."""
    dice = [piece.faces[0] for piece in roll.pieces if len(piece.faces) == 1]
    tiles = [piece for piece in roll.pieces if len(piece.faces) > 1]
    fields: dict[str, Any] = {
        "frame": roll.number,
        "time_s": round(roll.time_s, 3),
        "values": sorted(die.value for die in dice),
        "dice": [die.to_json() for die in dice],
        "sure": roll.sure,
    }
    if roll.unseen:
        fields["unseen"] = [[round(time_s, 3) for time_s in gap] for gap in roll.unseen]
    if roll.unread:
        fields["unread"] = [place.to_json() for place in roll.unread]
    if not roll.sure:
        fields["doubt"] = doubt(roll)
    if tiles:
        fields["tiles"] = [
            {"quad": tile.quad.to_json(), "halves": [half.value for half in tile.faces]}
            for tile in tiles
        ]
    return fields


def doubt(roll: SettledRoll) -> str:
    """Return a sentence about what to check in a roll that is not sure."""
    if roll.unread:
        if len(roll.unread) == 1:
            return (
                "Something lies still there that cannot be read. Add light, let the camera focus,"
                " or bring it nearer."
            )
        return (
            f"{len(roll.unread)} things lie still there that cannot be read. Add light, let the"
            " camera focus, or bring it nearer."
        )
    if roll.again:
        return "Everything was picked up and shows the same as before. Was it thrown again?"
    if roll.brief:
        return "These were taken before enough pictures showed them at rest. Were they thrown?"
    if roll.unseen:
        return f"Nothing was seen for {longest(roll.unseen):.0f} s. Was there a roll in between?"
    unsure = sum(not piece.sure for piece in roll.pieces)
    if not unsure:
        return "The pictures of this roll disagree, or a piece may be hidden. Look at the table."
    return f"{unsure} of the pieces may be misread. Look at the table."
