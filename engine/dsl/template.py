"""template: a query as it stands, whose variables a search pipeline would have filled in."""

from typing import Any

import msgspec

from lanner.engine.common.body import locate
from lanner.engine.common.errors import IllegalArgument, LannerError
from lanner.engine.dsl.base import DslQuery, ParseContext


def parse_template(body: dict[str, Any], context: ParseContext) -> DslQuery:
    """Return the query that the body of a template query is."""
    if not body:
        raise IllegalArgument("Template string cannot be empty. A valid template must be provided.")
    text = msgspec.json.encode(body)
    inner = msgspec.json.decode(text)
    try:
        return context.clause({"query": inner}, "query")
    except LannerError as error:
        raise IllegalArgument(
            f"Failed to rewrite template query: {text.decode()}", caused_by=locate(error, inner, text)
        ) from None
