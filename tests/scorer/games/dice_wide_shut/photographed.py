"""Sheets of Dice Wide Shut as a photo shows them, and what is made of it."""

from dataclasses import replace

from scorer import Die, MarkedCell, Table
from scorer.games.dice_wide_shut.moves import Mark, Roll, Starter, Take
from scorer.games.dice_wide_shut.state import Sheet
from tests.scorer.games.wide_shut import (
    BLANK,
    EXAMPLE,
    POOL,
    THREES,
    cells,
    dice,
    dw,
    playing,
    sheet,
    table,
)

SIGNS = {".": "blank", "x": "checked", "k": "blackened", "#": "struck"}


def lying(text):
    """Return the dice as the camera sees them."""
    return tuple(Die(value, hue) for hue, value in dice(text))


def perhaps(mark, share, other):
    """Return a mark that is another with this probability."""
    return {"mark": mark, "confidence": 1 - share, "others": ((other, share),)}


def shot(state, changed="", dice_seen="", *, seat=0, spot=0, **looks):
    """Return a photo of a seat's sheet, with dice beside it.

    Cells that look otherwise are written as `red12 red13 x blue11 #`, or given as what they look
    like.
    """
    named = []
    for word in changed.split():
        if word in SIGNS:
            looks |= {name: {"mark": SIGNS[word]} for name in named}
            named = []
        else:
            named.append(word)
    other = {cells(name)[0]: look for name, look in looks.items()}
    spots = dw.equipment(replace(state, pool=state.pool or dice(POOL))).spots
    (lies,) = (one.table for one in spots if one.title.endswith(f"player {seat + 1}'s sheet"))
    marks = tuple(replace(one, **other.get(one.cell, {})) for one in lies.marks)
    return Table(lying(dice_seen), marks=marks, spot=spot)


def case(state, photo, *moves, asks=(), wrong=()):
    """Return a photo with the moves that are proposed, what is asked, and what cannot be."""
    return state, photo, moves, [*asks], [*wrong]


def mark(names, *powers):
    return Mark(cells(names), powers)


TWO = table([Sheet()] * 2, POOL)
RED_1_3 = Take("red", dice("red 1 3"))
LEFT = "red 6 blue 4 4 6 purple 5"  # once these are taken
TAKEN = dw.apply(TWO, RED_1_3)
MARKED = sheet(red=EXAMPLE, red_sixes="xk...", blue=("xxxxx", *BLANK[:4]))
STARTED = table([Sheet()] * 2)
ROLLED = Roll(dice(POOL))
BUT_PURPLE = lying("red 1 3 6 blue 4 4 6")
IN_TURN = playing(MARKED, (3, 5))
SPLITS = playing(sheet(red=EXAMPLE), (3, 5))
SPENDS = playing(sheet(red=EXAMPLE, red_sixes=".x..."), (3, 5))
TWO_THREES = table([Sheet()] * 2, "red 1 3 3 blue 4 4 6 purple 3")
PURPLE_4, PURPLE_6, BLUE_DUE = (
    table([Sheet()] * 2, roll)
    for roll in (
        "red 6 6 6 blue 6 6 6 purple 4",
        "red 1 1 1 blue 1 1 1 purple 6",
        "red 1 3 6 blue 6 6 6 purple 6",
    )
)
FULL_ROWS = table([sheet(red=THREES), Sheet()], "red 3 3 1 blue 1 1 1 purple 1")
LOOKS_BLUE = Die(6, "blue", confidence=0.8, colours=(("red", 0.2),))
FAINT_3 = perhaps("blank", 0.4, "checked")
CHECK_3 = perhaps("checked", 0.3, "blank")
NOT_SEEN = perhaps("blank", 0.5, "checked")
COVERED = {f"blue3{column}": NOT_SEEN for column in range(1, 6)} | {"red11": NOT_SEEN}
HARDLY = perhaps("checked", 0.03, "blank")
GONE = "cannot be seen: did player 1 take it, or is it hidden?"
NOT_HERE = "which the rules do not allow here; treated as"
UNPLAYED = "is checked on player {}'s sheet, but no turn put it there"
NOTHING_NEW = "nothing has changed since the turn began"

