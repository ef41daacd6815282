"""The schema of an index: what its fields are and do. Immutable; a change gives a new mapping."""

from collections.abc import Callable, Sequence
from collections.abc import Mapping as MappingType
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lanner.engine.common.errors import IllegalArgument, LannerError, MapperParsingError
from lanner.engine.common.source_filter import ALL, SourceFilter, filter_source
from lanner.engine.common.wildcards import is_pattern, matches
from lanner.engine.mapping.document_parser import DocumentParser, ParsedDocument
from lanner.engine.mapping.dynamic import discover
from lanner.engine.mapping.field_type import BuildContext, FieldType, MetadataFields, Values
from lanner.engine.mapping.metadata import METADATA_COLUMNS, METADATA_TYPES
from lanner.engine.mapping.root import RootNode, parse_root, wrap_creation
from lanner.engine.mapping.similarity import check_similarity, similarity_named
from lanner.engine.mapping.tree import FieldNode, Node, ObjectNode, walk
from lanner.engine.mapping.types.alias import AliasFieldType

if TYPE_CHECKING:
    from lanner.engine.mapping.types.join import JoinFieldType

FIRST_NUMBER = 16
_SOURCE_PARAMETERS = ("enabled", "includes", "excludes")
_TOTAL_FIELDS = ("index.mapping.total_fields.limit", 1000)
_DEPTH = ("index.mapping.depth.limit", 20)
_NESTED_FIELDS = ("index.mapping.nested_fields.limit", 50)
_NESTED_OBJECTS = ("index.mapping.nested_objects.limit", 10_000)
_NAME_LENGTH = ("index.mapping.field_name_length.limit", 50000)

#: (mapping, query of a document, field that holds it) -> what is kept of it (lanner.engine.dsl.stored_query)
QueryReader = Callable[["Mapping", Any, FieldType], Any]


