"""From an error to an answer: the status of every class of error, and the body.

A class that is not in the table takes the status of its nearest base. What is none of ours is a fault of the
server: 500, with a line in the log.
"""

import logging
import re
import traceback
from typing import Any

from lanner.engine.common import errors
from lanner.engine.common.body import locate
from lanner.engine.common.errors import LannerError
from lanner.ext.json.scan import JsonFault
from lanner.server.response import Response

log = logging.getLogger("lanner.server")

STATUS: dict[str, int] = {
    "AlreadyClosed": 503,
    "ClusterBlock": 403,
    "CorruptIndex": 500,
    "DiskFull": 429,
    "FloodStage": 429,
    "DocumentMissing": 404,
    "IOFailure": 500,
    "IllegalStateError": 500,
    "IndexNotFound": 404,
    "IndexTemplateMissing": 404,
    "NoShardAvailable": 503,
    "RejectedExecution": 429,
    "ResourceNotFound": 404,
    "SearchContextMissing": 404,
    "SearchPhaseExecution": 503,
    "ShardNotFound": 404,
    "TranslogCorrupted": 500,
    "UnavailableShards": 503,
    "VersionConflict": 409,
}
BAD_REQUEST = 400
SERVER_FAULT = 500
# Types that are plain Java exceptions in the original: they are no root cause while something wraps them.
FOREIGN = frozenset(
    {
        "array_index_out_of_bounds_exception",
        "arithmetic_exception",
        "class_cast_exception",
        "date_time_exception",
        "date_time_parse_exception",
        "i_o_exception",
        "illegal_argument_exception",
        "illegal_state_exception",
        "input_coercion_exception",
        "invalid_format_exception",
        "not_x_content_exception",
        "query_validation_exception",
        "too_complex_to_determinize_exception",
        "json_e_o_f_exception",
        "json_parse_exception",
        "null_pointer_exception",
        "number_format_exception",
        "u_r_i_syntax_exception",
        "unknown_host_exception",
        "unsupported_operation_exception",
    }
)
# Faults of the JSON of a request: not roots themselves when a better one caused them.
X_CONTENT = frozenset({"named_object_not_found_exception", "x_content_parse_exception"})
_PLACE = re.compile(r"\[\d+:\d+\] ")
_known: dict[type[LannerError], int] = {}


def status_of(error: LannerError) -> int:
    """Return the HTTP status of an error."""
    causes = getattr(error, "root_causes", None)
    if causes is not None:
        statuses = [status_of(cause) for cause in causes]
        if statuses:
            return next((status for status in statuses[1:] if status >= SERVER_FAULT), statuses[0])
        if error.caused_by is not None:
            return status_of(error.caused_by)
    return _class_status(type(error))


def _class_status(kind: type[LannerError]) -> int:
    status = _known.get(kind)
    if status is None:
        names = (base.__name__ for base in kind.__mro__)
        status = next((STATUS[name] for name in names if name in STATUS), BAD_REQUEST)
        _known[kind] = status
    return status


def root_causes(error: LannerError) -> list[LannerError]:
    """Return the errors that started it: the innermost ones that are not plain Java exceptions."""
    causes: list[LannerError] | None = getattr(error, "root_causes", None)
    return [_root(error)] if causes is None else [_root(cause) for cause in causes]


def _root(error: LannerError) -> LannerError:
    while (cause := error.caused_by) is not None:
        foreign = _is_foreign(error) or _is_foreign(cause)
        if foreign or (cause.type in X_CONTENT and error.type not in X_CONTENT):
            break
        error = cause
    return error


def _is_foreign(error: LannerError) -> bool:
    return error.type in FOREIGN or isinstance(error, errors.QuerySyntaxError)


def _traced(error: LannerError, body: dict[str, Any]) -> dict[str, Any]:
    """Add the trace of each level of a rendered error."""
    cause = error.caused_by
    if cause is not None and "caused_by" in body:
        body["caused_by"] = _traced(cause, body["caused_by"])
    frames = "".join(traceback.format_exception(error)).rstrip()
    body["stack_trace"] = f"[{error.reason}]; {frames}"
    return body


def render_error(error: LannerError, *, trace: bool = False) -> dict[str, Any]:
    """Return the body of the answer to a failed request."""
    roots = []
    for root in root_causes(error):
        body = {"type": root.type, "reason": root.reason, **root.fields}
        roots.append(_traced(root, body) if trace else body)
    whole = error.render()
    return {
        "error": {"root_cause": roots, **(_traced(error, whole) if trace else whole)},
        "status": status_of(error),
    }


class SourceParameterError(errors.IllegalStateError):
    """A body in the URL that cannot be taken."""


class InternalError(LannerError):
    """A fault of the server itself."""

    type = "exception"


STATUS["InternalError"] = SERVER_FAULT
STATUS["SourceParameterError"] = BAD_REQUEST


def _is_located(error: LannerError) -> bool:
    return "line" in error.fields or _PLACE.match(error.reason) is not None


def locate_all(error: LannerError, body: Any, raw: bytes) -> None:
    """Fill in where in the body an error and its causes stand, for those that know."""
    waiting: list[LannerError] = [error]
    seen: set[int] = set()
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        if getattr(each, "anchor", None) is not None and not _is_located(each):
            locate(each, body, raw)
        causes = [each.caused_by, *(getattr(each, "root_causes", None) or ())]
        waiting += [cause for cause in causes if cause is not None]


def as_error(fault: BaseException) -> LannerError:
    """Return the API's error for anything raised; unknown faults are logged."""
    if isinstance(fault, LannerError):
        return fault
    if isinstance(fault, JsonFault):
        return errors.from_json_fault(fault)
    if isinstance(fault, RecursionError):
        return errors.IllegalArgument("the request is nested too deeply")
    log.error("unexpected fault", exc_info=fault)
    return InternalError(f"{type(fault).__name__}: {fault}")


def error_response(fault: BaseException, *, trace: bool = False) -> Response:
    """Return the answer to a request that failed."""
    error = as_error(fault)
    return Response(render_error(error, trace=trace), status_of(error))


def plain_error(text: str, status: int, *, headers: tuple[tuple[str, str], ...] = ()) -> Response:
    """Return an answer of the layer below the handlers, whose error is a mere text."""
    return Response({"error": text, "status": status}, status, headers)
