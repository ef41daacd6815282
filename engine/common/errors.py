"""One class per error type of the API. They know no HTTP status: server/errors.py maps class to status."""

from typing import Any, ClassVar

from lanner.ext.json.scan import JsonFault


class LannerError(Exception):
    """Base of every error that an answer may carry.

    type: the API's snake_case name. reason: its text. fields: what the API prints beside type and reason, in
    order (``index``, ``shard``, ``line``, ...). caused_by: the nested cause, an error of this kind or None.
    """

    type: ClassVar[str] = "exception"

    def __init__(self, reason: str, *, caused_by: "LannerError | None" = None, **fields: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.caused_by = caused_by
        # the API writes resource.id and resource.type; keyword names cannot hold a full stop
        self.fields = {name.replace("__", "."): value for name, value in fields.items()}

    def render(self) -> dict[str, Any]:
        """Return this error as an object of an answer, its causes inside."""
        body = {"type": self.type, "reason": self.reason, **self.fields}
        if self.caused_by is not None:
            body["caused_by"] = self.caused_by.render()
        return body


class IllegalArgument(LannerError):
    """A value that the request may not have."""

    type = "illegal_argument_exception"


class ParseError(LannerError):
    """A body that is read as a map and is not one."""

    type = "parse_exception"


class ParsingError(LannerError):
    """A fault inside the query language; carries line and col."""

    type = "parsing_exception"


class XContentParseError(LannerError):
    """An unknown or mistyped key of an object with a fixed set of keys."""

    type = "x_content_parse_exception"


class ActionRequestValidation(LannerError):
    """Numbered complaints about a request."""

    type = "action_request_validation_exception"


class IndexNotFound(LannerError):
    """No index or alias of that name."""

    type = "index_not_found_exception"

    def __init__(self, index: str, *, resource_type: str = "index_or_alias") -> None:
        super().__init__(
            f"no such index [{index}]",
            index=index,
            resource__id=index,
            resource__type=resource_type,
            index_uuid="_na_",
        )


class MapperParsingError(LannerError):
    """A document or a mapping that does not fit."""

    type = "mapper_parsing_exception"


class VersionConflict(LannerError):
    """Somebody else wrote the document in between."""

    type = "version_conflict_engine_exception"


class ResourceAlreadyExists(LannerError):
    """The index is there already."""

    type = "resource_already_exists_exception"


class InvalidIndexName(LannerError):
    """A name that no index may have."""

    type = "invalid_index_name_exception"


class InvalidAliasName(LannerError):
    """A name that no alias may have."""

    type = "invalid_alias_name_exception"


class IndexClosed(LannerError):
    """The index does not answer while it is closed."""

    type = "index_closed_exception"


class ClusterBlock(LannerError):
    """A block of the index or the cluster refuses the operation."""

    type = "cluster_block_exception"


class FloodStage(ClusterBlock):
    """Nothing but deleting is allowed while the disk is nearly full."""


class DiskFull(ClusterBlock):
    """The disk took no more bytes; the operation left no trace and may be sent again."""


class IOFailure(LannerError):
    """The disk failed."""

    type = "i_o_exception"


class DocumentMissing(LannerError):
    """The document to update is not there."""

    type = "document_missing_exception"


class DocumentSourceMissing(LannerError):
    """The document to update keeps no source."""

    type = "document_source_missing_exception"


class ValidationError(LannerError):
    """Numbered complaints about an index or its settings."""

    type = "validation_exception"


class RejectedExecution(LannerError):
    """A queue is full."""

    type = "rejected_execution_exception"


class TranslogCorrupted(LannerError):
    """The translog holds bytes that were not written, before operations that were."""

    type = "translog_corrupted_exception"


class CorruptIndex(LannerError):
    """A file of a shard is damaged; carries index, shard and the file's path in the reason."""

    type = "corrupt_index_exception"


class AlreadyClosed(LannerError):
    """The shard failed or was closed while in use."""

    type = "already_closed_exception"


class NoShardAvailable(LannerError):
    """No copy of the shard can answer."""

    type = "no_shard_available_action_exception"


class UnavailableShards(LannerError):
    """The primary shard is not active, so nothing can be written to it."""

    type = "unavailable_shards_exception"


class RoutingMissing(LannerError):
    """The mapping asks for a routing value and the request has none."""

    type = "routing_missing_exception"


class SettingsError(LannerError):
    """A stored setting cannot be read."""

    type = "settings_exception"


class IndicesLimit(ValidationError):
    """More shards than the cluster may open."""


class StrictDynamicMapping(MapperParsingError):
    """A field that a strict mapping does not know."""

    type = "strict_dynamic_mapping_exception"


class MapperError(LannerError):
    """A change of a mapping that its type forbids."""

    type = "mapper_exception"


class NullPointer(LannerError):
    """Something that is needed was not given."""

    type = "null_pointer_exception"


class URISyntaxError(LannerError):
    """Text that is no address."""

    type = "u_r_i_syntax_exception"


class NumberFormatError(IllegalArgument):
    """Text that is no number."""

    type = "number_format_exception"


class PatternSyntaxError(IllegalArgument):
    """A regular expression that cannot be compiled."""

    type = "pattern_syntax_exception"


class ClassNotFound(LannerError):
    """A part of that name does not exist; only ever a cause."""

    type = "class_not_found_exception"


class InputCoercionError(IllegalArgument):
    """A number outside the range of its type."""

    type = "input_coercion_exception"


class JsonParseError(LannerError):
    """Broken JSON, or a token of the wrong kind."""

    type = "json_parse_exception"


class JsonEofError(LannerError):
    """JSON that ends too early."""

    type = "json_e_o_f_exception"


class NotXContent(LannerError):
    """A body in no known format."""

    type = "not_x_content_exception"


class IllegalStateError(LannerError):
    """Something that cannot be done in this state."""

    type = "illegal_state_exception"


class ClassCastError(LannerError):
    """A value of a kind that cannot stand there."""

    type = "class_cast_exception"


class DateTimeParseError(LannerError):
    """Text that no parser of a date format takes."""

    type = "date_time_parse_exception"


class ZoneRulesError(LannerError):
    """A time zone that does not exist."""

    type = "zone_rules_exception"


class NamedObjectNotFound(XContentParseError):
    """A name that is in no table of the request language."""

    type = "named_object_not_found_exception"


class QueryShardError(LannerError):
    """A query that does not fit the mapping of an index."""

    type = "query_shard_exception"


class TooManyClauses(IllegalArgument):
    """More clauses than a query may have."""

    type = "too_many_clauses"


class QueryValidationError(IllegalArgument):
    """A query whose parts do not go together."""

    type = "query_validation_exception"


class QuerySyntaxError(IllegalArgument):
    """A text of a query that breaks the rules of its syntax; a Java exception in the original."""

    type = "parse_exception"


class TokenMgrError(QuerySyntaxError):
    """A text that breaks off inside a token."""

    type = "token_mgr_error"


class TooComplexToDeterminize(IllegalArgument):
    """A pattern whose automaton would take more work than the limit."""

    type = "too_complex_to_determinize_exception"


class UnsupportedOperation(LannerError):
    """An operation that a type does not have."""

    type = "unsupported_operation_exception"


class SearchPhaseExecution(LannerError):
    """A search that failed on all shards; carries phase, grouped and failed_shards."""

    type = "search_phase_execution_exception"


class SearchError(LannerError):
    """A search that does not fit what it is asked of."""

    type = "search_exception"


class SearchContextMissing(LannerError):
    """A point in time that is not there any more.

    first: its number. shards: index and number of each shard that it held, numbered on from there.
    """

    type = "search_context_missing_exception"

    def __init__(self, first: int, shards: "list[tuple[str, int]] | None" = None) -> None:
        super().__init__(f"No search context found for id [{first}]")
        self.first = first
        self.shards = shards or []

    def each(self) -> "list[SearchContextMissing]":
        """Return one error for every shard."""
        return [SearchContextMissing(self.first + i) for i in range(max(len(self.shards), 1))]


class ResourceNotFound(LannerError):
    """A thing other than an index that is not there."""

    type = "resource_not_found_exception"


class ShardNotFound(LannerError):
    """An index that does not have so many shards."""

    type = "shard_not_found_exception"


class IndexTemplateMissing(LannerError):
    """No template matches the name of one to be removed."""

    type = "index_template_missing_exception"

    def __init__(self, name: str) -> None:
        super().__init__(f"index_template [{name}] missing")


class InvalidIndexTemplate(LannerError):
    """A template that no index could be made from."""

    type = "invalid_index_template_exception"


class UnknownSetting(IllegalArgument):
    """A setting of no known name."""

    def __init__(self, setting: str, reason: str) -> None:
        super().__init__(reason)
        self.setting = setting


class AliasesNotFound(ResourceNotFound):
    """None of the aliases to be removed is there."""

    type = "aliases_not_found_exception"

    def __init__(self, names: list[str]) -> None:
        super().__init__(
            f"aliases [{', '.join(names)}] missing",
            resource__id=names[0] if len(names) == 1 else names,
            resource__type="aliases",
        )


class BadParameter(LannerError):
    """A query string that cannot be decoded."""

    type = "bad_parameter_exception"


class ContentTypeHeaderError(LannerError):
    """A Content-Type that is no media type."""

    type = "content_type_header_exception"


class TooLongLine(LannerError):
    """A request line beyond http.max_initial_line_length."""

    type = "too_long_http_line_exception"


class TooLongHeader(LannerError):
    """Headers of a request beyond http.max_header_size."""

    type = "too_long_http_header_exception"


def from_json_fault(fault: JsonFault) -> LannerError:
    """Return the API's error for what the JSON scanner found."""
    if fault.extra is not None:
        return IllegalArgument(f"Malformed content, found extra data after parsing: {fault.extra}")
    return (JsonEofError if fault.ends_early else JsonParseError)(fault.message)


class MaxBytesLengthExceeded(LannerError):
    """A term that no dictionary takes."""

    type = "max_bytes_length_exceeded_exception"


class TooManyNestedClauses(TooManyClauses):
    """More clauses than a query may have, its parts taken together."""

    type = "too_many_nested_clauses"


class DateTimeError(LannerError):
    """A time zone that cannot be read."""

    type = "date_time_exception"
