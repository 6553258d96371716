"""The tables of the database, as the newest migration leaves them (`webui/migrations`)."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()
REVISION = "r0018"  # the newest migration
FIRST_TABLES = {"match", "sighting", "event"}  # of databases made before they were marked
NULL_JSON = sa.JSON(none_as_null=True)  # None is NULL, not the text "null"
MATCH = sa.Table(
    "match",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("code", sa.Text, nullable=False, unique=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),  # of the game's rules when it was made
    sa.Column("settings", NULL_JSON, nullable=False),  # every setting, so defaults may change
    sa.Column("names", NULL_JSON, nullable=False),  # one a seat
    sa.Column("created_at", sa.Text, nullable=False),
    sa.Column("screen", sa.Text, unique=True, index=True),  # its address to look at, not to play
    sa.Column("rest", sa.Text, nullable=False, server_default=""),  # of the whole join code
    sa.Index("ix_match_created_at", "created_at", "id"),
)
PLAYER = sa.Table(  # by which a match is found
    "player",
    metadata,
    sa.Column("match", sa.ForeignKey("match.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("folded", sa.Text, nullable=False),  # the name, as it is searched
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
WHOLE_PHOTO = sa.Table(  # that followed, where the photo of a sighting is a part of it
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
    sa.Column("by", sa.Integer),  # seat that confirmed, where it is known
    sa.Column("moves", NULL_JSON),  # NULL where no step is stored: Draft.kind says what is
    sa.Column("told", NULL_JSON, nullable=False),  # words and score as the phones were told
    sa.Column("sighting", sa.ForeignKey("sighting.id")),
    sa.Column("request", sa.Text),  # the phone's id of this confirmation
    sa.Column("step", sa.Integer),  # that is put back, or that the note is on
    sa.Column("note", sa.Text),  # on that step, or on the one stored here; "" is none any more
    sa.UniqueConstraint("match", "request"),
)
REMATCH = sa.Table(
    "rematch",
    metadata,
    sa.Column("match", sa.ForeignKey("match.id"), primary_key=True),  # has one rematch at most
    sa.Column("next", sa.ForeignKey("match.id"), nullable=False, unique=True),
)
PHONE = sa.Table(  # that has opened a match
    "phone",
    metadata,
    sa.Column("match", sa.ForeignKey("match.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("token", sa.Text, nullable=False, index=True),  # SHA-256 of what the phone keeps
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
    sa.Column("phone", sa.Integer, nullable=False),  # the number of the one that plays it
)
HOSTING = sa.Table(  # a match without a row is everybody's who has its address
    "hosting",
    metadata,
    sa.Column("match", sa.ForeignKey("match.id"), primary_key=True),
    sa.Column("host", sa.Integer, nullable=False),  # the number of the host's phone
    sa.Column("closed", sa.Boolean, nullable=False),  # newcomers only watch
    sa.Column("key", sa.Text),  # SHA-256 of what makes a phone the host, once
)
VIEWER = sa.Table(  # a token with which somebody only looks at a match
    "viewer",
    metadata,
    sa.Column("match", sa.ForeignKey("match.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("name", sa.Text, nullable=False),  # what it is for
    sa.Column("token", sa.Text, nullable=False, unique=True),  # its SHA-256
    sa.Column("at", sa.Text, nullable=False),
)
WEBHOOK = sa.Table(  # an address that is sent each event of a match
    "webhook",
    metadata,
    sa.Column("match", sa.ForeignKey("match.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("url", sa.Text, nullable=False),
    sa.Column("secret", sa.Text, nullable=False),  # that signs what is sent
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("seq", sa.Integer, nullable=False),  # of the last event that was delivered
    sa.Column("tries", sa.Integer, nullable=False),  # of the next one that failed
    sa.Column("failing_since", sa.Text),
    sa.Column("due", sa.Text, nullable=False),  # when the next one may be sent
    sa.Column("claimed", sa.Text),  # until when one process alone may send it
    sa.Column("fault", NULL_JSON),  # why it was not delivered: a message
    sa.Column("given_up", sa.Boolean, nullable=False),
)
GUEST_DAY = sa.Table(  # what a guest has sent on a day, today's alone
    "guest_day",
    metadata,
    sa.Column("day", sa.Text, primary_key=True),
    sa.Column("guest", sa.Text, primary_key=True),  # see webui.http.shares
    sa.Column("photos", sa.Integer, nullable=False),
    sa.Column("matches", sa.Integer, nullable=False),
    sa.Column("forms", sa.Integer, nullable=False),
    sa.Column("bytes", sa.BigInteger, nullable=False),
)
ASKED = sa.Table(  # what a watching camera asks about a match
    "asked",
    metadata,
    sa.Column("match", sa.ForeignKey("match.id"), primary_key=True),
    sa.Column("changes", sa.Integer, nullable=False),  # how often `rolls` has changed
    sa.Column("rolls", NULL_JSON, nullable=False),  # that wait for an answer, oldest first
    sa.Column("answered", NULL_JSON),  # what was asked about the last roll that counts
    sa.Column("camera", sa.Text),  # the one that began to watch last, at whichever server
)
SUMS = sa.Table(  # what a match comes to, up to its event `seq` (`webui.store.tables.sums`)
    "sums",
    metadata,
    sa.Column("match", sa.ForeignKey("match.id"), primary_key=True),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("at", sa.Text, nullable=False),  # of its newest event
    sa.Column("over", sa.Boolean),  # NULL: its rules are not here
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
    sa.Column("lessons", NULL_JSON, nullable=False),  # a photo's SHA-256 and what lies on it, each
    sa.Column("learned", NULL_JSON, nullable=False),  # as `pipsight teach` writes it
    sa.Column("match", sa.ForeignKey("match.id")),  # that taught them and may forget them
)
CHOICE = sa.Table(  # the newest row of a match counts
    "pieces_choice",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("match", sa.ForeignKey("match.id"), nullable=False, index=True),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("pieces", sa.Text),  # NULL: none. May name pieces that were forgotten since
)
BOARD = sa.Table(
    "board",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),  # of the game's board: "grid:3x3"
    sa.Column("learned", NULL_JSON, nullable=False),  # as `pipsight teach --board` writes it
    sa.Column("match", sa.ForeignKey("match.id")),  # that taught it and may forget it
)
BOARD_CHOICE = sa.Table(  # the newest row of a match counts
    "board_choice",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("match", sa.ForeignKey("match.id"), nullable=False, index=True),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("board", sa.Text),  # NULL: none. May name a board that was forgotten since
)

# Where alembic keeps the revision of a database.
VERSION = sa.Table(
    "alembic_version", sa.MetaData(), sa.Column("version_num", sa.String(32), primary_key=True)
)


def revision_of(connection: sa.Connection) -> str | None:
    """Return the migration that left the database as it is, None where none is noted."""
    if not sa.inspect(connection).has_table(VERSION.name):
        return None
    revision: str | None = connection.scalar(sa.select(VERSION.c.version_num))
    return revision


def stamp(connection: sa.Connection) -> None:
    """Note that the database is as the newest migration leaves it."""
    VERSION.create(connection)
    connection.execute(VERSION.insert().values(version_num=REVISION))
