"""nested: documents with nested objects that match a query."""

from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import read_flag, read_text, unsupported_key
from lanner.engine.common.errors import IllegalArgument, IllegalStateError
from lanner.engine.dsl.base import DslContext, JoiningDsl, ParseContext, read_common
from lanner.engine.mapping.mapping import Mapping
from lanner.engine.query.base import Query
from lanner.engine.query.match_all import MatchNoneQuery
from lanner.engine.query.nested import NestedQuery

SCORE_MODES = ("none", "avg", "max", "min", "sum")


@dataclass(frozen=True, slots=True, kw_only=True)
class NestedDsl(JoiningDsl):
    """A query over the nested objects of a path."""

    path: str
    score_mode: str = "avg"

    @property
    def label(self) -> str:
        """Return the path."""
        return self.path

    def unmapped(self, mapping: Mapping) -> bool:
        """Return whether there is no such object."""
        return not mapping.is_object(self.path)

    def build(self, context: DslContext) -> Query:
        """Resolve the inner query in the scope of the nested object."""
        if self.ignore_unmapped and self.unmapped(context.mapping):
            return MatchNoneQuery("[ignore_unmapped] is set")
        check_nested(context.mapping, self.path, "nested")
        around = context.scope
        query = self.resolve_inside(context, self.path)
        if isinstance(query, MatchNoneQuery):
            return query
        return NestedQuery(
            self.path.encode(), query, None if around is None else around.encode(), self.score_mode
        )


def check_nested(mapping: Mapping, path: str, kind: str) -> None:
    """Refuse a path that is not that of a nested object."""
    if not mapping.is_object(path):
        raise IllegalStateError(f"[{kind}] failed to find nested object under path [{path}]")
    if path not in mapping.nested_paths:
        raise IllegalStateError(f"[{kind}] nested object under path [{path}] is not of nested type")


def read_score_mode(text: str) -> str:
    """Return what a score is made of; raises IllegalArgument for what is no mode."""
    if text not in SCORE_MODES:
        raise IllegalArgument(f"No score mode for child query [{text}] found")
    return text


def parse_nested(body: dict[str, Any], context: ParseContext) -> NestedDsl:
    """Read the body of a nested query."""
    values: dict[str, Any] = {}
    for key, value in body.items():
        if key == "query" and isinstance(value, dict):
            values["query"] = context.clause(body, key)
        elif key == "inner_hits" and isinstance(value, dict):
            values["inner_hits"] = context.inner_hits(body, key)
        elif value == []:
            continue
        elif isinstance(value, dict | list):
            raise unsupported_key("nested", body, key)
        elif key == "path":
            values["path"] = read_text("nested", body, key)
        elif key == "ignore_unmapped":
            values[key] = read_flag("nested", body, key)
        elif key == "score_mode":
            values[key] = read_score_mode(read_text("nested", body, key))
        else:
            read_common("nested", body, key, values)
    for name in ("path", "query"):
        if name not in values:
            raise IllegalArgument(f"[nested] requires '{name}' field")
    return NestedDsl(**values)
