"""The services of the views, created by the app: log, streams, worker processes, limits."""

from dataclasses import dataclass, field
from functools import partial

from flask import current_app, request

from webui.camera.cameras import Cameras
from webui.errors import NotFound
from webui.http.event_stream import Latest, WrittenEvents
from webui.http.guests import Limit, guest, proxied
from webui.http.hosts import address_of
from webui.http.live import Live
from webui.http.shares import Shares
from webui.jobs.order import Jobs
from webui.match.events import written_after
from webui.match.photo import Desk
from webui.outside.post import Reach
from webui.settings import ServerSettings
from webui.store.rows import is_whole
from webui.store.tables.webhooks import OwnNames
from webui.store.upkeep import Deleted, delete_match


@dataclass(frozen=True, slots=True)
class Secure:
    """The HTTPS server: its address, and the certificate that a phone must trust."""

    port: int
    fingerprint: str  # SHA-256 of the authority's certificate, AB:CD:…
    authority: bytes  # DER


@dataclass(slots=True, kw_only=True)
class Services(Desk):
    """The services of one server."""

    live: Live
    cameras: Cameras
    jobs: Jobs = field(init=False)  # performs its orders with these services
    settings: ServerSettings = field(default_factory=ServerSettings)
    secure: Secure | None = None
    own_names: OwnNames = field(init=False)
    webhooks: Reach = field(init=False)
    stopping: bool = False  # new requests get 503
    latest: Latest = field(default_factory=Latest)
    shares: Shares = field(init=False)
    events: WrittenEvents = field(init=False)
    joining: Limit = field(default_factory=Limit)

    def __post_init__(self) -> None:
        """Count what guests send in the database of the matches, and read events there."""
        self.own_names = OwnNames(self.store.database)
        self.webhooks = Reach(self.settings.private_webhooks, self.own_names)
        self.shares = Shares(self.store.database)
        self.events = WrittenEvents(partial(written_after, self.store))

    def join(self, code: str) -> str:
        """Return the id of the match with a join *code*; raises NotFound or RateLimited."""
        if not is_whole(code):  # a whole code cannot be guessed and needs no limit
            self.joining.check(guest())
        try:
            return self.store.find(code)
        except NotFound:
            self.joining.check(guest())
            self.joining.count(guest())
            raise

    def delete(self, match_id: str) -> Deleted:
        """Delete a match permanently; raises NotFound."""
        seq = self.store.seq(match_id)
        deleted = delete_match(self.store, match_id)
        if camera := self.cameras.of(match_id):
            self.cameras.end(camera)
        self.live.announce(match_id, seq + 1)  # wakes viewers, who learn of it
        return deleted

    @property
    def root(self) -> str:
        """Return the address of this server for other phones, ending in "/"."""
        return request.url_root if proxied() else self.settings.address or request.url_root

    @property
    def places(self) -> tuple[str, str]:
        """Return the base URLs of a page: for other phones, and its own."""
        return self.root, address_of("")


def services() -> Services:
    """Return the services of this request's app."""
    found: Services = current_app.extensions["pipsight"]
    return found
