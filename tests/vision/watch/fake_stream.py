"""A network camera on this machine: pictures one after another (MJPEG), until it is to fail."""

import threading
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal

import cv2
import numpy as np

FPS = 15
LONGEST_S = 120.0  # of one connection; no test holds one for so long
Mode = Literal["sends", "stalls", "ends", "answers not", "is no video"]


class CameraStream:
    """Does what `mode` says, now: it may change while pictures are sent."""

    def __init__(self):
        self.mode: Mode = "sends"
        self.pictures = [_jpeg(k) for k in range(8)]
        self.opened = 0  # connections so far
        self.over = threading.Event()
        stream = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                stream.opened += 1
                with suppress(OSError):  # whoever looked is gone
                    stream.answer(self)

            def log_message(self, *_args):
                """Keep quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self.server.server_port}/video"

    def answer(self, asked):
        """Answer one connection."""
        while self.mode == "answers not" and not self.over.wait(0.05):
            pass
        kind = "text/html" if self.mode == "is no video" else "multipart/x-mixed-replace;boundary=x"
        asked.send_response(200)
        asked.send_header("Content-Type", kind)
        asked.end_headers()
        for number in range(round(LONGEST_S * FPS)):
            while self.mode == "stalls" and not self.over.is_set():
                self.over.wait(0.05)
            if self.mode != "sends" or self.over.wait(1 / FPS):
                return
            picture = self.pictures[number % len(self.pictures)]
            head = f"--x\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n\r\n"
            asked.wfile.write(head.encode() + picture + b"\r\n")


@contextmanager
def camera_stream():
    """Serve a camera until the end of the test."""
    stream = CameraStream()
    thread = threading.Thread(target=stream.server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield stream
    finally:
        stream.over.set()
        stream.server.shutdown()
        stream.server.server_close()
        thread.join()


def _jpeg(seed):
    noise = np.random.default_rng(seed)
    table = noise.integers(100, 110, (240, 320, 3), np.uint8)
    return bytes(cv2.imencode(".jpg", table)[1])
