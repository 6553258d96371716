"""How a match stands is said alike everywhere, whatever two things happened at the table."""

import csv
import itertools
import json
import random
import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest

from scorer import Illegal, NotAMove, dump_move, settle
from scorer.evening.state import left_of
from scorer.evening.steps import Concede, EndMatch, JoinTable, LeaveTable, PlayOn, Rename, Reseat
from scorer.games import GAMES
from scorer.messages import figure, translated
from scorer.values import dump
from tests.contract.test_play_on import CASES
from tests.grids import EVERY, without
from tests.matches import plain
from webui.api.answers.match import match_view
from webui.errors import RequestError
from webui.languages import speak
from webui.match import export, past
from webui.match import match as matches
from webui.match.amend import Right, amend
from webui.match.events import events_after
from webui.match.statistics.sums import sums_of
from webui.match.summary import sentence
from webui.match.undo import redo, undo
from webui.outside.mqtt import standing as kept_by_broker
from webui.store.tables.sums import WON
from webui.terminal.typed_match import TypedMatch

SHORT = {"farkle": {"target": 500}, "pig": {"target": 20}, "sum": {"rounds": 2}}
LEFT_OVER = 3  # moves of the game before anything happens at the table
LONGEST = 30  # moves after it
MOST_EVENTS = 40  # of a match
TABLES = {name: table for name, _moves, table, _rule, _score in CASES}
MATCHES = [(name, 2 if name in ("purple_house", "even_at_odds") else 3) for name in GAMES]
MATCHES += [("purple_house", 4)]  # a tournament
# Their results are made as those of Pig, Farkle, Gords and Purple House are.
OTHERS = ("beat_the_odds", 3), ("dice_wide_shut", 3), ("even_at_odds", 2), ("sum", 3), MATCHES[-1]
NAMES = ["Ada", "Ben", "Cleo", "Dora"]


def random_moves(game, state, chance, most):
    """Return *most* legal moves or fewer, and the state after them."""
    moves = []
    while len(moves) < most and (legal := [*itertools.islice(game.legal_moves(state), 50)]):
        moves.append(chance.choice(legal))
        state = game.apply(state, moves[-1])
    return moves, state


class PairedEvening:
    """Matches that its rules end in a few moves, all begun alike: by chance, in two steps."""

    def __init__(self, store, name, seats):
        self.store, self.names, self.game = store, NAMES[:seats], GAMES[name]
        self.house = dump(settle(self.game.settings, SHORT.get(name, {})))
        self.match = None
        tries = itertools.product(range(5, 15), range(LEFT_OVER, 3 * LEFT_OVER))
        self.drafts = next(filter(None, (self.begun(*each) for each in tries)))

    def begun(self, seed, left_over):
        """Return the two steps, None where the table at hand is not one to play on from."""
        state, drafts = self.game.start(len(self.names), self.house), []
        moves, _end = random_moves(self.game, state, random.Random(seed), 400)
        for part in (moves[: -left_over - 1], moves[-left_over - 1 : -left_over]):
            draft, state = matches.draft_of(self.game, state, part, self.names)
            drafts.append(draft)
        if table := TABLES.get(self.game.name):
            try:
                self.game.apply(state, PlayOn(table, "MT-13", 0))
            except Illegal:
                return None
        return drafts

    def again(self):
        """Begin anew, by taking everything back where that is not much."""
        tree = self.match.tree if self.match else None
        if tree is None or tree.seq > MOST_EVENTS or 2 not in tree.standing(tree.seq):
            facts = self.game.name, self.game.version, self.house, self.names
            self.match = matches.load(self.store, self.store.create(*facts, self.drafts).id)
        elif tree.head(tree.seq) != 2:
            self.match = undo(self.store, self.match.row.id, tree.seq, to=2)

    def step(self, kind):
        """Do one thing at the table; return whether it can be done now."""
        place = self.store, self.match.row.id, self.match.seq
        try:
            match kind:
                case "undo":
                    self.match = undo(*place)
                case "redo":
                    self.match = redo(*place, self.match.tree.ahead()[0])
                case "correct":
                    self.match = amend(*place, Right(2, self.drafts[1].moves, drop=True))
                case _:
                    self.match = matches.play(*place, [dump_move(self.move(kind))])
        except (Illegal, NotAMove, RequestError, IndexError):
            return False
        return True

    def move(self, kind):
        game, state = self.match.game, self.match.state
        present = [s for s in range(len(self.match.names)) if s not in left_of(state)]
        best = max(present, key=game.score(state).__getitem__)
        return {
            "leave": LeaveTable(min(present, key=lambda seat: (seat == best, -seat))),
            "concede": Concede(best),
            "join": JoinTable(f"Eve{len(self.match.names)}"),
            "rename": Rename(present[0], "Zoe"),
            "swap": Reseat((*range(1, len(self.match.names)), 0)),
            "end": EndMatch(),
            "play on": PlayOn(TABLES.get(game.name), "MT-13", present[0]),
        }[kind]

    def finish(self):
        """Play on by chance, to the end if it is near; return whether it is over now."""
        game, state = self.match.game, self.match.state
        moves, state = random_moves(game, state, random.Random(7), LONGEST)
        over = bool(moves) and game.is_over(state)
        if over:
            sent = [dump_move(move) for move in moves]
            self.match = matches.play(self.store, self.match.row.id, self.match.seq, sent)
        return over