CASES = {
    "a roll before anybody was named starts with player 1 and says so": case(
        dw.start(2, {}),
        Table(lying(POOL)),
        *(Starter(0), ROLLED),
        asks=["player 1 is assumed to have started, as nobody was named"],
    ),
    "a blank sheet starts nothing": case(dw.start(2, {}), shot(TWO)),
    "a doubtful value of a roll is proposed with its alternative": case(
        STARTED,
        Table((*BUT_PURPLE, Die(5, "purple", confidence=0.7, values=((4, 0.2), (6, 0.001))))),
        ROLLED,
        asks=["the purple 5 may be purple 4"],
    ),
    "a take is read off the dice left over": case(
        TWO,
        Table(lying(LEFT)),
        RED_1_3,
        asks=["red 1 and red 3 cannot be seen: did player 1 take them, or are they hidden?"],
    ),
    "or off the dice taken": case(TWO, Table(lying("red 1 3")), RED_1_3),
    "a purple die gone may have been taken as either colour": case(
        PURPLE_4,
        Table(lying("red 6 6 6 blue 6 6 6")),
        Take("red", dice("purple 4")),
        asks=["it is also possible that player 1 takes purple 4 as blue", f"purple 4 {GONE}"],
    ),
    "a lone six gone leaves no question about its colour": case(
        PURPLE_6,
        Table(lying("red 1 1 1 blue 1 1 1")),
        Take("red", dice("purple 6")),
        asks=[f"purple 6 {GONE}"],
    ),
    "nothing taken yet is no move": case(TWO, shot(TWO, dice_seen=POOL), asks=[NOTHING_NEW]),
    "take and mark are read off one photo": case(
        TWO, shot(TWO, "red11 red43 x", LEFT), RED_1_3, mark("red11 red43")
    ),
    "take and mark off the sheet alone, with the other takes in doubt": case(
        TWO_THREES,
        shot(TWO_THREES, "red11 red43 x"),
        *(RED_1_3, mark("red11 red43")),
        asks=[
            "it is also possible that player 1 takes purple 3 and red 1 as red, then player 1 "
            "checks red11 and red43"
        ],
    ),
    "a blackened six is spent for the number that was not checked": case(
        SPENDS, shot(SPENDS, "red15 x red26 k"), mark("red15", ("red", 1, 3))
    ),
    "a full row is a split, and the missing line is asked for": case(
        SPLITS,
        shot(SPLITS, "red15 red23 x"),
        mark("red15 red23"),
        asks=["row 2 of the red half is full, so it splits: cross out its five checks"],
    ),
    "its line is no question": case(
        SPLITS, shot(SPLITS, "red15 x red21 red22 red23 red24 red25 #"), mark("red15 red23")
    ),
    "a faint check the dice do not allow is likelier misread": case(
        TAKEN,
        shot(TAKEN, "red11 red43 x", red22=perhaps("checked", 0.4, "blank")),
        mark("red11 red43"),
    ),
    "a clear one is taken as blank and asked about": case(
        TAKEN,
        shot(TAKEN, "red11 red43 x", red22=HARDLY),
        mark("red11 red43"),
        asks=[f"red22 looks checked, {NOT_HERE} blank"],
    ),
    "two likely cells for one die are asked about": case(
        TAKEN,
        shot(TAKEN, "red11 x", red43=CHECK_3, red33=FAINT_3),
        mark("red11 red43"),
        asks=["it is also possible that player 1 checks red11 and red33"],
    ),
    "a take that is sure is proposed even if its marks are wrong": case(
        TWO, shot(TWO, "red11 x", LEFT), RED_1_3, wrong=["the 3 must be checked: red13 is blank"]
    ),
    "marks that no take explains are named": case(
        TWO,
        shot(TWO, "red11 blue44 x"),
        wrong=["no dice that could be taken explain the new marks: red11 and blue44"],
    ),
    "a check that no die allowed is named beside those that one did": case(
        TWO,
        shot(TWO, "red11 red43 red24 x"),
        wrong=["red24 is checked, but no die that could be taken allows it"],
    ),
    "a sheet filled for the wrong colour": case(
        BLUE_DUE,
        shot(BLUE_DUE, "blue11 blue34 x"),
        wrong=[
            "blue11 and blue34: that is the blue half, and the dice that fit are red; each colour "
            "checks its own half"
        ],
    ),
    "a turn that cannot mark leaves no new check": case(
        FULL_ROWS,
        shot(FULL_ROWS, "red11 x", "red 3 3"),
        wrong=["no dice that could be taken explain the new marks: red11"],
    ),
    "another player's sheet is recognised": case(
        table([MARKED, Sheet()], POOL),
        shot(table([MARKED, Sheet()], POOL), seat=1),
        wrong=["this is player 2's sheet, and it is player 1's turn"],
    ),
    "a sheet out of turn is only compared": case(TWO, shot(TWO, seat=1, spot=1)),
    "and a mark on it is none of a turn": case(
        TWO, shot(TWO, "red11 x", seat=1, spot=1), wrong=[f"red11 {UNPLAYED.format(2)}"]
    ),
    "before the roll too": case(
        table([MARKED, Sheet()]),
        shot(table([MARKED, Sheet()]), "red51 x"),
        wrong=[f"red51 {UNPLAYED.format(1)}"],
    ),
    "a doubtful mark out of turn is as it was, and a spent six may be struck": case(
        table([Sheet(), MARKED], POOL),
        shot(table([Sheet(), MARKED], POOL), "red26 blue16 #", seat=1, spot=1, red12=HARDLY),
        asks=[f"red12 looks checked, {NOT_HERE} blank"],
    ),
    "the dice taken may lie beside the sheet": case(
        TAKEN, shot(TAKEN, "red11 red43 x", "red 1 3"), mark("red11 red43")
    ),
    "dice taken twice are noticed after the take": case(
        TAKEN,
        Table(lying("red 6 blue 4 6 purple 5")),
        wrong=["blue 4 cannot be taken: player 1 has taken dice already"],
    ),
    "a die of another colour": case(
        TWO,
        Table((Die(3, "green"),)),
        wrong=["there is a green 3; the dice are red, blue and purple, 1 to 6"],
    ),
    "a mark off the sheet": case(
        TWO,
        Table(marks=(MarkedCell(("grey", 0, 0), "checked"),)),
        wrong=["a mark is off the sheet: there is no row 1, column 1 in a grey half"],
    ),
    "a sheet that nobody has": case(TWO, Table(spot=2), wrong=["there is no sheet 3"]),
    "a die of a roll that looks of another colour": case(
        STARTED,
        Table((*BUT_PURPLE, Die(5, "blue", confidence=0.9, colours=(("purple", 0.3),)))),
        ROLLED,
        asks=[f"a die looks like blue 5, {NOT_HERE} purple 5"],
    ),
    "a die left over that looks of another colour": case(
        TWO,
        Table((*lying("blue 4 4 6 purple 5"), LOOKS_BLUE)),
        RED_1_3,
        asks=[
            f"a die looks like blue 6, {NOT_HERE} red 6",
            "red 1 and red 3 cannot be seen: did player 1 take them, or are they hidden?",
        ],
    ),
    **{
        f"no roll: {counted}": case(
            STARTED,
            Table(lying(there)),
            wrong=[f"there are {counted} dice; a roll is 3 red, 3 blue and 1 purple"],
        )
        for there, counted in {
            "red 1 3 blue 4 4 6 purple 5": "2 red, 3 blue and 1 purple",
            "red 1 3 6 6 blue 4 6 purple 5": "4 red, 2 blue and 1 purple",
            "": "0 red, 0 blue and 0 purple",
        }.items()
    },
}
