"""Small tables about the node: who manages the cluster, attributes, plugins, field data, what waits."""

import os

from lanner.server.cat.table import COUNT, MILLIS, SIZE, Column, Row, Table
from lanner.server.options import check_timeouts
from lanner.server.request import Request

MANAGER_COLUMNS = (
    Column("id", "", "node id", shown=True),
    Column("host", "h", "host name", shown=True),
    Column("ip", "", "ip address ", shown=True),
    Column("node", "n", "node name", shown=True),
)
ATTRIBUTE_COLUMNS = (
    Column("node", "name", "node name", shown=True),
    Column("id", "id,nodeId", "unique node id"),
    Column("pid", "p", "process id"),
    Column("host", "h", "host name", shown=True),
    Column("ip", "i", "ip address", shown=True),
    Column("port", "po", "bound transport port"),
    Column("attr", "attr.name", "attribute description", shown=True),
    Column("value", "attr.value", "attribute value", shown=True),
)
PENDING_COLUMNS = (
    Column("insertOrder", "o", "task insertion order", COUNT, shown=True),
    Column("timeInQueue", "t", "how long task has been in queue", MILLIS, shown=True),
    Column("priority", "p", "task priority", shown=True),
    Column("source", "s", "task source", shown=True),
)
PLUGIN_COLUMNS = (
    Column("id", "", "unique node id"),
    Column("name", "n", "node name", shown=True),
    Column("component", "c", "component", shown=True),
    Column("version", "v", "component version", shown=True),
    Column("description", "d", "plugin details"),
)
REPOSITORY_COLUMNS = (
    Column("id", "id,repoId", "unique repository id", shown=True),
    Column("type", "t,type", "repository type", shown=True),
)
FIELDDATA_COLUMNS = (
    Column("id", "", "node id", shown=True),
    Column("host", "h", "host name", shown=True),
    Column("ip", "", "ip address", shown=True),
    Column("node", "n", "node name", shown=True),
    Column("field", "f", "field name", shown=True),
    Column("size", "s", "field data usage", SIZE, shown=True),
)


def manager(request: Request) -> list[Row]:
    """Return the one node, which manages the cluster."""
    node = request.node.cluster.state.node
    host = node.transport_address.rpartition(":")[0]
    return [{"id": node.id, "host": host, "ip": host, "node": node.name}]


def attributes(request: Request) -> list[Row]:
    """Return a row per attribute of the node."""
    node = request.node.cluster.state.node
    host, _, port = node.transport_address.rpartition(":")
    place = {"node": node.name, "pid": os.getpid(), "host": host, "ip": host, "port": port}
    short = node.id if request.params.boolean("full_id") else node.id[:4]
    return [{**place, "id": short, "attr": name, "value": value} for name, value in node.attributes.items()]


def nothing(request: Request) -> list[Row]:
    """Return no row: there are no plugins, repositories, field data, and no change of the state waits."""
    check_timeouts(request.params)
    return []


MANAGER = Table(
    ("/_cat/cluster_manager", "/_cat/master"), MANAGER_COLUMNS, manager, listed=("/_cat/cluster_manager",)
)
ATTRIBUTES = Table(("/_cat/nodeattrs",), ATTRIBUTE_COLUMNS, attributes, frozenset({"full_id"}))
PENDING = Table(("/_cat/pending_tasks",), PENDING_COLUMNS, nothing)
REPOSITORIES = Table(("/_cat/repositories",), REPOSITORY_COLUMNS, nothing)
PLUGINS = Table(("/_cat/plugins",), PLUGIN_COLUMNS, nothing)
FIELDDATA = Table(("/_cat/fielddata", "/_cat/fielddata/{fields}"), FIELDDATA_COLUMNS, nothing)
