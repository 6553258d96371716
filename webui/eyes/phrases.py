"""The sentences of vision as translatable messages: vision itself knows no language.

`tests/webui/test_phrases.py` checks that each is in `vision`, word for word.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from scorer.messages import Message, _, joined, raw
from scorer.words import colour
from vision import warnings
from webui.languages import said

PHRASES = (
    _("A piece is cut off at the edge of the photo. Show all of it."),
    _("A domino is face down and is not read."),
    _("{number} dominoes are face down and are not read."),
    _("A die with numerals is not read."),
    _("{number} dice with numerals are not read."),
    _("A printed domino is not counted."),
    _("{number} printed dominoes are not counted. If some are real, cover the print."),
    _("A domino is missing its other half ({places}). Show the whole tile."),
    _("Dominoes may have more than six pips on a half ({places}). Correct these."),
    _("The set has dominoes with more than six pips on a half."),
    _("There may be a piece ({places}). Look there."),
    _("There may be one more piece ({places}). Look there."),
    _("There may be {number} more pieces ({places}). Look there."),
    _("There may be {number} pieces ({places}). Look there."),
    _("Dice that touch may be a domino ({places}). Move them apart."),
    _("A die may be half a domino ({places}). Show all of it, or correct it."),
    _("All of these may be halves of dominoes. Show the whole tiles, or correct the dice."),
    _("A {colour} die does not belong to this game. Take it away or correct its colour."),
    _("The light colours the dice: white ones may look orange or green. Check their colours."),
    _("Where the grid lies is a guess. Check the cells, or take the photo from above."),
    _("No dice were found. Take the photo closer and in more light."),
    _("The {size} grid was not found. Show the whole board, from above."),
    _("A die lies on the line of its cell ({places}). Push it into one cell."),
    _("{number} dice lie on the lines of their cells ({places}). Push each into one."),
    _("Check the cells of the dice there: {places}. Some lines are hidden or unclear."),
    _("Two dice lie in one cell ({places})."),
    _("{number} dice lie in one cell ({places})."),
    _(
        "One cell is not seen ({places}). Something covers them, light is reflected there, or they "
        "lie off the photo."
    ),
    _(
        "{number} cells are not seen ({places}). Something covers them, light is reflected there, "
        "or they lie off the photo."
    ),
    _(
        "Something lies on the sheet ({places}). Take it away and take the photo again, or tap the "
        "cells under it."
    ),
    _(
        "Drops, hairs or crumbs seem to lie on the sheet. Wipe them off and take the photo again, "
        "or tap the cells that are read wrong."
    ),
    _(
        "Much of the sheet is not seen as it was taught. Take away what lies on it, show all of it,"
        " or set its four corners."
    ),
    _("A whole row or column is empty. Check which cells the dice lie in."),
    _("The {places} corner of the board is cut off. Show all of it."),
    _("{number} corners of the board are cut off. Show all of it."),
    _("The photo is mirrored, as front cameras do it. Use the other camera."),
    _("This is not the board of this game. Show the right one."),
    _("Two boards of one kind are on the photo. Show one of them."),
    _("The board is bent or folded. Press it flat, and take the photo again."),
    _("Too little of the board is seen to be sure of its cells. Show more of its edge."),
    _("The board looks distorted. Take the photo of the board itself, not of a picture of it."),
    _("The board was not found. Show all of it, flat, with the black squares around it."),
    _("A die lies on the edge of its place ({places}). Push it into one place."),
    _("The taught board was not found. Show more of it, or set its four corners."),
    _("Several parts of the board look alike. Show all of its edge, or set its four corners."),
    _("This is not a photo Pipsight can read. Send a JPEG, PNG, WebP or HEIC picture."),
    _("The photo is empty. Take it again."),
    _("This is a video. Take a photo of the table, or send one picture of the video."),
    _("This is a PDF document. Send a photo of the table, or a picture of the page."),
    _("Pipsight does not read {kind} pictures. Save this one as JPEG or PNG first."),
    _("The picture file is cut off or damaged. Take or send the photo again."),
    _("The picture file is built so that reading it takes too long. Take the photo again."),
    _("The picture takes more memory than there is for it. Send a smaller one."),
    _("The picture is only {width} x {height} pixels. Send the photo itself, not its icon."),
    _("The picture is a strip of {width} x {height} pixels. Show the whole table."),
    _("The picture has {size} megapixels; send one of at most {most}."),
    _("The part of the photo is not as large as it was said to be. Send the whole photo."),
    _("This is not the photo that the part was taken from."),
    _(
        "The photo is mirrored. Take it with the camera on the back of the phone, or switch "
        "mirroring off."
    ),
    _(
        "A tile does not line up with the others ({places}). Push it straight, or enter where "
        "it lies."
    ),
    _("Unmatched half tile ({places}). Enter which tile it is."),
    _("Can't see how the tiles are stacked. Take the photo from higher up."),
    _("The photo is blurred. Hold the phone still and let it focus."),
    _("The photo is too dark. Turn on a light or use the flash."),
    _("The pieces are very small on the photo. Go closer."),
    _("The photo is taken from low down. Hold the phone higher above the table."),
    _("The photo is only {width} x {height} pixels. Send the photo itself, not a small copy."),
    _("This looks like a photo of a screen. Photograph the table itself."),
    _("None of the confirmed pieces was found on the photos. Go closer, and teach again."),
    _("The cells lie over each other, or one has no room. Move the lines apart."),
    _("Too little is printed on this board to recognise it. Teach one with lines or pictures."),
    _("These pieces were taught to an older Pipsight. Teach them again."),
    _("This file does not hold taught pieces, or it is damaged. Teach them again."),
    _("This file does not hold a taught board, or it is damaged. Teach the board again."),
    _("A board has 1 to {number} rows and columns."),
    _(
        "These corners are not the four of a board: {fault}. Name them clockwise from its upper "
        "left."
    ),
    _(
        "no such look: {look}; use auto, dice, dominoes, grid:ROWSxCOLUMNS (to {most}), sheet:NAME "
        "or board:NAME"
    ),
    _("{file} is a folder. Name one video file in it."),
    _(
        "There is no file {file}. Name a video file, a camera by its number (0 is the first) or "
        "the address of a network camera."
    ),
    _("The file {file} cannot be opened: {reason}."),
    _("The file {file} is empty. Record or send it again."),
    _("{file} is a photo. Read it with: pipsight read {same}"),
    _(
        "There is no camera {number}, or another program holds it. Plug it in, close the other "
        "program, or try another number; 0 is the first camera."
    ),
    _(
        "{source} sends no video. Check the address, and that the camera is on and in the same "
        "network."
    ),
    _("The file {file} is no video that can be played. Record it as MP4, MOV, MKV or WebM."),
    _("No picture of {file} can be decoded. Record or send the video again, as H.264."),
    _("{source} sends no picture. Check that the camera is on, and try again."),
    _("{source} sends no more pictures. Check its cable or network."),
    _(
        "--corners are those of a board: say which with --look grid:ROWSxCOLUMNS, sheet:NAME or "
        "board:NAME"
    ),
    _("I see only one picture a second: leave the dice for {seconds} seconds."),
    _("I see only {number} pictures a second: leave the dice for {seconds} seconds."),
    _("Nothing was seen for {seconds} s. Was there a roll in between?"),
    _("These were taken before enough pictures showed them at rest. Were they thrown?"),
    _("Everything was picked up and shows the same as before. Was it thrown again?"),
    _("The pictures of this roll disagree, or a piece may be hidden. Look at the table."),
    _("{number} of the pieces may be misread. Look at the table."),
    _(
        "Something lies still there that cannot be read. Add light, let the camera focus, or bring "
        "it nearer."
    ),
    _(
        "{number} things lie still there that cannot be read. Add light, let the camera focus, or "
        "bring it nearer."
    ),
)
FAULTS = (
    *(_("they lie far off the photo"), _("they do not go round it")),
    *(_("they lie too close together"), _("no camera would see a board like this")),
)
PLACES = (
    *(_("upper left"), _("upper right"), _("lower left"), _("lower right"), _("middle")),
    *(_("top left"), _("top right"), _("bottom left"), _("bottom right")),
    *(_("top"), _("bottom"), _("left"), _("right")),
    *(_("row {row}, column {column}"), _("{colour} row {row}, column {column}")),
    _("place {number}"),
    *(_("red half"), _("blue half"), _("row {row}"), _("rows {low} to {high}"), _(" and ")),
)


def phrase(sentence: str) -> Message:
    """Return a sentence of vision as a message; others are not changed, or not translated."""
    if isinstance(sentence, Message):
        return sentence
    return _found(sentence, PHRASES) or raw(sentence)


def sentence_of(fault: Exception) -> str:
    """Return the sentence of an error in the chosen language, of rules, eyes or files alike."""
    text = fault.args[0] if fault.args else None
    return said(phrase(text if isinstance(text, str) else str(fault)))


def place(where: str) -> Message:
    """Return vision's words for a place as a message."""
    return _found(where, PLACES) or raw(where)


def _found(text: str, among: tuple[Message, ...]) -> Message | None:
    for template in among:
        if found := _expression(template).fullmatch(text):
            parts = {name: _part(name, part) for name, part in found.groupdict().items()}
            return Message(template.template, parts)
    return None


@cache
def _expression(template: Message) -> re.Pattern[str]:
    parts = re.split(r"{(\w+)}", template.template)
    named = (f"(?P<{part}>.+?)" if at % 2 else re.escape(part) for at, part in enumerate(parts))
    return re.compile("".join(named))


def _part(name: str, text: str) -> Message:
    """Return a place in translatable words."""
    if name == "colour":
        return colour(text)
    if name == "reason":
        return Message(text, {})
    if name == "fault":
        return _found(text, FAULTS) or raw(text)
    if name != "places":
        return raw(text)
    split = re.split(r"(; | and |, (?!column))", text)
    return joined("", (_found(one, PLACES) or raw(one) for one in split))


def notices_of(reading: Mapping[str, Any]) -> list[str]:
    """Return sentences about a reading, as JSON, that ask nothing."""
    kinds = (piece["kind"] for piece in reading.get("unread", []))
    return warnings.notices(
        kinds, (half for tile in reading.get("tiles", ()) for half in tile["halves"])
    )
