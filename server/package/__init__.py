"""Lanner: a search service that speaks the OpenSearch API.

This file is what ``import lanner`` gives; the packages engine, ext and server lie beside it.
"""

from typing import Any

__all__ = ["Node"]


def __getattr__(name: str) -> Any:
    """Import on first use, so that importing a part of the package does not load all of it."""
    if name == "Node":
        from lanner.server.embedded import Node

        return Node
    raise AttributeError(f"module 'lanner' has no attribute {name!r}")