KINDS = ["leave", "concede", "join", "rename", "swap", "play on", "end", "undo", "redo", "correct"]
# Each after two others in the gate, where every one of them comes first and second.
LATER = range(len(KINDS)) if EVERY else (1, 4)
PAIRS = [(first, KINDS[(n + by) % len(KINDS)]) for n, first in enumerate(KINDS) for by in LATER]


def who_won(store, match):
    """Return who has won, by all that says so."""
    (*_, event) = events_after(store, match.row.id, match.seq - 1)
    said = {"the view": match_view(match, "/")["result"], "events": dump(event.result)}
    said["JSON"] = export.whole(store, match)["result"]
    won = {speaker: won_by(result) for speaker, result in said.items()}
    listed = past.listed(store, match.row)
    sums = sums_of(match, matches.standing_from(store, match, 1))
    assert listed.over
    won["past matches"] = set(listed.winners)
    won["statistics"] = {s for s, seat in enumerate(sums.seats) if seat.outcome == WON}
    players = bg_play(store, match)["players"]
    won["BG Stats"] = {s for s, each in enumerate(players) if each["winner"]}
    if won["the view"]:
        leader = kept_by_broker(event)["leader"].split(", ")
        won["the broker"] = {match.names.index(name) for name in leader}
    return won


def won_by(result):
    return set(() if result.get("draw") or result["early"] else result["winners"])


def why(store, match, language="en"):
    """Return the sentence on how a match stands, by all that say it, in one language."""
    speak(language)
    try:
        lines, view = [], match_view(match, "/")
        TypedMatch(store, match, lines.append, language=language).show()
        listed = past.listed(store, match.row)
        said = {"prompt": view["prompt"], "past matches": listed.prompt}
        said["the terminal"] = next((one for one in lines if one == view["prompt"]), lines[-1])
        if result := view["result"]:
            said["why"] = result["why"]
            said["to read"] = [*export.play_by_play(store, match)][-1]
    finally:
        speak(None)
    if view["result"] and language == "en":
        (*_, event) = events_after(store, match.row.id, match.seq - 1)
        said["events"] = event.result.why
        said["JSON"] = export.whole(store, match)["result"]["why"]
    return {speaker: sentence(translated(text, language), ".") for speaker, text in said.items()}


def numbers(text, names):
    """Return the points that a text gives each of these names."""
    return [int(re.search(rf"{name} ([-−]?\d+)", text)[1].replace("−", "-")) for name in names]


