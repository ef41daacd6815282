"""Reading several documents; the fault of one is an item of the answer."""

from collections.abc import Sequence
from typing import Any

from lanner.engine.cluster.context import NodeContext
from lanner.engine.common.errors import LannerError
from lanner.engine.document.get import GetRequest, get_document
from lanner.engine.document.placement import Place, read_place
from lanner.engine.document.requests import validation


def multi_get(node: NodeContext, requests: Sequence[GetRequest]) -> dict[str, Any]:
    """All documents in the order of the request."""
    complaints = []
    for number, request in enumerate(requests):
        if not request.index:
            complaints.append(f"index is missing for doc {number}")
        if not request.id:
            complaints.append(f"id is missing for doc {number}")
    if not requests:
        complaints.append("no documents to get")
    if complaints:
        raise validation(complaints)
    places: dict[str, Place] = {}
    return {"docs": [_one(node, request, places) for request in requests]}


def _one(node: NodeContext, request: GetRequest, places: dict[str, Place]) -> dict[str, Any]:
    try:
        place = places.get(request.index)
        if place is None:
            place = places[request.index] = read_place(node, request.index)
        return get_document(node, request, place)
    except LannerError as error:
        shown = error.render()
        return {
            "_index": request.index,
            "_id": request.id,
            "error": {"root_cause": [shown], **shown},
        }
