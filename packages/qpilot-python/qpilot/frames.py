"""Tables: DataFrames where pandas is installed, else lists of dictionaries with the same attributes."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any


def module(name: str) -> Any:
    """A module of somebody else; None where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


class Table(list[dict[str, Any]]):
    """Rows of a table without pandas; `attrs` as those of a DataFrame."""

    def __init__(self, rows: Iterable[dict[str, Any]], attrs: Mapping[str, Any]) -> None:
        super().__init__(rows)
        self.attrs = dict(attrs)


def table(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    attrs: Mapping[str, Any] | None = None,
    times: Sequence[str] = (),
) -> Any:
    """A table; columns of `times` hold UTC timestamps."""
    dicts = [dict(zip(columns, row, strict=True)) for row in rows]
    pandas = module("pandas")
    if pandas is None:
        for row in dicts:
            row.update({name: utc(row[name]) for name in times if row[name] is not None})
        return Table(dicts, attrs or {})
    frame = pandas.DataFrame(dicts, columns=list(columns))
    for name in times:
        frame[name] = pandas.to_datetime(frame[name], utc=True)
    frame.attrs.update(attrs or {})
    return frame


def with_unit(name: str, unit: str | None) -> str:
    """A column's name, `t1 [µs]`."""
    return f"{name} [{unit}]" if unit else name


def utc(text: str) -> datetime:
    """A time of the server."""
    return datetime.fromisoformat(text).astimezone(timezone.utc)


_SPAN = re.compile(r"(\d+)\s*([hd])")


def moment(at: datetime | timedelta | str, now: datetime) -> str:
    """A time for the server: a datetime (without a zone: UTC), an ISO text, or what lies so far back: "24h", "7d"."""
    if isinstance(at, str):
        span = _SPAN.fullmatch(at.strip())
        if span is not None:
            at = timedelta(**{{"h": "hours", "d": "days"}[span[2]]: int(span[1])})
        else:
            try:
                at = datetime.fromisoformat(at)
            except ValueError:
                raise ValueError(f'{at!r} is no time; "24h", "7d" and "2025-01-23T22:00Z" are') from None
    if isinstance(at, timedelta):
        at = now - at
    if at.tzinfo is None:
        at = at.replace(tzinfo=timezone.utc)
    return at.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
