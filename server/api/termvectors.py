"""``_termvectors`` and ``_mtermvectors``: terms of documents, where they stand and how common they are."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from lanner.engine.common.body import read_boolean
from lanner.engine.common.errors import IllegalArgument, LannerError, ParseError
from lanner.engine.document.requests import validation
from lanner.server.bulk_lines import number_of, text_of
from lanner.server.options import VERSION_TYPES, version_type
from lanner.server.request import Request
from lanner.server.routing import Route
from lanner.server.targets import chosen_shards

if TYPE_CHECKING:
    from lanner.engine.document.term_vectors import TermFilter, TermVectorsRequest

_FAULT = "failed to parse term vectors request."
_SWITCHES = {
    "offsets": "offsets",
    "positions": "positions",
    "payloads": "payloads",
    "term_statistics": "term_statistics",
    "termStatistics": "term_statistics",
    "field_statistics": "field_statistics",
    "fieldStatistics": "field_statistics",
}
_LIMITS = (
    "max_num_terms",
    "min_term_freq",
    "max_term_freq",
    "min_doc_freq",
    "max_doc_freq",
    "min_word_length",
    "max_word_length",
)
_KINDS = {dict: "OBJECT", list: "ARRAY"}


def run(request: Request) -> dict[str, Any]:
    """Return the terms of one document."""
    from lanner.engine.document.term_vectors import term_vectors  # few ask for them

    asked = read_body(of_url(request), request.json_map() if request.content else {})
    if asked.id is None and asked.doc is None:
        raise validation(["id or doc is missing"])
    return term_vectors(request.node, asked)


def run_many(request: Request) -> dict[str, Any]:
    """Return the terms of several documents."""
    defaults = of_url(request)
    wanted: list[TermVectorsRequest] = []
    ids: list[str] = list(request.params.names("ids") or ())
    for key, value in (request.json_map() if request.content else {}).items():
        if key == "docs" and isinstance(value, list):
            for element in value:
                if not isinstance(element, dict):
                    raise IllegalArgument("docs array element should include an object")
                wanted.append(read_body(defaults, element))
        elif key == "ids" and isinstance(value, list):
            if any(isinstance(one, dict | list) or one is None for one in value):
                raise IllegalArgument("ids array element should only contain ids")
            ids += [text_of(one) or "" for one in value]
        elif key == "parameters" and isinstance(value, dict):
            defaults = read_body(defaults, value)
        elif isinstance(value, dict | list):
            raise ParseError(f"no parameter named [{key}] and type {_KINDS[type(value)]}")
        else:
            raise ParseError(f"_mtermvectors: Parameter [{key}] not supported")
    wanted += [replace(defaults, id=one) for one in ids]
    if not wanted:
        raise validation(["multi term vectors: no documents requested"])
    complaints = []
    for number, one in enumerate(wanted):
        faults = [] if one.index else ["index is missing"]
        if one.id is None and one.doc is None:
            faults.append("id or doc is missing")
        if faults:
            complaints += [*faults, f"at multi term vectors for doc {number}"]
    if complaints:
        raise validation(complaints)
    return {"docs": [_one(request, one) for one in wanted]}


def _one(request: Request, asked: "TermVectorsRequest") -> dict[str, Any]:
    from lanner.engine.document.term_vectors import term_vectors

    try:
        return term_vectors(request.node, asked)
    except LannerError as error:
        shown = {key: value for key, value in error.render().items() if not key.startswith("resource.")}
        named = {} if asked.id is None else {"_id": asked.id}
        return {"_index": asked.index, **named, "error": {"root_cause": [shown], **shown}}


def of_url(request: Request) -> "TermVectorsRequest":
    """Return what path and URL ask for."""
    from lanner.engine.document.term_vectors import TermVectorsRequest

    params = request.params
    chosen_shards(params.get("preference"))  # refuses what is none
    return TermVectorsRequest(
        index=request.names.get("index", ""),
        id=request.names.get("id"),
        routing=params.get("routing"),
        preference=params.get("preference"),
        realtime=params.boolean("realtime", True),
        version=params.long("version"),
        version_type=version_type(params),
        fields=tuple(params.names("fields") or ()) or None,
        offsets=params.boolean("offsets", True),
        positions=params.boolean("positions", True),
        payloads=params.boolean("payloads", True),
        term_statistics=params.boolean("term_statistics"),
        field_statistics=params.boolean("field_statistics", True),
    )


def read_body(defaults: "TermVectorsRequest", body: dict[str, Any]) -> "TermVectorsRequest":
    """Return what a body asks for beyond the defaults."""
    values: dict[str, Any] = {}
    for key, value in body.items():
        if key in _SWITCHES:
            values[_SWITCHES[key]] = read_boolean(value)
        elif key == "fields":
            if not isinstance(value, list):
                raise ParseError(f"{_FAULT} field [fields] must be an array")
            values["fields"] = tuple(text_of(one) or "" for one in value)
        elif key in ("per_field_analyzer", "perFieldAnalyzer"):
            values["per_field_analyzer"] = (
                {name: str(analyzer) for name, analyzer in value.items()} if isinstance(value, dict) else {}
            )
        elif key == "filter":
            values["filter"] = read_filter(value)
        elif key in ("_index", "index"):
            values["index"] = text_of(value) or ""
        elif key == "_id":
            if defaults.doc is not None or "doc" in body:
                raise _both()
            values["id"] = text_of(value)
        elif key == "doc":
            if defaults.id is not None:
                raise _both()
            values["doc"] = msgspec.json.encode(value)
        elif key in ("routing", "_routing"):
            values["routing"] = text_of(value)
        elif key in ("version", "_version"):
            values["version"] = number_of(value)
        elif key in ("version_type", "_version_type", "versionType", "_versionType"):
            if value not in VERSION_TYPES:
                raise IllegalArgument(f"No version type match [{value}]")
            values["version_type"] = value
        else:
            raise ParseError(f"{_FAULT} unknown field [{key}]")
    return replace(defaults, **values)


def _both() -> ParseError:
    return ParseError(f"{_FAULT} either [id] or [doc] can be specified, but not both!")


def read_filter(given: Any) -> "TermFilter":
    """Return which terms a body's ``filter`` leaves."""
    from lanner.engine.document.term_vectors import TermFilter

    if not isinstance(given, dict):
        raise ParseError(f"{_FAULT} the field [filter] must be an object")
    for key in given:
        if key not in _LIMITS:
            raise ParseError(
                f"{_FAULT} the field [{key}] is not valid for filter parameter for term vector request"
            )
    return TermFilter(**{key: number_of(value) or 0 for key, value in given.items()})


_PARAMS = frozenset(
    {
        "field_statistics",
        "fields",
        "offsets",
        "payloads",
        "positions",
        "preference",
        "realtime",
        "routing",
        "term_statistics",
        "version",
        "version_type",
    }
)
ROUTES = (
    *(
        Route(method, path, run, "get", params=_PARAMS, body=True, action="indices:data/read/tv")
        for path in ("/{index}/_termvectors", "/{index}/_termvectors/{id}")
        for method in ("GET", "POST")
    ),
    *(
        Route(
            method, path, run_many, "get", params=_PARAMS | {"ids"}, body=True, action="indices:data/read/mtv"
        )
        for path in ("/_mtermvectors", "/{index}/_mtermvectors")
        for method in ("GET", "POST")
    ),
)
