"""The tables of the database after the newest migration (`webui/store/migrations`)."""

import sqlalchemy as sa

metadata = sa.MetaData()
REVISION = "r0020"  # the newest migration
FIRST_TABLES = {"match", "sighting", "event"}  # of databases older than the application id
NULL_JSON = sa.JSON(none_as_null=True)  # None is NULL, not the text "null"
MATCH = sa.Table(
    "match",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("code", sa.Text, nullable=False, unique=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),  # of the game's rules at its creation
    sa.Column("settings", NULL_JSON, nullable=False),  # every setting, so defaults may change
    sa.Column("names", NULL_JSON, nullable=False),  # one a seat
    sa.Column("created_at", sa.Text, nullable=False),
    sa.Column("screen", sa.Text, unique=True, index=True),  # its address for viewers
    sa.Column("rest", sa.Text, nullable=False, server_default=""),  # second half of the join code
    sa.Index("ix_match_created_at", "created_at", "id"),
)
PLAYER = sa.Table(  # by which a match is found
    "player",
    metadata,
    sa.Column("match", sa.ForeignKey("match.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("folded", sa.Text, nullable=False),  # the name in its searchable form
)
SIGHTING = sa.Table(
    "sighting",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("match", sa.ForeignKey("match.id"), nullable=False, index=True),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("reading", NULL_JSON, nullable=False),  # as `pipsight read --json` prints it
    sa.Column("photo", sa.Text, nullable=False),  # SHA-256 of the file beside the database
    sa.Index("ix_sighting_photo", "photo", "at"),
)
WHOLE_PHOTO = sa.Table(  # sent after a photo that is a part of it
    "whole_photo",
    metadata,
    sa.Column("sighting", sa.ForeignKey("sighting.id"), primary_key=True),
    sa.Column("match", sa.ForeignKey("match.id"), nullable=False, index=True),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("photo", sa.Text, nullable=False, index=True),  # SHA-256 too
)
EVENT = sa.Table(
    "event",
    metadata,
    sa.Column("match", sa.ForeignKey("match.id"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("by", sa.Integer),  # confirming seat, if known
    sa.Column("moves", NULL_JSON),  # NULL if it is not a step (Draft.kind)
    sa.Column("told", NULL_JSON, nullable=False),  # words and score as shown then
    sa.Column("sighting", sa.ForeignKey("sighting.id")),
    sa.Column("request", sa.Text),  # idempotency key from the phone
    sa.Column("step", sa.Integer),  # the step of a redo or a note
    sa.Column("note", sa.Text),  # on `step`, or on this event; "" removes it
    sa.UniqueConstraint("match", "request"),
)
REMATCH = sa.Table(
    "rematch",
    metadata,
    sa.Column("match", sa.ForeignKey("match.id"), primary_key=True),  # at most one rematch
    sa.Column("next", sa.ForeignKey("match.id"), nullable=False, unique=True),
)
PHONE = sa.Table(  # that has opened a match
    "phone",
    metadata,
    sa.Column("match", sa.ForeignKey("match.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("token", sa.Text, nullable=False, index=True),  # SHA-256 of the phone's token
    sa.Column("device", sa.Text, nullable=False),  # "Android"
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),  # "plays", "watches", "removed"
    sa.Column("listed", sa.Boolean, nullable=False, server_default=sa.true()),  # on the phone
    sa.UniqueConstraint("match", "token"),
)
SEAT_LOCK = sa.Table(
    "seat_lock",
    metadata,
    sa.Column("match", sa.ForeignKey("match.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("phone", sa.Integer, nullable=False),  # number of the phone that plays the seat
)
HOSTING = sa.Table(  # a match without a row belongs to everybody with its address
    "hosting",
    metadata,
    sa.Column("match", sa.ForeignKey("match.id"), primary_key=True),
    sa.Column("host", sa.Integer, nullable=False),  # the number of the host's phone
    sa.Column("closed", sa.Boolean, nullable=False),  # newcomers only watch
    sa.Column("key", sa.Text),  # SHA-256 of a one-time key for a new host
)
VIEWER = sa.Table(  # a token to view a match
    "viewer",
    metadata,
    sa.Column("match", sa.ForeignKey("match.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("name", sa.Text, nullable=False),  # its label
    sa.Column("token", sa.Text, nullable=False, unique=True),  # its SHA-256
    sa.Column("at", sa.Text, nullable=False),
)
WEBHOOK = sa.Table(  # an address that receives each event of a match
    "webhook",
    metadata,
    sa.Column("match", sa.ForeignKey("match.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("url", sa.Text, nullable=False),
    sa.Column("secret", sa.Text, nullable=False),  # of the signature
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("seq", sa.Integer, nullable=False),  # last delivered event
    sa.Column("tries", sa.Integer, nullable=False),  # failed deliveries of the next event
    sa.Column("failing_since", sa.Text),
    sa.Column("due", sa.Text, nullable=False),  # time of the next attempt
    sa.Column("claimed", sa.Text),  # end of a process's claim
    sa.Column("fault", NULL_JSON),  # message about the last failure
    sa.Column("given_up", sa.Boolean, nullable=False),
)
GUEST_DAY = sa.Table(  # what a guest has sent today
    "guest_day",
    metadata,
    sa.Column("day", sa.Text, primary_key=True),
    sa.Column("guest", sa.Text, primary_key=True),  # see webui.http.shares
    sa.Column("photos", sa.Integer, nullable=False),
    sa.Column("matches", sa.Integer, nullable=False),
    sa.Column("forms", sa.Integer, nullable=False),
    sa.Column("bytes", sa.BigInteger, nullable=False),
)
# Names of servers (`webui.store.tables.webhooks`)
OWN_NAME = sa.Table("own_name", metadata, sa.Column("name", sa.Text, primary_key=True))
ASKED = sa.Table(  # open questions of a watching camera
    "asked",
    metadata,
    sa.Column("match", sa.ForeignKey("match.id"), primary_key=True),
    sa.Column("changes", sa.Integer, nullable=False),  # number of changes of `rolls`
    sa.Column("rolls", NULL_JSON, nullable=False),  # pending rolls, oldest first
    sa.Column("answered", NULL_JSON),  # answered doubts of the last counted roll
    sa.Column("camera", sa.Text),  # the camera that started last, on any server
)
SUMS = sa.Table(  # totals of a match up to event `seq` (`webui.store.tables.sums`)
    "sums",
    metadata,
    sa.Column("match", sa.ForeignKey("match.id"), primary_key=True),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("at", sa.Text, nullable=False),  # of its newest event
    sa.Column("over", sa.Boolean),  # NULL: its rules are not installed
    sa.Column("overridden", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("variant", NULL_JSON, nullable=False),
    sa.Column("seats", NULL_JSON, nullable=False),
    sa.Column("dice", NULL_JSON, nullable=False),
)
PIECES = sa.Table(
    "pieces",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("lessons", NULL_JSON, nullable=False),  # photos by SHA-256 with their values
    sa.Column("learned", NULL_JSON, nullable=False),  # in the format of `pipsight teach`
    sa.Column("match", sa.ForeignKey("match.id")),  # that taught them and may forget them
)
CHOICE = sa.Table(  # the newest row of a match counts
    "pieces_choice",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("match", sa.ForeignKey("match.id"), nullable=False, index=True),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("pieces", sa.Text),  # NULL: none. May name deleted pieces
)
BOARD = sa.Table(
    "board",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),  # of the game's board: "grid:3x3"
    sa.Column("learned", NULL_JSON, nullable=False),  # in the format of `pipsight teach --board`
    sa.Column("match", sa.ForeignKey("match.id")),  # that taught it and may forget it
)
BOARD_CHOICE = sa.Table(  # the newest row of a match counts
    "board_choice",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("match", sa.ForeignKey("match.id"), nullable=False, index=True),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("board", sa.Text),  # NULL: none. May name a deleted board
)

# Alembic's table with the revision of a database.
VERSION = sa.Table(
    "alembic_version", sa.MetaData(), sa.Column("version_num", sa.String(32), primary_key=True)
)


def revision_of(connection: sa.Connection) -> str | None:
    """Return the revision of the database, or None."""
    if not sa.inspect(connection).has_table(VERSION.name):
        return None
    revision: str | None = connection.scalar(sa.select(VERSION.c.version_num))
    return revision


def stamp(connection: sa.Connection) -> None:
    """Record that the database is at the newest revision."""
    VERSION.create(connection)
    connection.execute(VERSION.insert().values(version_num=REVISION))
