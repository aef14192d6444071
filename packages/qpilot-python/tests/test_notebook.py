"""Executes the example in a kernel, if nbclient is installed, and looks at its outputs."""

from __future__ import annotations

import importlib.util
import unittest
from pathlib import Path
from typing import Any

from .support import ServerTest

MISSING = [name for name in ("nbclient", "ipykernel", "pandas", "plotly") if importlib.util.find_spec(name) is None]
EXAMPLE = Path(__file__).parent.parent / "examples" / "notebook.ipynb"


@unittest.skipIf(MISSING, f"not installed: {', '.join(MISSING)}")
class NotebookTest(ServerTest):
    def test_shows_tables_words_charts_and_sources(self) -> None:
        import nbclient  # type: ignore[import-not-found, import-untyped, unused-ignore]
        import nbformat  # type: ignore[import-not-found, import-untyped, unused-ignore]

        notebook = nbformat.read(EXAMPLE, as_version=4)
        nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
        cells = {cell["metadata"]["qpilot"]: cell["outputs"] for cell in notebook.cells if cell.cell_type == "code"}

        def data(name: str, kind: str) -> list[Any]:
            return [output["data"][kind] for output in cells[name] if kind in output.get("data", {})]

        self.assertIn("t1 [", data("metric", "text/html")[0])
        [words] = data("ask", "text/markdown")
        self.assertTrue(words.strip())
        self.assertTrue(data("ask", "application/vnd.plotly.v1+json")[0]["data"])
        self.assertTrue(any("✓ " in text for text in data("ask", "text/plain")))
        self.assertTrue(any("COMPLETED" in text for text in data("ask", "text/plain")))
        self.assertIn("SOURCED", data("sources", "text/html")[0])
        # After a restart of the kernel, the last answer is there again as a whole.
        self.assertEqual(data("resume", "text/markdown"), [words])
