"""The search for groups, and what is shown of a group beside its best hit."""

from dataclasses import replace
from typing import Any

from lanner.engine.common.errors import IllegalArgument
from lanner.engine.dsl import parse_query
from lanner.engine.dsl.boolean import BoolDsl
from lanner.engine.mapping.field_type import FieldType
from lanner.engine.search.inner_hits.definition import InnerHits
from lanner.engine.search.request import EXACT, SearchRequest
from lanner.ext.search.top_groups import SeveralValuesError, TopGroups, search_groups


def search_collapsed(
    reader: Any,
    weight: Any,
    wanted: int,
    order: list[Any],
    group: FieldType,
    request: SearchRequest,
    *,
    track: int,
    limits: Any,
) -> TopGroups:
    """Return the best hits of the best groups of a shard."""
    try:
        return search_groups(
            reader,
            weight,
            wanted,
            order,
            group.name,
            track=track,
            track_scores=request.track_scores,
            min_score=request.min_score,
            terminate_after=request.terminate_after,
            limits=limits,
        )
    except SeveralValuesError as error:
        raise IllegalArgument(
            f"failed to collapse {error}, the collapse field must be single valued"
        ) from None


def group_requests(hit: dict[str, Any], request: SearchRequest) -> list[tuple[str, SearchRequest]]:
    """Return the searches, by name, that show the group of a hit."""
    collapse = request.collapse
    assert collapse is not None
    values = hit.get("fields", {}).get(collapse.field)
    if values:
        group = BoolDsl(filter=(parse_query({"match": {collapse.field: {"query": values[0]}}}),))
    else:
        group = BoolDsl(must_not=(parse_query({"exists": {"field": collapse.field}}),))
    if request.query is not None:
        group = replace(group, must=(request.query,))
    return [(_name(one), _search(one, group, request)) for one in collapse.inner_hits]


def _name(definition: InnerHits) -> str:
    if definition.name is None:
        raise IllegalArgument("Field name cannot be null")
    return definition.name


def _search(definition: InnerHits, query: BoolDsl, request: SearchRequest) -> SearchRequest:
    return replace(
        definition.request,
        query=query,
        post_filter=request.post_filter,
        collapse=definition.collapse,
        track_total_hits=EXACT,
        total_hits_as_int=request.total_hits_as_int,
        allow_partial_search_results=request.allow_partial_search_results,
    )
