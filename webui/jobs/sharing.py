"""A server or worker on a shared queue: it registers itself and reads photos."""

from webui.jobs.order import Work
from webui.jobs.shared import SharedJobs
from webui.jobs.worker import Worker
from webui.store.log import Store
from webui.store.notices import Presence, ProcessKind


class Sharing(SharedJobs):
    """The shared queue, with this process as one of its workers."""

    def __init__(
        self, work: Work, store: Store, version: str, eyes: int, kind: ProcessKind = "server"
    ) -> None:
        """Join with *eyes* worker processes; raises CannotOpen, SQLAlchemyError, RequestError."""
        super().__init__(store, version)
        self._presence = Presence(store.database, kind, version, eyes)
        self._worker = Worker(store, work, version, eyes) if eyes else None

    def close(self) -> None:
        """Finish running orders and unregister; queued ones are left to the others."""
        if self._worker is not None:
            self._worker.close()
        self._presence.close()
