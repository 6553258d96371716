"""Even at Odds: dominoes laid and stacked; the largest group of even or of odd faces wins.

Two players, one plays for the evens and one for the odds; blanks are nobody's. A face is a cell of
a grid and what counts is the view from above. Rule ids are those of RULES.md. We rule that

* the foundation lies as printed, or as the house lays its six tiles (EO-A1, EO-A13, `foundation`);
* a stacked tile's half must match the very face it covers (EO-A2, `stack_match`);
* tiles lie on the grid, never shifted by half a face (EO-A3);
* a blank matches a blank (EO-A4, `blank_matches_blank`);
* a tile may be played beside a face of any height (EO-A5);
* groups cross levels: the top view counts (EO-A6, `group_levels`);
* any two different tiles of one height carry a third, foundation or not (EO-A7);
* who has no move passes and keeps the tiles, drawing none; when neither can play the game ends and
  is counted. Or a tile is set aside in place of the one not laid (EO-A8, `no_move`). With hands
  unknown a pass is taken if so many unseen tiles fit nowhere that they could be the whole hand;
* level after the extra turn is a draw (EO-A9);
* a game won on the tie-break scores 0, three games make a match, and level sums call for another
  (EO-A10, `tiebreak_game_score`, `match_games`); each game of a match has its own flip (EO-3);
* solo, every group but the largest of its team is isolated (EO-A11, `solo_isolated`), the helper
  needs a draw pile (EO-A12), and a tile that fits nowhere or a number that is missing after a turn
  loses the game, or leaves the rest of the hand aside (EO-A14, `solo_fail`);
* the starter begins the extra turn, with either unseen tile; the other player takes the other. It
  is played with that tile even where tiles are left in hand, and is lost if it fits nowhere
  (EO-A15).

Hands are hidden and need not be entered. `Show` records a tile of a hand for those who want the
moves narrowed down to it.
"""

from scorer.advice import coach_of
from scorer.games.even_at_odds import match, moves, pad, photo, rules, settings, state, words
from scorer.match import match_of
from scorer.messages import _
from scorer.parts import game_of
from scorer.printed import mat

ONE = game_of(
    "even_at_odds",
    1,
    vars(settings)
    | vars(moves)
    | vars(state)
    | vars(rules)
    | vars(words)
    | vars(photo)
    | {"entry": pad.entry},
    unseen=(moves.Agree, moves.Choose, moves.Pass, moves.Discard),
    about=_("Lay and stack dominoes in one group"),
    bgg=458452,
    minutes=(10, 20),  # 22 turns, of half a minute to a minute
    often=("match", "advice"),
    boards=lambda _house: (mat("mat:dominoes", _("Dominoes"), 240, step=25.0),),
    hand="2-6 0-4 3-5",
    coach=coach_of("even_at_odds"),
    lowest=lambda state: state.solo,
    several={"Lay": _("tiles laid"), "Draw": _("draws")},
)
GAME = match_of(match.series(ONE))
