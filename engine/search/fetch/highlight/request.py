"""``highlight`` of a request: which fields, and how each is shown."""

from dataclasses import dataclass, field, fields, replace
from typing import Any

from lanner.engine.common.body import Anchor, LocatedError, LocatedXContentError, token_name
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.common.object_parser import FLAG, NAMES, OBJECT, TEXT, WHOLE, Field, parse_object
from lanner.engine.dsl import DslQuery, parse_query_at

_SCANNERS = ("chars", "word", "sentence")
_STYLED = tuple(f'<em class="hlt{i}">' for i in range(1, 11))
_SCHEMAS = {"default": (("<em>",), ("</em>",)), "styled": (_STYLED, ("</em>",))}
UNSET = -1  # numbers that the API takes for not given


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a field is highlighted. None, and -1 of a number: as all fields are, or by default."""

    type: str | None = None
    pre_tags: tuple[str, ...] | None = None
    post_tags: tuple[str, ...] | None = None
    order: str | None = None
    require_field_match: bool | None = None
    fragment_size: int = UNSET
    number_of_fragments: int = UNSET
    no_match_size: int = UNSET
    fragment_offset: int = UNSET
    phrase_limit: int = UNSET
    encoder: str | None = None
    fragmenter: str | None = None
    boundary_scanner: str | None = None
    boundary_max_scan: int = UNSET
    boundary_chars: str | None = None
    boundary_scanner_locale: str | None = None
    max_analyzer_offset: int | None = None
    highlight_query: DslQuery | None = None
    matched_fields: tuple[str, ...] = ()
    highlight_filter: bool | None = None
    force_source: bool | None = None
    options: Any = field(default=None, compare=False)

    def over(self, others: "Options") -> "Options":
        """Return these options, those that are not given taken from others."""
        given = {
            one.name: value
            for one in fields(self)
            if (value := getattr(self, one.name)) not in (None, UNSET, ())
        }
        return replace(others, **given)


DEFAULTS = Options(
    type="unified",
    pre_tags=("<em>",),
    post_tags=("</em>",),
    order="none",
    require_field_match=True,
    fragment_size=100,
    number_of_fragments=5,
    no_match_size=0,
    phrase_limit=256,
    encoder="default",
    boundary_max_scan=20,
    boundary_chars=".,!? \t\n",
)


@dataclass(frozen=True, slots=True)
class Highlight:
    """The fields to highlight, patterns among them, each with its options."""

    fields: tuple[tuple[str, Options], ...] = ()


def _tags(value: Any, key: str) -> tuple[str, ...]:
    return tuple(value) if isinstance(value, list) else (value,)


def _scanner(value: str, key: str) -> str:
    if value.lower() not in _SCANNERS:
        raise IllegalArgument(
            "No enum constant org.opensearch.search.fetch.subphase.highlight.HighlightBuilder."
            f"BoundaryScannerType.{value.upper()}"
        )
    return value.lower()


def _schema(value: str, key: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if value not in _SCHEMAS:
        raise IllegalArgument(f"Unknown tag schema [{value}]")
    return _SCHEMAS[value]


_TAGS = Field((list, str), _tags)
_COMMON = {
    "pre_tags": _TAGS,
    "post_tags": _TAGS,
    "order": TEXT,
    "highlight_filter": FLAG,
    "fragment_size": WHOLE,
    "number_of_fragments": WHOLE,
    "require_field_match": FLAG,
    "boundary_scanner": Field((str,), _scanner),
    "boundary_max_scan": WHOLE,
    "boundary_chars": TEXT,
    "boundary_scanner_locale": TEXT,
    "type": TEXT,
    "fragmenter": TEXT,
    "no_match_size": WHOLE,
    "force_source": FLAG,
    "phrase_limit": WHOLE,
    "options": OBJECT,
    "max_analyzer_offset": WHOLE,
    "highlight_query": OBJECT,
}
_FIELD = {
    **_COMMON,
    "fragment_offset": WHOLE,
    "matched_fields": Field(NAMES.kinds, lambda value, key: tuple(NAMES.read(value, key))),  # type: ignore[misc]
}
_GLOBAL = {
    **_COMMON,
    "tags_schema": Field((str,), _schema),
    "encoder": TEXT,
    "fields": Field((dict, list)),
}


def parse_highlight(container: dict[str, Any], key: str) -> Highlight:
    """Return a body's ``highlight``."""
    given = container[key]
    if not isinstance(given, dict):
        raise LocatedError(f"Unknown key for a {token_name(given)} in [{key}].", Anchor(container, key))
    named: list[tuple[str, Options]] = []
    if isinstance(given.get("fields"), dict | list):
        named = _read_fields(given)
    values = parse_object("highlight", given, _GLOBAL)
    values.pop("fields", None)
    schema = values.pop("tags_schema", None)
    if schema is not None:
        values.setdefault("pre_tags", schema[0])
        values.setdefault("post_tags", schema[1])
    shared = _options(given, values).over(DEFAULTS)
    return Highlight(tuple((name, options.over(shared)) for name, options in named))


def _options(given: dict[str, Any], values: dict[str, Any]) -> Options:
    if values.get("highlight_query") is not None:
        values["highlight_query"] = parse_query_at(given, "highlight_query")
    if values.get("pre_tags") is not None and values.get("post_tags") is None:
        raise LocatedError("pre_tags are set but post_tags are not set", Anchor(given, None, "close"))
    return Options(**values)


def _read_fields(body: dict[str, Any]) -> list[tuple[str, Options]]:
    given = body["fields"]
    parts = given if isinstance(given, list) else [given]
    found = []
    for i, part in enumerate(parts):
        if isinstance(given, list) and (not isinstance(part, dict) or len(part) != 1):
            at = Anchor(given, i) if not isinstance(part, dict) else Anchor(part, list(part)[1], "key")
            cause = LocatedXContentError(
                "[fields] can be a single object with any number of fields or an array where each entry is "
                "an object with a single field",
                at,
            )
            raise LocatedXContentError("[highlight] failed to parse field [fields]", at, caused_by=cause)
        for name in part:
            try:
                values = parse_object("highlight_field", part[name], _FIELD, Anchor(part, name))
            except LocatedXContentError as error:
                at = Anchor(error.anchor.container, error.anchor.key)
                inner = LocatedXContentError(f"[fields] failed to parse field [{name}]", at, caused_by=error)
                raise LocatedXContentError(
                    "[highlight] failed to parse field [fields]", at, caused_by=inner
                ) from None
            found.append((name, _options(part[name], values)))
    return found
