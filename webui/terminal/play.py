"""`pipsight play GAME`: a match in a terminal, without camera and server.

A move is typed in words ("black 3 row 1 column 2"), a roll as its dice ("4-3"). When the words
match a single legal move it is stored in the server's database, so that a phone can continue.
"""

import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from scorer import Illegal, Malformed, NoAdvice, settle
from scorer.games import GAMES, title_of
from scorer.messages import ENGLISH, WHOLE, _, raw, translated
from webui.errors import RequestError
from webui.match.coach import check_coached
from webui.match.match import Match
from webui.match.player_names import unnamed
from webui.store.log import Store
from webui.terminal import console, matches
from webui.terminal.coach_turn import let_coach_play
from webui.terminal.line_editor import PROMPT, line_reader
from webui.terminal.matches import New
from webui.terminal.session import Session
from webui.terminal.typed_match import Say

NOT_WHOLE = "Not everything is translated into that language yet, so all is said in English."

ReadLine = Callable[[str], str]


def play(
    store: Store,
    game: str | None,
    names: Sequence[str],
    settings: Mapping[str, object],
    resume: str | None = None,
    ask: ReadLine | None = None,
    say: Say | None = None,
    where: Sequence[str] = (),
    *,
    coached: bool = False,
    language: str = ENGLISH,
) -> int:
    """Play until the match ends or the person stops; return the exit code.

    It is 2 if the match cannot be started. *resume* names a match as for `matches.resumed`; then
    *game* may be None. *where*, *coached* and *language* are as for `Session`; incomplete languages
    are not used.
    """
    refuse, say = say or partial(print, file=sys.stderr), say or _print
    try:
        begun: New | Match
        if resume is not None:
            if settings:
                raise Malformed(_("a continued match keeps its house rules; leave out --set"))
            begun = matches.resumed(store, resume, game, names)
        else:
            assert game is not None
            begun = _new(game, names, settings, coached=coached)
        session = Session(
            store,
            begun,
            say,
            where,
            coached=coached and resume is not None,
            language=language if language in WHOLE else ENGLISH,
        )
        if session.coach is not None:
            check_coached(session.game)
    except (Malformed, Illegal, RequestError, NoAdvice) as error:
        why = translated(error.args[0], language).rstrip(".")
        refuse(translated(_("The match cannot start: {why}.", why=raw(why)), language))
        return 2
    title = title_of(session.game.name, settle(session.game.settings, session.settings))
    session.say(_("{game}. Type help for help.", game=title))
    if language != session.language:
        say(NOT_WHOLE)
    session.show()
    let_coach_play(session)
    code = _converse(session, ask or line_reader(session.complete))
    session.say_how_to_go_on()
    return code


def _new(game: str, names: Sequence[str], settings: Mapping[str, object], *, coached: bool) -> New:
    """Return a new match; a coach takes the last seat, which counts as agreed."""
    if not coached:
        return matches.new(game, names, settings)
    check_coached(GAMES[game])
    if settings.get("coach_plays", 0):
        raise Malformed(_("the coach has a seat already; leave --opponent coach or --set out"))
    players = (*(names or (unnamed(1),)), matches.COACH)
    return matches.new(game, players, {**settings, "coach_plays": len(players)})


def _converse(session: Session, ask: ReadLine) -> int:
    try:
        while session.take(ask(PROMPT)):
            pass
    except EOFError:
        session.say("")
    except KeyboardInterrupt:
        session.say("")
        return console.INTERRUPTED
    return 0


def _print(text: str) -> None:
    """Print sentences with word wrap; indented or drawn lines are not wrapped."""
    shown = text if console.can_show(text) else text.translate(PLAIN)
    width = console.width()
    for line in shown.split("\n"):
        hang = " " * (len(line) - len(line.lstrip()) + 2) if line.startswith(" ") else ""
        print("\n".join(textwrap.wrap(line, width, subsequent_indent=hang)) or line)


PLAIN = str.maketrans({"→": "->", "“": '"', "”": '"', "…": "...", "−": "-"})
