"""The endpoints: one file per family, each with its ROUTES table. This list is the table of the families."""

from lanner.server.api import (
    aliases,
    analyze,
    bulk,
    cat,
    cluster,
    document,
    index_settings,
    index_stats,
    indices,
    mappings,
    multi_get,
    nodes,
    root,
    search,
    segments,
    update,
)

FAMILIES = (
    root,
    indices,
    aliases,
    mappings,
    index_settings,
    index_stats,
    segments,
    document,
    update,
    bulk,
    multi_get,
    search,
    analyze,
    cluster,
    nodes,
    cat,
)
ROUTES = tuple(route for family in FAMILIES for route in family.ROUTES)
