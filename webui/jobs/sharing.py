"""A server, or a worker alone, that shares a queue: it says that it is there, and reads photos."""

from __future__ import annotations

from webui.jobs.order import Work
from webui.jobs.shared import SharedJobs
from webui.jobs.worker import Worker
from webui.store.log import Store
from webui.store.notices import Presence, ProcessKind


class Sharing(SharedJobs):
    """The queue that others share, to which this process lends its eyes."""

    def __init__(
        self, work: Work, store: Store, version: str, eyes: int, kind: ProcessKind = "server"
    ) -> None:
        """Join in with so many *eyes*; raises CannotOpen, SQLAlchemyError, RequestError."""
        super().__init__(store, version)
        self._presence = Presence(store.database, kind, version, eyes)
        self._worker = Worker(store, work, version, eyes) if eyes else None

    def close(self) -> None:
        """Finish what is begun, and be gone; what waits is for the others."""
        if self._worker is not None:
            self._worker.close()
        self._presence.close()
