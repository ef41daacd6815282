"""has_child, has_parent, parent_id: documents by what belongs to them, or to what they belong."""

from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import read_flag, read_integer, read_text, unsupported_key
from lanner.engine.common.errors import IllegalArgument, QueryShardError
from lanner.engine.dsl.base import DslContext, DslQuery, JoiningDsl, ParseContext, read_common
from lanner.engine.dsl.nested import read_score_mode
from lanner.engine.mapping.mapping import Mapping
from lanner.engine.mapping.types.join import JoinFieldType
from lanner.engine.query.base import Query
from lanner.engine.query.boolean import BooleanQuery
from lanner.engine.query.constant_score import ConstantScoreQuery
from lanner.engine.query.expensive import refuse_joining
from lanner.engine.query.join import MOST, JoinQuery
from lanner.engine.query.match_all import MatchNoneQuery


@dataclass(frozen=True, slots=True, kw_only=True)
class RelativesDsl(JoiningDsl):
    """A query for documents of a relation."""

    relation: str

    @property
    def label(self) -> str:
        """Return the relation."""
        return self.relation

    def sought(self, join: JoinFieldType, context: DslContext) -> Query:
        """Return the documents of the relation that the inner query finds."""
        query = self.resolve_inside(context, None)
        return BooleanQuery(must=(query,), filter=(join.term_query(self.relation),))