def points(store, match):
    """Return the names, the score and the points earned so far, by all that say them."""
    lines, view, names = [], match_view(match, "/"), match.names
    (*_, event) = events_after(store, match.row.id, match.seq - 1)
    typed = TypedMatch(store, match, lines.append, language="en")
    listed, sums = past.listed(store, match.row), sums_of(match, ())
    head = export.head(match)
    heading, *rows = csv.reader(export.steps_csv(store, match))
    earned = {
        "events": event.earned,
        "past matches": listed.earned,
        "statistics": [seat.points for seat in sums.seats],
        "the broker": numbers(kept_by_broker(event)["standing"], names),
        "the terminal": numbers(typed.tally(), names),
    }
    score = {"the view": view["score"], "JSON": head["score"]}
    score |= {"events": event.score, "past matches": listed.score}
    if standing := [row for row in rows if row[4] == "yes"]:  # none with every step taken back
        score["the table"] = [int(each) for each in standing[-1][7:] if each]
    called = {
        "the view": view["names"],
        "JSON": head["names"],
        "events": event.players,
        "past matches": listed.names,
        "statistics": [seat.name for seat in sums.seats],
        "the table": heading[7 : 7 + len(names)],
    }
    if play := bg_play(store, match):
        score["BG Stats"] = [int(each["score"]) for each in play["players"]]
        called["BG Stats"] = [each["name"] for each in play["players"]]
    return earned, score, called


def bg_play(store, match):
    """Return what BG Stats would be sent; None during the match."""
    address = export.bg_stats(store, match)
    return address and json.loads(parse_qs(urlsplit(address).query)["data"][0])


def shown(client, match, address):
    page = unescape(client.get(f"/m/{match.row.id}{address}", follow_redirects=True).text)
    return page, plain(page)


def check_pages(client, match, winners, because, checked):
    """Hold the page, the television and the picture to share to what all others say."""
    title, stands = match_view(match, "/")["result"]["title"], match.standing()
    earned = [figure(points) for points in stands.earned]
    for address in ("", "/board"):
        page, text = shown(client, match, address)
        assert because in text
        assert title in text or address
        assert ("data-won" in page) == bool(winners)
        assert re.findall(r'data-score="\d+">([^<]+)<', page) in ([], earned)  # [] in a tournament
        led = {match.names.index(name) for name in re.findall(r"(\w+) has led", text)}
        assert not led & set(getattr(match.state, "conceded", ()))
    if title not in checked:  # its codes to scan take long to draw
        checked.add(title)
        (data,) = re.findall(r'data-result="(.*?\})"', shown(client, match, "/share")[0])
        picture = json.loads(data)
        assert (set(picture["winners"]), picture["score"]) == (winners, earned)


def check(store, client, match, checked):
    sentences = why(store, match)
    assert len(set(sentences.values())) == 1, sentences
    for speakers in points(store, match):
        assert len({(*each,) for each in speakers.values()}) == 1, speakers
    if not match.game.is_over(match.state):
        return
    won, because = who_won(store, match), sentences["why"]
    assert len(set(map(repr, won.values()))) == 1, won
    winners, gone = won["the view"], left_of(match.state)
    given_up = set(match.state.conceded) if gone else set()
    assert not winners & given_up
    if given_up and (current := match.game.tournament(match.state)):
        assert {rank.seat for rank in current.standings[-len(given_up) :]} == given_up
    claimed = set(re.findall(r"(\w+) wins", because))
    assert claimed <= {match.names[seat] for seat in winners}, because
    if (key := (len(winners), len(gone), len(given_up))) not in checked:
        checked.add(key)
        assert len(set(why(store, match, "de").values())) == 1
        check_pages(client, match, winners, because, checked)


@pytest.mark.parametrize(("name", "seats"), without(MATCHES, *OTHERS))
def test_after_every_two_things_at_the_table_all_say_who_won_and_why_alike(
    services, client, name, seats
):
    evening, checked, tried = PairedEvening(services.store, name, seats), set(), set()
    for pair in PAIRS:
        evening.again()
        if not all(map(evening.step, pair)):
            continue
        tried |= {*pair}
        check(services.store, client, evening.match, checked)
        if evening.finish():
            check(services.store, client, evening.match, checked)

    assert tried >= {"leave", "concede", "rename", "swap", "end", "undo", "redo", "correct"}
    assert ("play on" in tried) == (name in TABLES)
