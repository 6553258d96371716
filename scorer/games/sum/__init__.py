"""Any game's tally: what each brings in each round, typed or summed from a photo."""

from scorer.attendance import SCORE_STANDS, Attendance
from scorer.game import OnePhoto
from scorer.games.sum import moves, photo, rules, settings, state, words
from scorer.messages import _
from scorer.parts import game_of
from scorer.printed import DICE_MAT

GAME = game_of(
    "sum",
    1,
    vars(settings) | vars(moves) | vars(state) | vars(rules) | vars(words) | vars(photo),
    unlisted=(moves.Enter, moves.SumPieces),
    about=_("A free score sheet: type numbers, or photograph what is summed"),
    several={"Enter": _("numbers entered"), "SumPieces": _("photos summed")},
    named_by="name",
    often=("name", "wins", "target", "rounds"),
    attendance=Attendance(rules.leave, SCORE_STANDS, rules.join),
    target=lambda state: state.house["target"] or None,
    boards=lambda house: () if house["photo"] == "dominoes" else (DICE_MAT,),
    one_photo=OnePhoto(photo.tell, otherwise=photo.of_dominoes),
)
