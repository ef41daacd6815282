"""``GET /``: who is there."""

from typing import Any

from lanner.engine.common import versions
from lanner.server.identity import BUILD_DATE, BUILD_HASH, BUILD_TYPE
from lanner.server.request import Request
from lanner.server.response import Response
from lanner.server.routing import INLINE, Route


def root(request: Request) -> Response:
    """Return the names of node and cluster and the version that the API follows."""
    node = request.node
    body: dict[str, Any] = {
        "name": node.name,
        "cluster_name": node.cluster_name,
        "cluster_uuid": node.uuid,
        "version": {
            "distribution": "opensearch",
            "number": versions.NUMBER,
            "build_type": BUILD_TYPE,
            "build_hash": BUILD_HASH,
            "build_date": BUILD_DATE,
            "build_snapshot": False,
            "lucene_version": versions.LUCENE,
            "minimum_wire_compatibility_version": versions.MINIMUM_WIRE,
            "minimum_index_compatibility_version": versions.MINIMUM_INDEX,
        },
        "tagline": "The OpenSearch Project: https://opensearch.org/",
    }
    return Response(body, pretty=True)


ROUTES = (
    Route("GET", "/", root, INLINE, body=True),
    Route("HEAD", "/", root, INLINE, body=True),
)
