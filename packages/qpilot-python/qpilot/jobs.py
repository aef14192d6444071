"""Jobs of the viewer, and their reports."""

from __future__ import annotations

from typing import Any

from .errors import QPilotError
from .frames import table, utc
from .transport import Server

_FIELDS = "id description status createdAt finishedAt chip { chipId }"
_JOBS = f"query($first: Int!) {{ jobs(first: $first) {{ nodes {{ {_FIELDS} }} }} }}"
_JOB = f"query($id: ID!) {{ job(id: $id) {{ {_FIELDS} reviewNote error {{ code message retryable }} }} }}"
_REPORT = "query($id: ID!) { job(id: $id) { report { markdown file { path url } } } }"


class Report(str):
    """The Markdown of a report, which a notebook shows as such."""

    def _repr_markdown_(self) -> str:
        return str(self)


class Job:
    """A job as it was when it was read."""

    def __init__(self, server: Server, found: dict[str, Any]) -> None:
        self._server = server
        self.id: str = found["id"]
        self.description: str = found["description"]
        self.status: str = found["status"]
        self.chip_id: str | None = (found["chip"] or {}).get("chipId")
        self.created_at = utc(found["createdAt"])
        self.finished_at = utc(found["finishedAt"]) if found["finishedAt"] else None
        self.review_note: str | None = found["reviewNote"]
        error = found["error"]
        self.error = error and QPilotError(error["code"], error["message"], retryable=error["retryable"])

    def __repr__(self) -> str:
        return f"Job({self.id!r}, {self.status}, {self.description!r})"

    def report(self) -> Report | None:
        """Its newest report; None while it has none."""
        job = self._server.execute(_REPORT, {"id": self.id})["job"]
        report = job and job["report"]
        if report is None:
            return None
        if report["markdown"] is None:
            place = f"{self._server.url}{report['file']['url']}"
            raise QPilotError("TOO_LARGE", f"the report has more than 1 MB; download it from {place}")
        return Report(report["markdown"])


def read_jobs(server: Server, first: int) -> Any:
    """The newest jobs."""
    rows = [
        (j["id"], j["status"], j["description"], (j["chip"] or {}).get("chipId"), j["createdAt"], j["finishedAt"])
        for j in server.execute(_JOBS, {"first": first})["jobs"]["nodes"]
    ]
    columns = ["id", "status", "description", "chip", "created_at", "finished_at"]
    return table(columns, rows, times=["created_at", "finished_at"])


def read_job(server: Server, job_id: str) -> Job:
    """A job by its id."""
    found = server.execute(_JOB, {"id": job_id})["job"]
    if found is None:
        raise QPilotError("NOT_FOUND", f"there is no job {job_id!r} in this project that you may read")
    return Job(server, found)