@dataclass(frozen=True, slots=True, kw_only=True)
class HasChildDsl(RelativesDsl):
    """Parents by their children. least, most: how many of these must match."""

    score_mode: str = "none"
    least: int = 1
    most: int = MOST

    def unmapped(self, mapping: Mapping) -> bool:
        """Return whether there is no such relation of children."""
        return mapping.join is None or self.relation not in mapping.join.children

    def build(self, context: DslContext) -> Query:
        """Return the parents whose children match."""
        refuse_joining(allowed=context.allow_expensive)
        join = _join_of(context, "has_child", ignore=self.ignore_unmapped)
        parent = None if join is None else join.children.get(self.relation)
        if join is None or parent is None:
            return _unrelated(join, "has_child", self.relation, "child", ignore=self.ignore_unmapped)
        return JoinQuery(
            join.parents[parent].name,
            self.sought(join, context),
            join.term_query(parent),
            self.score_mode,
            self.least,
            self.most,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class HasParentDsl(RelativesDsl):
    """Children by their parent. score: whether they score what it does."""

    score: bool = False

    def unmapped(self, mapping: Mapping) -> bool:
        """Return whether there is no such relation of parents."""
        return mapping.join is None or self.relation not in mapping.join.parents

    def build(self, context: DslContext) -> Query:
        """Return the children of the parents that match."""
        refuse_joining(allowed=context.allow_expensive)
        join = _join_of(context, "has_parent", ignore=self.ignore_unmapped)
        column = None if join is None else join.parents.get(self.relation)
        if join is None or column is None:
            return _unrelated(join, "has_parent", self.relation, "parent", ignore=self.ignore_unmapped)
        children = tuple(join.term_query(child) for child in join.relations[self.relation])
        wanted = children[0] if len(children) == 1 else BooleanQuery(should=children)
        return JoinQuery(
            column.name,
            self.sought(join, context),
            ConstantScoreQuery(wanted) if children else MatchNoneQuery(),
            "max" if self.score else "none",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ParentIdDsl(DslQuery):
    """The children of a relation that belong to one parent."""

    id: str
    relation: str | None = None
    ignore_unmapped: bool = False

    def build(self, context: DslContext) -> Query:
        """Return the children."""
        refuse_joining(allowed=context.allow_expensive)
        join = context.mapping.join
        if join is None and not self.ignore_unmapped:
            raise QueryShardError(f"[parent_id] no join field found for index [{context.index}]")
        parent = None if join is None else join.children.get(self.relation or "")
        if join is None or parent is None:
            if self.ignore_unmapped:
                return MatchNoneQuery()
            raise QueryShardError(f"[parent_id] no relation found for child [{self.relation or 'null'}]")
        context.count(2)
        return BooleanQuery(
            must=(join.parents[parent].term_query(self.id),), filter=(join.term_query(self.relation),)
        )


def _join_of(context: DslContext, kind: str, *, ignore: bool) -> JoinFieldType | None:
    join = context.mapping.join
    if join is None and not ignore:
        raise QueryShardError(f"[{kind}] no join field has been configured")
    return join


def _unrelated(join: JoinFieldType | None, kind: str, relation: str, role: str, *, ignore: bool) -> Query:
    """Return that nothing is found, if that is no fault."""
    if join is not None and not ignore:
        raise QueryShardError(f"[{kind}] join field [{join.name}] doesn't hold [{relation}] as a {role}")
    return MatchNoneQuery()


def _parse(kind: str, body: dict[str, Any], context: ParseContext, relation: str, own: Any) -> dict[str, Any]:
    """Return the values of a query for documents of a relation. relation: its key. own: reads other keys."""
    values: dict[str, Any] = {}
    for key, value in body.items():
        if value is None or value == []:
            continue
        if key == "query" and isinstance(value, dict):
            values["query"] = context.clause(body, key)
        elif key == "inner_hits" and isinstance(value, dict):
            values["inner_hits"] = context.inner_hits(body, key)
        elif isinstance(value, dict | list):
            raise unsupported_key(kind, body, key)
        elif key == relation:
            values["relation"] = read_text(kind, body, key)
        elif key == "ignore_unmapped":
            values[key] = read_flag(kind, body, key)
        else:
            own(body, key, values)
    for name, found in ((relation, "relation"), ("query", "query")):
        if found not in values:
            raise IllegalArgument(f"[{kind}] requires '{name}' field")
    return values


def parse_has_child(body: dict[str, Any], context: ParseContext) -> HasChildDsl:
    """Read the body of a has_child query."""

    def own(body: dict[str, Any], key: str, values: dict[str, Any]) -> None:
        if key == "score_mode":
            values[key] = read_score_mode(read_text("has_child", body, key))
        elif key in ("min_children", "max_children"):
            values["least" if key == "min_children" else "most"] = read_integer("has_child", body, key)
        else:
            read_common("has_child", body, key, values)

    values = _parse("has_child", body, context, "type", own)
    least, most = values.get("least", 1), values.get("most", MOST)
    for name, given in (("min_children", least), ("max_children", most)):
        if given < 0:
            raise IllegalArgument(f"[has_child] requires non-negative '{name}' field")
    if most < least:
        raise IllegalArgument("[has_child] 'max_children' is less than 'min_children'")
    return HasChildDsl(**values)


def parse_has_parent(body: dict[str, Any], context: ParseContext) -> HasParentDsl:
    """Read the body of a has_parent query."""

    def own(body: dict[str, Any], key: str, values: dict[str, Any]) -> None:
        if key == "score":
            values[key] = read_flag("has_parent", body, key)
        else:
            read_common("has_parent", body, key, values)

    return HasParentDsl(**_parse("has_parent", body, context, "parent_type", own))


def parse_parent_id(body: dict[str, Any], context: ParseContext) -> ParentIdDsl:
    """Read the body of a parent_id query."""
    values: dict[str, Any] = {}
    for key, value in body.items():
        if value is None or isinstance(value, dict | list):
            raise unsupported_key("parent_id", body, key)
        if key == "type":
            values["relation"] = read_text("parent_id", body, key)
        elif key == "id":
            values[key] = read_text("parent_id", body, key)
        elif key == "ignore_unmapped":
            values[key] = read_flag("parent_id", body, key)
        else:
            read_common("parent_id", body, key, values)
    if "id" not in values and "relation" in values:
        raise IllegalArgument("[parent_id] requires 'id' field")
    return ParentIdDsl(**{"id": "", **values})