class Mapping:
    """The fields of an index by name, and the parser of its documents.

    Column numbers stay with their names for the whole lineage of a mapping. Building costs once per change;
    looking up a field or parsing a document never looks at the definition again.

    read_query: how fields that hold queries understand them; without it they refuse documents.
    """

    def __init__(
        self,
        root: RootNode,
        registry: Any,
        settings: MappingType[str, str],
        numbers: MappingType[str, int] | None = None,
        known: MappingType[str, tuple[FieldNode, FieldType]] | None = None,
        read_query: QueryReader | None = None,
    ) -> None:
        self.root = root
        self.read_query = read_query
        self._unmapped: Callable[[str], FieldType] | None = None
        self.registry = registry
        self.settings = settings
        self.metadata = MetadataFields(*METADATA_COLUMNS)
        self._numbers = dict(numbers or {})
        self.nodes: dict[str, Node] = {node.path: node for node in walk(root.children)}
        self._built = self._build(known or {})
        self.fields: dict[str, FieldType] = {}
        #: what parses the values of each field; that of an alias refuses them
        self.parsed_fields = {name: built for name, (_, built) in self._built.items()}
        for name, built in self.parsed_fields.items():
            found = self.parsed_fields.get(built.get("path")) if isinstance(built, AliasFieldType) else built
            if found is not None:
                self.fields[name] = found.queried()
                for part in built.parts:
                    self.fields[part.name] = part
        self.similarities: dict[str, Any] = {}

    # -- making

    @classmethod
    def parse(
        cls,
        body: MappingType[str, Any] | None,
        registry: Any,
        settings: MappingType[str, str],
        read_query: QueryReader | None = None,
    ) -> "Mapping":
        """Return the mapping of a new index; raises what index creation answers."""
        if body and "_doc" in body:
            raise IllegalArgument("The mapping definition cannot be nested under a type")
        return cls.compose([body or {}], registry, settings, read_query)

    @classmethod
    def compose(
        cls,
        bodies: Sequence[MappingType[str, Any]],
        registry: Any,
        settings: MappingType[str, str],
        read_query: QueryReader | None = None,
    ) -> "Mapping":
        """Return the mapping of a new index from several bodies; later ones replace what earlier ones define.

        Raises what index creation answers.
        """
        root = RootNode()
        for body in bodies:
            try:
                layer = parse_root(body, registry)
                for node in walk(layer.children):
                    check_similarity(node, settings)
            except LannerError as error:
                raise wrap_creation(error) from None
            root = root.overlay(layer)
        made = cls(root, registry, settings, read_query=read_query)
        try:
            made.check_places()
        except LannerError as error:
            raise wrap_creation(error) from None
        return made.checked()

    def merge(self, body: MappingType[str, Any]) -> "Mapping":
        """Return this mapping with the fields and changes of a put-mapping body.

        Raises what put mapping answers.
        """
        if "_doc" in body:
            raise IllegalArgument("Types cannot be provided in put mapping requests")
        addition = parse_root(body, self.registry)
        for node in walk(addition.children):
            check_similarity(node, self.settings)
        root = self.root.merge(addition)
        if root == self.root:
            return self
        made = self._changed(root, self.settings)
        made.check_places()
        return made.checked()

    def check_places(self) -> None:
        """Refuse fields where they cannot be, and two of one name."""
        parts: set[str] = set()
        for built in self.parsed_fields.values():
            built.check_place(self.settings)
            for part in built.parts:
                if part.name in self.nodes or part.name in parts:
                    raise MapperParsingError(f"Field [{part.name}] is defined more than once")
                parts.add(part.name)

    def checked(self) -> "Mapping":
        """Return this mapping if it keeps its limits; a lower one tells at the next change."""
        self._check_limits()
        return self

    def with_settings(self, settings: MappingType[str, str]) -> "Mapping":
        """Return the same mapping under other index settings."""
        return self._changed(self.root, settings)

    def _changed(self, root: RootNode, settings: MappingType[str, str]) -> "Mapping":
        return Mapping(root, self.registry, settings, self._numbers, self._built, self.read_query)

    def with_unmapped(self, unmapped: Callable[[str], FieldType]) -> "Mapping":
        """Return the same mapping for requests with a field, or an error, for every name without one."""
        other = copy(self)
        other._unmapped = unmapped
        return other

    def _number(self, name: str) -> int:
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = FIRST_NUMBER + len(self._numbers)
        return number

    def _build(
        self, known: MappingType[str, tuple[FieldNode, FieldType]]
    ) -> dict[str, tuple[FieldNode, FieldType]]:
        context = BuildContext(self.registry, self.settings, self.metadata, self._number, self)
        built: dict[str, tuple[FieldNode, FieldType]] = {}
        for path, node in self.nodes.items():
            if isinstance(node, FieldNode):
                before = known.get(path)
                if (
                    before is not None
                    and before[0].type is node.type
                    and before[0].given == node.given
                    and not node.type.sees_mapping
                ):
                    built[path] = (node, before[1])
                else:
                    built[path] = (node, node.type(path, node.given, context))
        return built

    def _check_limits(self) -> None:
        total = self._limit(*_TOTAL_FIELDS)
        for built in self.parsed_fields.values():
            built.check_references(self.fields)
        depth = self._limit(*_DEPTH)
        length = self._limit(*_NAME_LENGTH)
        if len(self.nodes) > total:
            raise IllegalArgument(f"Limit of total fields [{total}] has been exceeded")
        if self.nested_paths and self.settings.get("index.sort.field"):
            raise IllegalArgument("cannot have nested fields when index sort is activated")
        most_nested = self._limit(*_NESTED_FIELDS)
        if len(self.nested_paths) > most_nested:
            raise IllegalArgument(f"Limit of nested fields [{most_nested}] has been exceeded")
        for path, node in self.nodes.items():
            if isinstance(node, ObjectNode):
                if path.count(".") + 2 > depth:
                    raise IllegalArgument(
                        f"Limit of mapping depth [{depth}] has been exceeded due to object field [{path}]"
                    )
            elif node.type is AliasFieldType:
                self._check_alias(node)
            elif node.copy_to:
                self._check_copy_to(node)
            if len(node.name) > length:
                raise IllegalArgument(
                    f"Field name [{node.name}] is longer than the limit of [{length}] characters"
                )

    def _check_alias(self, node: FieldNode) -> None:
        path = node.given["path"]
        found = self.nodes.get(path)
        if path == node.path:
            complaint = "refer to itself"
        elif not isinstance(found, FieldNode):
            raise MapperParsingError(
                f"Invalid [path] value [{path}] for field alias [{node.path}]: an alias must refer to an "
                "existing field in the mappings."
            )
        elif found.type is AliasFieldType:
            complaint = "refer to another alias"
        else:
            self._check_alias_scope(node.path, path)
            return
        raise MapperParsingError(
            f"Invalid [path] value [{path}] for field alias [{node.path}]: an alias cannot {complaint}."
        )

    def _check_alias_scope(self, name: str, path: str) -> None:
        own, target = self.nested_scope(name), self.nested_scope(path)
        if own == target:
            return
        alias = "The alias is not nested" if own is None else f"The alias's nested scope is [{own}]"
        found = "the target is not nested" if target is None else f"the target's nested scope is [{target}]"
        raise IllegalArgument(
            f"Invalid [path] value [{path}] for field alias [{name}]: an alias must have the same nested "
            f"scope as its target. {alias}, but {found}."
        )

    def _check_copy_to(self, node: FieldNode) -> None:
        parent = self.nodes.get(node.path.rpartition(".")[0])
        if isinstance(parent, FieldNode):
            raise IllegalArgument(f"[copy_to] may not be used to copy from a multi-field: [{node.path}]")
        for target in node.copy_to:
            found = self.nodes.get(target)
            if isinstance(found, ObjectNode):
                raise IllegalArgument(f"Cannot copy to field [{target}] since it is mapped as an object")
            if isinstance(found, FieldNode) and isinstance(
                self.nodes.get(target.rpartition(".")[0]), FieldNode
            ):
                raise IllegalArgument(f"[copy_to] may not be used to copy to a multi-field: [{target}]")
            own, scope = self.nested_scope(node.path), self.nested_scope(target)
            if scope is not None and scope not in self.nested_scopes(own):
                raise IllegalArgument(
                    "Illegal combination of [copy_to] and [nested] mappings: [copy_to] may only copy data to "
                    "the current nested document or any of its parents, however one [copy_to] directive is "
                    f"trying to copy data from nested object [{own or 'null'}] to [{scope}]"
                )

    def _limit(self, name: str, default: int) -> int:
        value = self.settings.get(name)
        return default if value is None else int(value)

    # -- showing

    def render(self) -> dict[str, Any]:
        """Return the mapping as GET _mapping shows it; {} when nothing is defined."""
        return self.root.render()

    @cached_property
    def source_filter(self) -> SourceFilter:
        """Return what documents show of their source; ALL itself for everything."""
        wanted = SourceFilter(*(self.root.metadata_parameter("_source", name) for name in _SOURCE_PARAMETERS))
        return ALL if wanted == ALL else wanted

    def shown_source(self, source: bytes) -> bytes | None:
        """Return what is shown of a source, as it was sent or as a segment has it; None: nothing."""
        wanted = self.source_filter
        return filter_source(source, wanted) if wanted.enabled else None

    def kept_source(self, source: bytes) -> bytes:
        """Return what segments keep of a source; b"" for nothing.

        All of it where there are values that are read from it though they are not shown in it: stored fields
        and vectors of terms, malformed values, and nested objects, which are known by their number.
        """
        if self._reads_whole_source:
            return source
        return self.shown_source(source) or b""

    @cached_property
    def _reads_whole_source(self) -> bool:
        if self.may_ignore or self.nested_paths or self.stored_fields:
            return True
        return any((field.get("term_vector") or "no") != "no" for field in self.fields.values())

    @property
    def routing_required(self) -> bool:
        """Return whether documents need a routing value."""
        required: bool = self.root.metadata_parameter("_routing", "required")
        return required

    @property
    def timestamp_field(self) -> str | None:
        """Return the field that every document must have one value of, if there is one: in data streams."""
        return self.root.timestamp_field

    @cached_property
    def may_ignore(self) -> bool:
        """Return whether documents may have malformed values that were left out."""
        return any(field.get("ignore_malformed") for field in self.fields.values())

    # -- fields

    @cached_property
    def stored_fields(self) -> tuple[str, ...]:
        """Return the names of the fields whose values can be asked for beside the source."""
        return tuple(name for name, field in self.fields.items() if field.get("store"))

    def field_type(self, name: str) -> FieldType | None:
        """Return a field by its full name, multi-fields and metadata fields included."""
        found = self.fields.get(name) or self._metadata_types.get(name)
        if found is None:
            found = self._field_inside(name)
        return found if found is not None or self._unmapped is None else self._unmapped(name)

    def document_field(self, name: str) -> FieldType | None:
        """Return a field that documents set by its full name."""
        found = self.fields.get(name)
        return found if found is not None else self._field_inside(name)

    def _field_inside(self, name: str) -> FieldType | None:
        """Return what a name stands for inside a field that takes whole objects; None without one."""
        end = name.find(".")
        while end >= 0:
            around = self.parsed_fields.get(name[:end])
            if around is not None:
                return around.inside(name[end + 1 :])
            end = name.find(".", end + 1)
        return None

    @cached_property
    def _metadata_types(self) -> dict[str, FieldType]:
        context = BuildContext(self.registry, self.settings, self.metadata, self._number)
        return {kind.type_name: kind(kind.type_name, {}, context) for kind in METADATA_TYPES}

    def make_field_type(self, name: str, kind: type[FieldType]) -> FieldType:
        """Return a field that the mapping does not have, for requests that say what to take it for."""
        return kind(
            name, {}, BuildContext(self.registry, self.settings, self.metadata, lambda _: FIRST_NUMBER - 1)
        )

    def is_object(self, name: str) -> bool:
        """Return whether a name is that of an object."""
        return isinstance(self.nodes.get(name), ObjectNode)

    @cached_property
    def nested_paths(self) -> frozenset[str]:
        """Return the paths of the nested objects."""
        return frozenset(
            path
            for path, node in self.nodes.items()
            if isinstance(node, ObjectNode) and node.nested is not None
        )

    @cached_property
    def join(self) -> "JoinFieldType | None":
        """Return the field that says which documents belong together, if there is one."""
        found = (field for field in self.parsed_fields.values() if field.type_name == "join")
        join: JoinFieldType | None = next(found, None)  # type: ignore[assignment]
        return join

    def nested_scope(self, name: str) -> str | None:
        """Return the innermost nested object that a field or an object lies in, if there is one."""
        if self.nested_paths:
            parts = name.split(".")
            for n in range(len(parts) - 1, 0, -1):
                path = ".".join(parts[:n])
                if path in self.nested_paths:
                    return path
        return None

    def nested_scopes(self, path: str | None) -> list[str]:
        """Return a nested object and those around it, the innermost first."""
        scopes = []
        while path is not None:
            scopes.append(path)
            path = self.nested_scope(path)
        return scopes

    def match_fields(self, pattern: str) -> list[str]:
        """Return the names of the fields that a pattern fits; a plain name is looked up."""
        if not is_pattern(pattern):
            return [] if self.document_field(pattern) is None else [pattern]
        return [name for name in self.fields if matches(pattern, name)]

    def fields_below(self, path: str) -> list[str]:
        """Return the names of the fields inside an object."""
        return [name for name in self.fields if name.startswith(f"{path}.")]

    def similarity(self, name: str) -> Any:
        """Return the scoring formula of a field."""
        found = self.similarities.get(name)
        if found is None:
            field = self.fields.get(name)
            chosen = None if field is None else field.get("similarity")
            found = self.similarities[name] = similarity_named(chosen, self.settings)
        return found

    # -- documents

    @cached_property
    def parser(self) -> DocumentParser:
        """Return the compiled parser of documents."""
        return DocumentParser(
            self.root, self.parsed_fields, self.metadata, most_nested=self._limit(*_NESTED_OBJECTS)
        )

    def parse_document(self, source: bytes, *, id: str, routing: str | None) -> ParsedDocument:  # noqa: A002
        """Return a document's columns, or the additions that the mapping needs before it can be parsed.

        With additions the document has been tried against the merged mapping already, so that a document
        that fails leaves no trace.
        """
        parsed = self.parser.parse(source, id=id, routing=routing)
        if parsed is not None:
            return parsed
        depth = self._limit(*_DEPTH)

        def work(document: dict[str, Any]) -> tuple[dict[str, Any] | None, Values]:
            update, values = discover(self.root, self.parser, document, max_depth=depth)
            if update is None:
                self.parser.settle(values, id, routing)
            return update, values

        update, values = self.parser.guard(source, id, work)
        if update is None:
            return self.parser.finish(values, routing)
        self.merge(update).parse_document(source, id=id, routing=routing)
        return ParsedDocument([], update, [])
