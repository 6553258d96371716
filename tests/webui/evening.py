"""An evening: one helper finds what a phone's page offers, and taps it, until the match is over."""

import random
import re
from dataclasses import dataclass, field
from typing import Any

from scorer import Game

PEOPLE = ("Ana", "Ben", "Cyd", "Dan", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jon")
PEOPLE += ("Kim", "Leo", "Mia", "Noa", "Oda", "Pat", "Quy", "Ria", "Sam", "Tom")
MANY = 800  # taps; more is no evening
CROWD = 20  # players; of more only tournaments are played, whose tables are as those of five

ROUND = ["One round"]
TOURNAMENT = ["A tournament: two at a table, and the winners move on"]
SHORT: dict[str, dict[str, str]] = {
    "farkle": {"Points to play to": "500"},
    "pig": {"Points that win the game": "10"},
    "sum": {"Rounds to play; 0 for as many as you like": "2"},
}
NUMBERS = ("Enter it", "Enter these")
# What is tapped where it is offered, the first of these; else anything.
LIKED: dict[str, list[str]] = {
    "dice_wide_shut": [r"takes red \d and red", r"takes red"],
    "beat_the_odds": [r"LAST begins", r"turn: \d{3} points", r"LAST rolls 4-6", r"ends the turn"],
    "farkle": [r"[Bb]anks? \d{3}"],
    "gords": [r" calls ", r" \d+ there"],
    "pig": [r"holds 1\d", r"LAST rolls 6", r"rolls 1 and"],
}


@dataclass
class TappedMatch:
    """A match on one phone."""

    phone: Any  # what shows pages; labels and words are those a person reads there
    game: Game[Any, Any]
    names: list[str]
    winner: str = ""  # a pattern
    chance: random.Random = field(default_factory=lambda: random.Random(5))

    def begin(self, *house):
        """Start the match from the front door; the last player, or one at each table, is to win."""
        self.winner = "(Ana|Cyd)" if house == (*TOURNAMENT,) else self.names[-1]
        if self.phone.game != self.game.title:
            self.phone.press(f"^{re.escape(self.game.title)} ")
        while self.phone.rows < len(self.names):
            self.phone.press("Add a player")
        while self.phone.rows > len(self.names):
            self.phone.press("^Take .* out$")
        self.phone.type_names(self.names)
        for words in house:
            self.phone.choose(words)
        for label, value in SHORT.get(self.game.name, {}).items():
            self.phone.fill(label, value)
        if self.phone.shows("Tournament: rounds to play"):
            self.phone.fill("Tournament: rounds to play", "1")
        self.phone.press("^Start ")

    def play(self):
        """Tap what is offered until the match is over."""
        for _ in range(MANY):
            if self.phone.over:
                return
            self.step()
        raise AssertionError(f"not over after {MANY} taps: {self.phone.prompt}")

    def step(self):
        """Tap one thing that is offered."""
        offered = self.phone.moves()
        if not offered and self.phone.over:  # the last tap has ended it
            return
        assert offered, self.phone.prompt
        chosen = self.liked(offered)
        if chosen.says == "Use these":
            self.phone.enter(chosen, self.thrown())
        elif chosen.says in NUMBERS:
            self.phone.write(f"Points of {self.due()}", str(self.chance.randrange(100)))
        else:
            self.phone.tap(chosen)

    def liked(self, offered):
        """Return what is tapped of all that is offered."""
        for words in LIKED.get(self.game.name, []):
            pattern = words.replace("LAST", self.winner)
            if found := [one for one in offered if re.search(pattern, one.says)]:
                return found[0]
        return self.chance.choice(offered)

    def rest(self):
        """Play to the end, take the last step back, play it again; go on, and look back."""
        phone = self.phone
        self.play()
        phone.press("take back the last step")
        phone.press("Take back")
        assert not phone.over
        self.play()
        phone.press("New match with the same players")
        assert not phone.over
        assert phone.shows("Back to the previous match")
        assert all(phone.shows(name) for name in self.names)
        self.step()
        phone.press("Back to the previous match")
        assert phone.over

    def due(self):
        """Return the first player who is told to do something; of all, the first."""
        asked = filter(self.phone.prompt.count, self.names)
        return min(asked, key=self.phone.prompt.index, default=self.names[0])

    def thrown(self):
        """Return dice that can lie there by what the page says is rolled."""
        for says in re.findall(r"(?:[Tt]able \d+: )?(.*?)(?:; |$)", self.phone.prompt):
            if sets := re.findall(r"(\d+) (red|blue|purple)", says):
                colours = [colour for number, colour in sets for _die in range(int(number))]
                return ", ".join(f"{colour} {self.chance.randint(1, 6)}" for colour in colours)
        number = int(re.search(r"(\d+) (dice|die)", self.phone.prompt)[1])
        return " ".join(str(self.chance.randint(1, 6)) for _die in range(number))
