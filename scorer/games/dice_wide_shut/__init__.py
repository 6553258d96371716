"""Dice Wide Shut: roll the dice, take two of a colour, check their numbers, leave no row full.

A sheet has a red half and a blue half of 5 x 5 cells and a 6 beside each of the ten rows. Rule ids
are those of RULES.md. Where the rule book is silent or its translations differ, we rule that

* three in a run are worth 7; the 10 in one example is a slip for four (DW-A1);
* the two dice may show the same number, or not (DW-A2, `same_number_pair`); where that would leave
  nothing at all to take, two alike are taken, for nobody passes (DW-4);
* a 6 may be spent on any blank cell of its row, or only against a split (DW-A3, `six_power_scope`);
  the cell it stands in for stays blank that turn, also where the other die shows the same number
  and finds no other blank cell (DW-A16). A turn that checks a 6 checks nothing else, so the 6 that
  is spent is always of an earlier turn (DW-7);
* two sixes may be spent in one turn, for two numbers in two rows (DW-A4);
* a 6 of any colour checks any of the ten (DW-A5), also beside a split row (DW-A14);
* a die whose number has no blank cell left is lost (DW-A6), even if taken on purpose (DW-A7); where
  that goes for all dice taken the turn ends with the take;
* the purple die counts when only one die is left to take (DW-A9, `purple_counts_for_single`);
* the round is finished, or everybody else has one more turn (DW-A10, `end_mode`): clockwise from
  whoever ended it, with a new roll by the first of them who must start another round;
* dice never run out (DW-A11), so a pool of four, as in an example, is no full position (DW-A8);
* level on points and splits, the place is shared until the table settles it (DW-A12);
* a run lies in one column of one half and is broken by blank and crossed cells (DW-A13);
* a full row is split whether or not somebody has drawn the line (DW-A15);
* the table chooses who rolls first (DW-3).
"""

from scorer.advice import coach_of
from scorer.attendance import Attendance
from scorer.games.dice_wide_shut import board, moves, rules, settings, sheet, state, words
from scorer.games.dice_wide_shut.photo import alone, in_match
from scorer.match import match_of
from scorer.match.offer import in_rounds
from scorer.messages import _
from scorer.parts import game_of
from scorer.values import changed

ONE = game_of(
    "dice_wide_shut",
    1,
    vars(settings)
    | vars(moves)
    | vars(state)
    | vars(rules)
    | vars(words)
    | vars(board)
    | vars(in_match)
    | vars(alone),
    unseen=(moves.Starter,),
    about=_("Fill columns; no row may split"),
    minutes=(10, 20),  # as its publisher says (docs/rules/RULES.md)
    often=("end_mode", "match", "advice"),
    coach=coach_of("dice_wide_shut"),
    attendance=Attendance(
        rules.leave,
        _("the sheet stays as it is, and no more turns are taken"),
        ignoring=lambda state, seats: changed(state, no_rivals=tuple(seats)),
    ),
    tie_break=lambda state: tuple(map(sheet.splits, state.sheets)),
    rounds_played=lambda state: max(state.round - 1, 0),
)
GAME = match_of(in_rounds(ONE, sums=True))
