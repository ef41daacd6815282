"""The endpoints: one file per family, each with its ROUTES table. This list is the table of the families."""

from lanner.server.api import root

FAMILIES = (root,)
ROUTES = tuple(route for family in FAMILIES for route in family.ROUTES)
