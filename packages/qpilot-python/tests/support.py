"""What the tests share. They run against a server, which test/integration/notebooks.test.ts starts."""

from __future__ import annotations

import http.client
import os
import tempfile
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from qpilot import QPilot

URL = os.environ["QPILOT_URL"]
# The other model of the server says some words and then nothing more.
OFFLINE = "offline-analyst"


class Shown:
    """A display that remembers."""

    def __init__(self) -> None:
        self.steps: list[str] = []
        self.texts: list[str] = []
        self.items: list[Any] = []
        self.ending = ""

    def step(self, line: str) -> None:
        self.steps.append(line)

    def words(self, text: str) -> None:
        self.texts.append(text)

    def item(self, item: Any) -> None:
        self.items.append(item)

    def end(self, line: str) -> None:
        self.ending = line


class ServerTest(unittest.TestCase):
    """Each test with a state folder of its own."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.state_home = folder.name
        os.environ["XDG_STATE_HOME"] = folder.name
        self.shown = Shown()
        self.qp = self.client()

    def client(self, url: str = URL, **more: Any) -> QPilot:
        return QPilot(url, display=lambda: self.shown, **more)


class CuttingProxy:
    """Passes requests on; of the first `cuts` streams of events it passes some bytes on and then breaks off."""

    def __init__(self, cuts: int, after_bytes: int = 1500) -> None:
        self.streams = 0
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                target = urlsplit(URL)
                far = http.client.HTTPConnection(target.hostname or "", target.port)
                far.request("POST", self.path, body, {k: v for k, v in self.headers.items() if k.lower() != "host"})
                response = far.getresponse()
                is_stream = (response.headers["content-type"] or "").startswith("text/event-stream")
                proxy.streams += is_stream
                room = after_bytes if is_stream and proxy.streams <= cuts else None
                self.send_response(response.status)
                self.send_header("content-type", response.headers["content-type"])
                self.end_headers()
                try:
                    while (room is None or room > 0) and (piece := response.read1(room or 65536)):
                        self.wfile.write(piece)
                        room = None if room is None else room - len(piece)
                except OSError:
                    pass  # the client has what it wanted
                finally:
                    far.close()

            def log_message(self, *_args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> CuttingProxy:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
