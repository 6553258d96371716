"""Read-only commands: help, the table, the moves, the explanation of points."""

from collections.abc import Sequence, Set

from scorer import Malformed, rulebook
from scorer.messages import _, gain, raw, translated
from scorer.sentence import Spoken, search
from webui.match import match as matches
from webui.match.summary import sentence
from webui.terminal.commands_typed import help_lines, usage
from webui.terminal.examples import examples, of_each_kind
from webui.terminal.typed_match import TypedMatch

SHOWN = 12  # maximum of moves listed


def say_help(match: TypedMatch, hidden: Set[str]) -> None:
    """Print what can be typed now, without the commands *hidden*."""
    for line in (*help_lines(hidden, match.game.hand, match.language), *match.unlisted()):
        match.say(line)
    if spoken := match.listed():
        match.say(_("Now, for example:"))
        for typed, meant in examples(spoken, match.names):
            match.say(f"  {typed:22}  {meant}" if typed != meant else f"  {typed}")
    match.say(_("The rules: pipsight rules {game}", game=raw(match.game.name)))


def say_table(match: TypedMatch) -> None:
    """Print the table."""
    for drawn in match.game.draw(match.state) or (match.tally(),):
        match.say(f"{match.words(drawn)}\n")


def find_moves(match: TypedMatch, words: str) -> None:
    """List the moves, optionally those that contain *words*."""
    for hint in (hints := match.unlisted()):
        match.say(hint)
    if (fitting := search(match.listed(), words)) or not hints:
        list_moves(match, fitting, words)


def list_moves(match: TypedMatch, fitting: Sequence[Spoken], typed: str) -> None:
    """List the moves that match *typed*, or what else to type."""
    if not fitting:
        _say_that_nothing_fits(match, typed.strip())
        return
    shown = of_each_kind(fitting, SHOWN)  # so that a call is not hidden by a hundred bids
    for phrase in sorted(shown, key=fitting.index):
        match.say(f"  {phrase.text}")
    if len(fitting) > SHOWN:
        more = _("… and {n} more: add more words", n=len(fitting) - SHOWN)
        match.say(f"  {match.words(more)}")


def _say_that_nothing_fits(match: TypedMatch, typed: str) -> None:
    if match.game.is_over(match.state):
        match.say(_("No move is left. Type undo to take back the last, or help."))
        return
    fits = _("No move now fits “{typed}”.", typed=raw(typed))
    due = sentence(match.words(match.standing().prompt), ".")
    more = _("Type moves to see what is possible, or help.")
    if match.game.steps and (called := usage(typed, match.language)):
        names = raw(", ".join(match.names))
        due, more = "", _("Type it as {usage}. At the table: {names}", usage=called, names=names)
    match.say(" ".join(filter(None, (match.words(fits), due, match.words(more)))))


def say_why(match: TypedMatch) -> None:
    """Print the explanation of the points."""
    part, entries = None, match.match.because_earned() if match.match else ()
    for entry in entries:
        if entry.part != part:
            part = entry.part
            match.say(match.words(part))
        who = entry.name or ("" if entry.seat is None else match.names[entry.seat])
        whose = f" → {who} {gain(entry.points)}" if who else ""
        match.say(f"  {match.words(entry.text)}{whose}")
    for name, note in zip(match.names, match.game.notes(match.state), strict=False):
        if note:
            match.say(f"{name}: {match.words(note)}")
    if not entries:
        match.say(_("No points have been made yet."))
    if match.match and (against := match.match.overridden):
        by_rules = translated(_("Not all by the rules: you played on as it lay."), match.language)
        match.say(" ".join((by_rules, *dict.fromkeys(against))))


def say_rule(match: TypedMatch, name: str) -> None:
    """Print the rule with an id."""
    try:
        match.say(rulebook.rule(name).said(match.language))
    except Malformed:
        match.say(_("Rules are named like {id}; a refusal ends with one.", id=raw("PH-4")))


def say_history(match: TypedMatch) -> None:
    """Print the numbered steps that are not undone."""
    if match.match is None or match.match.last is None:
        match.say(_("No move has been made yet."))
        return
    steps = matches.history(match.store, match.match, match.match.seq + 1, match.match.seq)
    texts = [
        text for step in steps if step.standing and step.event.moves for text in step.event.text
    ]
    for number, text in enumerate(texts, start=1):
        match.say(f"{number:4} {match.words(text)}")
