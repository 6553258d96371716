"""A host of the site that runs in a browser alone, and scripts that hold its first tab up."""

import http.server
import threading
from contextlib import contextmanager
from functools import partial

# Of a tab that holds the matches: what keeps it from answering at once.
LOADS = """const worker = navigator.serviceWorker, register = worker.register.bind(worker);
worker.register = async (...given) => {
  await new Promise((done) => (window.go = done));
  return register(...given);
};"""
LOSES = """const worker = navigator.serviceWorker, add = worker.addEventListener.bind(worker);
window.go = () => {};
let lost = false;
worker.addEventListener = (kind, hear, ...more) =>
  add(kind, (event) => {
    if (lost || !event.data?.url?.includes('rules')) return hear(event);
    lost = true;
  }, ...more);
"""


class Host(http.server.SimpleHTTPRequestHandler):
    """Any web host."""

    extensions_map = {  # noqa: RUF012
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def hosted(folder):
    serve = partial(Host, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), serve) as host:
        threading.Thread(target=host.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{host.server_port}"
        host.shutdown()
