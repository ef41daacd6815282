"""Cat tables: columns, rows, and the parameters that shape them (v, h, s, help, bytes, time, format).

A table is a list of columns and a function that gives the rows, each a mapping from column name to value. A
value is a plain number in the column's unit, a text, a truth value or None. The kind of the column says how
it prints.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lanner.engine.common.errors import UnsupportedOperation
from lanner.engine.common.units import render_size, render_time
from lanner.engine.common.wildcards import matches
from lanner.server.media_types import Format
from lanner.server.response import Response

if TYPE_CHECKING:
    from lanner.server.params import Params
    from lanner.server.request import Request

Row = Mapping[str, Any]
TEXT, COUNT, SIZE, MILLIS, SORTED = "text", "count", "size", "millis", "sorted"

BYTE_UNITS = {"b": 1, "k": 1 << 10, "kb": 1 << 10, "m": 1 << 20, "mb": 1 << 20, "g": 1 << 30, "gb": 1 << 30,
              "t": 1 << 40, "tb": 1 << 40, "p": 1 << 50, "pb": 1 << 50}  # fmt: skip
TIME_UNITS = {"nanos": 1e-6, "micros": 1e-3, "ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
PARAMS = frozenset({"v", "h", "s", "help", "bytes", "time", "size", "pri", "ts", "local", "master_timeout",
                    "cluster_manager_timeout", "timeout"})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Column:
    """One column. aliases: comma-separated, as help prints them. shown: without being asked for."""

    name: str
    aliases: str
    description: str
    kind: str = TEXT
    shown: bool = False

    @property
    def right(self) -> bool:
        """Whether the column lines up at its right edge."""
        return self.kind in (COUNT, SIZE, MILLIS)


@dataclass(frozen=True, slots=True)
class Table:
    """One table of the cat API.

    paths: where it is served. listed: what of that the list at ``/_cat`` shows, None for all. columns: or
    what gives them for a request.
    """

    paths: tuple[str, ...]
    columns: tuple[Column, ...] | Callable[["Request"], tuple[Column, ...]]
    rows: Callable[["Request"], list[Row]]
    params: frozenset[str] = frozenset()
    listed: tuple[str, ...] | None = None

    @property
    def names(self) -> frozenset[str]:
        """What stands in braces in the paths."""
        return frozenset(name for path in self.paths for name in re.findall(r"{(\w+)}", path))

    def answer(self, request: "Request", page: "Page | None" = None) -> Response:
        """Return the table in the shape that the request asks for. page: these rows instead of all."""
        params = request.params
        columns = self.columns(request) if callable(self.columns) else self.columns
        if params.boolean("help"):
            return Response(help_of(columns))
        show_heads = params.boolean("v")
        rows = self.rows(request) if page is None else page.rows
        if params.get("ts") == "false":
            columns = tuple(column for column in columns if column.name not in ("epoch", "timestamp"))
        rows = sort_rows(rows, columns, params)
        shown = choose(columns, params)
        cells = [[render_cell(column, row.get(column.name), params) for _, column in shown] for row in rows]
        if request.format() in (Format.JSON, Format.YAML, Format.CBOR, Format.SMILE):
            heads = [head for head, _ in shown]
            lines = [dict(zip(heads, line, strict=True)) for line in cells]
            return Response(lines if page is None else {"next_token": page.next_token, page.name: lines})
        text = layout(shown, cells, show_heads)
        return Response(text if page is None else f"{text}next_token {page.next_token or 'null'}\n")


@dataclass(frozen=True, slots=True)
class Page:
    """Some rows of a table, and where the next ones begin. name: of the rows in JSON."""

    name: str
    rows: list[Row]
    next_token: str | None


def help_of(columns: tuple[Column, ...]) -> str:
    """Return one line per column."""
    lines = [(column.name, column.aliases, column.description) for column in columns]
    widths = [max(len(line[i]) for line in lines) for i in range(3)]
    return "".join(
        " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + "\n"
        for line in lines
    )


def _by_alias(columns: tuple[Column, ...]) -> dict[str, Column]:
    names: dict[str, Column] = {}
    for column in columns:
        names[column.name] = column
    for column in columns:
        for alias in column.aliases.split(","):
            if alias:
                names.setdefault(alias.strip(), column)
    return names


def choose(columns: tuple[Column, ...], params: "Params") -> list[tuple[str, Column]]:
    """Return the columns to show, each under the name that was asked for."""
    wanted = params.get("h")
    if wanted is None:
        return [(column.name, column) for column in columns if column.shown]
    names = _by_alias(columns)
    chosen: list[tuple[str, Column]] = []
    for word in wanted.split(","):
        name = word.strip()
        if name in names:
            chosen.append((name, names[name]))
        elif "*" in name:
            chosen += [
                (column.name, column)
                for column in columns
                if any(matches(name, each) for each in (column.name, *column.aliases.split(",")))
            ]
    unique: dict[str, Column] = {}
    for head, column in chosen:
        unique.setdefault(head, column)
    return list(unique.items())


def sort_rows(rows: list[Row], columns: tuple[Column, ...], params: "Params") -> list[Row]:
    """Return the rows in the order of ``s``; those without a value come first, when descending last."""
    wanted = params.get("s")
    if not wanted:
        return rows
    names = _by_alias(columns)
    for key in reversed(wanted.split(",")):
        name, _, direction = key.strip().partition(":")
        column = names.get(name)
        if column is None:
            raise UnsupportedOperation(f"Unable to sort by unknown sort key `{name}`")
        present = [row for row in rows if row.get(column.name) is not None]
        absent = [row for row in rows if row.get(column.name) is None]
        down = direction == "desc"
        present.sort(key=lambda row, field=column.name: _sort_key(row[field]), reverse=down)  # type: ignore[misc]
        rows = [*present, *absent] if down else [*absent, *present]
    return rows


def _sort_key(value: Any) -> tuple[int, float, str]:
    if isinstance(value, (bool, int, float)):
        return (0, float(value), "")
    return (1, 0.0, str(value))


def render_cell(column: Column, value: Any, params: "Params") -> str | None:
    """Return the text of a cell."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if column.kind == SIZE:
        unit = BYTE_UNITS.get(params.get("bytes", ""))
        return str(int(value) // unit) if unit else render_size(int(value))
    if column.kind == MILLIS:
        scale = TIME_UNITS.get(params.get("time", ""))
        return str(int(value / scale)) if scale else render_time(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(str, value))}]"
    return str(value)


def layout(shown: list[tuple[str, Column]], cells: list[list[str | None]], show_heads: bool) -> str:
    """Return the text table: columns as wide as their widest cell, one space apart."""
    lines: list[list[str]] = [[cell or "" for cell in line] for line in cells]
    if show_heads:
        lines.insert(0, [head for head, _ in shown])
    widths = [max((len(line[i]) for line in lines), default=0) for i in range(len(shown))]
    last = len(shown) - 1
    text = []
    for line in lines:
        parts = []
        for i, (cell, (_, column)) in enumerate(zip(line, shown, strict=True)):
            if column.right:
                parts.append(cell.rjust(widths[i]))
            else:
                parts.append(cell if i == last else cell.ljust(widths[i]))
        text.append(" ".join(parts))
    return "".join(line + "\n" for line in text)
