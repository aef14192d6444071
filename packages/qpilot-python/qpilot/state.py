"""What survives a restart of the kernel: the last question, in one small file per server and project."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from .transport import Server


class State:
    """Readable by its user only. It holds the question and ids, never the key or an answer."""

    def __init__(self, server: Server) -> None:
        home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
        name = hashlib.sha256(f"{server.url}\n{server.project or ''}".encode()).hexdigest()[:16]
        self.path = Path(home) / "qpilot" / f"{name}.json"

    def read(self) -> dict[str, Any] | None:
        """What was written last; None without a file, and for one that is damaged."""
        try:
            state = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return state if isinstance(state, dict) and "input" in state else None

    def write(self, state: dict[str, Any]) -> None:
        """Replaces the file as a whole, so that a kernel that dies meanwhile leaves the old one."""
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=self.path.parent)  # permission 600
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(state, file)
            os.replace(name, self.path)
        except BaseException:
            os.unlink(name)
            raise
