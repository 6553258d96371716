"""The house rules of a free score sheet."""

from scorer.messages import Message, _
from scorer.settings import Setting, SettingValue, choice
from scorer.words import COLOURS, tidy

TITLE, SEATS = _("Any game's tally").template, range(2, 13)
POINTS = range(-1_000_000, 1_000_001)  # of one player in one round
MOST = 40  # pieces on one photo
NAME_LENGTH = 30
ANY: dict[SettingValue, Message] = {"any": _("Dice of any colour"), **dict(COLOURS.items())}
SETS: dict[SettingValue, Message] = {
    6: _("Double six"),
    9: _("Double nine"),
    12: _("Double twelve"),
}
ONLY_DICE = ("photo", ("pips", "dice"))
ONLY_TILES = ("photo", ("dominoes",))


def _name(value: object) -> str:
    """Return the name of a game; 66 was read as a number, and commas made a list of it."""
    parts = value if isinstance(value, (list, tuple)) else (value,)
    if not all(type(part) in (str, int) for part in parts):
        raise ValueError(_("the name of a game is a text"))
    name = tidy(", ".join(map(str, parts)))
    if len(name) > NAME_LENGTH:
        raise ValueError(_("the name of a game has at most {most} letters", most=NAME_LENGTH))
    if not name.isprintable():
        raise ValueError(_("the name of a game contains a character that cannot be shown"))
    return name


SETTINGS = (
    Setting("name", _("The name of the game"), "", rule="SUM-8", read=_name, example="Skyjo"),
    Setting("rounds", _("Rounds to play; 0 for as many as you like"), 0, range(101), "SUM-5"),
    Setting("target", _("Points that end it; 0 for none"), 0, range(100_001), "SUM-5"),
    choice(
        "wins",
        _("Who wins"),
        "SUM-6",
        most=_("The most points win"),
        fewest=_("The fewest points win"),
    ),
    choice(
        "order",
        _("How a round goes"),
        "SUM-1",
        any=_("Everybody enters points once, in any order"),
        turns=_("The players take turns"),
    ),
    choice(
        "late",
        _("With what somebody begins who comes late"),
        "SUM-7",
        last=_("As many points as the last of the others"),
        average=_("The average of the others"),
        nothing=_("No points"),
    ),
    choice(
        "photo",
        _("What a photo counts"),
        "SUM-3",
        pips=_("The pips of dice"),
        dice=_("How many dice there are"),
        dominoes=_("The pips of dominoes"),
    ),
    Setting("colour", _("Which dice count"), "any", ANY, "SUM-3", only_if=ONLY_DICE),
    Setting("largest", _("The largest domino of the set"), 6, SETS, "SUM-4", only_if=ONLY_TILES),
    Setting(
        "double_blank", _("Points of the double blank"), 0, range(101), "SUM-4", only_if=ONLY_TILES
    ),
)
